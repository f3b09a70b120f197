"""The table as a player sees it, in at most 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from onirim_env.cards import COLOURS, KIND_NAMES, NIGHTMARE, SERIES_LENGTH, SYMBOLS
from onirim_env.render.text import (
    SIGNS,
    card_text,
    cards_text,
    doors_text,
    legend_text,
    row_text,
    top_text,
    zones_text,
)
from onirim_env.render.zones import (
    counted_names,
    doors_needed,
    expansion_zones,
    kinds_of,
    known_top,
    running_series,
)

if TYPE_CHECKING:
    from onirim_env.game import Game
    from onirim_env.rules import RuleSet

WIDTH = 80
ROW_SHOWN = 13
"""How many cards of a row are shown: with the series behind them they fill the width."""


def table_text(game: Game, viewer: int, names: Sequence[str]) -> str:
    """Return the table: rows, hands, Doors, what is hidden and what is known of the deck.

    Parameters
    ----------
    game
        The game.
    viewer
        The player who looks; cards that this player cannot know are not shown.
    names
        What the players are called.
    """
    position = game.position()
    seen = game.describe(viewer)
    deck_size = sum(len(position[zone]) for zone in ("deck", "revealed", "placed"))
    doors = f"{game.doors} of {doors_needed(game.rules)} Doors"
    title = f"-- turn {game.turns + 1} -- {doors} -- {deck_size} cards in the deck "
    lines = [title.ljust(WIDTH - 1, "-"), legend_text(game.rules)]
    for player in sorted(range(game.rules.players), key=lambda one: one != viewer):
        own = player == viewer
        if game.rules.players > 1:
            lines.append(f"{names[player]}:")
        one = position["players"][player]
        hand = cards_text(one["hand"]) if own else _partner_hand(seen)
        lines.append(f"  row     {row_text(one['row'], ROW_SHOWN)}{_series(game.rules, one, seen, own)}")
        lines.append(f"  hand    {hand}")
        lines.append(f"  Doors   {doors_text(one['doors'], game.rules)}")
    if game.rules.players > 1:
        lines.append(f"shared    {cards_text(position['shared'])}")
    if known_top(seen):
        lines.append(f"next      {top_text(seen)}   (what you know of the deck, first card first)")
    if position["limbo"]:
        caught = "dreamcatchers" in game.rules.expansions
        goes = "under a Dreamcatcher" if caught else "back into the deck"
        lines.append(f"Limbo     {cards_text(position['limbo'])}   ({goes} when the turn ends)")
    lines += zones_text(expansion_zones(game, viewer, position, seen), 9)
    lines.append(f"hidden    {hidden_text(seen)}")
    return "\n".join(lines)


def hidden_text(seen: dict[str, dict[str, int]]) -> str:
    """Return how many cards of each kind the viewer cannot see, wherever they are.

    Parameters
    ----------
    seen
        What :meth:`onirim_env.Game.describe` gives.
    """
    unseen = seen["unseen"]
    parts = []
    for colour in COLOURS:
        counts = [f"{unseen.get(f'{colour} {symbol}', 0)}{SIGNS[symbol]}" for symbol in (*SYMBOLS, "door")]
        parts.append(f"{card_text(f'{colour} sun')[0]} {' '.join(counts)}")
    nightmares = unseen.get(KIND_NAMES[NIGHTMARE], 0)
    others = [f"{number}x{card_text(name)}" for name, number in seen.get("new_unseen", {}).items()]
    return "  ".join([*parts, f"{nightmares}!!", *others])


def discarded_text(game: Game) -> str:
    """Return the discard pile by kind: all of it has been seen."""
    pile = game.position()["discard"]
    kinds = kinds_of(game.rules)
    counts = [f"{pile.count(name)} of {number} {name}" for name, number in kinds.items() if name in pile]
    return ", ".join(counts) or "nothing"


def _partner_hand(seen: dict[str, dict[str, int]]) -> str:
    known = counted_names({**seen["partner_hand"], **seen.get("new_partner_hand", {})})
    hidden = ["??"] * seen["partner_hidden"].get("cards", 0)
    return " ".join([*map(card_text, known), *hidden]) or "-"


def _series(rules: RuleSet, player: dict[str, Any], seen: dict[str, dict[str, int]], own: bool) -> str:
    series = running_series(rules, player, seen["series" if own else "partner_series"])
    return f"   ({series[1]} of {SERIES_LENGTH} {series[0]})" if series is not None else ""

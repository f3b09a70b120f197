"""The table as a player sees it, in at most 80 columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onirim_env.cards import COLOURS, KIND_COUNTS, KIND_NAMES, N_DOORS, NIGHTMARE, SERIES_LENGTH, SYMBOLS
from onirim_env.render.text import LEGEND, SIGNS, card_text, cards_text, doors_text, row_text, top_text

if TYPE_CHECKING:
    from onirim_env.game import Game

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
    title = f"-- turn {game.turns + 1} -- {game.doors} of {N_DOORS} Doors -- {deck_size} cards in the deck "
    lines = [title.ljust(WIDTH - 1, "-"), LEGEND]
    for player in sorted(range(game.rules.players), key=lambda one: one != viewer):
        own = player == viewer
        if game.rules.players > 1:
            lines.append(f"{names[player]}:")
        one = position["players"][player]
        hand = cards_text(one["hand"]) if own else _partner_hand(seen)
        lines.append(f"  row     {row_text(one['row'], ROW_SHOWN)}{_series(seen, own)}")
        lines.append(f"  hand    {hand}")
        lines.append(f"  Doors   {doors_text(one['doors'])}")
    if game.rules.players > 1:
        lines.append(f"shared    {cards_text(position['shared'])}")
    if seen["top"]:
        lines.append(f"next      {top_text(seen)}   (what you know of the deck, first card first)")
    if position["limbo"]:
        lines.append(f"Limbo     {cards_text(position['limbo'])}   (back into the deck when the turn ends)")
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
    return "  ".join([*parts, f"{nightmares}!!"])


def discarded_text(game: Game) -> str:
    """Return the discard pile by kind: all of it has been seen."""
    pile = game.position()["discard"]
    names = [name for name in KIND_NAMES if name in pile]
    counts = [f"{pile.count(name)} of {KIND_COUNTS[KIND_NAMES.index(name)]} {name}" for name in names]
    return ", ".join(counts) or "nothing"


def _partner_hand(seen: dict[str, dict[str, int]]) -> str:
    known = [name for name, number in seen["partner_hand"].items() for _ in range(number)]
    hidden = ["??"] * seen["partner_hidden"].get("cards", 0)
    return " ".join([*map(card_text, known), *hidden]) or "-"


def _series(seen: dict[str, dict[str, int]], own: bool) -> str:
    for label in seen["series" if own else "partner_series"]:
        colour, length = label.split()
        return f"   ({length} of {SERIES_LENGTH} {colour})"
    return ""

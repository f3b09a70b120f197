"""A game as text: letters and symbols, readable without colours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from onirim_env.cards import (
    COLOURS,
    DOORS_PER_COLOUR,
    FIRST_DOOR,
    KIND_COUNTS,
    KIND_NAMES,
    KIND_OF_NAME,
    N_LOCATION_KINDS,
    NIGHTMARE,
    SERIES_LENGTH,
)

if TYPE_CHECKING:
    from onirim_env.game import Game

SIGNS = {"sun": "*", "moon": "(", "key": "+", "door": "#"}
"""One sign for each symbol, beside the letter of the colour."""
ROW_SHOWN = 18
"""How many cards of a row are shown; the last ones count."""


def card_text(name: str) -> str:
    """Return the short text of a card, such as ``R*`` for red sun and ``N#`` for brown door."""
    if name == KIND_NAMES[NIGHTMARE]:
        return "!!"
    colour, symbol = name.split()
    letter = "N" if colour == "brown" else colour[0].upper()
    return letter + SIGNS[symbol]


LEGEND = "R red  B blue  G green  N brown   * sun  ( moon  + key  # door  !! nightmare"


def cards_text(names: Iterable[str]) -> str:
    """Return cards one after the other."""
    return " ".join(card_text(name) for name in names) or "-"


def row_text(names: list[str], shown: int = ROW_SHOWN) -> str:
    """Return the end of a row, and how many cards stand before it."""
    hidden = len(names) - shown
    start = f"({hidden} more) " if hidden > 0 else ""
    return start + cards_text(names[-shown:])


def doors_text(names: list[str]) -> str:
    """Return the Doors of a player by colour, dots for those that are not there."""
    parts = []
    for colour in COLOURS:
        number = names.count(f"{colour} door")
        shown = card_text(f"{colour} door") * number
        parts.append(shown + "." * (2 * (DOORS_PER_COLOUR - number)))
    return " ".join(parts)


def render_text(game: Game, player: int | None = None) -> str:
    """Return a game as one player (default: the one to move) sees it.

    Parameters
    ----------
    game
        The game.
    player
        Whose view; hidden cards are not shown.

    Returns
    -------
    str
        Several lines: phase, rows, hands, Doors, deck, what is being decided and the legal actions.
    """
    player = game.player if player is None else player
    position = game.position()
    seen = game.describe(player)
    lines = [LEGEND, f"turn {game.turns + 1}, {game.phase.replace('_', ' ')}" + _mover(game)]
    for index, one in enumerate(position["players"]):
        label = f"player {index} " if game.rules.players > 1 else ""
        if index == player:
            hand = cards_text(one["hand"])
        else:
            hidden = seen["partner_hidden"].get("cards", 0)
            hand = " ".join(
                filter(None, [_counted(seen["partner_hand"]), "??" * (hidden > 0) + " ??" * (hidden - 1)])
            )
        lines.append(f"{label}row    {row_text(one['row'])}{_series(seen, index == player)}")
        lines.append(f"{label}hand   {hand or '-'}")
        lines.append(f"{label}doors  {doors_text(one['doors'])}")
    if game.rules.players > 1:
        lines.append(f"shared {cards_text(position['shared'])}")
    deck_size = len(position["deck"]) + len(position["revealed"]) + len(position["placed"])
    lines.append(f"deck   {deck_size} cards, top: {top_text(seen)}")
    lines.append(f"unseen {_unseen(seen)}")
    lines.append(
        f"limbo  {cards_text(position['limbo'])}   discard pile {_cards_by_kind(position['discard'])}"
    )
    if seen["revealed"]:
        lines.append(f"prophecy {_counted(seen['revealed'])}")
    if position["drawn"] is not None:
        lines.append(f"drawn  {card_text(position['drawn'])} {position['drawn']}")
    if position["swapping"] is not None:
        lines.append(f"swapping {card_text(position['swapping'])}")
    if game.over:
        lines.append(f"{game.phase}: {game.doors} Doors, {game.cards_left} Locations left in the deck")
    else:
        lines.append("legal  " + ", ".join(game.legal_texts()))
    return "\n".join(lines)


def _mover(game: Game) -> str:
    return f", player {game.player} decides" if game.rules.players > 1 and not game.over else ""


def _series(seen: dict[str, dict[str, int]], own: bool) -> str:
    series = seen["series" if own else "partner_series"]
    for label in series:
        colour, length = label.split()
        return f"   ({colour} series {length} of {SERIES_LENGTH})"
    return ""


def _counted(counts: dict[str, int]) -> str:
    return " ".join(card_text(name) for name, number in counts.items() for _ in range(number))


def _cards_by_kind(names: list[str]) -> str:
    counts = {name: names.count(name) for name in sorted(set(names), key=KIND_OF_NAME.__getitem__)}
    return " ".join(f"{number}x{card_text(name)}" for name, number in counts.items()) or "-"


def top_text(seen: dict[str, dict[str, int]]) -> str:
    """Return what a player knows of the deck's first places, from ``Game.describe``."""
    places = {}
    for label in seen["top"]:
        _, place, name = label.split(maxsplit=2)
        places[int(place)] = card_text(name)
    if not places:
        return "unknown"
    return " ".join(places.get(place, "??") for place in range(1, max(places) + 1))


def _unseen(seen: dict[str, dict[str, int]]) -> str:
    unseen = seen["unseen"]
    locations = sum(unseen.get(name, 0) for name in KIND_NAMES[:N_LOCATION_KINDS])
    doors = [
        f"{unseen[name]}x{card_text(name)}" for name in KIND_NAMES[FIRST_DOOR:NIGHTMARE] if name in unseen
    ]
    nightmares = unseen.get(KIND_NAMES[NIGHTMARE], 0)
    parts = [f"{locations} Locations", " ".join(doors) or "no Doors"]
    parts.append(f"{nightmares} of {KIND_COUNTS[NIGHTMARE]} Nightmares")
    kinds = " ".join(
        f"{unseen[name]}x{card_text(name)}" for name in KIND_NAMES[:N_LOCATION_KINDS] if name in unseen
    )
    return f"{', '.join(parts)} ({kinds or '-'})"

"""A game as text: letters and symbols, readable without colours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from onirim_env.cards import (
    COLOURS,
    DOORS_PER_COLOUR,
    FIRST_DOOR,
    KIND_COUNTS,
    KIND_NAMES,
    NIGHTMARE,
    SERIES_LENGTH,
)
from onirim_env.expansions.form import Zone
from onirim_env.render.zones import (
    Seen,
    by_kind,
    doors_of_a_colour,
    expansion_zones,
    is_location,
    kinds_of,
    known_top,
    running_series,
    unseen_of,
)

if TYPE_CHECKING:
    from onirim_env.game import Game
    from onirim_env.rules import RuleSet

SIGNS = {"sun": "*", "moon": "(", "key": "+", "door": "#", "glyph": "^"}
"""One sign for each symbol, beside the letter of the colour."""
ROW_SHOWN = 18
"""How many cards of a row are shown; the last ones count."""


def card_text(name: str) -> str:
    """Return the short text of a card, such as ``R*`` for red sun and ``N#`` for brown door."""
    if name in SHORT:
        return SHORT[name]
    colour, *_, symbol = name.split()
    # A Tower has its value for a sign.
    return LETTERS[colour] + SIGNS.get(symbol, symbol)


LETTERS = {"red": "R", "blue": "B", "green": "G", "brown": "N", "crossroad": "X", "oniverse": "O"}
SHORT = {
    KIND_NAMES[NIGHTMARE]: "!!",
    "lost dream": "LD",
    "happy dream": "HD",
    "dead end": "==",
    "architect": "Ar",
    "cyclobot": "Cy",
    "squirrel spies": "Sq",
    "harpoon hunter": "Ha",
    "hammer bird": "Hb",
    "chromatic chaos": "Ch",
    "mirror": "Mi",
    "treasure keeper": "Tk",
}
"""The short texts of cards that have no colour."""
EXPANSION_LEGENDS = {
    "glyphs": "^ glyph",
    "dreamcatchers": "LD lost dream",
    "towers": "R3 red tower 3",
    "premonitions": "HD happy dream",
    "crossroads": "X* crossroad sun  == dead end",
    "oniverse": "O# oniverse door  "
    + "  ".join(f"{short} {name}" for name, short in list(SHORT.items())[4:]),
}
"""What the short texts of each expansion's cards mean."""
LEGEND = "R red  B blue  G green  N brown   * sun  ( moon  + key  # door  !! nightmare"


def cards_text(names: Iterable[str]) -> str:
    """Return cards one after the other."""
    return " ".join(card_text(name) for name in names) or "-"


def row_text(names: list[str], shown: int = ROW_SHOWN) -> str:
    """Return the end of a row, and how many cards stand before it."""
    hidden = len(names) - shown
    start = f"({hidden} more) " if hidden > 0 else ""
    return start + cards_text(names[-shown:])


def doors_text(names: list[str], rules: RuleSet | None = None) -> str:
    """Return the Doors of a player by colour, dots for those that are not there."""
    parts = []
    places = DOORS_PER_COLOUR if rules is None else doors_of_a_colour(rules)
    for colour in COLOURS:
        number = names.count(f"{colour} door")
        shown = card_text(f"{colour} door") * number
        parts.append(shown + "." * (2 * (places - number)))
    if rules is not None and "oniverse" in rules.expansions:
        parts.append(card_text("oniverse door") if "oniverse door" in names else "..")
    return " ".join(parts)


def legend_text(rules: RuleSet) -> str:
    """Return what the short texts of a rule set's cards mean: a line, and one more with expansions."""
    more = "  ".join(EXPANSION_LEGENDS[name] for name in rules.expansions if name in EXPANSION_LEGENDS)
    return f"{LEGEND}\n{more}" if more else LEGEND


def zone_text(zone: Zone) -> str:
    """Return a zone of an expansion in a line, without its label; Goals that are met stand in brackets."""
    groups = []
    for group in zone.groups:
        cards = ["??" if name is None else card_text(name) for name in group]
        marked = [f"[{card}]" if place in zone.marked else card for place, card in enumerate(cards)]
        groups.append(" ".join(marked) or "-")
    return "   ".join(filter(None, [" | ".join(groups), zone.words]))


def zones_text(zones: Sequence[Zone], width: int, separator: str = " ") -> list[str]:
    """Return the zones of expansions, a line for each, behind labels of a width."""
    return [f"{zone.label:<{width}}{separator}{zone_text(zone)}" for zone in zones]


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
    lines = [legend_text(game.rules), f"turn {game.turns + 1}, {game.phase.replace('_', ' ')}" + _mover(game)]
    for index, one in enumerate(position["players"]):
        label = f"player {index} " if game.rules.players > 1 else ""
        if index == player:
            hand = cards_text(one["hand"])
        else:
            hidden = seen["partner_hidden"].get("cards", 0)
            known = _counted({**seen["partner_hand"], **seen.get("new_partner_hand", {})})
            hand = " ".join(filter(None, [known, "??" * (hidden > 0) + " ??" * (hidden - 1)]))
        lines.append(f"{label}row    {row_text(one['row'])}{_series(game.rules, one, seen, index == player)}")
        lines.append(f"{label}hand   {hand or '-'}")
        lines.append(f"{label}doors  {doors_text(one['doors'], game.rules)}")
    if game.rules.players > 1:
        lines.append(f"shared {cards_text(position['shared'])}")
    deck_size = len(position["deck"]) + len(position["revealed"]) + len(position["placed"])
    lines.append(f"deck   {deck_size} cards, top: {top_text(seen)}")
    lines.append(f"unseen {_unseen(game.rules, seen)}")
    lines.append(
        f"limbo  {cards_text(position['limbo'])}   discard pile {_cards_by_kind(position['discard'])}"
    )
    lines += zones_text(expansion_zones(game, player, position, seen), 6)
    revealed = {**seen["revealed"], **seen.get("new_revealed", {})}
    if revealed:
        lines.append(f"prophecy {_counted(revealed)}")
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


def _series(rules: RuleSet, player: dict[str, Any], seen: Seen, own: bool) -> str:
    series = running_series(rules, player, seen["series" if own else "partner_series"])
    return f"   ({series[0]} series {series[1]} of {SERIES_LENGTH})" if series is not None else ""


def _counted(counts: dict[str, int]) -> str:
    return " ".join(card_text(name) for name, number in counts.items() for _ in range(number))


def _cards_by_kind(names: list[str]) -> str:
    counts = {name: names.count(name) for name in by_kind(set(names))}
    return " ".join(f"{number}x{card_text(name)}" for name, number in counts.items()) or "-"


def top_text(seen: Seen) -> str:
    """Return what a player knows of the deck's first places, from ``Game.describe``."""
    places = known_top(seen)
    return " ".join("??" if name is None else card_text(name) for name in places) or "unknown"


def _unseen(rules: RuleSet, seen: Seen) -> str:
    unseen = unseen_of(seen)
    others = [name for name in kinds_of(rules) if name not in KIND_NAMES[FIRST_DOOR:]]
    locations = sum(unseen.get(name, 0) for name in others if is_location(name))
    doors = [
        f"{unseen[name]}x{card_text(name)}" for name in KIND_NAMES[FIRST_DOOR:NIGHTMARE] if name in unseen
    ]
    nightmares = unseen.get(KIND_NAMES[NIGHTMARE], 0)
    parts = [f"{locations} Locations", " ".join(doors) or "no Doors"]
    parts.append(f"{nightmares} of {KIND_COUNTS[NIGHTMARE]} Nightmares")
    kinds = " ".join(f"{unseen[name]}x{card_text(name)}" for name in others if name in unseen)
    return f"{', '.join(parts)} ({kinds or '-'})"

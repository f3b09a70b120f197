"""The zones that expansions lay beside the cards of the base game, as one player may see them.

Texts, pictures, the terminal and replay pages all show what :func:`expansion_zones` gives.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from onirim_env.cards import DOORS_PER_COLOUR, N_COLOURS, N_DOORS, SERIES_LENGTH
from onirim_env.expansions import ALL_KIND_NAMES, ALL_KIND_OF_NAME, LOCATIONS, expansion_of, kind_counts
from onirim_env.expansions.form import Zone

if TYPE_CHECKING:
    from onirim_env.game import Game
    from onirim_env.rules import RuleSet

Seen = dict[str, dict[str, int]]
"""What :meth:`onirim_env.Game.describe` gives."""


_AS_THEY_LIE = ("book_of_steps", "towers", "dreamcatchers", "premonitions", "oniverse")
"""Expansions with zones, in the order in which these lie on the table."""


def doors_of_a_colour(rules: RuleSet) -> int:
    """Return how many Doors of a colour a rule set has."""
    return DOORS_PER_COLOUR + ("glyphs" in rules.expansions)


def doors_needed(rules: RuleSet) -> int:
    """Return how many Doors have to be in play to win."""
    if not rules.expansions:
        return N_DOORS
    return N_COLOURS * doors_of_a_colour(rules) + ("oniverse" in rules.expansions)


def kinds_of(rules: RuleSet) -> dict[str, int]:
    """Return the name of every kind of a rule set's cards, and how many of them there are."""
    return {name: number for name, number in zip(ALL_KIND_NAMES, kind_counts(rules.expansions)) if number}


def is_location(name: str) -> bool:
    """Whether a card is a Location, Towers and Crossroads included."""
    return name in LOCATIONS


def unseen_of(seen: Seen) -> dict[str, int]:
    """Return the cards that a player cannot see, those of expansions included."""
    return {**seen["unseen"], **seen.get("new_unseen", {})}


def by_kind(names: Iterable[str]) -> list[str]:
    """Return cards in the order of their kinds."""
    return sorted(names, key=ALL_KIND_OF_NAME.__getitem__)


def counted_names(counts: dict[str, int]) -> tuple[str, ...]:
    """Return every card of a count by itself."""
    return tuple(name for name, number in counts.items() for _ in range(number))


def known_top(seen: Seen) -> list[str | None]:
    """Return the first cards of the deck as far down as one is known; None is an unknown card."""
    return _known([*seen["top"], *seen.get("new_top", {})])


def known_bottom(seen: Seen) -> list[str | None]:
    """Return the last cards of the deck as far up as one is known, the lowest one last."""
    return _known(seen.get("bottom", {}))[::-1]


def _known(labels: Iterable[str]) -> list[str | None]:
    places = {}
    for label in labels:
        _, place, name = label.split(maxsplit=2)
        places[int(place)] = name
    return [places.get(place) for place in range(1, max(places, default=0) + 1)]


def row_series(row: Sequence[str], used: int, rules: RuleSet) -> tuple[str, int] | None:
    """Return colour and length of what the end of a row counts for in the series under way.

    Crossroads count for any colour; the colour is empty where only they count.
    """
    cards = list(row[used:])
    if "crossroads" not in rules.expansions:
        colours = [name.split()[0] for name in row]
        run = next((place for place, one in enumerate(colours[::-1]) if one != colours[-1]), len(row))
        return (colours[-1], (run - 1) % SERIES_LENGTH + 1) if run else None
    if _conflict_restarts(rules) and _common_colour(cards) is None:
        cards = cards[-1:]
    best = None
    for length in range(1, min(SERIES_LENGTH, len(cards)) + 1):
        colour = _common_colour(cards[-length:])
        if colour is not None:
            best = (colour, length)
    return best


def _conflict_restarts(rules: RuleSet) -> bool:
    """Return whether a conflict of colours begins a new series (O-37, X-7)."""
    return rules.crossroad_series == "restart" or "crossroads" in rules.hard


def _common_colour(cards: Sequence[str]) -> str | None:
    """Return the colour of cards that can belong to one series, empty for a Crossroad alone; else None."""
    colours = [name.split()[0] for name in cards if not name.startswith("crossroad")]
    if len(set(colours)) > 1 or len(cards) - len(colours) > 1:
        return None
    return colours[0] if colours else ""


def running_series(rules: RuleSet, player: dict[str, Any], field: dict[str, int]) -> tuple[str, int] | None:
    """Return colour and length of a player's running series, or None.

    Parameters
    ----------
    rules
        The rules.
    player
        The player's entry of the position.
    field
        What :meth:`onirim_env.Game.describe` tells of that series.
    """
    if "crossroads" in rules.expansions:
        series = row_series(player["row"], player["used"], rules)
        return series if series is not None and series[0] else None
    for label in field:
        colour, length = label.split()
        return colour, int(length)
    return None


def expansion_zones(game: Game, viewer: int, position: dict[str, Any], seen: Seen) -> list[Zone]:
    """Return the zones of a game's expansions; none without expansions.

    Parameters
    ----------
    game
        The game.
    viewer
        The player who looks.
    position
        The game's position.
    seen
        What the viewer knows.
    """
    if not game.rules.expansions:
        return []
    zones = [
        zone
        for keyword in _AS_THEY_LIE
        if keyword in game.rules.expansions
        for zone in expansion_of(keyword).zones(position)
    ]
    bottom = known_bottom(seen)
    if bottom:
        zones.append(Zone("known bottom", (tuple(bottom),)))
    looked, placed = counted_names(seen["looked"]), counted_names(seen["placed"])
    if looked:
        zones.append(Zone("looked at", (looked,)))
    if placed:
        zones.append(Zone("placed", (placed,)))
    if position["removed"]:
        zones.append(Zone("removed", (tuple(by_kind(position["removed"])),)))
    if seen.get("fetched"):
        zones.append(Zone("fetched", (tuple(seen["fetched"]),)))
    return zones

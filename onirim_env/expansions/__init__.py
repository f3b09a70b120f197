"""The seven expansions as tables: cards, decisions, fields, in their fixed order.

Importing this needs no numba: actions, observations, positions and texts are made from it, and the
rules (``engine/expansions``) take their numbers from here.
"""

from __future__ import annotations

from onirim_env.cards import COLOURS, KIND_COUNTS, KIND_NAMES, LOCATION_NAMES, N_COLOURS, N_KINDS
from onirim_env.expansions import (
    book_of_steps,
    crossroads,
    dreamcatchers,
    glyphs,
    oniverse,
    premonitions,
    shared,
    towers,
)
from onirim_env.expansions.form import Cards, Expansion, Group

EXPANSION_TABLES: tuple[Expansion, ...] = (
    book_of_steps.EXPANSION,
    glyphs.EXPANSION,
    dreamcatchers.EXPANSION,
    towers.EXPANSION,
    premonitions.EXPANSION,
    crossroads.EXPANSION,
    oniverse.EXPANSION,
)

ALL_KIND_NAMES = (*KIND_NAMES, *(name for expansion in EXPANSION_TABLES for name, _ in expansion.cards))
"""The name of each kind: those of the base game, then those of each expansion."""
ALL_KIND_OF_NAME = {name: kind for kind, name in enumerate(ALL_KIND_NAMES)}
N_ALL_KINDS = len(ALL_KIND_NAMES)
EXPANSION_PHASES = (*shared.PHASES, *(phase for expansion in EXPANSION_TABLES for phase in expansion.phases))
"""Names of the phases that expansions bring: those of several expansions, then each expansion's."""


def names_of(cards: Cards) -> tuple[str, ...]:
    """Return the names of the cards of a group; other cards are names already."""
    if not isinstance(cards, Group):
        return cards
    of_expansions = {
        Group.ANY: ALL_KIND_NAMES[N_KINDS:],
        Group.HAND: tuple(name for expansion in EXPANSION_TABLES for name in expansion.hand),
        Group.ROW: tuple(name for expansion in EXPANSION_TABLES for name in expansion.row),
        Group.LOCATIONS: tuple(name for expansion in EXPANSION_TABLES for name in expansion.locations),
        Group.KEYS: tuple(name for expansion in EXPANSION_TABLES for name in expansion.keys),
    }
    new = {
        Group.NEW: Group.ANY, Group.NEW_HAND: Group.HAND, Group.NEW_ROW: Group.ROW,
        Group.NEW_LOCATIONS: Group.LOCATIONS,
    }  # fmt: skip
    if cards in new:
        return of_expansions[new[cards]]
    of_base = {Group.ANY: KIND_NAMES, Group.KEYS: tuple(f"{colour} key" for colour in COLOURS)}
    return (*of_base.get(cards, LOCATION_NAMES), *of_expansions[cards])


NEW_KINDS = names_of(Group.NEW)
ROW_CARDS, HAND_CARDS, LOCATIONS = names_of(Group.ROW), names_of(Group.HAND), names_of(Group.LOCATIONS)


def first_kind(keyword: str) -> int:
    """Return the first kind of an expansion's own cards."""
    kind = N_KINDS
    for expansion in EXPANSION_TABLES:
        if expansion.keyword == keyword:
            return kind
        kind += len(expansion.cards)
    raise KeyError(keyword)


def expansion_of(keyword: str) -> Expansion:
    """Return the expansion of a keyword."""
    return next(expansion for expansion in EXPANSION_TABLES if expansion.keyword == keyword)


def kind_counts(expansions: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many cards of each kind the deck holds at first, Denizens that are removed included."""
    counts = [*KIND_COUNTS, *(0,) * (N_ALL_KINDS - N_KINDS)]
    for expansion in EXPANSION_TABLES:
        if expansion.keyword in expansions:
            for name, number in expansion.cards:
                counts[ALL_KIND_OF_NAME[name]] = number
            for colour in range(N_COLOURS):
                counts[ALL_KIND_OF_NAME["red door"] + colour] += expansion.doors
    return tuple(counts)

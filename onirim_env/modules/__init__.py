"""The seven expansions as tables: cards, decisions, options, in their fixed order.

Importing this needs no numba: actions, observations, positions and texts are made from it, and the
rules (``engine/modules``) take their numbers from here.
"""

from __future__ import annotations

from onirim_env.cards import COLOURS, KIND_COUNTS, KIND_NAMES, LOCATION_NAMES, N_COLOURS, N_KINDS
from onirim_env.modules import (
    book_of_steps,
    crossroads,
    dreamcatchers,
    glyphs,
    oniverse,
    premonitions,
    shared,
    towers,
)
from onirim_env.modules.table import Cards, Group, Module

MODULES: tuple[Module, ...] = (
    book_of_steps.MODULE,
    glyphs.MODULE,
    dreamcatchers.MODULE,
    towers.MODULE,
    premonitions.MODULE,
    crossroads.MODULE,
    oniverse.MODULE,
)

ALL_KIND_NAMES = (*KIND_NAMES, *(name for module in MODULES for name, _ in module.cards))
"""The name of each kind: those of the base game, then those of each module."""
ALL_KIND_OF_NAME = {name: kind for kind, name in enumerate(ALL_KIND_NAMES)}
N_ALL_KINDS = len(ALL_KIND_NAMES)
MODULE_PHASES = (*shared.PHASES, *(phase for module in MODULES for phase in module.phases))
"""Names of the phases that modules bring: those of several modules, then each module's."""


def names_of(cards: Cards) -> tuple[str, ...]:
    """Return the names of the cards of a group; other cards are names already."""
    if not isinstance(cards, Group):
        return cards
    of_modules = {
        Group.ANY: ALL_KIND_NAMES[N_KINDS:],
        Group.HAND: tuple(name for module in MODULES for name in module.hand),
        Group.ROW: tuple(name for module in MODULES for name in module.row),
        Group.LOCATIONS: tuple(name for module in MODULES for name in module.locations),
        Group.KEYS: tuple(name for module in MODULES for name in module.keys),
    }
    new = {
        Group.NEW: Group.ANY, Group.NEW_HAND: Group.HAND, Group.NEW_ROW: Group.ROW,
        Group.NEW_LOCATIONS: Group.LOCATIONS,
    }  # fmt: skip
    if cards in new:
        return of_modules[new[cards]]
    of_base = {Group.ANY: KIND_NAMES, Group.KEYS: tuple(f"{colour} key" for colour in COLOURS)}
    return (*of_base.get(cards, LOCATION_NAMES), *of_modules[cards])


def first_kind(keyword: str) -> int:
    """Return the first kind of a module's own cards."""
    kind = N_KINDS
    for module in MODULES:
        if module.keyword == keyword:
            return kind
        kind += len(module.cards)
    raise KeyError(keyword)


def module_of(keyword: str) -> Module:
    """Return the module of a keyword."""
    return next(module for module in MODULES if module.keyword == keyword)


def kind_counts(expansions: tuple[str, ...]) -> tuple[int, ...]:
    """Return how many cards of each kind the deck holds at first, Denizens that are removed included."""
    counts = [*KIND_COUNTS, *(0,) * (N_ALL_KINDS - N_KINDS)]
    for module in MODULES:
        if module.keyword in expansions:
            for name, number in module.cards:
                counts[ALL_KIND_OF_NAME[name]] = number
            for colour in range(N_COLOURS):
                counts[ALL_KIND_OF_NAME["red door"] + colour] += module.doors
    return tuple(counts)

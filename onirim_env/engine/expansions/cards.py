"""What the cards of expansions are: colours, symbols, sets of kinds (bit k stands for kind k)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import COLOURS, FIRST_DOOR, N_COLOURS, N_LOCATION_KINDS, N_SYMBOLS
from onirim_env.compiling.compile import rule
from onirim_env.engine.expansions.state import ONIVERSE_DOOR
from onirim_env.expansions import ALL_KIND_OF_NAME, N_ALL_KINDS, first_kind
from onirim_env.expansions.towers import VALUES

GLYPH = N_SYMBOLS
"""The fourth symbol."""
ANY_COLOUR, NO_COLOUR, NO_SYMBOL = N_COLOURS, N_COLOURS + 1, GLYPH + 1

FIRST_GLYPH = first_kind("glyphs")
LOST_DREAM = first_kind("dreamcatchers")
FIRST_TOWER = first_kind("towers")
HAPPY_DREAM = first_kind("premonitions")
FIRST_CROSSROAD = first_kind("crossroads")
CROSSROAD_KEY = ALL_KIND_OF_NAME["crossroad key"]
DEAD_END = ALL_KIND_OF_NAME["dead end"]
ONIVERSE_KIND = first_kind("oniverse")
FIRST_DENIZEN = ONIVERSE_KIND + 1
N_TOWER_KINDS = N_COLOURS * len(VALUES)


def _colour(kind: int) -> int:
    if kind < N_LOCATION_KINDS:
        return kind // N_SYMBOLS
    if kind < FIRST_DOOR + N_COLOURS:
        return kind - FIRST_DOOR
    if FIRST_GLYPH <= kind < FIRST_GLYPH + N_COLOURS:
        return kind - FIRST_GLYPH
    if FIRST_TOWER <= kind < FIRST_TOWER + N_TOWER_KINDS:
        return (kind - FIRST_TOWER) // len(VALUES)
    return ANY_COLOUR if FIRST_CROSSROAD <= kind < DEAD_END else NO_COLOUR


def _symbol(kind: int) -> int:
    if kind < N_LOCATION_KINDS:
        return kind % N_SYMBOLS
    if FIRST_GLYPH <= kind < FIRST_GLYPH + N_COLOURS:
        return GLYPH
    return kind - FIRST_CROSSROAD if FIRST_CROSSROAD <= kind < DEAD_END else NO_SYMBOL


def _set(first: int, number: int) -> int:
    return (1 << number) - 1 << first


COLOUR_OF = np.array([_colour(kind) for kind in range(N_ALL_KINDS)], dtype=np.int64)
SYMBOL_OF = np.array([_symbol(kind) for kind in range(N_ALL_KINDS)], dtype=np.int64)
ROW_KINDS = _set(0, N_LOCATION_KINDS) | _set(FIRST_GLYPH, N_COLOURS) | _set(FIRST_CROSSROAD, N_SYMBOLS)
CROSSROAD_KINDS = _set(FIRST_CROSSROAD, N_SYMBOLS)
TOWER_KINDS = _set(FIRST_TOWER, N_TOWER_KINDS)
LOCATION_KINDS = ROW_KINDS | TOWER_KINDS
HAND_KINDS = LOCATION_KINDS | 1 << DEAD_END
DOOR_KINDS = _set(FIRST_DOOR, N_COLOURS) | 1 << ONIVERSE_KIND
KEY_KINDS = sum(1 << ALL_KIND_OF_NAME[f"{colour} key"] for colour in COLOURS) | 1 << CROSSROAD_KEY
SYMBOL_KINDS = np.array(
    [sum(1 << kind for kind in range(N_ALL_KINDS) if _symbol(kind) == symbol) for symbol in range(GLYPH + 1)],
    dtype=np.int64,
)
"""The set of kinds of each symbol."""


@rule
def door_of(kind):
    """Return the number of a Door among Doors."""
    return ONIVERSE_DOOR if kind == ONIVERSE_KIND else kind - FIRST_DOOR


@rule
def kind_of_door(door):
    """Return the kind of a Door."""
    return ONIVERSE_KIND if door == ONIVERSE_DOOR else FIRST_DOOR + door


@rule
def is_in(kind, kinds):
    """Whether a kind is in a set."""
    return kinds >> kind & 1 != 0


def colour_of(state, kind):
    """Return the colour of a card; Crossroads have one of their own."""
    return COLOUR_OF[kind]


def symbol_of(state, kind):
    """Return the symbol of a card."""
    return SYMBOL_OF[kind]


def joins_hand(state, kind):
    """Whether a drawn card joins a hand (F-2, TW-1, X-3)."""
    return is_in(kind, HAND_KINDS)


def is_location(state, kind):
    """Whether a revealed card is discarded as a Location; Dead Ends are not (X-5)."""
    return is_in(kind, LOCATION_KINDS)


def is_door(state, kind):
    """Whether a card is a Door."""
    return is_in(kind, DOOR_KINDS)


def door_kinds(state):
    """Return the set of kinds of Doors."""
    return DOOR_KINDS

"""The state of a game with expansions: the fields of a base game, wider, and those of every expansion."""

from __future__ import annotations

from typing import Any

import numpy as np

from onirim_env.cards import FACE_UP, FIRST_DOOR, MAX_PLAYERS, N_CARDS, N_COLOURS, N_LOCATIONS
from onirim_env.engine.state import N_HANDS, PHASES, STATE
from onirim_env.expansions import EXPANSION_PHASES, EXPANSION_TABLES, N_ALL_KINDS, shared
from onirim_env.expansions.form import ALL_KINDS, IN_LIMBO, StateField
from onirim_env.expansions.towers import NAMES as TOWER_NAMES
from onirim_env.rules import EXPANSION_BIT, EXPANSIONS, HARD_BIT, expansion_flag_of

ALL_PHASES = (*PHASES, *EXPANSION_PHASES)
"""Names of the phases by number: those of the base game, then those of expansions."""
PHASE = {name: number for number, name in enumerate(ALL_PHASES)}

BOOK, GLYPHS, CATCHING, TOWERS, PREMONITION, CROSSROADS, ONIVERSE = (
    EXPANSION_BIT << index for index in range(len(EXPANSIONS))
)
HARD_BOOK, _, HARD_CATCHING, HARD_TOWERS, HARD_PREMONITION, HARD_CROSSROADS, _ = (
    HARD_BIT << index for index in range(len(EXPANSIONS))
)
ANY_GOALS_SWAP = expansion_flag_of("parallel_planning")
INCANTATION_FORCED = expansion_flag_of("incantation_door")
ONE_IS_EMPTIED = expansion_flag_of("overload")
FORCED_DESTRUCTION_ONLY = expansion_flag_of("false_destruction")
SIX_PREMONITIONS = expansion_flag_of("premonitions_face_up")
ALL_DENIZENS = expansion_flag_of("denizens")
SERIES_RESTART = expansion_flag_of("crossroad_series")

N_MORE_CARDS = sum(
    sum(number for _, number in expansion.cards) + N_COLOURS * expansion.doors
    for expansion in EXPANSION_TABLES
)
N_ALL_DOORS = N_COLOURS + 1
ONIVERSE_DOOR = N_COLOURS
"""The number of the Oniverse Door among Doors."""
N_TOWERS = len(TOWER_NAMES)
NO_GOAL = -1

# What follows a discard, once the swap of co-op is over; from 3 on, a look at as many cards.
NOTHING_FOLLOWS, INCANTATION_FOLLOWS = 0, 1

_WIDER = {
    "rules": (np.int64, ()),
    "deck_size": (np.int16, ()),
    "top_size": (np.int16, ()),
    "doors": (np.int8, (MAX_PLAYERS, N_ALL_DOORS)),
    "limbo": (np.int8, (N_ALL_KINDS - FIRST_DOOR,)),
    "discard": (np.int8, (N_ALL_KINDS,)),
    "deck_count": (np.int8, (N_ALL_KINDS,)),
    "hand": (np.uint8, (N_HANDS, FACE_UP)),
    "row": (np.uint8, (N_LOCATIONS + N_MORE_CARDS,)),
    "deck": (np.uint8, (N_CARDS + N_MORE_CARDS,)),
}


def _base_fields() -> list[tuple[str, Any, tuple[int, ...]]]:
    """Return the fields of a base game, as wide as expansions need them."""
    return [(name, *_WIDER.get(name, (STATE[name].base, STATE[name].shape))) for name in STATE.names or ()]


_SIZES = {ALL_KINDS: N_ALL_KINDS, IN_LIMBO: N_ALL_KINDS - FIRST_DOOR}


def _expansion_fields(fields: tuple[StateField, ...]) -> list[tuple[str, Any, tuple[int, ...]]]:
    """Return fields of expansions with their sizes as numbers."""
    return [
        (name, np.dtype(kind), tuple(size if isinstance(size, int) else _SIZES[size] for size in shape))
        for name, kind, shape in fields
    ]


FULL_STATE = np.dtype(
    [
        *_base_fields(),
        *_expansion_fields(shared.STATE),
        *(field for expansion in EXPANSION_TABLES for field in _expansion_fields(expansion.state)),
    ],
    align=True,
)
"""One game with expansions."""

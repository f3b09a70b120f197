"""The state of a game with modules: the fields of a base game, wider, and those of every module."""

from __future__ import annotations

from typing import Any

import numpy as np

from onirim_env.cards import FACE_UP, FIRST_DOOR, MAX_PLAYERS, N_CARDS, N_COLOURS, N_LOCATIONS
from onirim_env.engine.state import N_HANDS, PHASES, STATE
from onirim_env.modules import MODULE_PHASES, MODULES, N_ALL_KINDS
from onirim_env.modules.book_of_steps import MAX_GOALS
from onirim_env.modules.dreamcatchers import CATCHERS
from onirim_env.modules.oniverse import DENIZENS
from onirim_env.modules.premonitions import PREMONITIONS
from onirim_env.rules import EXPANSION_BIT, EXPANSIONS, HARD_BIT, module_flag_of

ALL_PHASES = (*PHASES, *MODULE_PHASES)
"""Names of the phases by number: those of the base game, then those of modules."""
PHASE = {name: number for number, name in enumerate(ALL_PHASES)}

BOOK, GLYPHS, CATCHING, TOWERS, PREMONITION, CROSSROADS, ONIVERSE = (
    EXPANSION_BIT << index for index in range(len(EXPANSIONS))
)
HARD_BOOK, _, HARD_CATCHING, HARD_TOWERS, HARD_PREMONITION, HARD_CROSSROADS, _ = (
    HARD_BIT << index for index in range(len(EXPANSIONS))
)
ANY_GOALS_SWAP = module_flag_of("parallel_planning")
INCANTATION_FORCED = module_flag_of("incantation_door")
ONE_IS_EMPTIED = module_flag_of("overload")
FORCED_DESTRUCTION_ONLY = module_flag_of("false_destruction")
ALL_DENIZENS = module_flag_of("denizens")
SERIES_RESTART = module_flag_of("crossroad_series")

N_MORE_CARDS = sum(sum(number for _, number in module.cards) + N_COLOURS * module.doors for module in MODULES)
N_ALL_DOORS = N_COLOURS + 1
ONIVERSE_DOOR = N_COLOURS
"""The number of the Oniverse Door among Doors."""
MOST_LOOKED = 7
N_TOWERS = 12
MOST_STORED = 2
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
    """Return the fields of a base game, as wide as modules need them."""
    return [(name, *_WIDER.get(name, (STATE[name].base, STATE[name].shape))) for name in STATE.names or ()]


FULL_STATE = np.dtype(
    [
        *_base_fields(),
        ("bottom_size", np.int16),  # how many of the deck's bottom cards are decided
        ("acted", np.int8),  # 1 once the action of the turn is taken (O-42)
        ("redraw", np.int8),  # 1 when a new hand is to be drawn (N-4, X-4)
        ("follows", np.int8),  # what follows the swap after a discard
        ("looked", np.uint8, (MOST_LOOKED,)),  # cards beside the deck: placed ones first, then the others
        ("looked_size", np.int8),
        ("looked_placed", np.int8),
        ("removed", np.int8, (N_ALL_KINDS,)),  # out of the game, by kind
        # The Book of Steps
        ("goals", np.int8, (MAX_GOALS,)),  # Doors by number
        ("n_goals", np.int8),
        ("goals_met", np.int16),  # bit i: Goal i lies face down
        ("spell", np.int8),  # the one being paid, from 1 on; 0 for none
        ("to_pay", np.int8),
        ("swapped_goal", np.int8),  # the first one of two, or NO_GOAL
        # The Dreamcatchers
        ("catchers", np.int8, (CATCHERS, N_ALL_KINDS - FIRST_DOOR)),  # cards by kind; occupied ones first
        ("n_catchers", np.int8),
        ("books", np.int8),
        ("kept", np.int8),  # number, from 1 on, of the one that this search may not free
        # The Towers
        ("towers", np.uint8, (N_TOWERS,)),  # from the left
        ("n_towers", np.int8),
        # Happy Dreams and Dark Premonitions
        ("premonitions", np.int16),  # bit i: Premonition i lies face up
        ("reserve", np.int8, (len(PREMONITIONS),)),  # face down, in their order
        ("n_reserve", np.int8),
        ("premonition", np.int8),  # the one that takes a Door, from 1 on; 0 for none
        ("premonition_keys", np.int8),
        ("fetched", np.int8),  # the card that a Happy Dream has found, or NO_CARD
        # Crossroads
        ("used", np.int8, (MAX_PLAYERS,)),  # cards of the row that serve in no series any more
        # The Door to the Oniverse
        ("denizens", np.int8, (MAX_PLAYERS, len(DENIZENS))),
        ("stored", np.uint8, (MAX_PLAYERS, MOST_STORED)),
        ("n_stored", np.int8, (MAX_PLAYERS,)),
        ("unused", np.int8, (len(DENIZENS),)),  # removed unseen at the set-up
        ("given", np.int8),  # the card that the Cyclobot takes, or NO_CARD
        ("given_shared", np.int8),
    ],
    align=True,
)
"""One game with modules."""

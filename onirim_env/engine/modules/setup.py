"""The set-up of games with modules."""

from __future__ import annotations

import numpy as np

from onirim_env.engine.compile import rule
from onirim_env.engine.deck import add_to_pool
from onirim_env.engine.modules.book_of_steps import set_goals
from onirim_env.engine.modules.cards import FIRST_DENIZEN
from onirim_env.engine.modules.dreamcatchers import set_catchers
from onirim_env.engine.modules.oniverse import N_DENIZENS, remove_denizens
from onirim_env.engine.modules.premonitions import set_premonitions
from onirim_env.engine.modules.state import BOOK, CATCHING, NO_GOAL, ONIVERSE, PREMONITION
from onirim_env.engine.state import NO_CARD
from onirim_env.modules import MODULES, N_ALL_KINDS, kind_counts
from onirim_env.rules import EXPANSION_BIT

BASE_COUNTS = np.array(kind_counts(()), dtype=np.int64)
MORE_COUNTS = np.array(
    [np.array(kind_counts((module.keyword,))) - BASE_COUNTS for module in MODULES], dtype=np.int64
)
"""What each module adds to the deck, by kind."""


@rule
def clear_modules(state):
    """Empty the zones of modules."""
    state.bottom_size = 0
    state.acted = 0
    state.redraw = 0
    state.follows = 0
    state.looked[:] = 0
    state.looked_size = 0
    state.looked_placed = 0
    state.removed[:] = 0
    state.goals[:] = 0
    state.n_goals = 0
    state.goals_met = 0
    state.spell = 0
    state.to_pay = 0
    state.swapped_goal = NO_GOAL
    state.catchers[:] = 0
    state.n_catchers = 0
    state.books = 0
    state.kept = 0
    state.towers[:] = 0
    state.n_towers = 0
    state.premonitions = 0
    state.reserve[:] = 0
    state.n_reserve = 0
    state.premonition = 0
    state.premonition_keys = 0
    state.fetched = NO_CARD
    state.used[:] = 0
    state.denizens[:] = 0
    state.stored[:] = 0
    state.n_stored[:] = 0
    state.unused[:] = 0
    state.given = NO_CARD
    state.given_shared = 0


@rule
def fill_deck(state):
    """Put every card of the game into the deck, and lay out what lies beside it (S-1)."""
    for kind in range(N_ALL_KINDS):
        number = BASE_COUNTS[kind]
        for module in range(MORE_COUNTS.shape[0]):
            if state.rules & (EXPANSION_BIT << module):
                number += MORE_COUNTS[module, kind]
        if FIRST_DENIZEN <= kind < FIRST_DENIZEN + N_DENIZENS:
            number = 0  # some of them are removed unseen
        for _ in range(number):
            add_to_pool(state, kind)
    if state.rules & ONIVERSE:
        remove_denizens(state)
    if state.rules & BOOK:
        set_goals(state)
    if state.rules & CATCHING:
        set_catchers(state)
    if state.rules & PREMONITION:
        set_premonitions(state)

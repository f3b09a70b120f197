"""The set-up of games with expansions."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import add_to_pool
from onirim_env.engine.expansions import (
    book_of_steps,
    crossroads,
    dreamcatchers,
    oniverse,
    premonitions,
    towers,
)
from onirim_env.engine.expansions.state import BOOK, CATCHING, ONIVERSE, PREMONITION
from onirim_env.expansions import EXPANSION_TABLES, N_ALL_KINDS, kind_counts
from onirim_env.rules import EXPANSION_BIT

BASE_COUNTS = np.array(kind_counts(()), dtype=np.int64)
MORE_COUNTS = np.array(
    [np.array(kind_counts((expansion.keyword,))) - BASE_COUNTS for expansion in EXPANSION_TABLES],
    dtype=np.int64,
)
"""What each expansion adds to the deck, by kind."""


@rule
def clear_expansions(state):
    """Empty the zones of expansions."""
    state.bottom_size = 0
    state.acted = 0
    state.follows = 0
    state.looked[:] = 0
    state.looked_size = 0
    state.looked_placed = 0
    book_of_steps.clear(state)
    dreamcatchers.clear(state)
    towers.clear(state)
    premonitions.clear(state)
    crossroads.clear(state)
    oniverse.clear(state)


@rule
def fill_deck(state):
    """Put every card of the game into the deck, and lay out what lies beside it (S-1)."""
    for kind in range(N_ALL_KINDS):
        number = BASE_COUNTS[kind]
        for expansion in range(MORE_COUNTS.shape[0]):
            if state.rules & (EXPANSION_BIT << expansion):
                number += MORE_COUNTS[expansion, kind]
        if oniverse.is_denizen(kind):
            number = 0  # some of them are removed unseen
        for _ in range(number):
            add_to_pool(state, kind)
    set_expansions(state)


@rule
def set_expansions(state):
    """Lay out what each expansion has beside the deck. The deck of a seed depends on the order."""
    if state.rules & ONIVERSE:
        oniverse.add_denizens(state)
    if state.rules & BOOK:
        book_of_steps.set_goals(state)
    if state.rules & CATCHING:
        dreamcatchers.set_catchers(state)
    if state.rules & PREMONITION:
        premonitions.set_premonitions(state)

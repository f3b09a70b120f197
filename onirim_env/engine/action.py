"""Phase 1: play or discard one card (P-1 to P-8), and the swap of co-op (C-7)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, KEY, N_SYMBOLS, NO_CARD
from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import shuffle
from onirim_env.engine.doors import can_keep, search_door, series_colour
from onirim_env.engine.hand import add, discard_from, remove
from onirim_env.engine.points import point
from onirim_env.engine.prophecy import prophesy
from onirim_env.engine.row import append
from onirim_env.engine.state import (
    CHOICE_OF_SEARCH,
    PHASE_SERIES,
    PHASE_SWAP,
    PHASE_SWAP_IN,
    SEEN_BY_ALL,
    SHARED,
    TWO_PLAYERS,
)
from onirim_env.engine.turn import refill


@point
def play(state, hand, kind):
    """Put a card of a hand at the end of the own row (P-1); a third of its colour searches (P-2)."""
    remove(state, hand, kind)
    if append(state, np.int64(state.player), kind):
        colour = series_colour(state)
        if can_keep(state, colour):
            if state.rules & CHOICE_OF_SEARCH:
                state.phase = PHASE_SERIES
                return
            if state.deck_count[FIRST_DOOR + colour] > 0 and search_door(state, colour):
                return
    refill(state)


@rule
def search(state):
    """Search the deck after a series by choice: it is shuffled, found or not (O-6)."""
    colour = series_colour(state)
    if state.deck_count[FIRST_DOOR + colour] > 0:
        if search_door(state, colour):
            return
    else:
        shuffle(state)
    refill(state)


@point
def discard(state, hand, kind):
    """Discard a card of a hand (P-7); a Key gives a Prophecy (P-8), in co-op after a swap (O-22)."""
    discard_from(state, hand, kind)
    is_key = kind % N_SYMBOLS == KEY
    if state.rules & TWO_PLAYERS:
        state.prophecy_follows = 1 if is_key else 0
        state.phase = PHASE_SWAP
    elif is_key:
        prophesy(state)
    else:
        refill(state)


@rule
def swap_out(state, kind):
    """Put up a personal card for a swap (C-7)."""
    remove(state, np.int64(state.player), kind)
    state.swapping = kind
    state.phase = PHASE_SWAP_IN


@rule
def swap_in(state, kind):
    """Take a shared card for the one put up; the partner knows both (C-7)."""
    remove(state, SHARED, kind)
    add(state, np.int64(state.player), kind | SEEN_BY_ALL)
    add(state, SHARED, state.swapping)
    state.swapping = NO_CARD
    after_swap(state)


@point
def after_swap(state):
    """Go on after the swap: a Prophecy where a Key was discarded, else the refill (O-22)."""
    if state.prophecy_follows:
        state.prophecy_follows = 0
        prophesy(state)
    else:
        refill(state)

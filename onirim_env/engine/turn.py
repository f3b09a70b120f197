"""The end of a turn: filling the hand (phase 2) and shuffling Limbo in (phase 3)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, NIGHTMARE
from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import add_to_pool, draw, shuffle
from onirim_env.engine.doors import meet_door
from onirim_env.engine.hand import add, hand_to_fill
from onirim_env.engine.kinds import joins_hand
from onirim_env.engine.points import point
from onirim_env.engine.state import (
    KIND_BITS,
    PHASE_ACTION,
    PHASE_LOST,
    PHASE_NIGHTMARE,
    SHARED,
    SHARED_TO_LIMBO,
    TWO_PLAYERS,
)


@point
def refill(state):
    """Phase 2: draw until the hand is full, or a card asks for a decision (F-1 to F-6)."""
    while True:
        hand = hand_to_fill(state)
        if hand < 0:
            end_turn(state)
            return
        if state.deck_size == 0:
            state.phase = PHASE_LOST  # W-2
            return
        card = draw(state)
        kind = np.int64(card & KIND_BITS)
        if joins_hand(state, kind):
            add(state, hand, card)
        elif hand == SHARED and state.rules & SHARED_TO_LIMBO:
            state.limbo[kind - FIRST_DOOR] += 1  # O-21
        elif kind == NIGHTMARE:
            state.drawn = kind
            state.phase = PHASE_NIGHTMARE
            return
        elif meet_door(state, kind):
            return


@rule
def redraw(state):
    """Draw a whole hand as at set-up: nothing is resolved (S-2, N-4, C-5).

    Return whether the deck held enough Locations (W-2).
    """
    hand = hand_to_fill(state)
    while hand >= 0:
        if state.deck_size == 0:
            state.phase = PHASE_LOST
            return False
        card = draw(state)
        kind = np.int64(card & KIND_BITS)
        if joins_hand(state, kind):
            add(state, hand, card)
            hand = hand_to_fill(state)
        else:
            state.limbo[kind - FIRST_DOOR] += 1
    return True


@rule
def shuffle_limbo(state):
    """Shuffle Limbo into the whole deck; an empty Limbo leaves the deck alone (S-3, L-1)."""
    empty = True
    for index in range(state.limbo.shape[0]):
        if state.limbo[index] > 0:
            empty = False
    if empty:
        return
    shuffle(state)
    for index in range(state.limbo.shape[0]):
        for _ in range(state.limbo[index]):
            add_to_pool(state, FIRST_DOOR + index)
        state.limbo[index] = 0


@rule
def end_turn(state):
    """Phase 3, then the next turn (L-1, C-2, C-14)."""
    shuffle_limbo(state)
    state.turns += 1
    if state.rules & TWO_PLAYERS:
        state.player = 1 - state.player
    state.phase = PHASE_ACTION

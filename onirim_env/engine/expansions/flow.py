"""What follows a decision in games with expansions: effects that are due, the refill, the end of the turn."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, NIGHTMARE
from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import draw
from onirim_env.engine.doors import can_keep, gain_door
from onirim_env.engine.expansions import dreamcatchers, oniverse, premonitions, towers
from onirim_env.engine.expansions.cards import CROSSROAD_KEY, DOOR_KINDS, HAND_KINDS, door_of, is_in
from onirim_env.engine.expansions.declared import check_victory, is_accepted
from onirim_env.engine.expansions.doors import key_of_door
from onirim_env.engine.expansions.effects import end_nightmare, finish_turn, take_new_hand
from onirim_env.engine.expansions.state import CATCHING, ONIVERSE, PREMONITION, TOWERS
from onirim_env.engine.hand import add, discard_from, find, hand_to_fill, kinds_in
from onirim_env.engine.state import (
    AUTOMATIC_KEY,
    KIND_BITS,
    PHASE_ACTION,
    PHASE_DOOR,
    PHASE_LOST,
    PHASE_NIGHTMARE,
    SHARED,
    SHARED_TO_LIMBO,
)

FILLED, STOPPED, AGAIN = range(3)


@rule
def refill(state):
    """Go on after a decision: effects that are due, the refill, phase 3 (F-1, HP-2, O-42)."""
    filled = AGAIN
    while filled == AGAIN:
        if effects_due(state):
            return
        filled = fill(state)
    if filled == STOPPED:
        return
    if not state.acted:
        state.phase = PHASE_ACTION
        return
    if stops_before_shuffle(state):
        return
    finish_turn(state)


@rule
def effects_due(state):
    """Carry out what expansions bring before the refill; return whether the player is asked, or has lost."""
    return state.rules & PREMONITION != 0 and premonitions.premonitions_due(state)


@rule
def stops_before_shuffle(state):
    """Carry out what expansions bring in phase 3 before Limbo is shuffled in (D-3, O-33).

    Return whether the player is asked, or the game is over.
    """
    return state.rules & CATCHING != 0 and (dreamcatchers.catch_limbo(state) or check_victory(state))


@rule
def fill(state):
    """Draw until the hand is full; return whether that came to pass, or has to be tried again."""
    while True:
        hand = hand_to_fill(state)
        if hand < 0:
            return FILLED
        if state.deck_size == 0:
            state.phase = PHASE_LOST  # W-2
            return STOPPED
        card = draw(state)
        kind = np.int64(card & KIND_BITS)
        if is_in(kind, HAND_KINDS):
            add(state, hand, card)
        elif hand == SHARED and state.rules & SHARED_TO_LIMBO:
            state.limbo[kind - FIRST_DOOR] += 1  # O-21
        elif is_in(kind, DOOR_KINDS):
            met = meet_door(state, kind)
            if met != FILLED:
                return met
        elif meets_dream(state, kind):
            return STOPPED


@rule
def meets_dream(state, kind):
    """Deal with a drawn Dream; return whether the player is asked."""
    if kind == NIGHTMARE:
        state.drawn = kind
        state.phase = PHASE_NIGHTMARE
        return True
    return dreamcatchers.meets(state, kind) or premonitions.meets(state, kind) or oniverse.meets(state, kind)


@rule
def can_open(state, door):
    """Whether the player has a card that opens a drawn Door (F-3, X-2, O-D2)."""
    keys = 1 << CROSSROAD_KEY  # only games with Crossroads have one
    if key_of_door(door) >= 0:
        keys |= 1 << key_of_door(door)
    if state.rules & ONIVERSE:
        keys |= oniverse.more_keys(state, door)
    return (kinds_in(state, np.int64(state.player)) | kinds_in(state, SHARED)) & keys != 0


@rule
def meet_door(state, kind):
    """Deal with a drawn Door: FILLED where the refill goes on, AGAIN where a Door was gained by itself."""
    door = door_of(kind)
    if not can_keep(state, door) or not is_accepted(state, door) or not can_open(state, door):
        state.limbo[kind - FIRST_DOOR] += 1
        return FILLED
    key = key_of_door(door)
    if state.rules & AUTOMATIC_KEY and key >= 0:  # O-5
        personal = find(state, np.int64(state.player), key) >= 0
        if personal or find(state, SHARED, key) >= 0:
            discard_from(state, np.int64(state.player) if personal else SHARED, key)
            return STOPPED if gain_door(state, door) else AGAIN
    state.drawn = kind
    state.phase = PHASE_DOOR
    return STOPPED


@rule
def nightmare_paid(state):
    """After a penalty: a Tower may be lost, then the Nightmare is discarded (TW-4, O-39)."""
    if state.rules & TOWERS and towers.asks_for_tower(state):
        return
    end_nightmare(state, False)
    refill(state)


@rule
def pay_hand(state):
    """N-4: discard the whole hand and draw a new one, which is part of the penalty (O-39)."""
    if take_new_hand(state):
        nightmare_paid(state)
    else:
        end_nightmare(state, False)

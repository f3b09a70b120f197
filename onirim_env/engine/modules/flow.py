"""What follows a decision in games with modules: effects that are due, the refill, the end of the turn."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, KEY, N_COLOURS, N_SYMBOLS, NIGHTMARE
from onirim_env.engine.compile import rule
from onirim_env.engine.deck import draw, shuffle
from onirim_env.engine.hand import add, discard_all, discard_from, find, hand_to_fill, seen_bit
from onirim_env.engine.modules.cards import (
    CROSSROAD_KEY,
    DOOR_KINDS,
    FIRST_DENIZEN,
    HAND_KINDS,
    LOST_DREAM,
    door_of,
    is_in,
)
from onirim_env.engine.modules.deck import put_on_top
from onirim_env.engine.modules.doors import can_keep, check_victory, gain_door, is_accepted, key_of_door
from onirim_env.engine.modules.dreamcatchers import asks_to_free, catch_limbo
from onirim_env.engine.modules.oniverse import (
    CHROMATIC_CHAOS,
    has,
    is_any_colour,
    meets_denizen,
    whole_hand,
)
from onirim_env.engine.modules.premonitions import HAPPY, premonitions_due
from onirim_env.engine.modules.state import CATCHING, ONIVERSE, PREMONITION, TOWERS
from onirim_env.engine.modules.towers import asks_for_tower
from onirim_env.engine.state import (
    AUTOMATIC_KEY,
    KIND_BITS,
    NO_CARD,
    PHASE_ACTION,
    PHASE_DOOR,
    PHASE_LOST,
    PHASE_NIGHTMARE,
    SHARED,
    SHARED_TO_LIMBO,
)
from onirim_env.engine.turn import end_turn, redraw

FILLED, STOPPED, AGAIN = range(3)


@rule
def refill(state):
    """Go on after a decision: a new hand, effects that are due, the refill, phase 3 (F-1, HP-2, O-42)."""
    filled = AGAIN
    while filled == AGAIN:
        if state.redraw:
            state.redraw = 0
            if not redraw(state):
                return
        if state.rules & PREMONITION and premonitions_due(state):
            return
        filled = fill(state)
    if filled == STOPPED:
        return
    if not state.acted:
        state.phase = PHASE_ACTION
        return
    if state.rules & CATCHING and (catch_limbo(state) or check_victory(state)):  # O-33
        return
    state.acted = 0
    end_turn(state)


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
    if kind == LOST_DREAM:
        state.limbo[kind - FIRST_DOOR] += 1  # D-2
        return False
    if kind >= FIRST_DENIZEN:
        return meets_denizen(state, kind)
    state.drawn = kind
    state.phase = PHASE_NIGHTMARE if kind == NIGHTMARE else HAPPY
    return True


@rule
def can_open(state, door):
    """Whether the player has a card that opens a drawn Door (F-3, X-2, O-D2)."""
    cards = whole_hand(state)
    keys = 0
    for colour in range(N_COLOURS):
        keys |= 1 << colour * N_SYMBOLS + KEY
    if not is_any_colour(door) and not (state.rules & ONIVERSE and has(state, CHROMATIC_CHAOS)):
        keys = 1 << key_of_door(door)
    return cards & (keys | 1 << CROSSROAD_KEY) != 0


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
def open_with(state, hand, key):
    """Spend another Key on the drawn Door."""
    door = door_of(np.int64(state.drawn))
    state.drawn = NO_CARD
    discard_from(state, hand, key)
    if not gain_door(state, door):
        refill(state)


@rule
def nightmare_paid(state):
    """After a penalty: a Tower may be lost, then the Nightmare is discarded (TW-4, O-39)."""
    if state.rules & TOWERS and asks_for_tower(state):
        return
    end_nightmare(state, False)


@rule
def end_nightmare(state, to_limbo):
    """Lay the Nightmare aside, and go on."""
    if to_limbo:
        state.limbo[NIGHTMARE - FIRST_DOOR] += 1
    else:
        state.discard[NIGHTMARE] += 1
    state.drawn = NO_CARD
    refill(state)


@rule
def pay_hand(state):
    """N-4: discard the whole hand and draw a new one as at set-up."""
    discard_hand(state)
    nightmare_paid(state)


@rule
def discard_hand(state):
    """Discard the whole hand; a new one is to be drawn (N-4, X-4)."""
    discard_all(state, np.int64(state.player))
    discard_all(state, SHARED)
    state.redraw = 1


@rule
def finish_search(state):
    """End a search: a Dreamcatcher may be freed, then the deck is shuffled (P-2, D-6)."""
    if state.rules & CATCHING and asks_to_free(state):
        return
    shuffle_after_search(state)


@rule
def shuffle_after_search(state):
    """Shuffle the deck; a card that a Happy Dream has found goes on top (HP-4)."""
    shuffle(state)
    if state.fetched != NO_CARD:
        put_on_top(state, np.uint8(state.fetched) | seen_bit(state.player))
        state.fetched = NO_CARD
    refill(state)


@rule
def gain_from_search(state, door):
    """Gain a Door that a search has found, and end the search."""
    if not gain_door(state, door):
        finish_search(state)

"""Nightmares: the four ways to resolve one (N-1 to N-6)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, NIGHTMARE, NO_CARD, REVEAL_SIZE
from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import draw
from onirim_env.engine.doors import key_of, return_door
from onirim_env.engine.hand import discard_all, discard_from
from onirim_env.engine.kinds import is_location
from onirim_env.engine.points import point
from onirim_env.engine.state import KIND_BITS, NO_RETURN_DOOR, NO_SHORT_REVEAL, SHARED
from onirim_env.engine.turn import end_turn, redraw, refill


@rule
def may_return_door(state, colour):
    """Whether a Door of a colour may pay for the Nightmare (N-2, O-13)."""
    return state.rules & NO_RETURN_DOOR == 0 and state.doors[state.player, colour] > 0


@rule
def may_reveal(state):
    """Whether the next five cards may pay for the Nightmare (N-3, O-3)."""
    return state.rules & NO_SHORT_REVEAL == 0 or state.deck_size >= REVEAL_SIZE


@rule
def discard_nightmare(state):
    """Put the resolved Nightmare on the discard pile."""
    state.discard[NIGHTMARE] += 1
    state.drawn = NO_CARD


@point
def nightmare_paid(state):
    """Go on after a penalty that does not end the turn."""
    discard_nightmare(state)
    refill(state)


@rule
def pay_key(state, hand, colour):
    """N-1: discard a Key from a hand; no Prophecy follows (P-11)."""
    discard_from(state, hand, key_of(colour))
    nightmare_paid(state)


@rule
def pay_door(state, colour):
    """N-2: put a Door in play into Limbo."""
    return_door(state, colour)
    nightmare_paid(state)


@rule
def pay_reveal(state):
    """N-3: the next five cards: Locations are discarded, Doors and Dreams go to Limbo."""
    for _ in range(min(REVEAL_SIZE, np.int64(state.deck_size))):
        kind = np.int64(draw(state) & KIND_BITS)
        if is_location(state, kind):
            state.discard[kind] += 1
        else:
            state.limbo[kind - FIRST_DOOR] += 1
    nightmare_paid(state)


@point
def pay_hand(state):
    """N-4: discard the whole hand and draw a new one as at set-up; the turn then ends (N-6)."""
    discard_all(state, np.int64(state.player))
    discard_all(state, SHARED)
    discard_nightmare(state)
    if redraw(state):
        end_turn(state)

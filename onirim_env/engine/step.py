"""One decision: from a code to the rule that carries it out."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.compile import border, rule
from onirim_env.engine.action import after_swap, discard, play, search, swap_in, swap_out
from onirim_env.engine.codes import (
    DISCARD,
    DISCARD_SHARED,
    NIGHTMARE_DOOR,
    NIGHTMARE_HAND,
    NIGHTMARE_KEY,
    NIGHTMARE_KEY_SHARED,
    NIGHTMARE_REVEAL,
    NO_SWAP,
    OPEN_DOOR,
    PLAY_SHARED,
    PROPHECY_DISCARD,
    PROPHECY_NOTHING,
    PROPHECY_ORDER,
    PROPHECY_PLACE,
    REFUSE_DOOR,
    SEARCH,
    SWAP_IN,
    SWAP_OUT,
    TAKE,
)
from onirim_env.engine.doors import open_door, refuse_door
from onirim_env.engine.legal import list_legal
from onirim_env.engine.listing import has_code
from onirim_env.engine.nightmare import pay_door, pay_hand, pay_key, pay_reveal
from onirim_env.engine.points import point
from onirim_env.engine.prophecy import apply_order, discard_revealed, place_revealed, start_order
from onirim_env.engine.setup import take
from onirim_env.engine.state import (
    PHASE_ACTION,
    PHASE_DOOR,
    PHASE_DRAFT,
    PHASE_LOST,
    PHASE_NIGHTMARE,
    PHASE_PROPHECY_DISCARD,
    PHASE_PROPHECY_ORDER,
    PHASE_SERIES,
    PHASE_SWAP,
    PHASE_SWAP_IN,
    PHASE_WON,
    SHARED,
)
from onirim_env.engine.turn import refill


@rule
def is_over(state):
    """Whether the game has ended."""
    return state.phase == PHASE_WON or state.phase == PHASE_LOST


@rule
def is_legal(state, code, legal):
    """Whether a code is legal; ``legal`` takes the list of those that are."""
    list_legal(state, legal)
    return has_code(code, legal)


@point
def apply_more(state, player, code):
    """Carry out an action that an expansion brings; return whether it was one."""
    return False


@border
def apply(state, code):
    """Carry out a legal action and run on to the next decision or the end."""
    phase = state.phase
    player = np.int64(state.player)
    if apply_more(state, player, code):
        return
    if phase == PHASE_ACTION:
        apply_action(state, player, code)
    elif phase == PHASE_PROPHECY_DISCARD:
        if code >= PROPHECY_ORDER:
            apply_order(state, code - PROPHECY_ORDER)
        elif code == PROPHECY_NOTHING:
            start_order(state)
        else:
            discard_revealed(state, code - PROPHECY_DISCARD)
    elif phase == PHASE_PROPHECY_ORDER:
        place_revealed(state, code - PROPHECY_PLACE)
    elif phase == PHASE_DOOR:
        apply_door(state, player, code)
    elif phase == PHASE_NIGHTMARE:
        apply_nightmare(state, player, code)
    elif phase == PHASE_SERIES:
        if code == SEARCH:
            search(state)
        else:
            refill(state)
    elif phase == PHASE_DRAFT:
        take(state, code - TAKE)
    elif phase == PHASE_SWAP:
        if code == NO_SWAP:
            after_swap(state)
        else:
            swap_out(state, code - SWAP_OUT)
    elif phase == PHASE_SWAP_IN:
        swap_in(state, code - SWAP_IN)


@rule
def apply_action(state, player, code):
    """Phase 1: play or discard a personal or a shared card."""
    if code < DISCARD:
        play(state, player, code)
    elif code < PROPHECY_DISCARD:
        discard(state, player, code - DISCARD)
    elif code < DISCARD_SHARED:
        play(state, SHARED, code - PLAY_SHARED)
    else:
        discard(state, SHARED, code - DISCARD_SHARED)


@rule
def apply_door(state, player, code):
    """Open or refuse the drawn Door."""
    if code == REFUSE_DOOR:
        refuse_door(state)
    elif open_door(state, player if code == OPEN_DOOR else SHARED):
        return
    refill(state)


@rule
def apply_nightmare(state, player, code):
    """Resolve the drawn Nightmare."""
    if code == NIGHTMARE_REVEAL:
        pay_reveal(state)
    elif code == NIGHTMARE_HAND:
        pay_hand(state)
    elif code >= NIGHTMARE_KEY_SHARED:
        pay_key(state, SHARED, code - NIGHTMARE_KEY_SHARED)
    elif code >= NIGHTMARE_DOOR:
        pay_door(state, code - NIGHTMARE_DOOR)
    else:
        pay_key(state, player, code - NIGHTMARE_KEY)

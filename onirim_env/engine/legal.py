"""Which actions are legal: one list of codes for each phase."""

from __future__ import annotations

import numpy as np

from onirim_env.actions import ORDERS, first_code
from onirim_env.cards import FIRST_DOOR, KEY, N_COLOURS, N_SYMBOLS
from onirim_env.engine.compile import rule
from onirim_env.engine.doors import key_of
from onirim_env.engine.hand import find, kind_at
from onirim_env.engine.nightmare import may_return_door, may_reveal
from onirim_env.engine.prophecy import may_discard, order_result, revealed_kind
from onirim_env.engine.row import may_play
from onirim_env.engine.state import (
    PHASE_ACTION,
    PHASE_DOOR,
    PHASE_DRAFT,
    PHASE_NIGHTMARE,
    PHASE_PROPHECY_DISCARD,
    PHASE_PROPHECY_ORDER,
    PHASE_SERIES,
    PHASE_SWAP,
    PHASE_SWAP_IN,
    PROPHECY_OPTIONAL,
    SHARED,
    WHOLE_PROPHECIES,
)

PLAY = first_code("PLAY")
DISCARD = first_code("DISCARD")
PROPHECY_DISCARD = first_code("PROPHECY_DISCARD")
PROPHECY_PLACE = first_code("PROPHECY_PLACE")
OPEN_DOOR = first_code("OPEN_DOOR")
REFUSE_DOOR = first_code("REFUSE_DOOR")
NIGHTMARE_KEY = first_code("NIGHTMARE_KEY")
NIGHTMARE_DOOR = first_code("NIGHTMARE_DOOR")
NIGHTMARE_REVEAL = first_code("NIGHTMARE_REVEAL")
NIGHTMARE_HAND = first_code("NIGHTMARE_HAND")
PROPHECY_NOTHING = first_code("PROPHECY_NOTHING")
SEARCH = first_code("SEARCH")
PASS = first_code("PASS")
PLAY_SHARED = first_code("PLAY_SHARED")
DISCARD_SHARED = first_code("DISCARD_SHARED")
OPEN_DOOR_SHARED = first_code("OPEN_DOOR_SHARED")
NIGHTMARE_KEY_SHARED = first_code("NIGHTMARE_KEY_SHARED")
NO_SWAP = first_code("NO_SWAP")
SWAP_OUT = first_code("SWAP_OUT")
SWAP_IN = first_code("SWAP_IN")
TAKE = first_code("TAKE")
PROPHECY_ORDER = first_code("PROPHECY_ORDER")
N_ORDERS = len(ORDERS)


@rule
def list_legal(state, codes):
    """Write the codes of the legal actions into ``codes``, each once; return their number.

    The number is 0 at the end of the game only.
    """
    phase = state.phase
    player = np.int64(state.player)
    if phase == PHASE_ACTION:
        n = list_plays(state, player, PLAY, codes, 0)
        n = list_kinds(state, player, DISCARD, codes, n)
        n = list_plays(state, SHARED, PLAY_SHARED, codes, n)
        return list_kinds(state, SHARED, DISCARD_SHARED, codes, n)
    if phase == PHASE_PROPHECY_DISCARD:
        return list_prophecy_discards(state, codes)
    if phase == PHASE_PROPHECY_ORDER:
        return list_prophecy_places(state, codes)
    if phase == PHASE_DOOR:
        return list_door(state, codes)
    if phase == PHASE_NIGHTMARE:
        return list_nightmare(state, codes)
    if phase == PHASE_SERIES:
        codes[0] = SEARCH
        codes[1] = PASS
        return 2
    if phase == PHASE_DRAFT:
        return list_kinds(state, SHARED, TAKE, codes, 0)
    if phase == PHASE_SWAP:
        codes[0] = NO_SWAP
        return list_kinds(state, player, SWAP_OUT, codes, 1)
    if phase == PHASE_SWAP_IN:
        return list_kinds(state, SHARED, SWAP_IN, codes, 0)
    return 0


@rule
def list_kinds(state, hand, first, codes, n):
    """List ``first + kind`` for each kind of a hand."""
    met = 0
    for place in range(state.hand_size[hand]):
        kind = kind_at(state, hand, place)
        if met >> kind & 1 == 0:
            met |= 1 << kind
            codes[n] = first + kind
            n += 1
    return n


@rule
def list_plays(state, hand, first, codes, n):
    """List ``first + kind`` for each kind of a hand that the row takes (P-1)."""
    met = 0
    for place in range(state.hand_size[hand]):
        kind = kind_at(state, hand, place)
        if met >> kind & 1 == 0 and may_play(state, np.int64(state.player), kind):
            met |= 1 << kind
            codes[n] = first + kind
            n += 1
    return n


@rule
def list_prophecy_discards(state, codes):
    """List what a Prophecy may discard (P-8, O-1, O-2)."""
    n = 0
    if state.rules & WHOLE_PROPHECIES:
        n = list_orders(state, codes)
    else:
        met = 0
        for place in range(state.revealed):
            kind = revealed_kind(state, place)
            if met >> kind & 1 == 0 and may_discard(state, kind):
                met |= 1 << kind
                codes[n] = PROPHECY_DISCARD + kind
                n += 1
    if state.rules & PROPHECY_OPTIONAL:
        codes[n] = PROPHECY_NOTHING
        n += 1
    return n


@rule
def list_orders(state, codes):
    """List whole Prophecies: of those that do the same, the first."""
    results = np.empty(N_ORDERS, np.int64)
    n = 0
    for order in range(N_ORDERS):
        result = order_result(state, order)
        known = result < 0
        for index in range(n):
            known = known or results[index] == result
        if not known:
            results[n] = result
            codes[n] = PROPHECY_ORDER + order
            n += 1
    return n


@rule
def list_prophecy_places(state, codes):
    """List the kinds of which one may be put back next."""
    n = 0
    met = 0
    for place in range(state.placed, state.revealed):
        kind = revealed_kind(state, place)
        if met >> kind & 1 == 0:
            met |= 1 << kind
            codes[n] = PROPHECY_PLACE + kind
            n += 1
    return n


@rule
def list_door(state, codes):
    """List what may be done with the drawn Door (F-3, C-3)."""
    key = key_of(state.drawn - FIRST_DOOR)
    n = 0
    if find(state, np.int64(state.player), key) >= 0:
        codes[n] = OPEN_DOOR
        n += 1
    codes[n] = REFUSE_DOOR
    n += 1
    if find(state, SHARED, key) >= 0:
        codes[n] = OPEN_DOOR_SHARED
        n += 1
    return n


@rule
def list_nightmare(state, codes):
    """List the ways to resolve the drawn Nightmare (N-1 to N-4)."""
    n = list_keys(state, np.int64(state.player), NIGHTMARE_KEY, codes, 0)
    for colour in range(N_COLOURS):
        if may_return_door(state, colour):
            codes[n] = NIGHTMARE_DOOR + colour
            n += 1
    if may_reveal(state):
        codes[n] = NIGHTMARE_REVEAL
        n += 1
    codes[n] = NIGHTMARE_HAND
    return list_keys(state, SHARED, NIGHTMARE_KEY_SHARED, codes, n + 1)


@rule
def list_keys(state, hand, first, codes, n):
    """List ``first + colour`` for each colour of which a hand holds a Key."""
    met = 0
    for place in range(state.hand_size[hand]):
        kind = kind_at(state, hand, place)
        if kind % N_SYMBOLS == KEY and met >> kind & 1 == 0:
            met |= 1 << kind
            codes[n] = first + kind // N_SYMBOLS
            n += 1
    return n

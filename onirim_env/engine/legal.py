"""Which actions are legal: one list of codes for each phase."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, N_COLOURS, N_KINDS, N_LOCATION_KINDS
from onirim_env.compiling.compile import border, rule
from onirim_env.engine.codes import (
    DISCARD,
    DISCARD_SHARED,
    N_ORDERS,
    NIGHTMARE_DOOR,
    NIGHTMARE_HAND,
    NIGHTMARE_KEY,
    NIGHTMARE_KEY_SHARED,
    NIGHTMARE_REVEAL,
    NO_SWAP,
    OPEN_DOOR,
    OPEN_DOOR_SHARED,
    PASS,
    PLAY,
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
from onirim_env.engine.doors import key_of
from onirim_env.engine.hand import find, kinds_in
from onirim_env.engine.listing import clear, list_code, list_set
from onirim_env.engine.nightmare import may_return_door, may_reveal
from onirim_env.engine.points import point
from onirim_env.engine.prophecy import discardable_kinds, kinds_to_place, order_result
from onirim_env.engine.row import playable_kinds
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


@border
def list_legal(state, legal):
    """List the codes of the legal actions in a ``LEGAL`` or ``LEGAL_BITS`` record, each once.

    The list is empty at the end of the game only.
    """
    clear(legal)
    phase = state.phase
    player = np.int64(state.player)
    if phase == PHASE_ACTION:
        list_plays(state, player, PLAY, legal)
        list_hand(state, player, DISCARD, legal)
        list_plays(state, SHARED, PLAY_SHARED, legal)
        list_hand(state, SHARED, DISCARD_SHARED, legal)
    elif phase == PHASE_PROPHECY_DISCARD:
        list_prophecy_discards(state, legal)
    elif phase == PHASE_PROPHECY_ORDER:
        list_set(kinds_to_place(state), N_KINDS, PROPHECY_PLACE, legal)
    elif phase == PHASE_DOOR:
        list_door(state, legal)
    elif phase == PHASE_NIGHTMARE:
        list_nightmare(state, legal)
    elif phase == PHASE_SERIES:
        list_series(state, legal)
    elif phase == PHASE_DRAFT:
        list_hand(state, SHARED, TAKE, legal)
    elif phase == PHASE_SWAP:
        list_code(NO_SWAP, legal)
        list_hand(state, player, SWAP_OUT, legal)
    elif phase == PHASE_SWAP_IN:
        list_hand(state, SHARED, SWAP_IN, legal)
    list_more(state, legal)


@rule
def list_hand(state, hand, first, legal):
    """List ``first + kind`` for each kind of a hand."""
    if state.hand_size[hand] > 0:
        list_set(kinds_in(state, hand), N_LOCATION_KINDS, first, legal)


@rule
def list_plays(state, hand, first, legal):
    """List ``first + kind`` for each kind of a hand that the row takes (P-1)."""
    if state.hand_size[hand] > 0:
        kinds = kinds_in(state, hand) & playable_kinds(state, np.int64(state.player))
        list_set(kinds, N_LOCATION_KINDS, first, legal)


@point
def list_series(state, legal):
    """List what may be done after a series (O-6)."""
    list_code(SEARCH, legal)
    list_code(PASS, legal)


@point
def list_more(state, legal):
    """List what expansions bring: further actions in the phases above, and those of their own phases."""


@rule
def list_prophecy_discards(state, legal):
    """List what a Prophecy may discard (P-8, O-1, O-2)."""
    if state.rules & WHOLE_PROPHECIES:
        list_orders(state, legal)
    else:
        list_set(discardable_kinds(state), N_KINDS, PROPHECY_DISCARD, legal)
    if state.rules & PROPHECY_OPTIONAL:
        list_code(PROPHECY_NOTHING, legal)


@rule
def list_orders(state, legal):
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
            n += 1
            list_code(PROPHECY_ORDER + order, legal)


@rule
def list_door(state, legal):
    """List what may be done with the drawn Door (F-3, C-3)."""
    key = key_of(state.drawn - FIRST_DOOR)
    if find(state, np.int64(state.player), key) >= 0:
        list_code(OPEN_DOOR, legal)
    list_code(REFUSE_DOOR, legal)
    if find(state, SHARED, key) >= 0:
        list_code(OPEN_DOOR_SHARED, legal)


@rule
def list_nightmare(state, legal):
    """List the ways to resolve the drawn Nightmare (N-1 to N-4)."""
    list_keys(state, np.int64(state.player), NIGHTMARE_KEY, legal)
    for colour in range(N_COLOURS):
        if may_return_door(state, colour):
            list_code(NIGHTMARE_DOOR + colour, legal)
    if may_reveal(state):
        list_code(NIGHTMARE_REVEAL, legal)
    list_code(NIGHTMARE_HAND, legal)
    list_keys(state, SHARED, NIGHTMARE_KEY_SHARED, legal)


@rule
def list_keys(state, hand, first, legal):
    """List ``first + colour`` for each colour of which a hand holds a Key."""
    kinds = kinds_in(state, hand)
    for colour in range(N_COLOURS):
        if kinds >> key_of(colour) & 1:
            list_code(first + colour, legal)

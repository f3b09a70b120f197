"""Prophecies: the power of a discarded Key (P-8 to P-11).

The cards under way stay on the deck's top: first the placed ones, in order, then the others.
"""

from __future__ import annotations

import numpy as np

from onirim_env.actions import ORDERS
from onirim_env.cards import PROPHECY_SIZE
from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import decide_top, forget, mark_seen
from onirim_env.engine.hand import seen_bit
from onirim_env.engine.kinds import door_kinds, is_door
from onirim_env.engine.state import (
    KIND_BITS,
    PHASE_LOST,
    PHASE_PROPHECY_DISCARD,
    PHASE_PROPHECY_ORDER,
    PROPHECY_PROTECTS_DOORS,
    STOP_WHEN_UNWINNABLE,
)
from onirim_env.engine.turn import refill

ORDER_PLACES = np.array(ORDERS, dtype=np.int64)


@rule
def revealed_kind(state, place):
    """Return the kind at a place of the Prophecy, 0 being the deck's top."""
    return np.int64(state.deck[state.deck_size - 1 - place] & KIND_BITS)


@rule
def prophesy(state):
    """Look at the top cards, as many as there are up to five (P-8, P-9)."""
    number = min(PROPHECY_SIZE, np.int64(state.deck_size))
    if number == 0:
        refill(state)
        return
    decide_top(state, number)
    mark_seen(state, number, seen_bit(state.player))
    state.revealed = number
    state.placed = 0
    state.phase = PHASE_PROPHECY_DISCARD


@rule
def kinds_to_place(state):
    """Return the set of kinds that are revealed and not yet placed: bit k stands for kind k."""
    kinds = 0
    for place in range(state.placed, state.revealed):
        kinds |= 1 << revealed_kind(state, place)
    return kinds


@rule
def discardable_kinds(state):
    """Return the set of revealed kinds that may be discarded (P-8).

    Doors that O-2 protects are in it only where nothing else was revealed.
    """
    kinds = kinds_to_place(state)
    others = kinds & ~door_kinds(state)
    return others if state.rules & PROPHECY_PROTECTS_DOORS and others else kinds


@rule
def discard_revealed(state, kind):
    """Discard a revealed card (P-8, P-10), then go on to the order of the others.

    Where the partner knows one copy and not another, the known one leaves.
    """
    place = -1
    for other in range(state.revealed):
        known = state.deck[state.deck_size - 1 - other] & seen_bit(1 - state.player)
        if revealed_kind(state, other) == kind and (place < 0 or known):
            place = other
    for index in range(state.deck_size - 1 - place, state.deck_size - 1):
        state.deck[index] = state.deck[index + 1]
    state.deck_size -= 1
    state.top_size -= 1
    state.revealed -= 1
    state.deck_count[kind] -= 1
    state.discard[kind] += 1
    if state.rules & STOP_WHEN_UNWINNABLE and is_door(state, kind):
        state.revealed = 0
        state.phase = PHASE_LOST  # O-10
        return
    start_order(state)


@rule
def start_order(state):
    """Begin to put the revealed cards back; the partner no longer knows where they lie."""
    if state.revealed > 1:
        forget(state, state.revealed, seen_bit(1 - state.player))
    state.phase = PHASE_PROPHECY_ORDER
    finish_if_alike(state)


@rule
def place_revealed(state, kind):
    """Put a revealed card at the next place from the top."""
    place = np.int64(state.placed)
    while revealed_kind(state, place) != kind:
        place += 1
    top = state.deck_size - 1
    card = state.deck[top - place]
    state.deck[top - place] = state.deck[top - state.placed]
    state.deck[top - state.placed] = card
    state.placed += 1
    finish_if_alike(state)


@rule
def finish_if_alike(state):
    """End the Prophecy when the cards still to be placed are all of one kind, or none is left."""
    kinds = kinds_to_place(state)
    if kinds & (kinds - 1):  # more than one bit is set
        return
    state.revealed = 0
    state.placed = 0
    refill(state)


@rule
def order_result(state, order):
    """Return a number that tells what a whole Prophecy does, or -1 where it is not allowed.

    Orders that discard the same kind and put back the same kinds in the same order are equal.
    """
    discarded = ORDER_PLACES[order, 0]
    if discarded >= state.revealed or not discardable_kinds(state) >> revealed_kind(state, discarded) & 1:
        return -1
    result = revealed_kind(state, discarded)
    for index in range(1, PROPHECY_SIZE):
        place = ORDER_PLACES[order, index]
        if place < state.revealed:
            result = result * (KIND_BITS + 1) + revealed_kind(state, place)
    return result


@rule
def apply_order(state, order):
    """Carry out a whole Prophecy at once: one discard, then the order of the others."""
    kinds = np.empty(PROPHECY_SIZE, np.int64)
    number = 0
    for index in range(PROPHECY_SIZE):
        place = ORDER_PLACES[order, index]
        if place < state.revealed:
            kinds[number] = revealed_kind(state, place)
            number += 1
    discard_revealed(state, kinds[0])
    for index in range(1, number):
        if state.phase != PHASE_PROPHECY_ORDER:
            return
        place_revealed(state, kinds[index])

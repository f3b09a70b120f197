"""Hands: each player's cards and, in co-op, the shared ones (C-1, C-3)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import PERSONAL_HAND, SHARED_HAND, SOLO_HAND
from onirim_env.compiling.compile import rule
from onirim_env.engine.state import KIND_BITS, SEEN_BY_0, SEEN_BY_1, SEEN_BY_ALL, SHARED, TWO_PLAYERS


@rule
def full_size(state, hand):
    """Return how many cards a hand holds between turns (S-2, C-1)."""
    if state.rules & TWO_PLAYERS == 0:
        return SOLO_HAND if hand != SHARED else 0
    return PERSONAL_HAND if hand != SHARED else SHARED_HAND


@rule
def seen_bit(player):
    """Return the bit that marks a hidden card as seen by a player."""
    return SEEN_BY_0 if player == 0 else SEEN_BY_1


@rule
def kind_at(state, hand, place):
    """Return the kind of the card at a place of a hand."""
    return np.int64(state.hand[hand, place] & KIND_BITS)


@rule
def kinds_in(state, hand):
    """Return the set of kinds in a hand: bit k stands for kind k."""
    kinds = 0
    for place in range(state.hand_size[hand]):
        kinds |= 1 << kind_at(state, hand, place)
    return kinds


@rule
def find(state, hand, kind):
    """Return the place of a card of ``kind`` in a hand, or -1.

    Where the partner knows one copy and not another, the known one is found, and so leaves first.
    """
    found = -1
    for place in range(state.hand_size[hand]):
        card = state.hand[hand, place]
        if card & KIND_BITS == kind:
            if card & SEEN_BY_ALL:
                return place
            found = place
    return found


@rule
def add(state, hand, card):
    """Put a card at the end of a hand. Of who has seen it, only the partner's bit matters there."""
    kept = KIND_BITS if hand == SHARED else KIND_BITS | seen_bit(1 - hand)
    state.hand[hand, state.hand_size[hand]] = card & kept
    state.hand_size[hand] += 1


@rule
def remove(state, hand, kind):
    """Take a card of ``kind``, which must be there, out of a hand, and close the gap."""
    last = state.hand_size[hand] - 1
    for place in range(find(state, hand, kind), last):
        state.hand[hand, place] = state.hand[hand, place + 1]
    state.hand_size[hand] = last


@rule
def discard_from(state, hand, kind):
    """Discard a card of ``kind`` from a hand."""
    remove(state, hand, kind)
    state.discard[kind] += 1


@rule
def discard_all(state, hand):
    """Discard every card of a hand."""
    for place in range(state.hand_size[hand]):
        state.discard[kind_at(state, hand, place)] += 1
    state.hand_size[hand] = 0


@rule
def hand_to_fill(state):
    """Return the hand that the next drawn Location joins (F-1, C-6), or -1 when all are full."""
    if state.hand_size[state.player] < full_size(state, state.player):
        return np.int64(state.player)
    if state.hand_size[SHARED] < full_size(state, SHARED):
        return SHARED
    return -1

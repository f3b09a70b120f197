"""The deck: an unordered pool under a decided top.

A card is chosen at random only when it is needed, so to shuffle is to forget the order. The array
holds the pool first and the top last; the next card is the last one.
"""

from __future__ import annotations

from onirim_env.compiling.compile import rule
from onirim_env.compiling.rng import random_below
from onirim_env.engine.points import point
from onirim_env.engine.state import KIND_BITS, SEEN_BY_ALL


@point
def pool_start(state):
    """Return where the pool begins in the array: behind the cards whose place at the bottom is decided."""
    return 0


@point
def take_over_bottom(state):
    """Count the upmost card of the decided bottom as decided top."""


@point
def forget_bottom(state):
    """Forget the order of the decided bottom."""


@rule
def decide_top(state, number):
    """Decide the order of the deck's first ``number`` cards."""
    while state.top_size < number:
        place = state.deck_size - 1 - state.top_size
        pool = pool_start(state)
        if place >= pool:
            chosen = pool + random_below(state, place + 1 - pool)
            card = state.deck[chosen]
            state.deck[chosen] = state.deck[place]
            state.deck[place] = card
        else:
            take_over_bottom(state)
        state.top_size += 1


@rule
def draw(state):
    """Take the top card off the deck, which must not be empty; return its byte."""
    if state.top_size == 0:
        decide_top(state, 1)
    state.top_size -= 1
    state.deck_size -= 1
    card = state.deck[state.deck_size]
    state.deck_count[card & KIND_BITS] -= 1
    return card


@rule
def shuffle(state):
    """Forget the order of the deck, and with it what anybody has seen of it."""
    for place in range(state.deck_size - state.top_size, state.deck_size):
        state.deck[place] &= KIND_BITS
    state.top_size = 0
    forget_bottom(state)


@rule
def add_to_pool(state, kind):
    """Put a card into the deck, which must have no decided top."""
    state.deck[state.deck_size] = kind
    state.deck_size += 1
    state.deck_count[kind] += 1


@rule
def take_from_deck(state, kind):
    """Take a card of ``kind``, which must be there, out of the deck, and shuffle the deck."""
    shuffle(state)
    place = 0
    while state.deck[place] != kind:
        place += 1
    state.deck_size -= 1
    state.deck[place] = state.deck[state.deck_size]
    state.deck_count[kind] -= 1


@rule
def mark_seen(state, number, seen):
    """Note that those of the ``seen`` bits know the first ``number`` cards of the deck."""
    for place in range(state.deck_size - number, state.deck_size):
        state.deck[place] |= seen


@rule
def forget(state, number, seen):
    """Note that those of the ``seen`` bits no longer know the first ``number`` cards."""
    for place in range(state.deck_size - number, state.deck_size):
        state.deck[place] &= KIND_BITS | (SEEN_BY_ALL ^ seen)

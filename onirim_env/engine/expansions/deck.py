"""The deck in games with expansions: its bottom may be decided, too."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR
from onirim_env.compiling.compile import rule
from onirim_env.compiling.rng import random_below
from onirim_env.engine.deck import add_to_pool, decide_top, shuffle
from onirim_env.engine.state import KIND_BITS


@rule
def pool_start(state):
    """Return where the pool begins in the array: behind the decided bottom."""
    return np.int64(state.bottom_size)


@rule
def take_over_bottom(state):
    """Count the upmost card of the decided bottom as decided top."""
    state.bottom_size -= 1


@rule
def forget_bottom(state):
    """Forget the order of the decided bottom."""
    for place in range(state.bottom_size):
        state.deck[place] &= KIND_BITS
    state.bottom_size = 0


@rule
def take_out(state, kind):
    """Take the upmost card of ``kind``, which must be there, out of the deck; a shuffle has to follow."""
    decide_top(state, np.int64(state.deck_size))
    place = state.deck_size - 1
    while state.deck[place] & KIND_BITS != kind:
        place -= 1
    state.deck_size -= 1
    state.top_size -= 1
    for index in range(place, state.deck_size):
        state.deck[index] = state.deck[index + 1]
    state.deck_count[kind] -= 1


@rule
def put_on_top(state, card):
    """Put a card, given with the bits of those who know it, on top of the deck."""
    state.deck[state.deck_size] = card
    state.deck_size += 1
    state.top_size += 1
    state.deck_count[card & KIND_BITS] += 1


@rule
def put_at_bottom(state, card):
    """Put a card under the deck, below what was put there before."""
    for index in range(state.deck_size, 0, -1):
        state.deck[index] = state.deck[index - 1]
    state.deck[0] = card
    if state.top_size + state.bottom_size == state.deck_size:
        state.top_size += 1  # no pool is left: the whole deck is decided
    else:
        state.bottom_size += 1
    state.deck_size += 1
    state.deck_count[card & KIND_BITS] += 1


@rule
def take_bottom(state):
    """Take the lowest card off the deck, whose order must be decided; return it."""
    card = state.deck[0]
    state.deck_size -= 1
    state.top_size -= 1
    for index in range(state.deck_size):
        state.deck[index] = state.deck[index + 1]
    state.deck_count[card & KIND_BITS] -= 1
    return card


@rule
def shuffle_in(state, cards):
    """Shuffle a group of cards, counted by kind from the first Door on, into the deck; it is empty then."""
    shuffle(state)
    for index in range(cards.shape[0]):
        for _ in range(cards[index]):
            add_to_pool(state, FIRST_DOOR + index)
        cards[index] = 0


@rule
def mix_cards(state, cards):
    """Put an array of cards in a random order."""
    for last in range(cards.shape[0] - 1, 0, -1):
        chosen = random_below(state, last + 1)
        card = cards[last]
        cards[last] = cards[chosen]
        cards[chosen] = card

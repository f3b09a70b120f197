"""What expansions hide: removed Denizens, the order of the Premonitions' reserve, cards looked at."""

from __future__ import annotations

from onirim_env.compiling.compile import rule
from onirim_env.engine.expansions import oniverse, premonitions
from onirim_env.engine.expansions.deck import mix_cards
from onirim_env.engine.expansions.looking import BOTTOM_ORDER
from onirim_env.engine.hand import seen_bit
from onirim_env.engine.state import KIND_BITS, SEEN_BY_ALL


@rule
def sees_deck(state, observer):
    """Whether a player is looking through the deck (blue2, HP-4), and so knows what else is hidden."""
    return observer == state.player and premonitions.shows_deck(state)


@rule
def hides_looked(state, observer, closed, place):
    """Whether a card beside the deck is one that a player has not seen."""
    return state.looked[place] & (seen_bit(observer) if closed else SEEN_BY_ALL) == 0


@rule
def add_hidden(state, observer, closed, hidden):
    """List hidden cards that lie neither in the deck nor in a hand; return how many there are."""
    if sees_deck(state, observer):
        return 0
    n = oniverse.add_hidden(state, hidden, 0)
    for place in range(state.looked_size):
        if hides_looked(state, observer, closed, place):
            hidden[n] = state.looked[place] & KIND_BITS
            n += 1
    if premonitions.hides_fetched(state, observer, closed):
        hidden[n] = state.fetched
        n += 1
    return n


@rule
def take_removed(state, observer, hidden):
    """Take the Denizens that were removed off a list of hidden cards; return how many there are."""
    return 0 if sees_deck(state, observer) else oniverse.take_hidden(state, hidden)


@rule
def take_hidden(state, observer, closed, hidden):
    """Take cards beside the deck off a list of hidden cards, and deal anew what else is hidden.

    ``hidden`` has the hidden cards in random order, those of the deck and those of :func:`add_hidden`.
    """
    if not sees_deck(state, observer):
        for place in range(state.looked_size):
            if hides_looked(state, observer, closed, place):
                state.looked[place] = take_first(hidden) | (state.looked[place] & ~KIND_BITS)
        if premonitions.hides_fetched(state, observer, closed):
            state.fetched = take_first(hidden)
    if closed and observer != state.player and state.phase == BOTTOM_ORDER:
        mix_looked(state, observer)
    premonitions.take_hidden(state)


@rule
def mix_looked(state, observer):
    """Deal the order anew in which cards are placed that everybody has seen: the partner sees none of it."""
    if state.looked[0] & seen_bit(observer) == 0:
        return
    cards = state.looked[: state.looked_size]
    cards.sort()  # what is dealt must not depend on how they really lie
    mix_cards(state, cards)


@rule
def take_first(hidden):
    """Take the first card off a list of hidden cards, and return it."""
    card = hidden[0]
    for index in range(hidden.shape[0] - 1):
        hidden[index] = hidden[index + 1]
    return card

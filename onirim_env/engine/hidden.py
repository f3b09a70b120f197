"""Dealing anew what a player cannot know: what a planner may search."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR
from onirim_env.compiling.compile import rule
from onirim_env.compiling.rng import next_seed, random_below
from onirim_env.engine.deck import decide_top
from onirim_env.engine.doors import key_of
from onirim_env.engine.hand import find, kind_at
from onirim_env.engine.kinds import joins_hand
from onirim_env.engine.observe import knows_deck, knows_hand, sees_prophecy
from onirim_env.engine.points import point
from onirim_env.engine.prophecy import kinds_to_place
from onirim_env.engine.state import KIND_BITS, PHASE_DOOR, PHASE_PROPHECY_ORDER, SHARED, TWO_PLAYERS

MORE_HIDDEN = 16
"""Room for hidden cards that lie neither in the deck nor in a hand."""
MOST_TRIES = 2000
"""How many worlds are tried until one lets the partner be asked what the partner is asked."""


@rule
def reseed(state, seed):
    """Give the game, and those that follow it, other random numbers from here on."""
    state.rng = seed
    state.seed = seed


@rule
def knows_place(state, observer, place, closed):
    """Whether a player knows the card at a place of the deck, a Prophecy under way included."""
    if place < state.revealed and sees_prophecy(state, observer, closed):
        return True
    return knows_deck(state, observer, place, closed)


@rule
def determinize(state, observer, closed, seed):
    """Deal the cards that a player does not know anew, each way equally likely, and reseed.

    The result depends on what the player knows and on the seed alone. Hidden cards of the partner's
    hand are Locations; the rest go to the hidden places of the deck.
    """
    reseed(state, seed)
    hidden = np.empty(state.deck.shape[0] + MORE_HIDDEN, np.uint8)
    n = add_hidden(state, observer, closed, hidden)
    for place in range(state.deck_size):
        if not knows_place(state, observer, place, closed):
            hidden[n] = state.deck[state.deck_size - 1 - place] & KIND_BITS
            n += 1
    partner = 1 - observer
    two = state.rules & TWO_PLAYERS != 0 and not sees_deck(state, observer)
    if two:
        for place in range(state.hand_size[partner]):
            if not knows_hand(state, observer, partner, place, closed):
                hidden[n] = kind_at(state, partner, place)
                n += 1
    hidden[:n].sort()  # what is dealt must not depend on how the cards really lie
    put_in_random_order(state, hidden, n)
    left = redeal_hand(state, observer, closed, hidden, n) if two else n
    left -= take_removed(state, observer, hidden)
    if left < n:
        # Cards that were passed over for the places of others lie further ahead than chance would have it.
        put_in_random_order(state, hidden, left)
    take_hidden(state, observer, closed, hidden)
    redeal_deck(state, observer, closed, hidden)


@rule
def determinize_fitting(state, observer, closed, seed):
    """Deal anew as :func:`determinize` does, for a player who waits worlds in which the other one is asked.

    That the other player is asked tells something of hidden cards: who may open a Door holds a Key for it.
    Worlds are dealt until one fits, so that each of those that do is equally likely.
    """
    determinize(state, observer, closed, seed)
    if not closed or observer == state.player:
        return
    for _ in range(MOST_TRIES):
        if asks(state):
            return
        determinize(state, observer, closed, next_seed(state.rng))


@point
def asks(state):
    """Whether the game would have stopped where it stands: where there is something to decide."""
    if state.phase == PHASE_DOOR:
        key = key_of(state.drawn - FIRST_DOOR)
        return find(state, state.player, key) >= 0 or find(state, SHARED, key) >= 0
    if state.phase == PHASE_PROPHECY_ORDER:
        kinds = kinds_to_place(state)
        return kinds & (kinds - 1) != 0
    return True


@rule
def put_in_random_order(state, cards, n):
    """Put the first ``n`` cards of a list in random order."""
    for last in range(n - 1, 0, -1):
        chosen = random_below(state, last + 1)
        cards[last], cards[chosen] = cards[chosen], cards[last]


@point
def sees_deck(state, observer):
    """Whether a player is looking through the deck, and so knows what else is hidden."""
    return False


@point
def add_hidden(state, observer, closed, hidden):
    """List hidden cards that lie neither in the deck nor in a hand; return how many there are."""
    return 0


@point
def take_removed(state, observer, hidden):
    """Take cards that were removed unseen, of which some only can be, off a list; return how many."""
    return 0


@point
def take_hidden(state, observer, closed, hidden):
    """Take as many of such cards off a list of hidden cards, and deal anew what else expansions hide."""


@rule
def redeal_hand(state, observer, closed, hidden, n):
    """Deal the hidden cards of the partner's hand off ``n`` hidden cards; return how many are left."""
    partner = 1 - observer
    for place in range(state.hand_size[partner]):
        if not knows_hand(state, observer, partner, place, closed):
            chosen = 0
            while not joins_hand(state, np.int64(hidden[chosen])):
                chosen += 1
            state.hand[partner, place] = hidden[chosen] | (state.hand[partner, place] & ~KIND_BITS)
            n -= 1
            for index in range(chosen, n):
                hidden[index] = hidden[index + 1]
    return n


@rule
def redeal_deck(state, observer, closed, hidden):
    """Put the hidden cards to the places of the deck that a player does not know."""
    n = 0
    state.deck_count[:] = 0
    for place in range(state.deck_size):
        index = state.deck_size - 1 - place
        if not knows_place(state, observer, place, closed):
            state.deck[index] = hidden[n] | (state.deck[index] & ~KIND_BITS)
            n += 1
        state.deck_count[state.deck[index] & KIND_BITS] += 1


@rule
def decide_all(state):
    """Decide the order of the whole deck: the order in which it would come if nothing shuffled."""
    decide_top(state, np.int64(state.deck_size))

"""What modules hide: the Denizens that were removed, and the order of the Premonitions' reserve."""

from __future__ import annotations

from onirim_env.engine.compile import rule
from onirim_env.engine.modules import oniverse, premonitions


@rule
def sees_deck(state, observer):
    """Whether a player is looking through the deck (blue2, HP-4), and so knows what else is hidden."""
    return observer == state.player and premonitions.shows_deck(state)


@rule
def add_hidden(state, observer, hidden):
    """List hidden cards that lie neither in the deck nor in a hand; return how many there are."""
    if sees_deck(state, observer):
        return 0
    return oniverse.add_hidden(state, hidden, 0)


@rule
def take_hidden(state, observer, hidden):
    """Take as many of such cards off a list of hidden cards, and deal anew what else is hidden.

    ``hidden`` has the hidden cards in random order, those of the deck and those of :func:`add_hidden`.
    """
    if not sees_deck(state, observer):
        oniverse.take_hidden(state, hidden)
    premonitions.take_hidden(state)

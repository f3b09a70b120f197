"""What modules hide: the Denizens that were removed, and the order of the Premonitions' reserve."""

from __future__ import annotations

from onirim_env.engine.compile import rule
from onirim_env.engine.modules.cards import FIRST_DENIZEN
from onirim_env.engine.modules.oniverse import N_DENIZENS
from onirim_env.engine.modules.premonitions import HAPPY_SEARCH, KEYS
from onirim_env.engine.rng import random_below


@rule
def sees_deck(state, observer):
    """Whether a player is looking through the deck (blue2, HP-4), and so knows what else is hidden."""
    return observer == state.player and (state.phase == HAPPY_SEARCH or state.phase == KEYS)


@rule
def add_hidden(state, observer, hidden):
    """List the Denizens that were removed unseen; return how many there are."""
    n = 0
    if sees_deck(state, observer):
        return n
    for denizen in range(N_DENIZENS):
        for _ in range(state.unused[denizen]):
            hidden[n] = FIRST_DENIZEN + denizen
            n += 1
    return n


@rule
def take_hidden(state, observer, hidden):
    """Deal the removed Denizens and the reserve of the Premonitions anew.

    ``hidden`` has the hidden cards in random order, those of the deck and as many Denizens.
    """
    n = 0
    if not sees_deck(state, observer):
        for denizen in range(N_DENIZENS):
            n += state.unused[denizen]
        state.unused[:] = 0
    place = 0
    while n > 0:
        if FIRST_DENIZEN <= hidden[place] < FIRST_DENIZEN + N_DENIZENS:
            state.unused[hidden[place] - FIRST_DENIZEN] += 1
            n -= 1
            for index in range(place, hidden.shape[0] - 1):
                hidden[index] = hidden[index + 1]
        else:
            place += 1
    state.reserve[: state.n_reserve].sort()  # what is dealt must not depend on how they really lie
    for last in range(state.n_reserve - 1, 0, -1):
        chosen = random_below(state, last + 1)
        premonition = state.reserve[last]
        state.reserve[last] = state.reserve[chosen]
        state.reserve[chosen] = premonition

"""From observations back to records: the simple policy needs no more than what a player sees."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.compile import kernel, rule
from onirim_env.odin.cards import N_CARDS
from onirim_env.odin.engine.observe import BEATEN, CHOSEN, HAND, LIMITS, PHASE, RULES, TABLE
from onirim_env.odin.engine.state import FORCED, NO_CARDS, ONE, PHASE_OVER, WHOLE_PLAYS, WITH_GOAT


@rule
def read_cards(observations, row, first):
    """Return the cards of a field as bits."""
    cards = NO_CARDS
    for card in range(N_CARDS):
        if observations[row, first + card] > 0.0:
            cards |= ONE << np.uint64(card)
    return cards


@kernel
def read_turns(observations, whole, states):
    """Write what players to move see of their turn into records, as player 0; all else stays as it is.

    Parameters
    ----------
    observations
        float32, shape (n, 673).
    whole
        Whether plays are one action.
    states
        Records of a game, shape (n,).
    """
    for i in range(observations.shape[0]):
        state = states[i]
        state.player = 0
        state.hand[0] = read_cards(observations, i, HAND)
        state.table = read_cards(observations, i, TABLE)
        state.beaten = read_cards(observations, i, BEATEN)
        state.chosen = read_cards(observations, i, CHOSEN)
        for phase in range(PHASE_OVER + 1):
            if observations[i, PHASE + phase] > 0.0:
                state.phase = phase
        state.options = WHOLE_PLAYS if whole else 0
        if observations[i, RULES + len(LIMITS) + 1] > 0.0:
            state.options |= FORCED
        if observations[i, RULES + len(LIMITS) + 2] > 0.0:
            state.options |= WITH_GOAT

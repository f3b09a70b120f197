"""Crossroads and Dead Ends (4.6): series with a card of any colour."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import SERIES_LENGTH
from onirim_env.engine.compile import rule
from onirim_env.engine.modules.cards import ANY_COLOUR, COLOUR_OF
from onirim_env.engine.modules.codes import family
from onirim_env.engine.modules.state import HARD_CROSSROADS, SERIES_RESTART
from onirim_env.engine.row import row_place

ESCAPE = family("ESCAPE")


@rule
def colour_at(state, player, index):
    """Return the colour of a card of a row."""
    return COLOUR_OF[state.row[row_place(state, player, index)]]


@rule
def may_be_series(state, player, first, last):
    """Whether the cards of a row from ``first`` to before ``last`` can belong to one series (X-1)."""
    colour, crossroads = ANY_COLOUR, 0
    for index in range(first, last):
        own = colour_at(state, player, index)
        if own == ANY_COLOUR:
            crossroads += 1
        elif colour == ANY_COLOUR:
            colour = own
        elif own != colour:
            return False
    return crossroads <= 1


@rule
def note_card(state, player):
    """Count the card just put in a row (O-37); return whether it completes a series."""
    size = np.int64(state.row_size[player])
    if state.rules & SERIES_RESTART and not may_be_series(state, player, np.int64(state.used[player]), size):
        state.used[player] = size - 1
        return False
    if size - state.used[player] >= SERIES_LENGTH and may_be_series(
        state, player, size - SERIES_LENGTH, size
    ):
        state.used[player] = size
        return True
    return False


@rule
def may_play_crossroad(state, player):
    """Whether a Crossroad may be put in a row: hard, as the second card of a series only (X-7, O-38)."""
    if state.rules & HARD_CROSSROADS == 0:
        return True
    size = np.int64(state.row_size[player])
    pending = size - state.used[player]
    if pending == 0 or colour_at(state, player, size - 1) == ANY_COLOUR:
        return False
    return pending < 2 or not may_be_series(state, player, size - 2, size)


@rule
def shorten(state, player):
    """Note that cards have left the end of a row."""
    state.used[player] = min(state.used[player], state.row_size[player])

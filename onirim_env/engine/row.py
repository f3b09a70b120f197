"""The rows of the labyrinth and their series (P-1 to P-6).

Both rows share one array: player 0's grows from its left end, player 1's from its right end.
"""

from __future__ import annotations

import numpy as np

from onirim_env.cards import N_COLOURS, N_LOCATION_KINDS, N_SYMBOLS, SERIES_LENGTH
from onirim_env.compiling.compile import rule
from onirim_env.engine.points import point

ALL_LOCATIONS = (1 << N_LOCATION_KINDS) - 1
FIRST_SYMBOL = sum(1 << colour * N_SYMBOLS for colour in range(N_COLOURS))
"""The set of Locations of the first symbol; shifted by a symbol, those of that symbol."""


@rule
def row_place(state, player, index):
    """Return where the card number ``index`` of a player's row lies in the array."""
    return index if player == 0 else state.row.shape[0] - 1 - index


@rule
def last_card(state, player):
    """Return the kind of the last card of a player's row, or -1 for an empty row."""
    size = state.row_size[player]
    if size == 0:
        return -1
    return np.int64(state.row[row_place(state, player, size - 1)])


@point
def playable_kinds(state, player):
    """Return the set of Locations that may follow the last card: another symbol than its (P-1).

    Bit k stands for kind k. Any Location may begin a row.
    """
    last = last_card(state, player)
    if last < 0:
        return ALL_LOCATIONS
    return ALL_LOCATIONS & ~(FIRST_SYMBOL << last % N_SYMBOLS)


@point
def append(state, player, kind):
    """Put a Location at the end of a row; return whether that completes a series (P-2 to P-6).

    A completed series stays in ``series`` until the next card starts a new one.
    """
    last = last_card(state, player)
    goes_on = last >= 0 and last // N_SYMBOLS == kind // N_SYMBOLS
    if goes_on and state.series[player] < SERIES_LENGTH:
        state.series[player] += 1
    else:
        state.series[player] = 1
    state.row[row_place(state, player, state.row_size[player])] = kind
    state.row_size[player] += 1
    return state.series[player] == SERIES_LENGTH

"""Counting anew what a row of a position has used."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import MAX_PLAYERS
from onirim_env.compiling.compile import kernel
from onirim_env.engine.expansions.crossroads import note_card


@kernel
def count_used_cards(states):
    """Count the cards of each row that serve in no series any more, as if they were played one by one.

    Those that ``used`` counts already are taken as they are.
    """
    state = states[0]
    for player in range(MAX_PLAYERS):
        size = np.int64(state.row_size[player])
        for number in range(state.used[player] + 1, size + 1):
            state.row_size[player] = number
            note_card(state, player)


def count_used(record: np.void, begin: np.ndarray | None = None) -> list[int]:
    """Return how many cards of each row are used, in a record that stays as it is.

    Parameters
    ----------
    record
        A game with expansions.
    begin
        How many of each row are used in any case, int8 of shape (2,); none where it is not given.
    """
    states = np.array([record])
    states[0]["used"] = 0 if begin is None else begin
    count_used_cards(states)
    used: list[int] = states[0]["used"].tolist()
    return used

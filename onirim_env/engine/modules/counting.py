"""Counting anew what a row of a position has used."""

from __future__ import annotations

import numpy as np

from onirim_env.engine.compile import kernel
from onirim_env.engine.modules.crossroads import note_card


@kernel
def count_used_cards(states):
    """Count the cards of each row that serve in no series any more, as if they were played one by one."""
    state = states[0]
    for player in range(2):
        size = np.int64(state.row_size[player])
        state.used[player] = 0
        for number in range(1, size + 1):
            state.row_size[player] = number
            note_card(state, player)


def count_used(record: np.void) -> None:
    """Count them in one record, which is changed."""
    states = np.array([record])
    count_used_cards(states)
    record["used"] = states[0]["used"]

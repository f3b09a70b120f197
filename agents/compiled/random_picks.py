"""Random picks among legal actions, with a generator for each row, compiled."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.compile import kernel
from onirim_env.compiling.rng import GAMMA, mix


@kernel
def pick(masks: np.ndarray, random: np.ndarray, actions: np.ndarray) -> None:
    """Pick one legal action of each row, each with the same probability.

    Parameters
    ----------
    masks
        int8, shape (n, n_actions), at least one entry of a row not zero.
    random
        uint64, shape (n,) or longer: the state of a generator for each row, advanced.
    actions
        int64, shape (n,), written.
    """
    for i in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[i, action] != 0
        random[i] += GAMMA
        left = np.int64(((mix(random[i]) >> np.uint64(32)) * np.uint64(legal)) >> np.uint64(32))
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                if left == 0:
                    actions[i] = action
                    break
                left -= 1

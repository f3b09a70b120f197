"""Random picks among the entries of a mask."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.compile import kernel, rule
from onirim_env.compiling.rng import GAMMA, mix


@rule
def random_share(random, n):
    """Return a random number from 0 to n - 1 of a generator (uint64, shape (1,)), and advance it."""
    random[0] = random[0] + GAMMA
    return np.int64(((mix(random[0]) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


def advanced(random: np.ndarray, picks: int) -> np.ndarray:
    """Return a generator (uint64, shape (1,)) as it is after so many picks."""
    return random + np.array([picks], dtype=np.uint64) * GAMMA


@kernel
def pick_action(mask, random):
    """Pick from one mask of shape (n_actions,); ``random`` is the generator, uint64, shape (1,).

    Return -1 when nothing is legal.
    """
    legal = 0
    for action in range(mask.shape[0]):
        legal += mask[action] != 0
    if legal == 0:
        return -1
    chosen = random_share(random, legal)
    picked = 0
    passed = 0
    for action in range(mask.shape[0]):  # without branches: those of a mask cannot be foretold
        passed += mask[action] != 0
        picked += passed <= chosen
    return picked


@kernel
def pick_actions(masks, random, actions):
    """Pick from each mask of shape (n, n_actions) into ``actions``, int64, shape (n,)."""
    places = np.empty(masks.shape[1] + 1, np.int64)
    for i in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):  # without branches: those of a mask cannot be foretold
            places[legal] = action
            legal += masks[i, action] != 0
        actions[i] = places[random_share(random, legal)] if legal > 0 else -1


@kernel
def pick_each(masks, randoms, actions):
    """Pick from each mask with a generator of its own: ``randoms``, uint64, shape (n,)."""
    for i in range(masks.shape[0]):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[i, action] != 0
        randoms[i] = randoms[i] + GAMMA
        chosen = np.int64(((mix(randoms[i]) >> np.uint64(32)) * np.uint64(legal)) >> np.uint64(32))
        picked = 0
        passed = 0
        for action in range(masks.shape[1]):
            passed += masks[i, action] != 0
            picked += passed <= chosen
        actions[i] = picked if legal > 0 else -1

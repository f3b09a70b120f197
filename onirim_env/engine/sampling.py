"""Random picks among the entries of a mask."""

from __future__ import annotations

import numpy as np

from onirim_env.engine.compile import kernel, rule
from onirim_env.engine.rng import GAMMA, mix


@rule
def _pick(mask, random):
    """Return the index of a random entry of ``mask`` that is not zero, or -1 without one."""
    legal = 0
    for action in range(mask.shape[0]):
        legal += mask[action] != 0
    if legal == 0:
        return -1
    random[0] = random[0] + GAMMA
    left = np.int64(((mix(random[0]) >> np.uint64(32)) * np.uint64(legal)) >> np.uint64(32))
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            if left == 0:
                return action
            left -= 1
    return -1


@kernel
def pick_action(mask, random):
    """Pick from one mask of shape (n_actions,); ``random`` is the generator, uint64, shape (1,)."""
    return _pick(mask, random)


@kernel
def pick_actions(masks, random, actions):
    """Pick from each mask of shape (n, n_actions) into ``actions``, int64, shape (n,)."""
    for i in range(masks.shape[0]):
        actions[i] = _pick(masks[i], random)

"""From a user's seed to the seed of a game, through Gymnasium's ``np_random``."""

from __future__ import annotations

import numpy as np


def game_seed(generator: np.random.Generator) -> np.uint64:
    """Return the seed of a game: the next 64 random bits of a generator."""
    return np.uint64(generator.integers(0, 2**64, dtype=np.uint64))

"""Random numbers of a game: splitmix64, whose whole state is one 64-bit number in the record.

Source: Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014.
"""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.compile import rule

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = np.uint64(0x94D049BB133111EB)
_NEXT_GAME = np.uint64(0xD1342543DE82EF95)


@rule
def mix(value):
    """Return a scrambled 64-bit number: a bijection without visible structure."""
    value = (value ^ (value >> np.uint64(30))) * _MULTIPLIER_1
    value = (value ^ (value >> np.uint64(27))) * _MULTIPLIER_2
    return value ^ (value >> np.uint64(31))


@rule
def random_below(state, n):
    """Return a random number from 0 to n - 1, and advance the game's generator."""
    state.rng = state.rng + GAMMA
    high = mix(state.rng) >> np.uint64(32)
    return np.int64((high * np.uint64(n)) >> np.uint64(32))


@rule
def next_seed(seed):
    """Return the seed of the game that follows the game of ``seed`` when nobody reseeds."""
    return mix(seed ^ _NEXT_GAME)

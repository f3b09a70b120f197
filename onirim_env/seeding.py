"""From a user's seed to the seed of a game, through Gymnasium's ``np_random``."""

from __future__ import annotations

import re
import secrets
from typing import Any

import numpy as np
from gymnasium.utils.seeding import np_random

from onirim_env.errors import quoted

MOST_EXACT = 2**53 - 1
"""The largest whole number that every reader of JSON keeps exactly."""

_BITS = re.compile(r"0[xX][0-9a-fA-F]{1,16}")


def game_seed(generator: np.random.Generator) -> np.uint64:
    """Return the seed of a game: the next 64 random bits of a generator."""
    return np.uint64(generator.integers(0, 2**64, dtype=np.uint64))


def seed_bits(seed: Any) -> np.uint64:
    """Return the 64 bits that a game is dealt from.

    Parameters
    ----------
    seed
        A seed as users give it, a whole number from 0 on; or these bits themselves as hex text, such
        as ``"0x9e3779b97f4a7c15"``, which is how records name a later game of an environment.

    Raises
    ------
    ValueError
        For anything else.
    """
    if isinstance(seed, str) and _BITS.fullmatch(seed):
        return np.uint64(int(seed, 16))
    if isinstance(seed, (int, np.integer)) and not isinstance(seed, bool) and seed >= 0:
        return game_seed(np_random(int(seed))[0])
    raise ValueError(
        f"seed must be a whole number from 0 on, or a text of 0x and up to 16 hex digits, not {quoted(seed)}"
    )


def recorded_seed(seed: int | str) -> int | str:
    """Return a seed as a record holds it: a plain number that no reader rounds, else its bits as text."""
    if isinstance(seed, str) or seed > MOST_EXACT:
        return bits_text(seed_bits(seed))
    return int(seed)


def bits_text(bits: np.uint64) -> str:
    """Return 64 bits as the hex text that :func:`seed_bits` reads."""
    return f"0x{int(bits):016x}"


def new_bits() -> str:
    """Return random bits for a game whose seed nobody gave, as hex text."""
    return bits_text(np.uint64(secrets.randbits(64)))

"""Seeds of trainings."""

from __future__ import annotations

import numpy as np


def training_seed(seed: int, steps: int) -> int:
    """Return the seed of a training that begins after ``steps`` decisions: below 900,000,000.

    The seeds of the held-out games begin at 1,000,000,000.
    """
    return int(np.random.SeedSequence([seed, steps]).generate_state(1)[0] % 900_000_000)

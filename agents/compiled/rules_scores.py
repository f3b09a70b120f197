"""The scores of the rules agent as numbers, compiled: what ``rules_policy.choose`` compares."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.compiled.rules_policy import score
from onirim_env.compiling.compile import kernel


@kernel
def write_scores(
    weights: Any, views: np.ndarray, masks: np.ndarray, codes: np.ndarray, scores: np.ndarray
) -> None:
    """Write the score of each legal action into ``scores`` (float64, shape (n, n_actions)).

    The other parameters are those of ``rules_policy.choose``.
    """
    for i in range(masks.shape[0]):
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                scores[i, action] = score(weights, views[i], np.int64(codes[action]))

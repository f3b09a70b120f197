"""Two hidden layers of rectified units, for one observation at a time, inside compiled code."""

from __future__ import annotations

from typing import Any

import numpy as np

from onirim_env.engine.compile import rule


@rule
def hidden_layers(network: Any, layers: Any, observations: np.ndarray) -> None:
    """Compute the hidden layers for the first of some observations (float32).

    ``network`` has ``first`` (inputs, units), ``first_bias``, ``second`` (units, units) and
    ``second_bias``; ``layers`` has room, ``first`` and ``second``, for what the layers put out. Most
    entries of an observation are 0, and cost nothing here. Entries behind the network's inputs do not
    count.
    """
    n_first, n_second = layers.first.shape[0], layers.second.shape[0]
    for j in range(n_first):
        layers.first[j] = network.first_bias[j]
    for i in range(min(observations.shape[1], network.first.shape[0])):
        entry = observations[0, i]
        if entry != 0.0:
            for j in range(n_first):
                layers.first[j] += entry * network.first[i, j]
    for j in range(n_second):
        layers.second[j] = network.second_bias[j]
    for i in range(n_first):
        entry = layers.first[i]
        if entry > 0.0:
            for j in range(n_second):
                layers.second[j] += entry * network.second[i, j]
    for j in range(n_second):
        layers.second[j] = max(np.float32(0.0), layers.second[j])

"""The value network of the search agent: how likely a player who sees an observation still wins.

Two hidden layers of rectified units over the observation itself (``onirim_env/observation.py``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from agents.hidden_layers import hidden_layers
from onirim_env.engine.compile import rule
from onirim_env.observation import observation_size
from onirim_env.rules import RuleSet

N_INPUTS = observation_size(RuleSet(players=2))
"""Observations of solo are a beginning of those of co-op, so one shape does for both."""
N_FIRST, N_SECOND = 128, 32

NETWORK = np.dtype(
    [
        ("first", np.float32, (N_INPUTS, N_FIRST)),
        ("first_bias", np.float32, (N_FIRST,)),
        ("second", np.float32, (N_FIRST, N_SECOND)),
        ("second_bias", np.float32, (N_SECOND,)),
        ("third", np.float32, (N_SECOND,)),
        ("third_bias", np.float32),
    ],
    align=True,
)
"""The weights of a network."""

LAYERS = np.dtype([("first", np.float32, (N_FIRST,)), ("second", np.float32, (N_SECOND,))], align=True)
"""Room for what its hidden layers put out."""


FILE = Path(__file__).with_suffix(".npz")
"""The networks: plain float16 arrays named ``players/part``, which hold no code."""


def write_networks(networks: dict[int, np.ndarray], file: Path = FILE) -> None:
    """Write networks (``NETWORK``, shape (1,)) by the number of players, without unused inputs."""
    arrays = {}
    for players, network in networks.items():
        n_inputs = observation_size(RuleSet(players=players))
        for part in NETWORK.names or ():
            values = network[0][part][:n_inputs] if part == "first" else network[0][part]
            arrays[f"{players}/{part}"] = np.asarray(values, dtype=np.float16)
    np.savez_compressed(file, **arrays)  # type: ignore[arg-type]


def read_network(players: int, file: Path = FILE) -> np.ndarray:
    """Return the network for a number of players: ``NETWORK``, shape (1,)."""
    network = np.zeros(1, dtype=NETWORK)
    with np.load(file, allow_pickle=False) as arrays:
        for part in NETWORK.names or ():
            values = arrays[f"{players}/{part}"]
            if part == "first":
                network[0][part][: len(values)] = values
            else:
                network[part][0] = values
    return network


@rule
def estimate(network: Any, layers: Any, observations: np.ndarray) -> float:
    """Return the estimated chance to win of the first of some observations (float32)."""
    hidden_layers(network, layers, observations)
    logit = np.float64(network.third_bias)
    for j in range(N_SECOND):
        logit += layers.second[j] * network.third[j]
    return 1.0 / (1.0 + np.exp(-logit))

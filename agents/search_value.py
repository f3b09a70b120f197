"""The value network of the search agent: how likely a player who sees an observation still wins.

Two hidden layers of rectified units over the observation itself (``onirim_env/observation.py``).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from agents.array_files import Form, read_arrays, write_arrays
from agents.hidden_layers import hidden_layers
from onirim_env.engine.compile import rule
from onirim_env.errors import FileError
from onirim_env.files import shown
from onirim_env.modules.layout import FULL_SIZE
from onirim_env.observation import observation_size
from onirim_env.rules import RuleSet

N_INPUTS = observation_size(RuleSet(players=2))
"""Observations of solo are a beginning of those of co-op, so one shape does for both."""
N_FIRST, N_SECOND = 128, 32
MODULE_FIRST, MODULE_SECOND = 64, 32
"""The units for games with modules, whose whole observations (``FULL_SIZE``) are seven times as long."""


def network_type(n_inputs: int, n_first: int, n_second: int) -> np.dtype:
    """Return the dtype of the weights of a network."""
    return np.dtype(
        [
            ("first", np.float32, (n_inputs, n_first)),
            ("first_bias", np.float32, (n_first,)),
            ("second", np.float32, (n_first, n_second)),
            ("second_bias", np.float32, (n_second,)),
            ("third", np.float32, (n_second,)),
            ("third_bias", np.float32),
        ],
        align=True,
    )


NETWORK = network_type(N_INPUTS, N_FIRST, N_SECOND)
"""The weights of a network for base games."""
MODULE_NETWORK = network_type(FULL_SIZE, MODULE_FIRST, MODULE_SECOND)
"""The weights of a network for games with modules."""

FILE = Path(__file__).with_suffix(".npz")
"""The networks for base games: plain float16 arrays named ``players/part``, which hold no code."""
MODULE_FILE = FILE.with_name("search_value_modules.npz")
"""The same for solo games with modules."""


def layers_type(network: np.dtype) -> np.dtype:
    """Return the dtype of room for what the hidden layers of a network put out."""
    fields = [(part, np.float32, network[f"{part}_bias"].shape) for part in ("first", "second")]
    return np.dtype(fields, align=True)


def write_networks(networks: dict[int, np.ndarray], file: Path) -> None:
    """Write networks (shape (1,)) by the number of players, those of base games without unused inputs."""
    arrays = {}
    for players, network in networks.items():
        base = network.dtype == NETWORK
        n_inputs = observation_size(RuleSet(players=players)) if base else None
        for part in network.dtype.names or ():
            values = network[0][part][:n_inputs] if part == "first" else network[0][part]
            arrays[f"{players}/{part}"] = np.asarray(values, dtype=np.float16)
    write_arrays(file, arrays)


def read_network(players: int, file: Path = FILE) -> np.ndarray:
    """Return the network for a number of players: ``NETWORK`` or ``MODULE_NETWORK``, shape (1,).

    Raises
    ------
    FileError
        For a file that has no such network; the message is one line.
    """
    base = _forms(players, NETWORK, observation_size(RuleSet(players=players)))
    modules = _forms(players, MODULE_NETWORK, FULL_SIZE)
    arrays = read_arrays(file, base, modules, what="value network")
    n_inputs = len(arrays[f"{players}/first"])
    network = np.zeros(1, dtype=MODULE_NETWORK if n_inputs == FULL_SIZE else NETWORK)
    for part in network.dtype.names or ():
        values = arrays[f"{players}/{part}"]
        if not np.isfinite(values).all():
            raise FileError(f"value network {shown(file)} has numbers in {part} that are not finite")
        if part == "first":
            network[0][part][:n_inputs] = values
        else:
            network[part][0] = values
    return network


def _forms(players: int, network: np.dtype, n_inputs: int) -> dict[str, Form]:
    """Return the forms of the arrays that a network is stored in."""
    shapes = {part: network[part].shape for part in network.names or ()}
    shapes["first"] = (n_inputs, *shapes["first"][1:])
    return {f"{players}/{part}": Form(shape, np.float16) for part, shape in shapes.items()}


def network_for(rules: RuleSet) -> np.ndarray:
    """Return the network for games of a rule set, all 0 where there is none: co-op with modules."""
    if not rules.expansions:
        return read_network(rules.players)
    return read_network(1, MODULE_FILE) if rules.players == 1 else np.zeros(1, dtype=MODULE_NETWORK)


@rule
def estimate(network: Any, layers: Any, observations: np.ndarray) -> float:
    """Return the estimated chance to win of the first of some observations (float32)."""
    hidden_layers(network, layers, observations)
    logit = np.float64(network.third_bias)
    for j in range(layers.second.shape[0]):
        logit += layers.second[j] * network.third[j]
    return 1.0 / (1.0 + np.exp(-logit))

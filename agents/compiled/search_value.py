"""The value network of the search agent: how likely a player who sees an observation still wins.

Two hidden layers of rectified units over the observation itself (``onirim_env/observation.py``), with
one output, plain or symmetric (``network_kinds.py``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents import FOLDER
from agents.arrays.array_files import Form, read_arrays, write_arrays
from agents.compiled.hidden_layers import hidden_layers
from agents.compiled.network_kinds import KINDS, PLAIN, SYMMETRIC, NetworkForm
from agents.compiled.network_record import NetworkRecord, logit_of, network_record
from agents.compiled.symmetries import symmetries
from onirim_env.compiling.compile import rule
from onirim_env.errors import FileError
from onirim_env.files import shown
from onirim_env.observation import FULL_SIZE, observation_size
from onirim_env.rules import RuleSet

MOST_UNITS = 1024
"""How many units a hidden layer has at most."""
SIZES = "sizes"
"""The array, int64, that says of a network of which kind it is, and how many inputs and units it has."""
FILE = FOLDER / "search_value.npz"
"""The networks for base games: plain float16 arrays named ``players/part``, which hold no code."""
EXPANSION_FILE = FILE.with_name("search_value_expansions.npz")
"""The same for solo games with expansions, of whole observations as the engine writes them."""


@dataclass(frozen=True, eq=False)
class ValueNetwork:
    """A value network.

    Attributes
    ----------
    form
        Its sizes; the last one is 1.
    arrays
        Its weights and biases by name: float32.
    tables
        The rules whose observations are its inputs.
    """

    form: NetworkForm
    arrays: Mapping[str, np.ndarray]
    tables: RuleSet

    def record(self) -> NetworkRecord:
        """Return the network for compiled code."""
        return network_record(self.form, self.arrays, self.tables)


def write_networks(networks: Mapping[int, ValueNetwork], file: Path) -> None:
    """Write networks by the number of players."""
    arrays = {}
    for players, network in networks.items():
        form = network.form
        arrays[f"{players}/{SIZES}"] = np.array([KINDS.index(form.kind), *form.layers[:-1]], dtype=np.int64)
        for name, values in network.arrays.items():
            arrays[f"{players}/{name}"] = np.asarray(values, dtype=np.float16)
    write_arrays(file, arrays)


def read_network(players: int, file: Path = FILE) -> ValueNetwork:
    """Return the network for a number of players.

    Raises
    ------
    FileError
        For a file that has no such network; the message is one line.
    """
    tables = RuleSet(players=players)
    what = "value network"
    name = f"{players}/{SIZES}"
    sizes = read_arrays(file, {name: Form((4,), np.int64)}, what=what)[name].tolist()
    form = _form_of(sizes, tables)
    if form is None:
        raise FileError(f"{what} {shown(file)} is for other games: its {name} is {sizes}")
    forms = {f"{players}/{name}": Form(one.shape, np.float16) for name, one in form.arrays().items()}
    read = read_arrays(file, {name: one for name, one in forms.items() if 0 not in one.shape}, what=what)
    for name, values in read.items():
        if not np.isfinite(values).all():
            raise FileError(f"{what} {shown(file)} has numbers in {name} that are not finite")
    arrays = {name.partition("/")[2]: values.astype(np.float32) for name, values in read.items()}
    return ValueNetwork(form, arrays, tables)


def value_form(kind: str, layers: Sequence[int], tables: RuleSet) -> NetworkForm:
    """Return the form of a value network; ``layers`` has the inputs and the units of two layers."""
    inputs = symmetries(tables).entries.sizes if kind == SYMMETRIC else (0, 0)
    return NetworkForm(kind, (*layers, 1), "relu", inputs, (0, 1))


def _form_of(sizes: Sequence[int], tables: RuleSet) -> NetworkForm | None:
    """Return the form that a file names, or None where it is none."""
    kind, *layers = sizes
    known = {observation_size(tables): KINDS, FULL_SIZE: (PLAIN,)}
    kinds = known.get(layers[0], ())
    if not 0 <= kind < len(kinds) or not all(0 < units <= MOST_UNITS for units in layers[1:]):
        return None
    return value_form(kinds[kind], layers, tables)


def network_for(rules: RuleSet) -> ValueNetwork | None:
    """Return the network for games of a rule set; there is none for co-op with expansions."""
    if not rules.expansions:
        return read_network(rules.players)
    return read_network(1, EXPANSION_FILE) if rules.players == 1 else None


@rule
def estimate(network: Any, layers: Any, observations: np.ndarray) -> float:
    """Return the estimated chance to win of the first of some observations (float32)."""
    hidden_layers(network, layers, observations)
    return 1.0 / (1.0 + np.exp(-np.float64(logit_of(network, layers, 0))))

"""Network models: a trained network as plain numbers, read without running any code.

A model is two files of one name in ``agents/models``:

| file | holds |
|---|---|
| ``NAME.npz`` | float32 arrays ``weight_0``, ``bias_0``, ``weight_1``, ... from the first layer to the last |
| ``NAME.json`` | observation fields, actions, network, rules, training, versions, evaluation |

``python -m train.export`` writes them. Nothing in them is pickled.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from onirim_env.actions import action_table
from onirim_env.observation import observation_layout
from onirim_env.rules import RuleSet

FORMAT = "onirim network 1"
"""Marks the JSON files of this package; another form of them gets another number."""

ACTIVATIONS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "relu": lambda values: np.maximum(values, 0.0),
    "tanh": np.tanh,
}
"""What may stand between two layers."""


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """A model as it was read.

    Attributes
    ----------
    name
        Name of its files.
    about
        What the JSON file says.
    weights, biases
        float32, one of each for each layer: shapes (outputs, inputs) and (outputs,).
    """

    name: str
    about: dict[str, Any]
    weights: tuple[np.ndarray, ...]
    biases: tuple[np.ndarray, ...]

    @property
    def tables(self) -> dict[str, Any]:
        """The observation fields and actions that it is for, as :func:`tables_of` gives them."""
        return {part: self.about[part] for part in ("observation", "actions")}

    @property
    def layout(self) -> str:
        """Which observations and actions these are: ``"own"``, those of its rules, or ``"full"``."""
        return str(self.about.get("layout", "own"))


def tables_of(rules: RuleSet) -> dict[str, Any]:
    """Return what a network has to know of the observations and actions of a rule set.

    Returns
    -------
    dict
        Plain values: sizes of the observation fields by name, number of actions, and a digest of
        each whole table (labels and units of the observation, texts of the actions).
    """
    layout = observation_layout(rules)
    texts = action_table(rules).texts
    return {
        "observation": {
            "fields": {field.name: field.size for field in layout},
            "digest": _digest([[field.name, field.labels, field.units] for field in layout]),
        },
        "actions": {"number": len(texts), "digest": _digest(texts)},
    }


def _digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]


def tables_text(tables: dict[str, Any]) -> str:
    """Return tables of :func:`tables_of` in words, on one line."""
    observation, actions = tables["observation"], tables["actions"]
    fields = ", ".join(f"{name} {size}" for name, size in observation["fields"].items())
    return (
        f"observations of {sum(observation['fields'].values())} numbers ({fields}; digest "
        f"{observation['digest']}) and {actions['number']} actions (digest {actions['digest']})"
    )


def array_names(layer: int) -> tuple[str, str]:
    """Return the names of the weights and the biases of a layer."""
    return f"weight_{layer}", f"bias_{layer}"


def read_about(file: Path) -> dict[str, Any]:
    """Read the JSON file of a model.

    Raises
    ------
    ValueError
        For a file that is none.
    """
    try:
        about = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ValueError(f"model {file.name} cannot be read: {error}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError(f"{file.name} is no model of this version: its format is not {FORMAT!r}")
    return about


def read_model(file: Path) -> NetworkModel:
    """Read a model, given its JSON file; the weights stand beside it.

    Raises
    ------
    ValueError
        For files that are no model, or do not go together.
    """
    about = read_about(file)
    weights_file = file.with_suffix(".npz")
    try:
        layers = about["network"]["layers"]
        known = about["network"]["activation"] in ACTIVATIONS
        with zipfile.ZipFile(weights_file):  # numpy would read other files than .npz as well
            pass
        with np.load(weights_file, allow_pickle=False) as arrays:
            pairs = [tuple(arrays[name] for name in array_names(i)) for i in range(len(layers) - 1)]
    except (OSError, ValueError, KeyError, TypeError, zipfile.BadZipFile) as error:
        raise ValueError(f"model {file.stem} cannot be read: {error}") from None
    shapes = [((after, before), (after,)) for before, after in pairwise(layers)]
    if [tuple(array.shape for array in pair) for pair in pairs] != shapes or not known:
        raise ValueError(f"{weights_file.name} is not the network that {file.name} describes")
    if not all(array.dtype == np.float32 and np.isfinite(array).all() for pair in pairs for array in pair):
        raise ValueError(f"{weights_file.name} must have finite float32 numbers")
    return NetworkModel(file.stem, about, tuple(pair[0] for pair in pairs), tuple(pair[1] for pair in pairs))


def model_summary(about: dict[str, Any]) -> str:
    """Return in one line what a model is."""
    rules = RuleSet(**about["rules"])
    game = "solo" if rules.players == 1 else f"co-op, {about['talk']} talk"
    units = "-".join(map(str, about["network"]["layers"][1:-1]))
    steps = f", {about['steps']:,} decisions" if about["steps"] is not None else ""
    expansions = ", any expansions" if about.get("layout") == "full" else ""
    return f"Trained network for {game}{expansions}: {about['algorithm']}, layers of {units}{steps}."

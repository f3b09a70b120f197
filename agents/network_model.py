"""Network models: a trained network as plain numbers, read without running any code.

A model is two files of one name in ``agents/models``:

| file | holds |
|---|---|
| ``NAME.npz`` | float32 arrays, which depend on the kind of network (``network_kinds.py``) |
| ``NAME.json`` | observation fields, actions, network, rules, training, versions, evaluation |

``python -m train.export`` writes them. Nothing in them is pickled.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from agents.arrays.array_files import read_arrays
from agents.compiled.network_kinds import ACTIVATIONS, KINDS, PLAIN, NetworkForm, form_of, wrong_form
from onirim_env.actions import action_table
from onirim_env.errors import FileError, quoted
from onirim_env.files import read_file, read_json
from onirim_env.keywords import LAYOUTS, TALKS
from onirim_env.observation import observation_layout
from onirim_env.rules import RuleSet

FORMAT = "onirim network 1"
"""Marks the JSON files of this package; another form of them gets another number."""

MOST_NUMBERS = 10_000_000
"""How many weights and biases a network has at most; the largest of the configurations has 600,000."""
MOST_LAYERS = 64
"""How many layers a network has at most."""
LONGEST_WORD = 100
"""How long words of the description are at most."""


@dataclass(frozen=True, eq=False)
class NetworkModel:
    """A model as it was read.

    Attributes
    ----------
    name
        Name of its files.
    about
        What the JSON file says.
    arrays
        Its weights and biases by name: float32.
    """

    name: str
    about: dict[str, Any]
    arrays: dict[str, np.ndarray]

    @property
    def form(self) -> NetworkForm:
        """The sizes of the network."""
        return form_of(self.about["network"])

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


def weights_digest(numbers: bytes) -> str:
    """Return by what the JSON file of a model knows its file of numbers."""
    return hashlib.sha256(numbers).hexdigest()[:16]


def read_about(file: Path) -> dict[str, Any]:
    """Read the JSON file of a model.

    Raises
    ------
    ValueError
        For a file that is none, in one line with its name.
    """
    try:
        about = read_json(file, "file")
    except FileError as error:
        raise FileError(f"model {file.name} cannot be read: {error}") from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise FileError(f"{file.name} is no model of this version: its format is not {FORMAT!r}")
    wrong = _wrong_part(about)
    if wrong:
        raise FileError(f"model {file.name} cannot be read: {wrong}")
    return about


def _wrong_part(about: dict[str, Any]) -> str | None:
    """Return what is wrong with the description of a model, or None."""
    for name, (is_right, right) in _PARTS.items():
        if name not in about:
            return f"it has no {name}"
        if not is_right(about[name]):
            return f"its {name} is {quoted(about[name])}, not {right}"
    if about.get("layout", "own") not in LAYOUTS:
        return f"its layout is {quoted(about['layout'])}, not one of {', '.join(LAYOUTS)}"
    try:
        RuleSet(**about["rules"])
    except (ValueError, TypeError) as error:
        return f"its rules: {error}"
    layers = about["network"]["layers"]
    sizes = sum(about["observation"]["fields"].values()), about["actions"]["number"]
    if (layers[0], layers[-1]) != sizes:
        return f"its layers are from {layers[0]} to {layers[-1]} numbers, its tables {sizes[0]} to {sizes[1]}"
    wrong = wrong_form(about["network"])
    if wrong:
        return wrong
    numbers = form_of(about["network"]).numbers
    return (
        f"its network has {numbers:,} numbers; {MOST_NUMBERS:,} at most" if numbers > MOST_NUMBERS else None
    )


def _is_size(value: Any) -> bool:
    return type(value) is int and 0 < value <= MOST_NUMBERS


def _is_observation(value: Any) -> bool:
    fields = value.get("fields") if isinstance(value, dict) else None
    return isinstance(fields, dict) and all(map(_is_size, fields.values())) and _has_digest(value)


def _is_network(value: Any) -> bool:
    layers = value.get("layers") if isinstance(value, dict) else None
    sizes = isinstance(layers, list) and 2 <= len(layers) <= MOST_LAYERS and all(map(_is_size, layers))
    kinds = value.get("kind", PLAIN) in KINDS if sizes else False
    return sizes and kinds and value.get("activation") in ACTIVATIONS


def _has_digest(value: dict[str, Any]) -> bool:
    return isinstance(value.get("digest"), str) and len(value["digest"]) <= LONGEST_WORD


_PARTS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "algorithm": (
        lambda value: isinstance(value, str) and value.isprintable() and len(value) <= LONGEST_WORD,
        "a word",
    ),
    "rules": (lambda value: isinstance(value, dict), "rule options by name"),
    "talk": (lambda value: value in TALKS, f"one of {', '.join(TALKS)}"),
    "steps": (lambda value: value is None or (type(value) is int and value >= 0), "a number of decisions"),
    "observation": (_is_observation, "sizes of fields by name, and a digest"),
    "actions": (
        lambda value: isinstance(value, dict) and _is_size(value.get("number")) and _has_digest(value),
        "a number and a digest",
    ),
    "network": (
        _is_network,
        f"a kind, {' or '.join(KINDS)}, sizes of layers, and an activation, {' or '.join(ACTIVATIONS)}",
    ),
}
"""What the description of a model must have: by name, what is right, and that in words."""


def read_model(file: Path) -> NetworkModel:
    """Read a model, given its JSON file; the weights stand beside it.

    Raises
    ------
    ValueError
        For files that are no model, or do not go together, in one line with their name.
    """
    about = read_about(file)
    weights_file = file.with_suffix(".npz")
    forms = form_of(about["network"]).arrays()
    try:
        arrays = read_arrays(weights_file, forms, what="file")
    except FileError as error:
        raise FileError(f"model {file.stem} cannot be read: {error}") from None
    digest = about.get("weights_digest")  # models of before have none
    if digest is not None and digest != weights_digest(read_file(weights_file, 8 * MOST_NUMBERS)):
        raise FileError(f"{weights_file.name} and {file.name} are not of the same model: export it again")
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise FileError(f"{weights_file.name} must have finite float32 numbers")
    return NetworkModel(file.stem, about, {name: arrays[name] for name in forms})


def model_summary(about: dict[str, Any]) -> str:
    """Return in one line what a model is."""
    rules = RuleSet(**about["rules"])
    game = "solo" if rules.players == 1 else f"co-op, {about['talk']} talk"
    units = "-".join(map(str, about["network"]["layers"][1:-1]))
    steps = f", {about['steps']:,} decisions" if about["steps"] is not None else ""
    expansions = ", any expansions" if about.get("layout") == "full" else ""
    kind = f"{about['network']['kind']} " if about["network"].get("kind", PLAIN) != PLAIN else ""
    return f"Trained network for {game}{expansions}: {about['algorithm']}, {kind}layers of {units}{steps}."

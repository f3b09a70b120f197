"""How the weights of stored networks are arranged: plain layers, or ones that share over colours.

| kind | arrays |
|---|---|
| ``plain`` | ``weight_0``, ``bias_0``, ``weight_1``, ... from the first layer to the last |
| ``symmetric`` | ``own_0``, ``context_0``, ``context_0_bias``, ``own_1``, ..., and two heads, with biases |

All are float32; weights have the shape (outputs, inputs). ``train/symmetric_network.py`` says how a symmetric
one computes, ``agents/compiled/symmetries.py`` which entries and actions belong to which colour.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from agents.arrays.array_files import Form
from agents.compiled.symmetries import symmetries
from onirim_env.actions import action_table
from onirim_env.cards import N_COLOURS
from onirim_env.observation import observation_size
from onirim_env.rules import RuleSet

PLAIN, SYMMETRIC = KINDS = ("plain", "symmetric")
ACTIVATIONS = ("relu", "tanh")
"""What may stand between two layers."""
POOLING = 0.5
"""By what sums over the colours are multiplied behind the first layer, to be about as large as a unit."""


@dataclass(frozen=True)
class NetworkForm:
    """The sizes of a network.

    Attributes
    ----------
    kind
        One of ``KINDS``.
    layers
        Sizes from the inputs to the outputs; of a symmetric network the hidden ones are units of each
        colour, and as many of none.
    activation
        What stands between two layers.
    inputs, outputs
        Of a symmetric network: how many entries (actions) each colour has, and how many are of none. An
        entry may count twice, for its colour and for none.
    """

    kind: str
    layers: tuple[int, ...]
    activation: str
    inputs: tuple[int, int] = (0, 0)
    outputs: tuple[int, int] = (0, 0)

    def arrays(self) -> dict[str, Form]:
        """Return the forms of the arrays of the network, by name."""
        shapes = _symmetric_shapes(self) if self.kind == SYMMETRIC else _plain_shapes(self.layers)
        return {name: Form(shape, np.float32) for name, shape in shapes.items()}

    @property
    def numbers(self) -> int:
        """How many weights and biases there are."""
        return sum(form.most_bytes for form in self.arrays().values()) // np.dtype(np.float32).itemsize

    def as_dict(self) -> dict[str, Any]:
        """Return the form as the JSON file of a model has it."""
        about = {"kind": self.kind, "layers": list(self.layers), "activation": self.activation}
        if self.kind == SYMMETRIC:
            about |= {"inputs": list(self.inputs), "outputs": list(self.outputs)}
        return about


def form_of(about: Mapping[str, Any]) -> NetworkForm:
    """Return the form that the JSON file of a model names; it must have been checked."""
    kind = about.get("kind", PLAIN)  # models of before name none
    form = NetworkForm(kind, tuple(about["layers"]), about["activation"])
    if kind == PLAIN:
        return form
    own_inputs, other_inputs = about["inputs"]
    own_outputs, other_outputs = about["outputs"]
    return replace(form, inputs=(own_inputs, other_inputs), outputs=(own_outputs, other_outputs))


def make_form(kind: str, hidden_layers: Sequence[int], activation: str, tables: RuleSet) -> NetworkForm:
    """Return the form of a network for the observations and actions of some rules."""
    layers = (observation_size(tables), *hidden_layers, len(action_table(tables)))
    form = NetworkForm(kind, layers, activation)
    if kind == PLAIN:
        return form
    found = symmetries(tables)
    return replace(form, inputs=found.entries.sizes, outputs=found.actions.sizes)


def _plain_shapes(layers: Sequence[int]) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    for number, (before, after) in enumerate(pairwise(layers)):
        shapes[f"weight_{number}"] = (after, before)
        shapes[f"bias_{number}"] = (after,)
    return shapes


def _symmetric_shapes(form: NetworkForm) -> dict[str, tuple[int, ...]]:
    shapes: dict[str, tuple[int, ...]] = {}
    own, none = form.inputs
    for number, units in enumerate(form.layers[1:-1]):
        shapes[f"own_{number}"] = (units, own)
        shapes[f"context_{number}"] = (2 * units, own + none)
        shapes[f"context_{number}_bias"] = (2 * units,)
        own = none = units
    for name, outputs in zip(("colour_head", "other_head"), form.outputs):
        shapes[name] = (outputs, own + none)
        shapes[f"{name}_bias"] = (outputs,)
    return shapes


def wrong_form(about: Mapping[str, Any]) -> str | None:
    """Return what is wrong with a symmetric form, of whose layers the sizes are right, or None."""
    if about.get("kind", PLAIN) != SYMMETRIC:
        return None
    for name, size in (("inputs", about["layers"][0]), ("outputs", about["layers"][-1])):
        pair = about.get(name)
        if not (
            isinstance(pair, list)
            and len(pair) == 2
            and all(type(one) is int and 0 < one <= size for one in pair)
        ):
            return f"its {name} are not two numbers, those of each colour and those of none"
        if N_COLOURS * pair[0] + pair[1] < size:
            return f"its {name} are {N_COLOURS} times {pair[0]} and {pair[1]}, fewer than {size}"
    if len(about["layers"]) < 3:
        return "it has no hidden layer"
    return None

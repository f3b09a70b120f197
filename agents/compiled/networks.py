"""Stored networks, computed for whole batches in double precision, row by row.

No row depends on how many there are, so the games played side by side do not matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from agents.compiled.network_kinds import POOLING, SYMMETRIC, NetworkForm
from agents.compiled.network_layer import add_layer
from agents.compiled.symmetries import symmetries
from onirim_env.cards import N_COLOURS
from onirim_env.rules import RuleSet

Compute = Callable[[np.ndarray], np.ndarray]
FUNCTIONS: dict[str, Compute] = {"relu": lambda values: np.maximum(values, 0.0), "tanh": np.tanh}
"""The functions of ``ACTIVATIONS``."""


def make_network(form: NetworkForm, arrays: Mapping[str, np.ndarray], tables: RuleSet) -> Compute:
    """Return what computes the outputs of a network.

    Parameters
    ----------
    form, arrays
        The network.
    tables
        The rules whose tables number its inputs and outputs.

    Returns
    -------
    callable
        From observations, float64 (n, inputs), to outputs, float64 (n, outputs).

    Raises
    ------
    ValueError
        For a symmetric network of other colours than the tables have.
    """
    if form.kind == SYMMETRIC:
        return SymmetricLayers(form, arrays, tables)
    return PlainLayers(form, arrays)


def layer(inputs: np.ndarray, weights: np.ndarray, biases: np.ndarray | None = None) -> np.ndarray:
    """Return a linear layer of some rows: float64, shape (n, outputs)."""
    outputs = np.zeros((len(inputs), weights.shape[1]))
    if biases is not None:
        outputs += biases
    add_layer(np.ascontiguousarray(inputs), weights, outputs)
    return outputs


class PlainLayers:
    """Layers one after the other."""

    def __init__(self, form: NetworkForm, arrays: Mapping[str, np.ndarray]) -> None:
        self._activation = FUNCTIONS[form.activation]
        numbers = range(len(form.layers) - 1)
        self._weights = [columns(arrays[f"weight_{number}"]) for number in numbers]
        self._biases = [arrays[f"bias_{number}"].astype(np.float64) for number in numbers]

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        """Return the outputs: float64, shape (n, outputs)."""
        values = observations.astype(np.float64)
        for number, (weights, biases) in enumerate(zip(self._weights, self._biases)):
            values = layer(values if number == 0 else self._activation(values), weights, biases)
        return values


class SymmetricLayers:
    """Layers that share their weights over the colours; ``train/symmetric_network.py`` has the formula."""

    def __init__(self, form: NetworkForm, arrays: Mapping[str, np.ndarray], tables: RuleSet) -> None:
        found = symmetries(tables)
        one_output = form.outputs == (0, 1)  # a value, which is of no colour
        _check_sizes("entries", form.inputs, found.entries.sizes, tables)
        if not one_output:
            _check_sizes("actions", form.outputs, found.actions.sizes, tables)
        self._activation = FUNCTIONS[form.activation]
        self._entries, self._scales = found.entries.order, found.scales.astype(np.float64)
        self._places = np.zeros(1, dtype=np.int64) if one_output else np.argsort(found.actions.order)
        self._n_own = form.inputs[0]
        numbers = range(len(form.layers) - 2)
        self._own = [columns(arrays[f"own_{number}"]) for number in numbers]
        self._context = [columns(arrays[f"context_{number}"]) for number in numbers]
        self._context_biases = [arrays[f"context_{number}_bias"].astype(np.float64) for number in numbers]
        self._heads = [
            (columns(arrays[name]), arrays[f"{name}_bias"].astype(np.float64)) if name in arrays else None
            for name in ("colour_head", "other_head")
        ]

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        """Return the outputs: float64, shape (n, outputs)."""
        entries = observations.astype(np.float64)[:, self._entries] * self._scales
        of_colours = N_COLOURS * self._n_own
        x = entries[:, :of_colours].reshape(-1, N_COLOURS, self._n_own)
        g = entries[:, of_colours:]
        for number, (own, context) in enumerate(zip(self._own, self._context)):
            pooled = x.sum(axis=1) * (1.0 if number == 0 else POOLING)
            c = layer(np.concatenate([pooled, g], axis=1), context, self._context_biases[number])
            to_colours, to_none = np.split(c, 2, axis=1)
            x = self._activation(_of_each(x, own) + to_colours[:, None])
            g = self._activation(to_none)
        outputs: np.ndarray = np.concatenate(self._outputs(x, g), axis=1)[:, self._places]
        return outputs

    def _outputs(self, x: np.ndarray, g: np.ndarray) -> list[np.ndarray]:
        """Return the outputs colour by colour, then those of none."""
        parts = []
        of_colours, of_none = self._heads
        n_units = x.shape[2]
        if of_colours is not None:
            weights, biases = of_colours
            each = _of_each(x, weights[:n_units]) + layer(g, weights[n_units:], biases)[:, None]
            parts.append(each.reshape(len(x), -1))
        if of_none is not None:
            parts.append(layer(np.concatenate([POOLING * x.sum(axis=1), g], axis=1), *of_none))
        return parts


def _check_sizes(name: str, has: tuple[int, int], found: tuple[int, int], tables: RuleSet) -> None:
    if has != found:
        raise ValueError(
            f"the network has {has[0]} {name} of each colour and {has[1]} of none; "
            f"{tables} has {found[0]} and {found[1]}"
        )


def _of_each(x: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return a linear layer of each colour: float64, shape (n, 4, outputs)."""
    return layer(x.reshape(-1, x.shape[2]), weights).reshape(len(x), N_COLOURS, -1)


def columns(weights: np.ndarray) -> np.ndarray:
    """Return weights of shape (outputs, inputs) as float64 (inputs, outputs), C order."""
    return np.ascontiguousarray(weights.T, dtype=np.float64)

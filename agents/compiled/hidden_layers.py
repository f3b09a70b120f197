"""Two hidden layers of rectified units, for one observation at a time, inside compiled code.

The layers are those of ``train/symmetric_network.py``; plain ones are symmetric ones of no colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from agents.compiled.network_kinds import PLAIN, POOLING, NetworkForm
from agents.compiled.symmetries import Symmetries, symmetries
from onirim_env.cards import N_COLOURS
from onirim_env.compiling.compile import rule
from onirim_env.rules import RuleSet

HIDDEN_LAYERS = 2
NONE = -1
HALF = np.float32(POOLING)

Fields = list[tuple[Any, ...]]


def hidden_fields(form: NetworkForm, n_written: int | None = None) -> Fields:
    """Return the fields that the record of a network has for its hidden layers.

    With ``n_written`` observations have so many entries, of which the network's inputs are a part.
    """
    n_inputs, first, second = n_written or form.layers[0], *_widths(form)
    own, none = form.inputs if form.kind != PLAIN else (1, form.layers[0])
    rows = none if form.kind == PLAIN else own + none
    return [
        ("n_colours", np.int64),
        ("colours", np.int8, (n_inputs,)),  # of entries, NONE for none
        ("rows", np.int16, (n_inputs,)),  # of entries in first_context; below n_own in first_own, too
        ("other_rows", np.int16, (n_inputs,)),  # a second row in first_context, or NONE
        ("scales", np.float32, (n_inputs,)),
        ("first_own", np.float32, (own, first[0])),
        ("first_context", np.float32, (rows, first[1])),
        ("first_bias", np.float32, (first[1],)),
        ("second_own", np.float32, (first[0], second[0])),
        ("second_context", np.float32, (first[1], second[1])),
        ("second_bias", np.float32, (second[1],)),
    ]


def room_type(form: NetworkForm) -> np.dtype:
    """Return the dtype of room for what the hidden layers put out."""
    first, second = _widths(form)
    n_rows = 1 if form.kind == PLAIN else N_COLOURS
    fields = [
        ("first", np.float32, (n_rows, first[0])),
        ("first_context", np.float32, (first[1],)),
        ("second", np.float32, (n_rows, second[0])),
        ("second_context", np.float32, (second[1],)),
        ("pooled", np.float32, (second[0],)),
    ]
    return np.dtype(fields, align=True)


def _widths(form: NetworkForm) -> list[tuple[int, int]]:
    """Return how many units of each colour and of the context each hidden layer has."""
    if form.kind == PLAIN:
        return [(1, units) for units in form.layers[1:-1]]
    return [(units, 2 * units) for units in form.layers[1:-1]]


def fill_hidden(
    record: Any,
    form: NetworkForm,
    arrays: Mapping[str, np.ndarray],
    tables: RuleSet,
    places: np.ndarray | None = None,
) -> None:
    """Write the hidden layers of a network into its record.

    Parameters
    ----------
    record
        With the fields of :func:`hidden_fields`.
    form, arrays
        The network.
    tables
        The rules whose tables number its inputs.
    places
        int64, shape (inputs,): where each input stands in what the engine writes.
    """
    written = np.arange(form.layers[0]) if places is None else places
    record["colours"] = record["rows"] = record["other_rows"] = NONE
    if form.kind == PLAIN:
        record["scales"][written] = 1.0
        record["rows"][written] = np.arange(form.layers[0])
        for number, name in enumerate(("first", "second")):
            record[f"{name}_context"] = arrays[f"weight_{number}"].T
            record[f"{name}_bias"] = arrays[f"bias_{number}"]
        return
    _fill_entries(record, symmetries(tables), form.inputs[0], written)
    for number, name in enumerate(("first", "second")):
        record[f"{name}_own"] = arrays[f"own_{number}"].T
        record[f"{name}_context"] = arrays[f"context_{number}"].T
        record[f"{name}_bias"] = arrays[f"context_{number}_bias"]


def _fill_entries(record: Any, found: Symmetries, n_own: int, written: np.ndarray) -> None:
    """Write which rows of the weights each entry has; in the context, those of none come last."""
    record["n_colours"] = N_COLOURS
    record["scales"][written[found.entries.order]] = found.scales
    for colour, entries in enumerate(found.entries.of_colours):
        record["colours"][written[entries]] = colour
        record["rows"][written[entries]] = np.arange(n_own)
    for place, entry in enumerate(written[found.entries.of_none].tolist()):
        name = "rows" if record["rows"][entry] == NONE else "other_rows"
        record[name][entry] = n_own + place


@rule
def hidden_layers(network: Any, layers: Any, observations: np.ndarray) -> None:
    """Compute the hidden layers for the first of some observations (float32).

    ``network`` has the fields of :func:`hidden_fields`, ``layers`` is room of :func:`room_type`: then
    ``second`` has the units of each colour, ``pooled`` half their sums, and the last part of
    ``second_context`` the units of none (:func:`first_of_none` is where it begins). Most entries of an
    observation are 0, and cost nothing here. Entries behind the network's inputs do not count.
    """
    first_layer(network, layers, observations)
    second_layer(network, layers)


@rule
def first_of_none(network: Any, context: np.ndarray) -> int:
    """Return where the units of no colour begin in the context of a layer."""
    return context.shape[0] // 2 if network.n_colours else 0


@rule
def first_layer(network: Any, layers: Any, observations: np.ndarray) -> None:
    """Compute the first hidden layer."""
    units, context = layers.first, layers.first_context
    own_weights, context_weights = network.first_own, network.first_context
    n_units, n_context = units.shape[1], context.shape[0]
    for j in range(n_context):
        context[j] = network.first_bias[j]
    for number in range(network.n_colours):
        for j in range(n_units):
            units[number, j] = np.float32(0.0)
    for i in range(min(observations.shape[1], network.colours.shape[0])):
        colour, row = np.int64(network.colours[i]), np.int64(network.rows[i])
        if observations[0, i] == 0.0 or row == NONE:
            continue
        entry = observations[0, i] * network.scales[i]
        if colour != NONE:
            for j in range(n_units):
                units[colour, j] += entry * own_weights[row, j]
        for j in range(n_context):
            context[j] += entry * context_weights[row, j]
        other_row = np.int64(network.other_rows[i])
        if other_row != NONE:
            for j in range(n_context):
                context[j] += entry * context_weights[other_row, j]
    rectify(network, units, context)


@rule
def second_layer(network: Any, layers: Any) -> None:
    """Compute the second hidden layer."""
    before, units, context, pooled = layers.first, layers.second, layers.second_context, layers.pooled
    own_weights, context_weights = network.second_own, network.second_context
    n_before, n_units, n_context = before.shape[1], units.shape[1], context.shape[0]
    for j in range(n_context):
        context[j] = network.second_bias[j]
    for colour in range(network.n_colours):
        for j in range(n_units):
            units[colour, j] = np.float32(0.0)
        for i in range(n_before):
            entry = before[colour, i]
            if entry > 0.0:
                for j in range(n_units):
                    units[colour, j] += entry * own_weights[i, j]
    shift = first_of_none(network, layers.first_context)
    for i in range(shift):
        entry = np.float32(0.0)
        for colour in range(network.n_colours):
            entry += before[colour, i]
        if entry > 0.0:
            entry *= HALF
            for j in range(n_context):
                context[j] += entry * context_weights[i, j]
    for i in range(shift, layers.first_context.shape[0]):
        entry = layers.first_context[i]
        if entry > 0.0:
            for j in range(n_context):
                context[j] += entry * context_weights[i, j]
    rectify(network, units, context)
    for j in range(n_units):
        pooled[j] = np.float32(0.0)
    for colour in range(network.n_colours):
        for j in range(n_units):
            pooled[j] += HALF * units[colour, j]


@rule
def rectify(network: Any, units: np.ndarray, context: np.ndarray) -> None:
    """Add what the context says to the colours, and put every unit below 0 to 0."""
    shift = first_of_none(network, context)
    for colour in range(network.n_colours):
        for j in range(units.shape[1]):
            units[colour, j] = max(np.float32(0.0), units[colour, j] + context[j])
    for j in range(shift, context.shape[0]):
        context[j] = max(np.float32(0.0), context[j])

"""A stored network as a record for compiled code: two hidden layers of rectified units and a head.

``networks.py`` computes the same networks for whole batches in double precision; here one observation
at a time is asked about, in single precision, and only for the outputs that are wanted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from agents.compiled.hidden_layers import (
    HIDDEN_LAYERS,
    NONE,
    fill_hidden,
    first_of_none,
    hidden_fields,
    room_type,
)
from agents.compiled.network_kinds import PLAIN, NetworkForm
from agents.compiled.symmetries import symmetries
from onirim_env.compiling.compile import rule
from onirim_env.rules import RuleSet

NO_NETWORK = NetworkForm(PLAIN, (1, 1, 1, 1), "relu")
"""The form of a network that is never asked."""


class NetworkRecord(NamedTuple):
    """A network, and room for its layers: records of shape (1,)."""

    weights: np.ndarray
    room: np.ndarray


def network_record(
    form: NetworkForm, arrays: Mapping[str, np.ndarray], tables: RuleSet, places: np.ndarray | None = None
) -> NetworkRecord:
    """Return a network as records.

    Parameters
    ----------
    form, arrays
        The network.
    tables
        The rules whose tables number its inputs and outputs; with one output, only the inputs.
    places
        int64, shape (inputs,): where each input stands in what the engine writes; in its own place by
        default.

    Raises
    ------
    ValueError
        For a network that has not two hidden layers of rectified units.
    """
    if len(form.layers) != HIDDEN_LAYERS + 2 or form.activation != "relu":
        raise ValueError("two hidden layers with relu are needed inside a search")
    n_written = form.layers[0] if places is None else int(places.max()) + 1
    record = empty_record(form, n_written)
    weights = record.weights[0]
    fill_hidden(weights, form, arrays, tables, places)
    n_outputs, n_units = form.layers[-1], form.layers[-2]
    if form.kind == PLAIN:
        weights["action_colours"], weights["action_rows"] = NONE, np.arange(n_outputs)
        weights["other_none"], weights["other_bias"] = (arrays[f"{part}_2"] for part in ("weight", "bias"))
        return record
    if n_outputs == 1:
        weights["action_colours"], weights["action_rows"] = NONE, 0
    else:
        _fill_actions(weights, tables)
    for name, first in (("colour", "own"), ("other", "pooled")):
        head = arrays.get(f"{name}_head")  # one output is of no colour
        if head is not None:
            weights[f"{name}_{first}"], weights[f"{name}_none"] = head[:, :n_units], head[:, n_units:]
            weights[f"{name}_bias"] = arrays[f"{name}_head_bias"]
    return record


def _fill_actions(weights: Any, tables: RuleSet) -> None:
    found = symmetries(tables).actions
    for colour, actions in enumerate(found.of_colours):
        weights["action_colours"][actions] = colour
        weights["action_rows"][actions] = np.arange(len(actions))
    weights["action_colours"][found.of_none] = NONE
    weights["action_rows"][found.of_none] = np.arange(len(found.of_none))


def empty_record(form: NetworkForm = NO_NETWORK, n_written: int | None = None) -> NetworkRecord:
    """Return a network of a form whose weights are all 0, for observations of so many entries."""
    n_actions, n_units = form.layers[-1], form.layers[-2]
    n_own, n_none = form.outputs if form.kind != PLAIN else (1, n_actions)
    n_own = max(1, n_own)  # compiled code knows no empty arrays
    weights = np.dtype(
        [
            *hidden_fields(form, n_written),
            ("action_colours", np.int8, (n_actions,)),  # NONE for none
            ("action_rows", np.int16, (n_actions,)),  # in the head of the colours, or in the other one
            ("colour_own", np.float32, (n_own, n_units)),
            ("colour_none", np.float32, (n_own, n_units)),
            ("colour_bias", np.float32, (n_own,)),
            ("other_pooled", np.float32, (n_none, n_units)),
            ("other_none", np.float32, (n_none, n_units)),
            ("other_bias", np.float32, (n_none,)),
        ],
        align=True,
    )
    return NetworkRecord(np.zeros(1, weights), np.zeros(1, room_type(form)))


@rule
def logit_of(network: Any, layers: Any, action: int) -> float:
    """Return an output, for whose observation the hidden layers are computed."""
    colour, row = np.int64(network.action_colours[action]), np.int64(network.action_rows[action])
    shift = first_of_none(network, layers.second_context)
    units, of_none = layers.second, layers.second_context
    n_units = network.other_none.shape[1]
    if colour != NONE:
        logit = network.colour_bias[row]
        for j in range(n_units):
            logit += network.colour_own[row, j] * units[colour, j]
        for j in range(n_units):
            logit += network.colour_none[row, j] * of_none[shift + j]
        return logit
    logit = network.other_bias[row]
    if network.n_colours:
        for j in range(n_units):
            logit += network.other_pooled[row, j] * layers.pooled[j]
    for j in range(n_units):
        logit += network.other_none[row, j] * of_none[shift + j]
    return logit

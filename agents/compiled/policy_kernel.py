"""A trained network as a policy inside compiled searches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from agents.compiled.hidden_layers import hidden_layers
from agents.compiled.network_record import NetworkRecord, logit_of, network_record
from onirim_env.compiling.compile import rule
from onirim_env.engine.legal import list_legal
from onirim_env.engine.observe import observe
from onirim_env.keywords import layout_rules
from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from agents.network_model import NetworkModel


def policy_record(model: NetworkModel) -> NetworkRecord:
    """Return a model as records.

    Raises
    ------
    ValueError
        For a model that has not two hidden layers of rectified units.
    """
    tables = layout_rules(RuleSet(**model.about["rules"]), model.layout)
    try:
        return network_record(model.form, model.arrays, tables)
    except ValueError as error:
        raise ValueError(f"model {model.name} cannot guide a search: {error}") from None


@rule
def network_choice(state: Any, tools: Any, legal: Any) -> Any:
    """Return the code of the legal action that the network finds most probable, and its probability.

    ``tools`` has ``policy`` and ``policy_layers`` (from :func:`policy_record`), ``ids`` (action ids by
    code), ``closed`` and ``observation``; ``legal`` is room for a list.
    """
    list_legal(state, legal)
    chosen = np.int64(legal.codes[0])
    if legal.n == 1:
        return chosen, 1.0
    observe(state, np.int64(state.player), tools.closed, tools.observation, 0)
    policy, layers = tools.policy[0], tools.policy_layers[0]
    hidden_layers(policy, layers, tools.observation)
    best, others = -np.inf, 0.0
    for index in range(legal.n):
        code = np.int64(legal.codes[index])
        logit = logit_of(policy, layers, np.int64(tools.ids[code]))
        if logit > best:
            others = (others + 1.0) * np.exp(best - logit)
            best = logit
            chosen = code
        else:
            others += np.exp(logit - best)
    return chosen, 1.0 / (1.0 + others)


@rule
def network_code(state: Any, tools: Any, legal: Any) -> Any:
    """Return the code of the legal action that the network finds most probable."""
    return network_choice(state, tools, legal)[0]

"""A trained network as a policy inside compiled searches: two hidden layers of rectified units.

``network_agent.py`` plays the same models for whole batches in double precision; here one game at a
time is asked, in single precision, and only for the actions that are legal.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.hidden_layers import hidden_layers
from agents.network_model import NetworkModel
from onirim_env.engine.compile import rule
from onirim_env.engine.legal import list_legal
from onirim_env.engine.observe import observe

HIDDEN_LAYERS = 2


def policy_record(model: NetworkModel) -> tuple[np.ndarray, np.ndarray]:
    """Return the weights of a model and room for its layers, records of shape (1,).

    Raises
    ------
    ValueError
        For a model that has not two hidden layers of rectified units.
    """
    if len(model.weights) != HIDDEN_LAYERS + 1 or model.about["network"]["activation"] != "relu":
        raise ValueError(f"model {model.name} must have two hidden layers with relu to guide a search")
    first, second, head = (weights.shape for weights in model.weights)
    record = policy_room(first[1], first[0], second[0], head[0])
    weights = record[0][0]
    weights["first"] = model.weights[0].T
    weights["second"] = model.weights[1].T
    weights["head"] = model.weights[2]
    for name, biases in zip(("first_bias", "second_bias", "head_bias"), model.biases):
        weights[name] = biases
    return record


def policy_room(n_inputs: int, n_first: int, n_second: int, n_actions: int) -> tuple[np.ndarray, np.ndarray]:
    """Return weights that are all 0, and room for the layers, records of shape (1,)."""
    weights = np.dtype(
        [
            ("first", np.float32, (n_inputs, n_first)),
            ("first_bias", np.float32, (n_first,)),
            ("second", np.float32, (n_first, n_second)),
            ("second_bias", np.float32, (n_second,)),
            ("head", np.float32, (n_actions, n_second)),
            ("head_bias", np.float32, (n_actions,)),
        ],
        align=True,
    )
    layers = np.dtype([("first", np.float32, (n_first,)), ("second", np.float32, (n_second,))], align=True)
    return np.zeros(1, weights), np.zeros(1, layers)


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
        action = np.int64(tools.ids[code])
        logit = policy.head_bias[action]
        for j in range(layers.second.shape[0]):
            logit += policy.head[action, j] * layers.second[j]
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

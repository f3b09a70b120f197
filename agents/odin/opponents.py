"""Opponents for ``gym.make("Odin-v0", seats=0, opponents="agents.odin.opponents:simple")``.

A callable from observations and masks to actions, for any options. Ties are broken by what is seen, so that
games do not depend on each other.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from agents.odin.simple import SimpleAgent
from onirim_env.odin.actions import ActionTable
from onirim_env.odin.rules import RuleSet


@cache
def _agent(n_actions: int) -> SimpleAgent:
    """Return the agent for the rules with so many actions."""
    for goat in (False, True):
        for play_actions in ("sequential", "whole"):
            rules = RuleSet(goat=goat, play_actions=play_actions)
            if len(ActionTable(rules)) == n_actions:
                return SimpleAgent(rules)
    raise ValueError(f"no rules of Odin have {n_actions} actions")


def simple(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Decide as the agent ``simple`` does.

    Parameters
    ----------
    observations
        float32, shape (n, 673).
    masks
        int8, shape (n, n_actions).

    Returns
    -------
    numpy.ndarray
        int64, shape (n,).
    """
    agent = _agent(masks.shape[1])
    rows = np.arange(len(observations))
    weights = np.arange(1, observations.shape[1] + 1, dtype=np.float64)
    agent.start(rows, (observations * weights).sum(axis=1).astype(np.int64))
    return agent.act(rows, observations, masks)

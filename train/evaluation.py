"""Evaluating a trained policy beside other agents, on games that no training has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.base import Agent
from agents.measure.evaluation import evaluate
from agents.measure.evaluation_result import Evaluation
from agents.measure.protocols import find_protocol, protocol_seeds
from onirim_env.rules import RuleSet
from onirim_env.text_table import table_lines
from train.config import TrainConfig

COMPARED = ("rules", "random")
"""Agents that a trained policy is compared with."""

VALIDATION_OFFSET = 10_000_000
"""Evaluations while training play other games than the held-out ones: those may guide choices."""


def final_offset(config: TrainConfig) -> int:
    """Return how far from the protocol's first seed the games of the final evaluation begin."""
    return 0 if config.final_protocol else VALIDATION_OFFSET


def games_text(offset: int) -> str:
    """Return in words which games begin so many seeds after those of the protocol."""
    if offset == 0:
        return "held-out games of the protocol:"
    if offset == VALIDATION_OFFSET:
        return "games for validation (python -m train.evaluate plays those of the protocol):"
    return f"games from seed offset {offset:,}:"


def held_out_seeds(rules: RuleSet, talk: str, games: int, *, offset: int = 0) -> np.ndarray:
    """Return seeds of the protocol for the number of players, or those that begin ``offset`` later.

    Returns
    -------
    numpy.ndarray
        int64, shape (games,).
    """
    protocol = find_protocol(rules.players, talk)
    return protocol_seeds(protocol, games, offset=offset)


def compare(
    policy: Agent, games: int, others: Sequence[Agent | str] = COMPARED, *, offset: int = 0
) -> list[Evaluation]:
    """Evaluate a policy and other agents, also given by name, on the same games.

    They are those of the protocol, or begin ``offset`` seeds after them.
    """
    seeds = held_out_seeds(policy.rules, policy.talk, games, offset=offset)
    agents: tuple[Agent | str, ...] = (policy, *others)
    return [evaluate(agent, seeds=seeds, rules=policy.rules, talk=policy.talk) for agent in agents]


def comparison_table(evaluations: Sequence[Evaluation]) -> str:
    """Return evaluations as a text table, one line each under a heading."""
    rows = [evaluation.row() for evaluation in evaluations]
    return "\n".join(table_lines([list(rows[0]), *(list(row.values()) for row in rows)]))


def comparison_json(evaluations: Sequence[Evaluation], **about: Any) -> dict[str, Any]:
    """Return evaluations as JSON values, after what they are about."""
    return {**about, "agents": [evaluation.as_dict() for evaluation in evaluations]}

"""The random agent: the floor that every other agent has to beat."""

from __future__ import annotations

import numpy as np

from agents.base import Agent
from onirim_env.rules import RuleSet


class RandomAgent(Agent):
    """Picks every legal action with the same probability."""

    name = "random"

    def __init__(self, rules: RuleSet | None = None, talk: str = "open") -> None:
        super().__init__(rules, talk)
        from agents.compiled.random_picks import pick

        self._pick = pick
        self._random = np.zeros(0, dtype=np.uint64)

    def start(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Seed the random numbers of each row."""
        lacking = int(rows.max(initial=-1)) + 1 - len(self._random)
        if lacking > 0:
            self._random = np.append(self._random, np.zeros(lacking, dtype=np.uint64))
        self._random[rows] = seeds.astype(np.uint64)

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Pick one action of each mask."""
        actions = np.empty(len(masks), dtype=np.int64)
        self._pick(masks, self._random, actions)
        return actions

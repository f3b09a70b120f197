"""A rule-based agent of Odin: of all turns the one that leaves the best hand."""

from __future__ import annotations

import numpy as np

from agents.odin.base import SeededAgent
from onirim_env.odin.rules import RuleSet


class SimpleAgent(SeededAgent):
    """Leaves the best hand: few cards in few sets with high numbers; passes where that is better."""

    name = "simple"

    def __init__(self, rules: RuleSet | None = None) -> None:
        super().__init__(rules)
        from agents.odin.compiled.hands import ROOM
        from agents.odin.compiled.seen import read_turns
        from agents.odin.compiled.simple import simple_actions

        self._read, self._decide = read_turns, simple_actions
        self._room = np.zeros(1, dtype=ROOM)

    def act(self, rows: np.ndarray, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Decide in each game."""
        from onirim_env.odin.engine.state import STATE

        states = np.zeros(len(rows), dtype=STATE)
        self._read(observations, self.rules.play_actions == "whole", states)
        actions = np.empty(len(rows), dtype=np.int64)
        randoms = self.randoms[rows]
        self._decide(states, self.table.wholes, self._room, randoms, actions)
        self.randoms[rows] = randoms
        return actions

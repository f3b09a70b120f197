"""A search of Odin: playouts of the simple policy, the unknown cards dealt anew in each."""

from __future__ import annotations

import numpy as np

from agents.odin.base import SeededAgent
from onirim_env.odin.rules import RuleSet


class SearchAgent(SeededAgent):
    """Tries the best turns of `simple`, each with playouts to the end of the hand over other deals.

    Parameters
    ----------
    rules
        The rule set of its games.
    playouts
        How many playouts follow each turn that it tries; all turns get the same deals.
    candidates
        How many turns it tries.
    """

    name = "search"
    needs_states = True

    def __init__(self, rules: RuleSet | None = None, *, playouts: int = 100, candidates: int = 8) -> None:
        super().__init__(rules)
        if playouts < 1 or candidates < 1:
            raise ValueError(f"playouts and candidates are 1 at least, not {playouts} and {candidates}")
        from agents.odin.compiled.hands import ROOM
        from agents.odin.compiled.playouts import search_actions
        from onirim_env.odin.engine.state import STATE

        self._decide = search_actions
        self._playouts, self._candidates = playouts, candidates
        self._rooms, self._work = np.zeros(2, dtype=ROOM), np.zeros(2, dtype=STATE)
        self._gains = np.zeros(candidates)

    def act(
        self, rows: np.ndarray, observations: np.ndarray, masks: np.ndarray, states: np.ndarray
    ) -> np.ndarray:
        """Decide in each game."""
        actions = np.empty(len(rows), dtype=np.int64)
        randoms = self.randoms[rows]
        self._decide(
            states, self.table.wholes, self._rooms, self._work, self._gains, self._playouts,
            self._candidates, randoms, actions,
        )  # fmt: skip
        self.randoms[rows] = randoms
        return actions

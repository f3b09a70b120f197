"""An agent of Odin that picks legal actions at random."""

from __future__ import annotations

import numpy as np

from agents.odin.base import SeededAgent


class RandomAgent(SeededAgent):
    """Picks a legal action at random."""

    name = "random"

    def act(self, rows: np.ndarray, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Pick in each game."""
        from onirim_env.compiling.sampling import pick_each

        actions = np.empty(len(rows), dtype=np.int64)
        randoms = self.randoms[rows]
        pick_each(masks, randoms, actions)
        self.randoms[rows] = randoms
        return actions

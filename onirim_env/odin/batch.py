"""OdinBatch: many games of Odin side by side."""

from __future__ import annotations

from typing import Any

import numpy as np

from onirim_env.odin.actions import ActionTable, action_table
from onirim_env.odin.engine import batch
from onirim_env.odin.engine.state import STATE
from onirim_env.odin.game import Game
from onirim_env.odin.observation import highest_values
from onirim_env.odin.rewards import ILLEGAL_REWARD, REWARDS
from onirim_env.odin.rules import RuleSet
from onirim_env.shells.keywords import read_rules
from onirim_env.shells.seat_batch import SeatBatch
from onirim_env.shells.seats import ALL, RANDOM, Opponents, SeatView, view_of


class OdinBatch(SeatBatch):
    """A batch of games of Odin over the compiled engine.

    Parameters
    ----------
    size, rules, illegal_action
        As for :class:`~onirim_env.shells.seat_batch.SeatBatch`.
    reward
        ``"win"``, ``"rank"`` or ``"points"`` (OD-R1 to OD-R3).
    """

    GAME = Game
    REWARDS = REWARDS
    ILLEGAL_REWARD = ILLEGAL_REWARD
    STATE = STATE

    def _table(self) -> ActionTable:
        return action_table(self.rules)

    def _highest(self) -> np.ndarray:
        return highest_values(self.rules)

    @property
    def _kernels(self) -> Any:
        return batch

    @property
    def _tables(self) -> tuple[Any, ...]:
        return (self.table.wholes,)

    def told(self) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
        """Return what infos say beside the mask: ``player``, and ``hand_points`` when a hand has ended."""
        ended = self.states["hand_ended"] != 0
        points = self.states["hand_points"][:, : self.n_players] * ended[:, None]
        return {**super().told(), "hand_points": (points.astype(np.int64), ended)}

    def told_only(self) -> dict[str, Any]:
        """Return the same of a batch of one game, without the axis of the games."""
        told: dict[str, Any] = {"player": np.int64(max(self._mover[0], 0))}
        if self._hand_ended[0]:
            told["hand_points"] = self.states["hand_points"][0, : self.n_players].astype(np.int64)
        return told

    def results(self, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return how games stand (all, or those of ``rows``), by name.

        ``points`` (int64) and ``winners`` (bool: who has the fewest points) have shape (n, players),
        ``hands`` (int64) has shape (n,).
        """
        states = self.states if rows is None else self.states[rows]
        points = states["points"][:, : self.n_players].astype(np.int64)
        winners = points == points.min(axis=1, keepdims=True)
        return {"points": points, "winners": winners, "hands": states["hands_played"].astype(np.int64)}


def learner_batch(
    num_envs: int,
    reward: str = "win",
    illegal_action: str = "lose",
    seats: int | str = ALL,
    opponents: str | Opponents = RANDOM,
    **rule_options: Any,
) -> SeatView:
    """Return a batch of games as one learner plays it; keywords are those of the environments."""
    rules = read_rules(learner_batch, RuleSet, rule_options)
    return view_of(OdinBatch(num_envs, rules, reward, illegal_action), seats, opponents)

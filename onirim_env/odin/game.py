"""Game: one game of Odin as a Python object over the compiled engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from onirim_env.odin.actions import ActionTable, action_table
from onirim_env.odin.engine import batch
from onirim_env.odin.engine.state import NOBODY, STATE
from onirim_env.odin.observation import FIELDS, PHASES
from onirim_env.odin.positions import GAME, read_position, write_position
from onirim_env.odin.rules import RuleSet
from onirim_env.shells.game import GameShell


class Game(GameShell):
    """One game of Odin.

    Parameters
    ----------
    rules
        A rule set; the default rules for two players when it is not given.
    seed
        Fixes the game: ``Game(seed=s)`` deals the game that ``env.reset(seed=s)`` deals. None takes random
        bits. A text such as ``"0x9e3779b97f4a7c15"`` gives the 64 bits themselves.

    Examples
    --------
    >>> game = Game(RuleSet(players=4), seed=7)
    >>> game.apply(game.legal_texts()[0])
    >>> game.phase
    'follow'
    """

    NAME = GAME
    RULES = RuleSet
    FIELDS = FIELDS

    rules: RuleSet

    @staticmethod
    def _deal(rules: RuleSet, bits: np.uint64) -> np.ndarray:
        states = np.zeros(1, dtype=STATE)
        batch.deal_games(states, np.array([bits]), rules.flags)
        return states

    @staticmethod
    def _read(position: Mapping[str, Any], bits: np.uint64) -> tuple[np.ndarray, RuleSet]:
        return read_position(position, bits)

    @property
    def table(self) -> ActionTable:
        """The actions of the rule set."""
        return action_table(self.rules)

    def _take(self, action: int) -> bool:
        legal: bool = batch.apply_action(self._states, action, self.table.wholes)
        return legal

    def _write_mask(self, masks: np.ndarray) -> None:
        batch.mask_games(self._states, self.table.wholes, masks)

    def _write_observation(self, player: int, observations: np.ndarray) -> None:
        batch.observe_games(self._states, player, observations)

    def _redeal(self, player: int, bits: np.uint64) -> None:
        batch.determinize_games(self._states, player, np.array([bits]))

    def _reseed(self, bits: np.uint64) -> None:
        batch.reseed_games(self._states, np.array([bits]))

    @property
    def phase(self) -> str:
        """Name of the phase: ``"lead"``, ``"follow"``, ``"add"``, ``"take"`` or ``"over"``."""
        return PHASES[self._states[0]["phase"]]

    @property
    def player(self) -> int | None:
        """The player to decide; None at the end."""
        player = int(self._states[0]["player"])
        return None if player == NOBODY else player

    @property
    def points(self) -> list[int]:
        """The points of each player."""
        points: list[int] = self._states[0]["points"][: self.rules.players].tolist()
        return points

    @property
    def hands_played(self) -> int:
        """How many hands have ended."""
        return int(self._states[0]["hands_played"])

    @property
    def hand_points(self) -> list[int] | None:
        """The points of each player in the hand that the last action ended, else None."""
        state = self._states[0]
        return state["hand_points"][: self.rules.players].tolist() if state["hand_ended"] else None

    @property
    def winners(self) -> list[int] | None:
        """The players with the fewest points at the end; None before."""
        points = self.points
        return [seat for seat, one in enumerate(points) if one == min(points)] if self.over else None

    def result(self) -> dict[str, Any] | None:
        """Return ``winners``, ``points`` and ``hands`` of an ended game, else None."""
        if not self.over:
            return None
        return {"winners": self.winners, "points": self.points, "hands": self.hands_played}

    def position(self) -> dict[str, Any]:
        """Return the position with every field (docs/odin.md), hidden cards included."""
        return write_position(self._states, self.rules)

    def __repr__(self) -> str:
        return f"<Game of Odin, {self.phase}, points {self.points}, {self.rules}>"

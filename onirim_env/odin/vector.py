"""OdinVectorEnv: many games of Odin as a Gymnasium vector environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from onirim_env.odin.batch import OdinBatch
from onirim_env.odin.game import Game
from onirim_env.odin.render import render_game
from onirim_env.odin.rules import RuleSet
from onirim_env.shells.keywords import read_rules
from onirim_env.shells.seats import ALL, RANDOM, Opponents, view_of
from onirim_env.shells.vector import VectorShell


class OdinVectorEnv(VectorShell):
    """Many games of Odin at once, on the compiled batch engine.

    ``gym.make_vec("Odin-v0", num_envs=1024, vectorization_mode="vector_entry_point")`` makes one. Row i of an
    environment reset with ``seed=s`` plays the games of a single environment reset with ``seed=s + i``.

    Parameters
    ----------
    num_envs
        Number of games.
    render_mode
        ``"ansi"``: ``render()`` returns a tuple with a text of each game; or None.
    reward, illegal_action, seats, opponents, **rule_options
        As for :class:`~onirim_env.odin.env.OdinEnv`. ``opponents`` decide for all games that wait for them at
        once.
    autoreset_mode, max_episode_steps
        As for :class:`~onirim_env.vector.OnirimVectorEnv`.
    """

    _render_game = staticmethod(render_game)

    def __init__(
        self,
        num_envs: int = 1,
        render_mode: str | None = None,
        reward: str = "win",
        illegal_action: str = "lose",
        seats: int | str = ALL,
        opponents: str | Opponents = RANDOM,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        **rule_options: Any,
    ) -> None:
        rules = read_rules(OdinVectorEnv, RuleSet, rule_options)
        batch = view_of(OdinBatch(num_envs, rules, reward, illegal_action), seats, opponents)
        super().__init__(batch, render_mode, autoreset_mode, max_episode_steps)

    @property
    def rules(self) -> RuleSet:
        """The rule set of all games."""
        rules: RuleSet = self._batch.rules
        return rules

    @property
    def states(self) -> np.ndarray:
        """The engine's records of all games, shape (num_envs,), hidden cards included."""
        states: np.ndarray = self._batch.states  # type: ignore[attr-defined]
        return states

    def game(self, row: int) -> Game:
        """Return a copy of the game of a row as it stands; it has no record."""
        game: Game = super().game(row)
        return game

"""OnirimVectorEnv: a batch of games as a Gymnasium vector environment."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from onirim_env.batch import GameBatch
from onirim_env.game import Game
from onirim_env.keywords import read_rules
from onirim_env.render import render_game
from onirim_env.rules import RuleSet
from onirim_env.shells.vector import VectorShell


class OnirimVectorEnv(VectorShell):
    """Many games of Onirim at once, on the compiled batch engine.

    ``gym.make_vec("Onirim-v0", num_envs=1024, vectorization_mode="vector_entry_point")`` makes one.
    Row i of an environment reset with ``seed=s`` plays exactly the games of a single environment
    reset with ``seed=s + i``, whatever the number of rows. Actions, observations, rewards and
    rules are those of :class:`~onirim_env.env.OnirimEnv`.

    Parameters
    ----------
    num_envs
        Number of games.
    render_mode
        ``"rgb_array"`` or ``"ansi"``: ``render()`` returns a tuple with an image or a text of each
        game; or None.
    reward, illegal_action, talk, layout, partner_action, **rule_options
        As for the single environment.
    autoreset_mode
        A ``gymnasium.vector.AutoresetMode`` or its value as text. ``NEXT_STEP`` (default): the
        step after the end ignores its action and returns the first observation of the next game.
        ``SAME_STEP``: the next game is dealt in the same step; ``info["final_obs"]`` and
        ``info["final_info"]`` have what the game ended with. ``DISABLED``: ended rows wait for
        ``reset(options={"reset_mask": bool array})``.
    max_episode_steps
        Truncate a game after so many steps; None never does.
    threads
        How many threads at most step the games, which are the same for every number. Each gets 1,024 games
        or more, so small batches are stepped by one.

    Notes
    -----
    ``info["action_mask"]`` (int8, shape (num_envs, n_actions)) always belongs to the returned
    observations; the rows of ended games are all ones. ``info["_action_mask"]`` is Gymnasium's
    own flag of which rows have the entry. ``autoreset_mode`` says in which mode it is, and ``call``,
    ``get_attr`` and ``set_attr`` answer as those of ``SyncVectorEnv``.
    """

    _render_game = staticmethod(render_game)

    def __init__(
        self,
        num_envs: int = 1,
        render_mode: str | None = None,
        reward: str = "win",
        illegal_action: str = "lose",
        talk: str = "open",
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        layout: str = "own",
        partner_action: bool = False,
        threads: int = 1,
        **rule_options: Any,
    ) -> None:
        rules = read_rules(OnirimVectorEnv, rule_options)
        batch = GameBatch(num_envs, rules, reward, illegal_action, talk, layout, partner_action, threads)
        super().__init__(batch, render_mode, autoreset_mode, max_episode_steps)

    @property
    def rules(self) -> RuleSet:
        """The rule set of all games."""
        rules: RuleSet = self._batch.rules
        return rules

    @property
    def states(self) -> np.ndarray:
        """The engine's records of all games (``STATE``, shape (num_envs,)), hidden cards included.

        They are the games themselves: reading is fine, writing changes them.
        """
        states: np.ndarray = self._batch.states  # type: ignore[attr-defined]
        return states

    def game(self, row: int) -> Game:
        """Return a copy of the game of a row as it stands; it has no record."""
        game: Game = super().game(row)
        return game

"""OnirimVecEnv: the batch of games as a stable-baselines3 ``VecEnv``."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
from gymnasium.envs.registration import EnvSpec

from onirim_env.batch import GameBatch
from onirim_env.errors import quoted
from onirim_env.games import GAMES, Entry, environments_of
from onirim_env.keywords import read_rules
from onirim_env.render import render_game
from onirim_env.rules import RuleSet
from onirim_env.shells.sb3 import VecShell


def _spec_of(env_id: str, games: tuple[Entry, ...] = GAMES) -> tuple[EnvSpec, Entry]:
    """Return the specification of an environment of some games, and its game."""
    ours = environments_of(games)
    name = env_id.removeprefix("onirim_env:")
    spec = gym.spec(name)
    if name not in ours:
        raise ValueError(f"env_id cannot be {quoted(env_id)}; allowed are {', '.join(ours)}")
    return spec, ours[name]


class GameVecEnv(VecShell):
    """Many games of any kind for stable-baselines3, with masks for sb3-contrib's ``MaskablePPO``.

    An ended game is followed by the next one in the same step, as SB3 expects; the info of its row then tells
    how it ended. Masks come from ``env_method("action_masks")`` (bool, shape (num_envs, n_actions)).

    Parameters
    ----------
    num_envs
        Number of games.
    env_id
        A registered environment of this package, such as ``"Odin-v0"``, whose arguments are the defaults.
    seed
        Row i plays the games of a single environment reset with ``seed + i``.
    max_episode_steps
        Truncate a game after so many steps; None never does.
    render_mode
        ``"rgb_array"``, where the game has images; or None.
    **options
        Keywords of the environment: ``reward``, ``seats``, ``opponents``, rule options ...
    """

    def __init__(
        self,
        num_envs: int,
        env_id: str,
        seed: int | None = 0,
        *,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        spec, entry = _spec_of(env_id)
        self._render_game = entry.load("render")  # type: ignore[misc, method-assign]
        batch = entry.load("batch")(num_envs, **{**spec.kwargs, **options})
        super().__init__(batch, seed, max_episode_steps, render_mode)


class OnirimVecEnv(VecShell):
    """Many games at once for stable-baselines3, with masks for sb3-contrib's ``MaskablePPO``.

    An ended game is followed by the next one in the same step, as SB3 expects. The info of its row
    then has ``terminal_observation``, ``TimeLimit.truncated``, ``episode`` (``r``, ``l``, ``t``),
    ``is_success`` (whether it was won), ``won``, ``doors``, ``cards_left``, ``turns``, and
    ``illegal_action`` where one ended the game; all other infos are empty. Masks come from
    ``env_method("action_masks")`` alone, which answers with one bool array of shape
    (num_envs, n_actions).

    Parameters
    ----------
    num_envs
        Number of games.
    env_id
        A registered environment of this package, whose arguments are the defaults.
    seed
        Row i plays the games of a single environment reset with ``seed + i``.
    max_episode_steps
        Truncate a game after so many steps; None never does.
    threads
        How many threads at most step the games, which are the same for every number.
    render_mode
        ``"rgb_array"``: ``get_images()`` returns an image of each game, and ``render()`` one of all
        of them. None: no images.
    **options
        As for the environment: ``reward``, ``illegal_action``, ``talk``, ``layout``, ``partner_action``, rule
        options.
    """

    _render_game = staticmethod(render_game)

    def __init__(
        self,
        num_envs: int,
        env_id: str = "Onirim-v0",
        seed: int | None = 0,
        *,
        max_episode_steps: int | None = None,
        reward: str = "win",
        illegal_action: str = "lose",
        talk: str = "open",
        layout: str = "own",
        partner_action: bool = False,
        threads: int = 1,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        spec, _ = _spec_of(env_id, GAMES[:1])
        arguments = {
            "reward": reward, "illegal_action": illegal_action, "talk": talk, "layout": layout,
            "partner_action": partner_action, "threads": threads, **spec.kwargs, **options,
        }  # fmt: skip
        names = ("reward", "illegal_action", "talk", "layout", "partner_action", "threads")
        given = {name: arguments.pop(name) for name in names}
        rules = read_rules(OnirimVecEnv, arguments)
        batch = GameBatch(num_envs, rules, **given)
        super().__init__(batch, seed, max_episode_steps, render_mode)

    @property
    def rules(self) -> RuleSet:
        """The rule set of all games."""
        rules: RuleSet = self._batch.rules
        return rules

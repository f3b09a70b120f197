"""Many games as a stable-baselines3 ``VecEnv``."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium.utils.seeding import np_random
from stable_baselines3.common.vec_env.base_vec_env import VecEnv, VecEnvIndices

from onirim_env.buffers import own_arrays
from onirim_env.seeding import game_seed
from onirim_env.shells.batch import Batch
from onirim_env.shells.choices import check_max_episode_steps, check_render_mode, start_option

RENDER_MODES = ("rgb_array",)


class VecShell(VecEnv):
    """A batch as a ``VecEnv``; the game's own class says what it plays.

    Parameters
    ----------
    batch
        The games.
    seed
        Row i plays the games of a single environment reset with ``seed + i``.
    max_episode_steps
        Truncate a game after so many steps; None never does.
    render_mode
        ``"rgb_array"`` or None.
    """

    _render_game: ClassVar[Callable[..., Any]]
    """Returns a picture of a game: ``render_game(game, mode)``."""

    def __init__(
        self, batch: Batch, seed: int | None, max_episode_steps: int | None, render_mode: str | None
    ) -> None:
        check_render_mode(render_mode, RENDER_MODES)
        check_max_episode_steps(max_episode_steps)
        self._batch = batch
        self.render_mode = render_mode
        self.max_episode_steps = max_episode_steps
        num_envs = len(batch)
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._clock = Clock(num_envs)
        self._dealt = False
        self._masks = np.ones((num_envs, int(batch.action_space.n)), dtype=np.bool_)
        super().__init__(num_envs, batch.observation_space, batch.action_space)
        self.seed(seed)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))
        self._clock.__dict__.update(own_arrays(self._clock.__dict__))

    @property
    def rules(self) -> Any:
        """The rules of all games."""
        return self._batch.rules

    def reset(self) -> np.ndarray:
        """Deal a game to every row; rows seeded before get the game of their seed.

        ``set_options({"position": ...})`` before it sets up positions, as for the environment.
        """
        starts = [self._start(start_option(options)) for options in self._options]
        seeds = self._seeds
        if any(seed is not None for seed in seeds) or not self._dealt:
            self._batch.deal(np.array([game_seed(np_random(seed)[0]) for seed in seeds]))
        else:
            self._batch.deal_next(self._all)
        for row, start in enumerate(starts):
            if start is not None:
                self._batch.place(start, row)
        self._dealt = True
        self._clock.restart(self._all)
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        self._reset_options()
        observations, masks = self._batch.view()
        self._masks = masks.view(np.bool_)
        return observations

    def _start(self, given: Any) -> np.ndarray | None:
        return None if given is None else self._batch.read_position(self._batch.plain_position(given))

    def step_async(self, actions: np.ndarray) -> None:
        """Note the actions of the next step: ids, shape (num_envs,)."""
        self._actions = self._batch.action_array(actions)

    def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Take one decision in every game.

        Returns
        -------
        observations, rewards, dones : numpy.ndarray
            float32 (num_envs, observation size), float32 (num_envs,), bool (num_envs,).
        infos : list of dict
        """
        observations, masks, rewards = self._batch.step(self._actions)
        self._clock.count(rewards)
        terminated = self._batch.ended
        done = terminated.copy()
        if self.max_episode_steps is not None:
            done |= self._clock.lengths >= self.max_episode_steps
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        rows = np.flatnonzero(done)
        if len(rows):
            self._note_ends(rows, observations[rows], infos)
            self._batch.deal_next(done)
            self._clock.restart(done)
            observations[rows], masks[rows] = self._batch.view(rows)
        self._masks = masks.view(np.bool_)
        return observations, rewards.astype(np.float32), done, infos

    def _note_ends(self, rows: np.ndarray, last: np.ndarray, infos: list[dict[str, Any]]) -> None:
        results = self._batch.results(rows)
        for index, row in enumerate(rows):
            info = infos[row]
            info.update({name: _plain(values[index]) for name, values in results.items()})
            info["is_success"] = info["won"]
            if self._batch.illegal_in[row] >= 0:
                info["illegal_action"] = int(self._actions[row])
            info["terminal_observation"] = last[index]
            info["TimeLimit.truncated"] = not self._batch.ended[row]
            info["episode"] = self._clock.episode(row)

    def action_masks(self) -> np.ndarray:
        """Return the legal actions of every game: bool, shape (num_envs, n_actions)."""
        return self._masks.copy()

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """Answer ``action_masks`` for all or some rows; there are no other methods."""
        if method_name != "action_masks" or method_args or method_kwargs:
            raise AttributeError(f"no method {method_name!r} to call; there is action_masks()")
        return self._masks.copy() if indices is None else self._masks[list(self._rows(indices))]

    def has_attr(self, attr_name: str) -> bool:
        """Whether rows have an attribute."""
        return attr_name in ("action_masks", "rules", "render_mode", "spec")

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """Return an attribute of the environment once for each row."""
        values = {"rules": self.rules, "render_mode": self.render_mode, "spec": None}
        if attr_name not in values:
            raise AttributeError(f"no attribute {attr_name!r}; there are {', '.join(values)}")
        return [values[attr_name] for _ in self._rows(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refuse: rows have no attributes of their own."""
        raise AttributeError(f"{attr_name!r} cannot be set; make a new environment")

    def env_is_wrapped(
        self, wrapper_class: type[gym.Wrapper[Any, Any, Any, Any]], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Return whether rows are wrapped; ``Monitor`` counts, for infos have its statistics."""
        from stable_baselines3.common.monitor import Monitor

        return [wrapper_class is Monitor for _ in self._rows(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """Return an image of each game (uint8, shape (600, 800, 3)); None without a render mode."""
        if self.render_mode is None:
            return [None] * self.num_envs
        return [self._render_game(self._batch.game(row), "rgb_array") for row in range(self.num_envs)]

    def close(self) -> None:
        """Nothing is held open."""

    def _rows(self, indices: VecEnvIndices) -> Iterable[int]:
        return self._get_indices(indices)


def _plain(value: Any) -> Any:
    """Return a number of numpy as Python's, and an array as one of its own."""
    return value.copy() if np.ndim(value) else value.item()


class Clock:
    """Lengths and returns of the games under way.

    Parameters
    ----------
    size
        Number of games.
    """

    def __init__(self, size: int) -> None:
        self._start = time.perf_counter()
        self.lengths = np.zeros(size, dtype=np.int64)
        self.returns = np.zeros(size)

    def count(self, rewards: np.ndarray) -> None:
        """Add a step with its rewards."""
        self.lengths += 1
        self.returns += rewards

    def restart(self, which: np.ndarray) -> None:
        """Begin anew in the rows of ``which``."""
        self.lengths[which] = 0
        self.returns[which] = 0.0

    def episode(self, row: int) -> dict[str, float]:
        """Return ``r``, ``l`` and ``t`` as SB3's ``Monitor`` gives them."""
        elapsed = round(time.perf_counter() - self._start, 6)
        return {"r": float(self.returns[row]), "l": int(self.lengths[row]), "t": elapsed}

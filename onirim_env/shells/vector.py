"""Many games as a Gymnasium vector environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from onirim_env.buffers import own_arrays
from onirim_env.errors import quoted
from onirim_env.seeding import game_seed
from onirim_env.shells.batch import Batch
from onirim_env.shells.choices import check_choice, check_max_episode_steps, check_render_mode, start_option
from onirim_env.shells.row_access import RowAccess

RENDER_MODES = ("rgb_array", "ansi")


def read_autoreset_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """Return the mode of an enum member or of its name or value as text."""
    if isinstance(mode, AutoresetMode):
        return mode
    modes = {one.name.lower(): one for one in AutoresetMode} | {one.value: one for one in AutoresetMode}
    check_choice("autoreset_mode", mode, tuple(modes))
    return modes[mode]


class VectorShell(RowAccess, VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """A batch as a vector environment; the game's own class says what it plays.

    Parameters
    ----------
    batch
        The games.
    render_mode
        ``"rgb_array"``, ``"ansi"`` or None.
    autoreset_mode
        What follows an ended game.
    max_episode_steps
        Truncate a game after so many steps; None never does.
    """

    _render_game: ClassVar[Callable[..., Any]]
    """Returns a picture or a text of a game: ``render_game(game, mode)``."""

    def __init__(
        self,
        batch: Batch,
        render_mode: str | None,
        autoreset_mode: AutoresetMode | str,
        max_episode_steps: int | None,
    ) -> None:
        check_render_mode(render_mode, RENDER_MODES)
        mode = read_autoreset_mode(autoreset_mode)
        check_max_episode_steps(max_episode_steps)
        self._batch = batch
        self.num_envs = num_envs = len(batch)
        self.render_mode = render_mode
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4, "autoreset_mode": mode}
        self.single_action_space = batch.action_space
        self.single_observation_space = batch.observation_space
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.max_episode_steps = max_episode_steps
        self.autoreset_mode = mode
        self._given = {}
        self._all = np.ones(num_envs, dtype=np.bool_)
        self._waiting = np.zeros(num_envs, dtype=np.bool_)
        self._elapsed = np.zeros(num_envs, dtype=np.int64)
        self._dealt = False

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))

    @property
    def rules(self) -> Any:
        """The rules of all games."""
        return self._batch.rules

    def reset(
        self,
        *,
        seed: int | list[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a game to every row, or to those of ``options["reset_mask"]``.

        Parameters
        ----------
        seed
            An int s gives row i the seed s + i; a list gives each row its own. Without seeds, rows
            that have played go on with their next game.
        options
            ``reset_mask``: bool, shape (num_envs,), the rows to reset. ``position``: where each of
            them starts.
        """
        which = self._reset_mask(options)
        seeds = self._seeds_of_rows(seed)
        given = start_option(options, ("reset_mask",))
        start = None if given is None else self._batch.read_position(self._batch.plain_position(given))
        super().reset(seed=seed if isinstance(seed, int) else None)
        fresh = np.array([one is not None for one in seeds]) | (not self._dealt)
        self._batch.deal(self._game_seeds(seeds, which & fresh), which & fresh)
        self._batch.deal_next(which & ~fresh)
        self._dealt = True
        if start is not None:
            self._batch.place(start, which)
        self._waiting[which] = False
        self._elapsed[which] = 0
        observations, masks = self._batch.view()
        return observations, self._infos(masks, self._all)

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take one decision in every game; see the class for what the autoreset modes do."""
        if not self._dealt:
            raise ResetNeeded("the games are not dealt yet; call reset() before step()")
        batch = self._batch
        mode = self.autoreset_mode
        if mode is AutoresetMode.DISABLED and self._waiting.any():
            rows = ", ".join(map(str, np.flatnonzero(self._waiting)))
            raise RuntimeError(
                f"games {rows} have ended; reset them with options={{'reset_mask': ...}} first"
            )
        actions = batch.action_array(actions)
        restart = self._waiting
        observations, masks, rewards = batch.step(actions, restart)
        terminations = batch.ended.copy()
        truncations = self._truncate(restart)
        done = terminations | truncations
        if mode is AutoresetMode.SAME_STEP and done.any():
            infos = self._reset_in_step(actions, observations, masks, terminations, done)
        else:
            self._waiting = done
            infos = self._infos(masks, self._all)
            if batch.n_ended:
                self._add_results(infos, terminations, actions)
        return observations, rewards, terminations, truncations, infos

    def _truncate(self, restart: np.ndarray) -> np.ndarray:
        if self.max_episode_steps is None:
            return np.zeros(self.num_envs, dtype=np.bool_)
        self._elapsed += 1
        self._elapsed[restart] = 0
        return self._elapsed >= self.max_episode_steps

    def _reset_in_step(
        self,
        actions: np.ndarray,
        observations: np.ndarray,
        masks: np.ndarray,
        terminations: np.ndarray,
        done: np.ndarray,
    ) -> dict[str, Any]:
        """Deal the next games; put their beginnings into ``observations`` and ``masks``."""
        rows = np.flatnonzero(done)
        final_obs = np.full(self.num_envs, None, dtype=object)
        for row in rows:
            final_obs[row] = observations[row].copy()
        final_masks = np.zeros_like(masks)
        final_masks[rows] = masks[rows]
        final_info = self._infos(final_masks, done)
        if terminations.any():
            self._add_results(final_info, terminations, actions)
        self._batch.deal_next(done)
        self._elapsed[done] = 0
        observations[rows], masks[rows] = self._batch.view(rows)
        infos = self._infos(masks, self._all)
        infos["final_obs"], infos["_final_obs"] = final_obs, done.copy()
        infos["final_info"], infos["_final_info"] = final_info, done.copy()
        return infos

    def _infos(self, masks: np.ndarray, present: np.ndarray) -> dict[str, Any]:
        infos: dict[str, Any] = {"action_mask": masks, "_action_mask": present.copy()}
        for name, (values, given) in self._batch.told().items():
            has = present.copy() if given is None else present & given
            if present is not self._all:
                values[~has] = 0
            infos[name], infos[f"_{name}"] = values, has
        return infos

    def _add_results(self, infos: dict[str, Any], terminations: np.ndarray, actions: np.ndarray) -> None:
        """Add how the games of ``terminations`` ended."""
        rows = np.flatnonzero(terminations)
        for name, values in self._batch.results(rows).items():
            infos[name] = np.zeros((self.num_envs, *values.shape[1:]), dtype=values.dtype)
            infos[name][rows] = values
            infos[f"_{name}"] = terminations.copy()
        infos["is_success"], infos["_is_success"] = infos["won"].copy(), terminations.copy()
        illegal = self._batch.illegal_in >= 0
        if illegal.any():
            infos["illegal_action"] = np.where(illegal, actions, 0)
            infos["_illegal_action"] = illegal

    def _seeds_of_rows(self, seed: int | list[int | None] | None) -> list[int | None]:
        if seed is None:
            return [None] * self.num_envs
        if isinstance(seed, (int, np.integer)):
            return [int(seed) + row for row in range(self.num_envs)]
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} games; give one for each")
        return list(seed)

    def _game_seeds(self, seeds: list[int | None], which: np.ndarray) -> np.ndarray:
        result = np.zeros(self.num_envs, dtype=np.uint64)
        for row in np.flatnonzero(which):
            seed = seeds[row]
            result[row] = game_seed(self.np_random if seed is None else np_random(seed)[0])
        return result

    def _reset_mask(self, options: dict[str, Any] | None) -> np.ndarray:
        if options is None or "reset_mask" not in options:
            return self._all
        mask = options["reset_mask"]
        if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_:
            raise TypeError(f"options['reset_mask'] must be a bool array, not {quoted(mask)}")
        if mask.shape != (self.num_envs,) or not mask.any():
            raise ValueError(
                f"options['reset_mask'] must have shape ({self.num_envs},) and a True entry, "
                f"not {quoted(mask)}"
            )
        return mask.copy()

    def game(self, row: int) -> Any:
        """Return a copy of the game of a row as it stands; it has no record."""
        return self._batch.game(row)

    def render(self) -> tuple[Any, ...] | None:
        """Return the games as images (uint8, shape (600, 800, 3)) or as texts, by render mode.

        Raises
        ------
        gymnasium.error.DependencyNotInstalled
            For images without pygame.
        """
        if self.render_mode is None:
            return None
        return tuple(self._render_game(self.game(row), self.render_mode) for row in range(self.num_envs))

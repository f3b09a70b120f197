"""One game as a Gymnasium environment."""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any, ClassVar

import gymnasium as gym
import numpy as np
from gymnasium.error import InvalidAction

from onirim_env.buffers import own_arrays
from onirim_env.errors import quoted
from onirim_env.seeding import game_seed
from onirim_env.shells.batch import Batch
from onirim_env.shells.choices import check_render_mode, start_option


def _scalar(values: np.ndarray) -> Any:
    """Return the value of a game: a number of numpy, or a truth value as an array without axes.

    Libraries ask both for their dtype; and of ``numpy.bool_`` Gymnasium's vector environments make arrays of
    objects.
    """
    return values[0].copy() if values.dtype != np.bool_ else np.array(values[0])


class SingleShell(gym.Env[np.ndarray, np.integer]):
    """A batch of one game as an environment; the game's own class says what it plays.

    Parameters
    ----------
    batch
        The game.
    render_mode
        One of ``metadata["render_modes"]``, or None.
    """

    _render_game: ClassVar[Callable[..., Any]]
    """Returns a picture or a text of a game: ``render_game(game, mode, last_action)``."""
    _make_window: ClassVar[Callable[..., Any] | None] = None
    """Returns what ``show(game, last_action)`` opens a window of, and ``close()`` closes it."""

    def __init__(self, batch: Batch, render_mode: str | None) -> None:
        check_render_mode(render_mode, tuple(self.metadata["render_modes"]))
        self.render_mode = render_mode
        self._batch = batch
        self.action_space = batch.action_space
        self.observation_space = batch.observation_space
        self._seeded_by: np.random.Generator | None = None
        self._n_actions = int(batch.action_space.n)
        self._position: Any = None
        self._history: list[int] = []
        self._lost_illegally = False
        make_window = type(self)._make_window
        self._window = None if make_window is None else make_window(self.metadata["render_fps"])

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))

    @property
    def rules(self) -> Any:
        """The rules of the game."""
        return self._batch.rules

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a game, or set up a position.

        Parameters
        ----------
        seed
            Fixes this game and those that later resets without a seed deal.
        options
            ``{"position": ...}``: a position as a dict, or the path of a JSON file.

        Raises
        ------
        PositionError
            For a position that cannot be, or one of other rules.
        ValueError
            For an unknown option.
        """
        batch = self._batch
        given = start_option(options)
        position = None if given is None else batch.plain_position(given)
        start = batch.read_position(position)
        super().reset(seed=seed)
        if seed is None and self._seeded_by is self.np_random:
            batch.deal_next(np.ones(1, dtype=np.bool_))
        else:
            self._seeded_by = self.np_random
            batch.deal(np.array([game_seed(self.np_random)]))
        if start is not None:
            batch.place(start, 0)
        self._position = position
        self._history = []
        self._lost_illegally = False
        observations, masks = batch.view()
        if self.render_mode == "human":
            self.render()
        return observations[0], self._info(masks[0])

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take one decision; see the class for what it returns."""
        batch = self._batch
        try:
            number = index(action)
        except TypeError:
            number = -1
        if not 0 <= number < self._n_actions:
            raise InvalidAction(
                f"action {quoted(action)} is outside the space; ids are 0 to {self._n_actions - 1}"
            )
        was_over = batch.n_ended
        observation, mask, reward = batch.step_only(number)
        info = self._info(mask)
        terminated = batch.n_ended > 0
        if terminated:
            self._add_end(info, number)
        if terminated and batch.illegal_in[0] >= 0:
            self._lost_illegally = True
        elif not was_over:
            self._history.append(number)
        if self.render_mode == "human":
            self.render()
        return observation, reward, terminated, False, info

    def forfeit(self, action: int, why: str) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Lose the game for what somebody did beside it, as for an illegal action.

        Parameters
        ----------
        action
            What ``info["illegal_action"]`` is to say.
        why
            The message.

        Returns
        -------
        tuple
            What :meth:`step` returns.

        Raises
        ------
        IllegalAction
            With ``illegal_action="raise"``; the game has not changed then.
        """
        reward = self._batch.forfeit(why)
        self._lost_illegally = True
        observations, masks = self._batch.view()
        info = self._info(masks[0])
        self._add_end(info, action)
        if self.render_mode == "human":
            self.render()
        return observations[0], reward, True, False, info

    def _add_end(self, info: dict[str, Any], action: int) -> None:
        """Add how the game ended, and the action if that was not legal."""
        info.update({name: _scalar(values) for name, values in self._batch.results().items()})
        if "won" in info:
            info["is_success"] = info["won"].copy()
        if self._batch.illegal_in[0] >= 0:
            info["illegal_action"] = np.int64(action)

    def observe(self, player: int) -> np.ndarray:
        """Return what a player may know, to move or not: float32, shape (observation size,)."""
        return self._batch.observe(player)[0]

    def action_masks(self) -> np.ndarray:
        """Return the legal actions: bool, shape (n_actions,), a new array."""
        return self._batch.view()[1][0].astype(np.bool_)

    def _info(self, mask: np.ndarray) -> dict[str, Any]:
        return {"action_mask": mask, **self._batch.told_only()}

    @property
    def game(self) -> Any:
        """A copy of the game as it stands, with its record."""
        history = None if self._lost_illegally else self._history
        return self._batch.game(0, self._position, history)

    def render(self) -> Any:
        """Show the game as the player to move sees it.

        Returns
        -------
        numpy.ndarray, str or None
            In mode ``"rgb_array"`` an image (uint8, shape (600, 800, 3)), in mode ``"ansi"`` a text.
            Mode ``"human"`` shows the image in a window.

        Raises
        ------
        gymnasium.error.DependencyNotInstalled
            For an image or a window without pygame.
        """
        if self.render_mode is None:
            gym.logger.warn(
                "render() needs a render mode: make the environment with render_mode='rgb_array' or 'ansi'."
            )
            return None
        last_action = None
        if self._history and not self._lost_illegally:
            last_action = self._batch.action_text(self._history[-1])
        if self._window is not None and self.render_mode == "human":
            self._window.show(self.game, last_action)
            return None
        return self._render_game(self.game, self.render_mode, last_action)

    def close(self) -> None:
        """Close the window of mode ``"human"``."""
        if self._window is not None:
            self._window.close()

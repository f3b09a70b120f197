"""What a shell needs of a batch of games."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from gymnasium import spaces


class Batch(Protocol):
    """Many games of one kind side by side.

    Attributes
    ----------
    rules
        What is played.
    n_players : int
        How many players decide in a game.
    action_space, observation_space : gymnasium.spaces.Space
        Those of one game.
    ended : numpy.ndarray
        bool, shape (size,), after :meth:`step`: the games at their end.
    n_ended : int
        How many there are.
    illegal_in : numpy.ndarray
        int8, shape (size,), after :meth:`step`: not negative where an illegal action ended the game.
    """

    rules: Any
    action_space: spaces.Discrete
    observation_space: spaces.Box
    ended: np.ndarray
    n_ended: int
    illegal_in: np.ndarray

    def __len__(self) -> int: ...

    @property
    def n_players(self) -> int: ...  # noqa: D102

    @property
    def players(self) -> np.ndarray:
        """Who is to decide in each game: whole numbers, shape (size,)."""

    def deal(self, seeds: np.ndarray, which: np.ndarray | None = None) -> None:
        """Deal the games of ``seeds`` (uint64, shape (size,)), or only those of ``which`` (bool)."""

    def deal_next(self, which: np.ndarray) -> None:
        """Deal the game that follows the present one to the rows of ``which`` (bool)."""

    def plain_position(self, position: Any) -> dict[str, Any]:
        """Return a position as plain values of its own: given as a dict or as the path of a JSON file."""

    def read_position(self, position: dict[str, Any] | None) -> np.ndarray | None:
        """Return the state of a position (shape (1,)), or None where there is none."""

    def place(self, state: np.ndarray, which: np.ndarray | int) -> None:
        """Put rows to a state that :meth:`read_position` returned."""

    def action_array(self, actions: Any) -> np.ndarray:
        """Return actions as a new int64 array of shape (size,), or raise InvalidAction."""

    def action_text(self, action: int) -> str:
        """Return the text of an action."""

    def step(
        self, actions: np.ndarray, restart: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take one decision in each game; return observations, masks (int8), and rewards (float64)."""

    def step_only(self, action: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Take one decision in the only game of a batch; return its observation, mask (int8), and reward."""

    def forfeit(self, why: str) -> float:
        """Lose all games for what a player did beside them, and return the reward."""

    def view(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return what the players to move see, and the masks of their legal actions."""

    def observe(self, player: int) -> np.ndarray:
        """Return what one player sees of each game."""

    def told(self) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
        """Return what infos say beside the mask, by name: values, and in which games (None: in all)."""

    def told_only(self) -> dict[str, Any]:
        """Return the same of a batch of one game, without the axis of the games."""

    def results(self, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return how games stand, by name; ``won`` (bool) is among the names."""

    def game(self, row: int, position: Any = None, history: list[int] | None = None) -> Any:
        """Return a copy of the game of a row as it stands.

        Parameters
        ----------
        row
            The row.
        position
            Where it began, if not with a deal.
        history
            The actions since; without them the copy has no record.
        """

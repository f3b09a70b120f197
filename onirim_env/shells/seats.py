"""A batch of games of several seats as one learner plays it: in every seat, or in one among others."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from onirim_env.errors import IllegalAction, quoted
from onirim_env.shells.seat_batch import SeatBatch

ALL = "all"
RANDOM = "random"
Opponents = Callable[[np.ndarray, np.ndarray], Any]
"""From observations (float32, shape (n, size)) and masks (int8, shape (n, n_actions)) to n actions."""

_OF_OPPONENTS = np.uint64(0x6A09E667F3BCC908)
"""Makes the random numbers of opponents others than those of the game."""


def view_of(batch: SeatBatch, seats: int | str, opponents: str | Opponents) -> SeatView:
    """Return a batch as one learner plays it.

    Parameters
    ----------
    batch
        The games.
    seats
        ``"all"``: the learner plays every seat in turn, each from its own view. A number: that seat, the
        others are played by ``opponents``.
    opponents
        ``"random"``; a callable from observations and masks to actions; or where to import one from,
        ``"package.module:name"``.

    Raises
    ------
    ValueError
        For a seat that there is not, or opponents that are none.
    """
    if isinstance(seats, str) and seats == ALL:
        return AllSeats(batch)
    whole = isinstance(seats, (int, np.integer)) and not isinstance(seats, bool)
    if not whole or not 0 <= int(seats) < batch.n_players:
        raise ValueError(
            f"seats cannot be {quoted(seats)}; allowed are 'all' and the seats 0 to {batch.n_players - 1}"
        )
    return OneSeat(batch, int(seats), read_opponents(opponents))


def read_opponents(opponents: str | Opponents) -> Opponents | None:
    """Return the callable that opponents are; None for random ones.

    Raises
    ------
    ValueError
        For what is none.
    """
    if callable(opponents):
        return opponents
    if opponents == RANDOM:
        return None
    if isinstance(opponents, str) and ":" in opponents:
        module, _, name = opponents.partition(":")
        try:
            found = getattr(importlib.import_module(module), name)
        except (ImportError, AttributeError, ValueError) as error:
            raise ValueError(f"opponents cannot be {quoted(opponents)}: {error}") from None
        if callable(found):
            return found  # type: ignore[no-any-return]
    raise ValueError(
        f"opponents cannot be {quoted(opponents)}; allowed are 'random', a callable from observations and "
        "masks to actions, or where to import one from: 'package.module:name'"
    )


class SeatView:
    """What both ways to play a batch have in common; see :class:`~onirim_env.shells.batch.Batch`.

    Parameters
    ----------
    batch
        The games.
    """

    def __init__(self, batch: SeatBatch) -> None:
        self._batch = batch

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_batch":  # while a copy is made, there is no batch yet
            raise AttributeError(name)
        return getattr(self._batch, name)

    def __len__(self) -> int:
        return len(self._batch)

    @property
    def players(self) -> np.ndarray:
        """Who is to decide in each game: int8, shape (size,); -1 at the end."""
        return self._batch.players

    def step_only(self, action: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Take one decision in a batch of one game; return its observation, mask, and reward."""
        raise NotImplementedError

    def step(
        self, actions: np.ndarray, restart: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take one decision in each game; return observations, masks, and rewards of shape (size,)."""
        raise NotImplementedError


class AllSeats(SeatView):
    """One learner in every seat. A reward is that of the player who has just decided.

    ``infos`` have ``rewards`` (float64, shape (players,)): what each player got in this step.
    """

    def __init__(self, batch: SeatBatch) -> None:
        super().__init__(batch)
        self._rewards = np.zeros((len(batch), batch.n_players))
        self._deciders = np.zeros(len(batch), dtype=np.int64)

    def step(
        self, actions: np.ndarray, restart: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take one decision in each game; return observations, masks, and rewards of shape (size,)."""
        deciders = self._batch.players.astype(np.int64)
        observations, masks, self._rewards = self._batch.step(actions, restart)
        self._deciders = np.where(deciders < 0, self._deciders, deciders)
        rewards = self._rewards[np.arange(len(self)), self._deciders]
        return observations, masks, rewards

    def step_only(self, action: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Take one decision in a batch of one game; return its observation, mask, and reward."""
        decider = self._batch.players[0]
        if decider >= 0:
            self._deciders[0] = decider
        observation, mask, self._rewards[0] = self._batch.step_only(action)
        return observation, mask, self._rewards[0, self._deciders[0]].item()

    def told(self) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
        """Return what infos say beside the mask."""
        return {**self._batch.told(), "rewards": (self._rewards.copy(), None)}

    def told_only(self) -> dict[str, Any]:
        """Return the same of a batch of one game, without the axis of the games."""
        return {**self._batch.told_only(), "rewards": self._rewards[0].copy()}

    def results(self, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return how games stand; ``won`` says whether who decided last is among the winners."""
        results = self._batch.results(rows)
        deciders = self._deciders if rows is None else self._deciders[rows]
        illegal = self._batch.illegal_in if rows is None else self._batch.illegal_in[rows]
        won = results["winners"][np.arange(len(deciders)), deciders] & (illegal < 0)
        return {"won": won, **results}

    def deal(self, seeds: np.ndarray, which: np.ndarray | None = None) -> None:
        """Deal the games of ``seeds`` (uint64, shape (size,)), or only those of ``which`` (bool)."""
        self._batch.deal(seeds, which)
        self._rewards[slice(None) if which is None else which] = 0.0

    def deal_next(self, which: np.ndarray) -> None:
        """Deal the game that follows the present one to the rows of ``which`` (bool)."""
        self._batch.deal_next(which)


class OneSeat(SeatView):
    """One learner in one seat. Opponents decide inside of a step, until it is the learner's turn or the end.

    Parameters
    ----------
    batch
        The games.
    seat
        The learner's.
    opponents
        What the others do; None for random legal play. Random play has numbers of its own for each game, so
        that rows do not depend on each other.
    """

    def __init__(self, batch: SeatBatch, seat: int, opponents: Opponents | None) -> None:
        super().__init__(batch)
        self.seat = seat
        self._opponents = opponents
        self._randoms = np.zeros(len(batch), dtype=np.uint64)

    def deal(self, seeds: np.ndarray, which: np.ndarray | None = None) -> None:
        """Deal the games of ``seeds`` (uint64, shape (size,)), or only those of ``which`` (bool)."""
        self._batch.deal(seeds, which)
        self._begin(np.ones(len(self), dtype=np.bool_) if which is None else which)

    def deal_next(self, which: np.ndarray) -> None:
        """Deal the game that follows the present one to the rows of ``which`` (bool)."""
        self._batch.deal_next(which)
        self._begin(which)

    def place(self, state: np.ndarray, which: np.ndarray | int) -> None:
        """Put rows to a state that ``read_position`` returned; opponents decide until the learner's turn."""
        self._batch.place(state, which)
        rows = np.zeros(len(self), dtype=np.bool_)
        rows[which] = True
        self._seed(rows)
        self._play_others(np.flatnonzero(rows))

    def _seed(self, which: np.ndarray) -> None:
        self._randoms[which] = self._batch.states["seed"][which] ^ _OF_OPPONENTS

    def _begin(self, which: np.ndarray) -> None:
        """Let opponents decide until the learner's turn; games that end before are followed by the next."""
        while which.any():
            self._seed(which)
            self._play_others(np.flatnonzero(which))
            which = which & self._batch.ended
            if which.any():
                self._batch.deal_next(which)

    def step(
        self, actions: np.ndarray, restart: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take the learner's next decision in each game; return observations, masks, rewards (size,)."""
        batch = self._batch
        observations, masks, all_rewards = batch.step(actions, restart)
        rewards = all_rewards[:, self.seat].copy()
        if restart is not None and restart.any():
            self._begin(restart)
            observations[restart], masks[restart] = self.view(np.flatnonzero(restart))
        waiting = np.flatnonzero((batch.players != self.seat) & ~batch.ended)
        self._play_others(waiting, observations, masks, rewards)
        ended = np.flatnonzero(batch.ended)
        if len(ended):
            observations[ended] = batch.observe(self.seat, ended)
        return observations, masks, rewards

    def _play_others(
        self,
        rows: np.ndarray,
        observations: np.ndarray | None = None,
        masks: np.ndarray | None = None,
        rewards: np.ndarray | None = None,
    ) -> None:
        """Let opponents decide in some rows until the learner's turn or the end; write what is seen then."""
        batch = self._batch
        rows = rows[(batch.players[rows] != self.seat) & ~batch.ended[rows]]
        if not len(rows):
            return
        if observations is None or masks is None:
            seen, legal = batch.view(rows)
        else:
            seen, legal = observations[rows], masks[rows]
        while len(rows):
            seen, legal, gained = batch.step_rows(rows, self._choose(rows, seen, legal))
            if observations is not None and masks is not None and rewards is not None:
                observations[rows], masks[rows] = seen, legal
                rewards[rows] += gained[:, self.seat]
            going_on = (batch.players[rows] != self.seat) & ~batch.ended[rows]
            rows, seen, legal = rows[going_on], seen[going_on], legal[going_on]

    def _choose(self, rows: np.ndarray, seen: np.ndarray, legal: np.ndarray) -> np.ndarray:
        """Return what opponents do in some rows.

        Raises
        ------
        ValueError
            For another number of actions.
        IllegalAction
            For one that is not legal.
        """
        if self._opponents is None:
            from onirim_env.compiling.sampling import pick_each

            actions = np.empty(len(rows), dtype=np.int64)
            randoms = self._randoms[rows]
            pick_each(legal, randoms, actions)
            self._randoms[rows] = randoms
            return actions
        actions = np.asarray(self._opponents(seen, legal))
        if actions.shape != rows.shape or not np.issubdtype(actions.dtype, np.integer):
            raise ValueError(f"opponents gave {quoted(actions)} for {len(rows)} games; an action for each")
        actions = actions.astype(np.int64)
        inside = (actions >= 0) & (actions < legal.shape[1])
        refused = ~inside | (legal[np.arange(len(rows)), np.where(inside, actions, 0)] == 0)
        if refused.any():
            raise IllegalAction(f"opponents gave action {actions[refused][0]}, which is not legal")
        return actions

    def view(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return what the learner sees, and the masks of the legal actions; at the end all ones."""
        observations, masks = self._batch.view(rows)
        ended = np.flatnonzero(self._batch.ended if rows is None else self._batch.ended[rows])
        if len(ended):
            observations[ended] = self._batch.observe(self.seat, ended if rows is None else rows[ended])
        return observations, masks

    def step_only(self, action: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Take one decision in a batch of one game; return its observation, mask, and reward."""
        observations, masks, rewards = self.step(np.array([action], dtype=np.int64))
        return observations[0], masks[0], rewards[0].item()

    def told_only(self) -> dict[str, Any]:
        """Return what infos of a batch of one game say beside the mask."""
        return {**self._batch.told_only(), "player": np.int64(self.seat)}

    def told(self) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
        """Return what infos say beside the mask."""
        told = self._batch.told()
        return {**told, "player": (np.full(len(self), self.seat, dtype=np.int64), None)}

    def results(self, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return how games stand; ``won`` says whether the learner is among the winners."""
        results = self._batch.results(rows)
        illegal = self._batch.illegal_in if rows is None else self._batch.illegal_in[rows]
        return {"won": results["winners"][:, self.seat] & (illegal < 0), **results}

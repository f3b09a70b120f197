"""Many games of several seats over compiled rules, each seat with rewards of its own."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction

from onirim_env.buffers import own_arrays
from onirim_env.errors import IllegalAction, PositionError, quoted, told
from onirim_env.one_thread import one_thread, refuse_thread
from onirim_env.seeding import bits_text
from onirim_env.shells.choices import check_choice
from onirim_env.shells.game import GameShell
from onirim_env.shells.options import Options

ILLEGAL_ACTIONS = ("lose", "raise")
_logger = logging.getLogger("onirim_env")


class SeatBatch:
    """A batch of games; the game's own class says what it plays.

    Parameters
    ----------
    size
        Number of games.
    rules
        The rule set of all of them.
    reward
        One of ``REWARDS``.
    illegal_action
        ``"lose"``: an illegal action ends its game for all. ``"raise"``: it raises
        :class:`~onirim_env.IllegalAction` and changes nothing.

    Attributes
    ----------
    states : numpy.ndarray
        The engine's records, shape (size,).
    table
        The actions.
    action_space, observation_space : gymnasium.spaces.Space
        Those of one game.
    ended, n_ended, illegal_in
        As of :class:`~onirim_env.shells.batch.Batch`.
    """

    GAME: ClassVar[type[GameShell]]
    REWARDS: ClassVar[tuple[str, ...]]
    ILLEGAL_REWARD: ClassVar[float]
    """What an offender gets, the others nothing, where an illegal action ends the game."""
    STATE: ClassVar[np.dtype[Any]]

    _busy = False

    def __init__(
        self, size: int, rules: Options, reward: str | None = None, illegal_action: str = "lose"
    ) -> None:
        reward = self.REWARDS[0] if reward is None else reward
        check_choice("reward", reward, self.REWARDS)
        check_choice("illegal_action", illegal_action, ILLEGAL_ACTIONS)
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            raise ValueError(f"the number of games must be a positive integer, not {quoted(size)}")
        self.rules: Any = rules
        self.reward = reward
        self.illegal_action = illegal_action
        self.states = np.zeros(int(size), dtype=self.STATE)
        self.ended = np.zeros(size, dtype=np.bool_)
        self.illegal_in = np.full(size, -1, dtype=np.int8)
        self.n_ended = 0
        self._bind()
        self.action_space = spaces.Discrete(len(self.table))
        high = self._highest()
        self.observation_space: spaces.Box = spaces.Box(np.zeros_like(high), high, dtype=np.float32)
        self._nobody = np.zeros(size, dtype=np.bool_)
        self._warned = False

    def _table(self) -> Any:
        """Return the action table of the rules."""
        raise NotImplementedError

    def _highest(self) -> np.ndarray:
        """Return the largest value of each entry of an observation."""
        raise NotImplementedError

    @property
    def _kernels(self) -> Any:
        """The module of the compiled entry points."""
        raise NotImplementedError

    @property
    def _tables(self) -> tuple[Any, ...]:
        """What kernels need of the action table."""
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self.states)

    @property
    def n_players(self) -> int:
        """How many players decide in a game."""
        return int(self.rules.players)

    @property
    def players(self) -> np.ndarray:
        """Who is to decide in each game: int8, shape (size,); -1 at the end."""
        return self._mover

    def _bind(self) -> None:
        """Set what copies and pickles leave out: the table, and what holds on to the array of records."""
        self.table = self._table()
        self._only: Any = None
        self._mover, self._hand_ended = self.states["player"], self.states["hand_ended"]

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_busy", "table", "_only", "_mover", "_hand_ended")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))
        self._bind()

    @one_thread
    def deal(self, seeds: np.ndarray, which: np.ndarray | None = None) -> None:
        """Deal the games of ``seeds`` (uint64, shape (size,)), or only those of ``which`` (bool)."""
        rows = slice(None) if which is None else which
        chosen = self.states[rows].copy()
        self._kernels.deal_games(chosen, seeds[rows], self.rules.flags)
        self.states[rows] = chosen
        self._restart(rows)

    @one_thread
    def deal_next(self, which: np.ndarray) -> None:
        """Deal the game that follows the present one to the rows of ``which`` (bool)."""
        self._kernels.deal_next(self.states, which)
        self._restart(which)

    def _restart(self, rows: Any) -> None:
        self.ended[rows] = False
        self.illegal_in[rows] = -1
        self.n_ended = int(self.ended.sum())

    def plain_position(self, position: Any) -> dict[str, Any]:
        """Return a position as a dict of its own: given as a mapping or as the path of a JSON file."""
        return self.GAME.plain_position(position)

    def read_position(self, position: Mapping[str, Any] | None) -> np.ndarray | None:
        """Return the state of a position (shape (1,)), or None where there is none.

        Raises
        ------
        PositionError
            For a position that cannot be, or one whose rules are not those of the batch.
        """
        if position is None:
            return None
        state, rules = self.GAME._read(position, np.uint64(0))
        if rules != self.rules:
            raise PositionError(f"rules: the position has {rules}, the environment {self.rules}")
        return state

    @one_thread
    def place(self, state: np.ndarray, which: np.ndarray | int) -> None:
        """Put rows to a state that :meth:`read_position` returned; each keeps its own seed."""
        seeds = self.states[which]["seed"].copy()
        self.states[which] = state[0]
        self.states["seed"][which] = seeds
        self.states["rng"][which] = seeds

    def action_array(self, actions: Any) -> np.ndarray:
        """Return actions as a new int64 array of shape (size,), or raise InvalidAction."""
        try:
            array = np.asarray(actions)
        except ValueError:  # lists of different lengths
            array = np.empty(0)
        if array.shape != self.states.shape or not np.issubdtype(array.dtype, np.integer):
            raise InvalidAction(
                f"actions must be {len(self)} integers from 0 to {len(self.table) - 1}, not {quoted(actions)}"
            )
        return np.array(array, dtype=np.int64)

    def action_text(self, action: int) -> str:
        """Return the text of an action."""
        text: str = self.table.texts[action]
        return text

    @one_thread
    def step(
        self, actions: np.ndarray, restart: np.ndarray | None = None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take one decision in each game; rows of ``restart`` get their next game instead.

        Parameters
        ----------
        actions
            int64, shape (size,): see :meth:`action_array`.
        restart
            bool, shape (size,).

        Returns
        -------
        observations, masks : numpy.ndarray
            As of :meth:`view`.
        rewards : numpy.ndarray
            float64, shape (size, players), a new array.

        Raises
        ------
        InvalidAction
            For an action that is no id; no game has changed then.
        IllegalAction
            With ``illegal_action="raise"``; no game has changed then.
        """
        restart = self._nobody if restart is None else restart
        found = self._step(self.states, actions, restart, self.ended, self.illegal_in)
        self.n_ended = int(self.ended.sum())
        return found

    @one_thread
    def step_rows(self, rows: np.ndarray, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Take one decision in some games (``rows``, int64); what is returned is theirs alone."""
        states, ended, illegal_in = self.states[rows], self.ended[rows], self.illegal_in[rows]
        found = self._step(states, actions, self._nobody[rows], ended, illegal_in)
        self.states[rows], self.ended[rows], self.illegal_in[rows] = states, ended, illegal_in
        self.n_ended = int(self.ended.sum())
        return found

    def _step(
        self,
        states: np.ndarray,
        actions: np.ndarray,
        restart: np.ndarray,
        ended: np.ndarray,
        illegal_in: np.ndarray,
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        n_actions = len(self.table)
        outside = self._kernels.first_outside(actions, n_actions, restart)
        if outside >= 0:
            raise InvalidAction(
                f"action {actions[outside]} of game {outside} is outside the action space; "
                f"ids are 0 to {n_actions - 1}"
            )
        if self.illegal_action == "raise":
            self._refuse_illegal(states, actions, restart)
        observations, masks = self._room(len(states))
        rewards = np.empty((len(states), self.n_players))
        self._kernels.step_games(
            states, actions, restart, *self._tables, self.REWARDS.index(self.reward), rewards, ended,
            illegal_in, observations, masks,
        )  # fmt: skip
        self._look_at_ends(states, actions, illegal_in)
        return observations, masks, rewards

    def _refuse_illegal(self, states: np.ndarray, actions: np.ndarray, ignore: np.ndarray) -> None:
        """Raise IllegalAction for the first action that is not legal."""
        row = self._kernels.first_illegal(states, actions, *self._tables, ignore)
        if row >= 0:
            raise IllegalAction(self._illegal_message(states[row : row + 1], int(actions[row])))

    def _look_at_ends(self, states: np.ndarray, actions: np.ndarray, illegal_in: np.ndarray) -> None:
        """Warn of the first illegal action."""
        if self._warned or illegal_in.max() < 0:
            return
        row = int((illegal_in >= 0).argmax())
        before = states[row : row + 1].copy()
        before["phase"], before["player"] = illegal_in[row], before["offender"]
        self._kernels.list_games(before)
        self._warn(self._illegal_message(before, int(actions[row])))

    def _illegal_message(self, state: np.ndarray, action: int) -> str:
        """Return what is wrong with an action in a game."""
        legal = self.GAME.from_state(state, self.rules).legal_texts()
        return told(f"{self.action_text(action)!r} (action {action})", "", legal)

    def _warn(self, why: str) -> None:
        """Log the first illegal action."""
        self._warned = True
        _logger.warning("the game ends: %s. Later illegal actions go unmentioned.", why)

    @one_thread
    def forfeit(self, why: str) -> Any:
        """End all games for what players to move did beside them, as for an illegal action; return rewards.

        Raises
        ------
        IllegalAction
            With ``illegal_action="raise"``, with this message; no game has changed then.
        """
        if self.illegal_action == "raise":
            raise IllegalAction(why)
        rewards = np.zeros((len(self), self.n_players))
        rewards[np.arange(len(self)), np.maximum(self.players, 0)] = self.ILLEGAL_REWARD
        self.illegal_in[:] = self.states["phase"]
        self._kernels.end_games(self.states)
        self.ended[:] = True
        self.n_ended = len(self)
        if not self._warned:
            self._warn(why)
        return rewards[0]

    def _room(self, size: int) -> tuple[np.ndarray, np.ndarray]:
        observations = np.empty((size, self.observation_space.shape[0]), dtype=np.float32)
        return observations, np.empty((size, len(self.table)), dtype=np.int8)

    def step_only(self, action: int) -> tuple[np.ndarray, np.ndarray, Any]:
        """Take one decision in a batch of one game, as :meth:`step`, in a fraction of the time.

        Parameters
        ----------
        action
            The id.

        Returns
        -------
        observation, mask, rewards : numpy.ndarray
            The rows of what :meth:`step` returns.
        """
        # As one_thread does it, without another call.
        if self._busy:
            refuse_thread(self)
        self._busy = True
        try:
            if self._only is None:
                self._only = self._bind_only()
            run, actions, rewards, observation, mask = self._only
            actions[0] = action
            if self.illegal_action == "raise":
                self._refuse_illegal(self.states, actions, self._nobody)
            self.n_ended = run()
            if self.n_ended:
                self._look_at_ends(self.states, actions, self.illegal_in)
            return observation.copy(), mask.copy(), rewards.copy()
        finally:
            self._busy = False

    def _bind_only(self) -> tuple[Callable[[], int], np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Bind the step of a batch of one game to arrays that stay the same."""
        from onirim_env.compiling.compile import bound

        if len(self) != 1:
            raise ValueError(f"this batch has {len(self)} games; step() takes a decision in each of them")
        actions, rewards = np.zeros(1, dtype=np.int64), np.zeros((1, self.n_players))
        observations, masks = self._room(1)
        run = bound(
            self._kernels.step_games, self.states, actions, self._nobody, *self._tables,
            self.REWARDS.index(self.reward), rewards, self.ended, self.illegal_in, observations, masks,
        )  # fmt: skip
        return run, actions, rewards[0], observations[0], masks[0]

    @one_thread
    def view(self, rows: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
        """Return what the players to move see, and the masks of their legal actions.

        Parameters
        ----------
        rows
            Indices of the games to look at; all when not given.

        Returns
        -------
        observations : numpy.ndarray
            float32, shape (size, observation size), a new array; of player 0 for an ended game.
        masks : numpy.ndarray
            int8, shape (size, n_actions), a new array; all ones for an ended game.
        """
        states = self.states if rows is None else self.states[rows]
        observations, masks = self._room(len(states))
        self._kernels.view_games(states, *self._tables, observations, masks)
        return observations, masks

    @one_thread
    def observe(self, player: int, rows: np.ndarray | None = None) -> np.ndarray:
        """Return what one player sees of each game, or of those of ``rows``: float32, shape (n, size)."""
        states = self.states if rows is None else self.states[rows]
        observations = np.empty((len(states), self.observation_space.shape[0]), dtype=np.float32)
        self._kernels.observe_games(states, player, observations)
        return observations

    def told(self) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
        """Return what infos say beside the mask: see :class:`~onirim_env.shells.batch.Batch`."""
        return {"player": (np.maximum(self.players, 0).astype(np.int64), None)}

    def told_only(self) -> dict[str, Any]:
        """Return the same of a batch of one game, without the axis of the games."""
        return {"player": np.int64(max(self._mover[0], 0))}

    def results(self, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return how games stand (all, or those of ``rows``), by name."""
        raise NotImplementedError

    def game(self, row: int, position: Any = None, history: list[int] | None = None) -> Any:
        """Return a copy of the game of a row as it stands.

        Parameters
        ----------
        row
            The row.
        position
            Where it began, if not with a deal.
        history
            The ids of the actions since; without them the copy has no record.
        """
        state = self.states[row : row + 1].copy()
        if history is None:
            return self.GAME.from_state(state, self.rules)
        return self.GAME._of(state, self.rules, bits_text(state[0]["seed"]), position, list(history))

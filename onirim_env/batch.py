"""GameBatch: many games side by side, as every environment of this package plays them."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.error import InvalidAction

from onirim_env.actions import action_table
from onirim_env.buffers import own_arrays
from onirim_env.compiling.compile import bound
from onirim_env.engine import batch as engine
from onirim_env.engine.records import game_results, shown, state_dtype, written_size
from onirim_env.engine.state import PHASE_LOST, PHASE_WON
from onirim_env.errors import IllegalAction, PositionError, quoted, told
from onirim_env.game import Game
from onirim_env.keywords import ILLEGAL_ACTIONS, TALKS, layout_rules, read_rules
from onirim_env.observation import check_partner_action
from onirim_env.one_thread import one_thread, refuse_thread
from onirim_env.partner_action import PartnerActions
from onirim_env.positions.fields import plain_position
from onirim_env.positions.reading import read_position
from onirim_env.refusals import refusal
from onirim_env.rewards import ILLEGAL_REWARD, REWARDS
from onirim_env.row_threads import RowThreads
from onirim_env.rules import RuleSet
from onirim_env.seeding import bits_text
from onirim_env.shells.choices import check_choice
from onirim_env.spaces import action_space, observation_space

_logger = logging.getLogger("onirim_env")


class GameBatch:
    """A batch of games over the compiled engine, with rewards, observations and masks.

    Parameters
    ----------
    size
        Number of games.
    rules
        The rule set of all of them.
    reward
        ``"win"``: 1 for a win, else 0. ``"doors"``: also 1/8 for each Door gained, and minus that
        for each one lost. ``"score"``: a win gives 1 + Locations left in the deck / 53.
        ``"progress"``: what comes into place of what victory needs, as a share of it; given back when
        the game is lost, so that a win comes to 1 and a loss to 0.
    illegal_action
        ``"lose"``: an illegal action ends its game as lost with reward -1. ``"raise"``: it raises
        :class:`~onirim_env.IllegalAction` and changes nothing.
    talk
        Co-op: whether each player sees the partner's cards (``"open"``) or not (``"closed"``).
    layout
        Which tables number actions and entries of observations: see :func:`layout_rules`.
    partner_action
        Co-op: whether observations end with what the partner did last (docs/observations.md).
    threads
        How many threads at most step the games and look at them; games are the same for every number.

    Attributes
    ----------
    states : numpy.ndarray
        Records of ``onirim_env.engine.state.STATE``, shape (size,).
    layout_rules : RuleSet
        The rule set whose tables number actions and entries of observations.
    table : ActionTable
        Its actions.
    action_space, observation_space : gymnasium.spaces.Space
        The spaces of one game.
    n_ended : int
        After :meth:`step`: how many games are at their end.
    ended : numpy.ndarray
        bool, shape (size,), after :meth:`step`: the games at their end.
    illegal_in : numpy.ndarray
        int8, shape (size,), after :meth:`step`: the phase in which an illegal action ended the
        game, or -1.
    """

    _busy = False

    def __init__(
        self,
        size: int,
        rules: RuleSet,
        reward: str = "win",
        illegal_action: str = "lose",
        talk: str = "open",
        layout: str = "own",
        partner_action: bool = False,
        threads: int = 1,
    ) -> None:
        check_partner_action(partner_action, rules)
        check_choice("reward", reward, REWARDS)
        check_choice("illegal_action", illegal_action, ILLEGAL_ACTIONS)
        check_choice("talk", talk, TALKS)
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or size < 1:
            raise ValueError(f"the number of games must be a positive integer, not {quoted(size)}")
        self.rules = rules
        self.reward = reward
        self.illegal_action = illegal_action
        self.talk = talk
        self.layout_rules = layout_rules(rules, layout)
        self.table = action_table(self.layout_rules)
        self.action_space = action_space(self.layout_rules)
        self.observation_space = observation_space(self.layout_rules, partner_action)
        self.states = np.zeros(int(size), dtype=state_dtype(rules))
        self.partner_action = bool(partner_action)
        self._partners = PartnerActions(size, self.table, talk == "closed") if partner_action else None
        self.n_ended = 0
        self.ended = np.zeros(size, dtype=np.bool_)
        self.illegal_in = np.full(size, engine.NOT_ILLEGAL, dtype=np.int8)
        self._nobody = np.zeros(size, dtype=np.bool_)
        self._observation_size = written_size(rules)
        self._reward_kind = REWARDS.index(reward)
        self._plain = not self.layout_rules.expansions
        self._closed = talk == "closed"
        self._tells_player = rules.players > 1
        self._raises = illegal_action == "raise"
        self.threads = threads
        self._rows = RowThreads(size, threads)
        self._warned = False
        self._observations_shape = (size, self._observation_size)
        self._masks_shape = (size, len(self.table))
        self._rewards_shape = (size,)
        self._bind()

    def _bind(self) -> None:
        """Set what copies and pickles leave out: compiled functions, and arrays of the table."""
        self._engine = engine
        self._step_games = engine.step_games
        self._codes, self._ids = self.table.codes, self.table.ids
        self._step_only: Callable[[], int] | None = None

    def __len__(self) -> int:
        return len(self.states)

    @property
    def n_players(self) -> int:
        """How many players decide in a game."""
        return self.rules.players

    @property
    def players(self) -> np.ndarray:
        """Who is to decide in each game: int8, shape (size,)."""
        players: np.ndarray = self.states["player"]
        return players

    def action_text(self, action: int) -> str:
        """Return the text of an action."""
        return self.table.text(action)

    def plain_position(self, position: Any) -> dict[str, Any]:
        """Return a position as plain values of its own: given as a dict or as the path of a JSON file."""
        return plain_position(position)

    def __getstate__(self) -> dict[str, Any]:
        left_out = ("_engine", "_busy", "_step_games", "_codes", "_ids", "_step_only")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))
        self._bind()

    @one_thread
    def deal(self, seeds: np.ndarray, which: np.ndarray | None = None) -> None:
        """Deal the games of ``seeds`` (uint64, shape (size,)), or only those of ``which`` (bool)."""
        self._forget(slice(None) if which is None else which)
        if which is None:
            self._engine.deal_games(self.states, seeds, self.rules.flags)
            self.ended[:] = False
            self.n_ended = 0
        else:
            self.ended[which] = False
            chosen = self.states[which]
            self._engine.deal_games(chosen, seeds[which], self.rules.flags)
            self.states[which] = chosen
            self.n_ended = int(self.ended.sum())

    @one_thread
    def deal_next(self, which: np.ndarray) -> None:
        """Deal the game that follows the present one to the rows of ``which`` (bool)."""
        self._forget(which)
        self._engine.deal_next(self.states, which)
        self.ended[which] = False
        self.n_ended = int(self.ended.sum())

    def _forget(self, which: Any) -> None:
        """Forget what partners did in games that give way to others."""
        if self._partners is not None:
            self._partners.forget(which)

    def read_position(self, position: dict[str, Any] | None) -> np.ndarray | None:
        """Return the state of a position (shape (1,)), or None where there is none.

        Raises
        ------
        PositionError
            For a position that cannot be, or one whose rules are not those of the batch.
        """
        if position is None:
            return None
        state, rules = read_position(position, np.uint64(0))
        if rules != self.rules:
            raise PositionError(f"rules: the position has {rules}, the environment {self.rules}")
        return state

    @one_thread
    def place(self, state: np.ndarray, which: np.ndarray | int) -> None:
        """Put rows to a state that :meth:`read_position` returned.

        Each row keeps its own seed, which decides what the position leaves open.
        """
        self._forget(which)
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
        # A new array: for one that is read-only the engine would be compiled once more.
        return np.array(array, dtype=np.int64)

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
            float64, shape (size,), a new array.

        Raises
        ------
        InvalidAction
            For an action that is no id; no game has changed then.
        IllegalAction
            With ``illegal_action="raise"``; no game has changed then.
        """
        # As one_thread does it, without another call.
        if self._busy:
            refuse_thread(self)
        self._busy = True
        try:
            if restart is None:
                restart = self._nobody
            if self._raises:
                self._refuse_illegal(actions, restart)
            before = None if self._partners is None else self._before(restart)
            observations = np.empty(self._observations_shape, dtype=np.float32)
            masks = np.empty(self._masks_shape, dtype=np.int8)
            rewards = np.empty(self._rewards_shape)
            if len(self._rows.parts) == 1:
                n_ended = self._step_games(
                    self.states, actions, restart, self._codes, self._ids, self._reward_kind, self._closed,
                    rewards, self.ended, self.illegal_in, observations, masks,
                )  # fmt: skip
            else:
                n_ended = self._step_parts(actions, restart, rewards, observations, masks)
            if n_ended:
                self._look_at_ends(n_ended, actions)
            self.n_ended = n_ended
            if before is not None:
                self._note(*before, restart, actions)
            return self._shown(observations, self.states), masks, rewards
        finally:
            self._busy = False

    def _step_parts(
        self,
        actions: np.ndarray,
        restart: np.ndarray,
        rewards: np.ndarray,
        observations: np.ndarray,
        masks: np.ndarray,
    ) -> int:
        """Step the games in several threads; return what ``step_games`` returns for all of them."""
        unknown = ((actions < 0) | (actions >= len(self._codes))) & ~restart
        if unknown.any():  # before any thread changes games
            return -1 - int(unknown.argmax())

        def step_part(part: slice) -> int:
            n_ended: int = self._step_games(
                self.states[part], actions[part], restart[part], self._codes, self._ids, self._reward_kind,
                self._closed, rewards[part], self.ended[part], self.illegal_in[part], observations[part],
                masks[part],
            )  # fmt: skip
            return n_ended

        return sum(self._rows.run(step_part))

    def step_only(self, action: int) -> tuple[np.ndarray, np.ndarray, float]:
        """Take one decision in a batch of one game: as :meth:`step`, in half the time.

        Parameters
        ----------
        action
            The id.

        Returns
        -------
        observation, mask : numpy.ndarray
            The rows of what :meth:`step` returns.
        reward : float
            The reward.
        """
        if self._busy:
            refuse_thread(self)
        self._busy = True
        try:
            if self._step_only is None:
                self._bind_only()
            actions = self._only_action
            actions[0] = action
            if self._raises:
                self._refuse_illegal(actions, self._nobody)
            before = None if self._partners is None else self._before(self._nobody)
            n_ended = self._step_only()  # type: ignore[misc]
            if n_ended:
                self._look_at_ends(n_ended, actions)
            self.n_ended = n_ended
            if before is not None:
                self._note(*before, self._nobody, actions)
            if self._plain and before is None:
                observation = self._only_observation.copy()
            else:
                observation = self._shown(self._only_observation[None].copy(), self.states)[0]
            return observation, self._only_mask.copy(), self._only_reward.item()
        finally:
            self._busy = False

    def _bind_only(self) -> None:
        """Bind the step of a batch of one game to arrays that stay the same."""
        if len(self) != 1:
            raise ValueError(f"this batch has {len(self)} games; step() takes a decision in each of them")
        self._only_action = np.zeros(1, dtype=np.int64)
        self._only_reward = np.zeros(1)
        observations = np.empty(self._observations_shape, dtype=np.float32)
        masks = np.empty(self._masks_shape, dtype=np.int8)
        self._only_observation, self._only_mask = observations[0], masks[0]
        self._step_only = bound(
            self._step_games,
            self.states, self._only_action, self._nobody, self._codes, self._ids, self._reward_kind,
            self._closed, self._only_reward, self.ended, self.illegal_in, observations, masks,
        )  # fmt: skip

    def _refuse_illegal(self, actions: np.ndarray, restart: np.ndarray) -> None:
        """Raise IllegalAction if one of the actions is not legal."""
        row = self._engine.first_illegal(self.states, actions, self._codes, restart)
        if row >= 0:
            raise IllegalAction(self._illegal_message(self.states[row], int(actions[row])))

    def _look_at_ends(self, n_ended: int, actions: np.ndarray) -> None:
        """Raise InvalidAction for what :func:`step_games` refused, and warn of the first illegal action."""
        if n_ended < 0:
            row = -1 - n_ended
            raise InvalidAction(
                f"action {actions[row]} of game {row} is outside the action space; "
                f"ids are 0 to {len(self.table) - 1}"
            )
        if not self._warned and self.illegal_in.max() >= 0:
            self._warn(actions)

    def _before(self, restart: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return which games are about to take a decision, and whose it is in each."""
        over = np.isin(self.states["phase"], (PHASE_WON, PHASE_LOST))
        return ~over & ~restart, self.states["player"].astype(np.int64)

    def _note(
        self, playing: np.ndarray, players: np.ndarray, restart: np.ndarray, actions: np.ndarray
    ) -> None:
        """Note the legal decisions just taken, for the partners."""
        assert self._partners is not None
        self._partners.forget(restart)
        rows = np.flatnonzero(playing & (self.illegal_in < 0))
        self._partners.note(rows, players[rows], actions[rows])

    @one_thread
    def forfeit(self, why: str) -> float:
        """Lose all games for what a player did beside them, as for an illegal action; return the reward.

        Raises
        ------
        IllegalAction
            With ``illegal_action="raise"``, with this message; no game has changed then.
        """
        if self._raises:
            raise IllegalAction(why)
        self.illegal_in[:] = self.states["phase"]
        self.states["phase"] = PHASE_LOST
        self.ended[:] = True
        self.n_ended = len(self)
        if not self._warned:
            self._log_loss(why)
        return ILLEGAL_REWARD

    def _warn(self, actions: np.ndarray) -> None:
        row = int((self.illegal_in >= 0).argmax())
        before = self.states[row].copy()
        before["phase"] = self.illegal_in[row]
        self._log_loss(self._illegal_message(before, int(actions[row])))

    def _log_loss(self, why: str) -> None:
        self._warned = True
        _logger.warning("the game is lost: %s. Later illegal actions go unmentioned.", why)

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
            float32, shape (size, observation size), a new array.
        masks : numpy.ndarray
            int8, shape (size, n_actions), a new array; all ones for an ended game.
        """
        states = self.states if rows is None else self.states[rows]
        size = len(states)
        observations = np.empty((size, self._observation_size), dtype=np.float32)
        masks = np.empty((size, len(self.table)), dtype=np.int8)
        if rows is None and len(self._rows.parts) > 1:
            self._rows.run(
                lambda part: self._engine.view_games(
                    states[part], self._ids, self._closed, observations[part], masks[part]
                )
            )
        else:
            self._engine.view_games(states, self._ids, self._closed, observations, masks)
        return self._shown(observations, states, rows=rows), masks

    @one_thread
    def observe(self, player: int) -> np.ndarray:
        """Return what one player sees of each game: float32, shape (size, observation size)."""
        observations = np.empty(self._observations_shape, dtype=np.float32)
        self._engine.observe_games(self.states, player, self._closed, observations)
        return self._shown(observations, self.states, player)

    def _shown(
        self,
        written: np.ndarray,
        states: np.ndarray,
        player: int | None = None,
        rows: np.ndarray | None = None,
    ) -> np.ndarray:
        """Return what the layout shows of observations of games as the engine writes them.

        They are those of the players to move, or of ``player``, in the games of ``rows``.
        """
        entries = written if self._plain else shown(written, self.rules, self.layout_rules, states)
        if self._partners is None:
            return entries
        players = states["player"] if player is None else player
        return np.concatenate([entries, self._partners.seen_by(players, rows)], axis=1)

    def game(self, row: int, position: Any = None, history: list[int] | None = None) -> Game:
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
            return Game._of(state, self.rules, self.talk, "0x0", None, None)
        own = action_table(self.rules)
        actions = [own.id(self.table.text(action)) for action in history]
        return Game._of(state, self.rules, self.talk, bits_text(state[0]["seed"]), position, actions)

    def told(self) -> dict[str, tuple[np.ndarray, np.ndarray | None]]:
        """Return what infos say beside the mask: in co-op, whose decision it is."""
        return {"player": (self.players.astype(np.int64), None)} if self.n_players > 1 else {}

    def told_only(self) -> dict[str, Any]:
        """Return the same of a batch of one game, without the axis of the games."""
        return {"player": np.int64(self.players[0])} if self._tells_player else {}

    def results(self, rows: np.ndarray | None = None) -> dict[str, np.ndarray]:
        """Return how games stand (all, or those of ``rows``), as :func:`game_results` does."""
        return game_results(self.states, rows)

    def _illegal_message(self, state: np.void, action: int) -> str:
        masks = np.empty((1, len(self.table)), dtype=np.int8)
        states = np.array([state])
        self._engine.mask_games(states, self.table.ids, masks)
        text = self.table.texts[action]
        legal = [self.table.texts[one] for one in np.flatnonzero(masks[0])]
        return told(f"{text!r} (action {action})", refusal(states, self.rules, text), legal)


def learner_batch(
    num_envs: int,
    reward: str = "win",
    illegal_action: str = "lose",
    talk: str = "open",
    layout: str = "own",
    partner_action: bool = False,
    threads: int = 1,
    **rule_options: Any,
) -> GameBatch:
    """Return a batch of games as one learner plays it; keywords are those of the environments."""
    rules = read_rules(learner_batch, rule_options)
    return GameBatch(num_envs, rules, reward, illegal_action, talk, layout, partner_action, threads)

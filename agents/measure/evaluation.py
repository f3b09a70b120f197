"""Evaluation: how well an agent plays, measured the same way for every agent."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from agents.base import Agent, decide
from agents.games import SearchableGame, agent_seeds
from agents.measure.evaluation_result import RESULTS, Evaluation
from agents.registry import load_agent
from onirim_env.errors import IllegalAction, UserError, told
from onirim_env.refusals import UNKNOWN
from onirim_env.row_threads import check_threads
from onirim_env.rules import RuleSet
from onirim_env.vector import OnirimVectorEnv

MAX_DECISIONS = 2000
"""An Onirim game ends long before; one that does not is a fault, and is not waited for."""

Observer = Callable[[np.ndarray, np.ndarray, np.ndarray, np.ndarray], None]
"""Is told of every step of the games under way: their indices among the seeds (int64, shape (k,)), their
states before it, the codes of the decisions taken, and their states after it."""


def evaluate(
    agent: Agent | str,
    *,
    seeds: Iterable[int],
    rules: RuleSet | None = None,
    talk: str | None = None,
    batch_size: int = 256,
    threads: int = 1,
    progress: bool = True,
    observer: Observer | None = None,
) -> Evaluation:
    """Let an agent play the game of each seed once.

    The result does not depend on ``batch_size``. Ctrl-C ends the evaluation early: it then has the
    games that had ended, among which short ones are too many unless there are many batches of them.

    Parameters
    ----------
    agent
        An agent, or the name of one.
    seeds
        Seeds of the games: ``OnirimEnv.reset(seed=...)`` deals the same ones.
    rules
        The rule set of the games; that of the agent, or the default solo rules, when not given.
    talk
        Co-op: ``"open"`` or ``"closed"``; that of the agent, or open, when not given.
    batch_size
        How many games are played side by side.
    threads
        How many threads at most step them, each 1,024 or more.
    progress
        Whether a terminal shows a progress bar.
    observer
        Called after every step with what it changed, for statistics.

    Raises
    ------
    ValueError
        For an unknown agent, no seeds, seeds below 0, or rules that are not those of the agent.
    IllegalDecision
        When the agent takes an action that is not legal.
    RuntimeError
        When a game does not end within ``MAX_DECISIONS``.
    """
    if isinstance(agent, str):
        agent = load_agent(agent, rules=rules, talk=talk or "open")
    if rules not in (None, agent.rules) or talk not in (None, agent.talk):
        raise ValueError(
            f"agent {agent.name!r} plays {agent.rules}, talk {agent.talk!r}, not {rules}, talk {talk!r}"
        )
    all_seeds = np.fromiter(seeds, dtype=np.int64)
    if len(all_seeds) == 0 or all_seeds.min() < 0:
        raise ValueError("an evaluation needs at least one seed, and no seed below 0")
    if batch_size < 1:
        raise ValueError(f"batch_size must be at least 1, not {batch_size}")
    check_threads(threads)
    table = _Table(agent, all_seeds, min(batch_size, len(all_seeds)), threads, observer)
    interrupted = False
    with progress_bar(len(all_seeds), agent.name, progress) as bar:
        started = time.perf_counter()
        try:
            table.step()
            started = time.perf_counter()  # what has to be compiled is compiled in the first step
            while table.playing.any():
                finished = table.step()
                if bar is not None:
                    bar.update(finished)
        except KeyboardInterrupt:
            interrupted = True
    return table.result(time.perf_counter() - started, interrupted)


def progress_bar(games: int, name: str, progress: bool = True) -> Any:
    """Return a context that gives a progress bar for games, or None where nobody would see one."""
    if not progress or not sys.stderr.isatty():
        return nullcontext()
    try:
        from tqdm import tqdm
    except ImportError:  # it comes with the extra "train" only
        return nullcontext()
    return tqdm(total=games, desc=name, unit="game")


class IllegalDecision(IllegalAction, UserError):
    """An agent that takes an action which is not legal; the message names agent, turn and seed."""


class _Table:
    """The games under way: a row takes the next seed as soon as its game has ended."""

    def __init__(
        self, agent: Agent, seeds: np.ndarray, n_rows: int, threads: int, observer: Observer | None
    ) -> None:
        self._agent = agent
        self._observer = observer
        self._seeds = seeds
        self._env = OnirimVectorEnv(
            n_rows,
            illegal_action="raise",
            talk=agent.talk,
            autoreset_mode=AutoresetMode.DISABLED,
            layout=agent.layout,
            threads=threads,
            **agent.rules.as_dict(),
        )
        self._results: dict[str, Any] = {
            name: np.zeros(len(seeds), dtype=kind) for name, kind in RESULTS.items()
        }
        self._finished = np.zeros(len(seeds), dtype=np.bool_)
        self._dealt = 0
        self._game_of = np.zeros(n_rows, dtype=np.int64)  # index of each row's seed
        self._decisions = np.zeros(n_rows, dtype=np.int64)
        # One for each row when the agent needs games; None for a row that only keeps the batch going.
        self._games: list[SearchableGame | None] = [None] * n_rows if agent.needs_games else []
        self.playing = np.zeros(n_rows, dtype=np.bool_)
        self._deal(np.arange(n_rows))

    def _deal(self, rows: np.ndarray) -> None:
        """Deal the next seeds to rows; those for which none is left only keep the batch going."""
        n_games = min(len(rows), len(self._seeds) - self._dealt)
        playing, idle = rows[:n_games], rows[n_games:]
        self._game_of[playing] = np.arange(self._dealt, self._dealt + n_games)
        self._dealt += n_games
        self.playing[playing] = True
        self.playing[idle] = False
        self._decisions[rows] = 0
        row_seeds: list[int | None] = [None] * len(self.playing)
        for row in rows:
            row_seeds[row] = int(self._seeds[self._game_of[row]])
        which = np.zeros(len(self.playing), dtype=np.bool_)
        which[rows] = True
        self._observations, infos = self._env.reset(seed=row_seeds, options={"reset_mask": which})
        self._masks, self._players = infos["action_mask"], infos.get("player")
        if n_games:
            self._agent.start(playing, agent_seeds(self._seeds[self._game_of[playing]]))
        if self._agent.needs_games:
            for row in idle:
                self._games[row] = None
            for row in playing:
                seed = int(self._seeds[self._game_of[row]])
                self._games[row] = SearchableGame(seed, self._agent.rules, self._agent.talk)

    def step(self) -> int:
        """Take one decision in each row; return how many games ended."""
        actions = self._choose()
        self._check_legal(actions)
        for row, game in enumerate(self._games):
            if game is not None:
                game.game.apply(int(actions[row]))
        before = None if self._observer is None else self._env.states.copy()
        self._observations, _, ended, _, infos = self._env.step(actions)
        if before is not None:
            self._observe(before, actions)
        self._masks, self._players = infos["action_mask"], infos.get("player")
        self._decisions += 1
        self._check_length(ended)
        if not ended.any():
            return 0
        finished = np.flatnonzero(ended & self.playing)
        games = self._game_of[finished]
        for name in RESULTS:
            values = self._decisions if name == "decisions" else infos[name]
            self._results[name][games] = values[finished]
        self._finished[games] = True
        self._deal(np.flatnonzero(ended))
        return len(finished)

    def _observe(self, before: np.ndarray, actions: np.ndarray) -> None:
        assert self._observer is not None
        rows = self.playing
        codes = self._agent.table.codes[actions[rows]]
        self._observer(self._game_of[rows], before[rows], codes, self._env.states[rows])

    def _choose(self) -> np.ndarray:
        if self.playing.all():
            return decide(
                self._agent, self._observations, self._masks, self._games_for_agent(), self._players
            )
        masks = np.where(self.playing[:, None], self._masks, np.int8(1))
        actions = decide(self._agent, self._observations, masks, self._games_for_agent(), self._players)
        return np.where(self.playing, actions, self._masks.argmax(axis=1))

    def _games_for_agent(self) -> list[Any] | None:
        if not self._agent.needs_games:
            return None
        return [game.for_planner() if game is not None else None for game in self._games]

    def _check_legal(self, actions: np.ndarray) -> None:
        n_rows, n_actions = self._masks.shape
        inside = (actions >= 0) & (actions < n_actions)
        legal = inside & (self._masks[np.arange(n_rows), np.where(inside, actions, 0)] != 0)
        if legal.all():
            return
        row, table = int(legal.argmin()), self._agent.table
        seed, turn = self._seeds[self._game_of[row]], int(self._env.states["turns"][row]) + 1
        action = repr(table.text(int(actions[row]))) if inside[row] else f"action {actions[row]}"
        why = self._env.game(row).why_not(table.text(int(actions[row]))) if inside[row] else UNKNOWN
        allowed = [table.text(int(one)) for one in np.flatnonzero(self._masks[row])]
        raise IllegalDecision(
            f"agent {self._agent.name}: "
            + told(action, why, allowed, f" in turn {turn} of the game of seed {seed}")
        )

    def _check_length(self, ended: np.ndarray) -> None:
        endless = self.playing & ~ended & (self._decisions >= MAX_DECISIONS)
        if endless.any():
            seed = self._seeds[self._game_of[endless.argmax()]]
            raise RuntimeError(f"the game of seed {seed} has not ended after {MAX_DECISIONS} decisions")

    def result(self, seconds: float, interrupted: bool) -> Evaluation:
        """Return the results of the finished games, in the order of their seeds."""
        done = self._finished
        return Evaluation(
            agent=self._agent.name,
            rules=self._agent.rules,
            talk=self._agent.talk,
            seeds=self._seeds[done],
            seconds=seconds,
            interrupted=interrupted,
            **{name: values[done] for name, values in self._results.items()},
        )

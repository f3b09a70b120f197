"""How well an agent of Odin plays: its share of wins in each seat among players of a reference agent."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from agents.games import agent_seeds
from agents.measure.evaluation import progress_bar
from agents.odin.base import OdinAgent
from onirim_env.compiling.rng import GAMMA
from onirim_env.errors import IllegalAction, UserError, told
from onirim_env.odin.batch import OdinBatch
from onirim_env.odin.engine import batch as engine
from onirim_env.seeding import seed_bits

_OF_PLANNERS = np.uint64(0xBB67AE8584CAA73B)
_Z = 1.959963984540054
"""The quantile of a 95 % interval."""


class IllegalDecision(IllegalAction, UserError):
    """An agent that takes an action which is not legal; the message names agent and deal."""


class SeatResult(NamedTuple):
    """What an agent reached.

    Attributes
    ----------
    agent
        Its name.
    shares
        float64, shape (deals, players): its share of the win of each deal, by its seat.
    points
        int64, shape (deals, players): its points at the end.
    seconds
        CPU time of the process for all games.
    decisions
        How many decisions the agent took.
    """

    agent: str
    shares: np.ndarray
    points: np.ndarray
    seconds: float
    decisions: int

    @property
    def share(self) -> float:
        """Its mean share of wins; 1 / players is fair."""
        return float(self.shares.mean())

    def interval(self, than: SeatResult | None = None) -> tuple[float, float]:
        """Return the 95 % interval of its share, or of the difference to another's in the same deals."""
        of_deals = self.shares.mean(axis=1) - (0.0 if than is None else than.shares.mean(axis=1))
        error = of_deals.std(ddof=1) / len(of_deals) ** 0.5 if len(of_deals) > 1 else 1.0
        mean = of_deals.mean()
        return float(mean - _Z * error), float(mean + _Z * error)


def evaluate_seats(
    agent: OdinAgent,
    reference: OdinAgent,
    seeds: Sequence[int] | np.ndarray,
    *,
    batch_size: int = 512,
    progress: bool = True,
) -> SeatResult:
    """Let an agent play each deal once in every seat, the reference agent in the others.

    Parameters
    ----------
    agent, reference
        Two objects, of the same rules.
    seeds
        Of the deals: ``Game(seed=...)`` deals the same.
    batch_size
        How many games are played side by side; it does not change the result.
    progress
        Whether a terminal shows a progress bar.

    Raises
    ------
    ValueError
        For agents of different rules, or one object twice.
    IllegalDecision
        When an agent takes an action that is not legal.
    """
    if agent is reference or agent.rules != reference.rules:
        raise ValueError("agent and reference are two objects that play the same rules")
    players = agent.rules.players
    all_seeds = np.asarray(seeds, dtype=np.int64)
    shares, points = (np.zeros((len(all_seeds), players), dtype=kind) for kind in (np.float64, np.int64))
    decisions = 0
    at_once = max(1, batch_size // players)
    started = time.process_time()
    with progress_bar(len(all_seeds) * players, agent.name, progress) as bar:
        for first in range(0, len(all_seeds), at_once):
            part = slice(first, first + at_once)
            table = _Table(agent, reference, all_seeds[part])
            while table.step():
                pass
            shares[part], points[part] = table.results()
            decisions += table.decisions
            if bar is not None:
                bar.update(len(all_seeds[part]) * players)
    return SeatResult(agent.name, shares, points, time.process_time() - started, decisions)


class _Table:
    """Games under way: each deal once for each seat of the agent."""

    def __init__(self, agent: OdinAgent, reference: OdinAgent, seeds: np.ndarray) -> None:
        self._agents = (agent, reference)
        players = agent.rules.players
        self._seeds = np.repeat(seeds, players)
        self._seat = np.tile(np.arange(players), len(seeds))  # the agent's
        self._batch = OdinBatch(len(self._seeds), agent.rules)
        self._batch.deal(np.array([seed_bits(int(seed)) for seed in self._seeds]))
        self._observations, self._masks = self._batch.view()
        own = agent_seeds(self._seeds)
        rows = np.arange(len(self._seeds))
        self._planning = own.astype(np.uint64) ^ _OF_PLANNERS
        for number, one in enumerate(self._agents):
            one.start(rows, own ^ number)
        self.decisions = 0

    def step(self) -> bool:
        """Take a decision in every game that goes on; return whether there is one."""
        batch = self._batch
        rows = np.flatnonzero(~batch.ended)
        if not len(rows):
            return False
        of_agent = batch.players[rows] == self._seat[rows]
        actions = np.empty(len(rows), dtype=np.int64)
        for agent, which in zip(self._agents, (of_agent, ~of_agent)):
            if which.any():
                actions[which] = self._ask(agent, rows[which])
        self.decisions += int(of_agent.sum())
        self._observations[rows], self._masks[rows], _ = batch.step_rows(rows, actions)
        return True

    def _ask(self, agent: OdinAgent, rows: np.ndarray) -> np.ndarray:
        given: list[Any] = [self._searchable(rows)] if agent.needs_states else []
        masks = self._masks[rows]
        actions = agent.act(rows, self._observations[rows], masks, *given)
        if not isinstance(actions, np.ndarray) or actions.shape != rows.shape or actions.dtype != np.int64:
            raise TypeError(f"agent {agent.name!r}: act() must return an int64 array of shape {rows.shape}")
        inside = (actions >= 0) & (actions < masks.shape[1])
        legal = inside & (masks[np.arange(len(rows)), np.where(inside, actions, 0)] != 0)
        if not legal.all():
            bad = int(legal.argmin())
            game = self._batch.game(int(rows[bad]))
            name = repr(agent.table.text(int(actions[bad]))) if inside[bad] else f"action {actions[bad]}"
            where = f" in the deal of seed {self._seeds[rows[bad]]}"
            raise IllegalDecision(f"agent {agent.name}: " + told(name, "", game.legal_texts(), where))
        return actions

    def _searchable(self, rows: np.ndarray) -> np.ndarray:
        """Return the records of some games, with what the players to move do not know dealt anew."""
        states = self._batch.states[rows]
        self._planning[rows] += GAMMA
        seeds = self._planning[rows]
        for seat in range(self._batch.n_players):
            which = states["player"] == seat
            if which.any():
                some = states[which]
                engine.determinize_games(some, seat, seeds[which])
                states[which] = some
        return states

    def results(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the agent's shares of wins, and its points: shape (deals, players)."""
        results = self._batch.results()
        rows = np.arange(len(self._seat))
        winners = results["winners"]
        shares = winners[rows, self._seat] / winners.sum(axis=1)
        players = self._batch.n_players
        return shares.reshape(-1, players), results["points"][rows, self._seat].reshape(-1, players)

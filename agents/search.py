"""The search agent: a planner that tries every legal action out in many short playouts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from agents.base import Agent
from onirim_env.errors import quoted
from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from agents.compiled.search_kernel import Tools
    from onirim_env.game import Game

PLAYOUTS = 1000
"""Default number of playouts for a decision."""
MOST_BUDGET = 1_000_000_000
"""The largest budget: days for a decision."""
TURNS_AHEAD = {1: 8, 2: 8}
"""How many turns a playout plays, by the number of players."""
EXPANSION_TURNS_AHEAD = {1: 6, 2: 1000}
"""The same in games with expansions; in co-op to the end, for no value network knows those games."""
DOUBT = {1: 1.0, 2: 1.0}
"""By how many standard errors a choice must be better than that of the policy, by the number of players."""
FIRST_RATE = 10.0
"""Playouts in a millisecond, before the first decision has shown how many there are."""


def playouts_of_plans(n_plans: int, playouts: int) -> list[int]:
    """Return how many playouts a search gives to each plan, to those that it keeps longest first.

    Parameters
    ----------
    n_plans
        How many plans there are.
    playouts
        What the decision is worth: half of the plans, the worse ones, are dropped again and again, and
        each round gets an equal part.
    """
    counts, alive, done = [0] * n_plans, n_plans, 0
    rounds = max(1, (n_plans - 1).bit_length())
    while alive and (alive > 1 or done == 0):
        done += max(1, playouts // (rounds * alive))
        counts[:alive] = [done] * alive
        alive = (alive + 1) // 2
    return counts


class SearchAgent(Agent):
    """Searches: playouts by the rules policy from hidden cards dealt anew, then a value network.

    Parameters
    ----------
    rules, talk
        As for every agent.
    playouts
        How many playouts a decision is worth; more are stronger and slower.
    milliseconds
        How long a decision may take, instead of ``playouts``. What is decided then depends on the
        speed of the machine, and cannot be repeated.

    Attributes
    ----------
    advised_playouts
        int64, shape (n, n_actions): in how many playouts the last :meth:`advise` found its values.

    Raises
    ------
    ValueError
        For a budget that is not positive or too large, or for both.
    """

    name = "search"
    needs_games = True
    advice_unit = "win chance"

    def __init__(
        self,
        rules: RuleSet | None = None,
        talk: str = "open",
        *,
        playouts: int | None = None,
        milliseconds: float | None = None,
    ) -> None:
        super().__init__(rules, talk)
        if playouts is not None and milliseconds is not None:
            raise ValueError("the budget is either playouts or milliseconds, not both")
        for keyword, budget in (("playouts", playouts), ("milliseconds", milliseconds)):
            if budget is not None and not budget > 0:
                raise ValueError(f"{keyword} must be positive, not {budget!r}")
            if budget is not None and budget > MOST_BUDGET:
                raise ValueError(f"{keyword} must be at most {MOST_BUDGET:,}, not {quoted(budget)}")
        from agents.compiled.search_kernel import search_game

        self._playouts = PLAYOUTS if playouts is None else playouts
        self._milliseconds = milliseconds
        self._rate = FIRST_RATE
        self._last_playouts = 0
        self.advised_playouts = np.zeros((0, 0), dtype=np.int64)
        self._search_game = search_game
        self._tools = self._make_tools()
        self._seeds: dict[int, int] = {}
        self._decisions: dict[int, int] = {}

    def _make_tools(self) -> Tools:
        """Return what decides how it searches."""
        from agents.compiled.search_kernel import make_tools
        from agents.compiled.search_value import network_for

        players = self.rules.players
        return make_tools(
            self.rules,
            network_for(self.rules),
            EXPANSION_TURNS_AHEAD[players] if self.rules.expansions else TURNS_AHEAD[players],
            DOUBT[players],
            self.talk == "closed",
        )

    def start(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Take the seeds of the games that begin."""
        for row, seed in zip(rows.tolist(), seeds.tolist()):
            self._seeds[row] = seed
            self._decisions[row] = 0

    def act(self, observations: np.ndarray, masks: np.ndarray, games: Sequence[Game | None]) -> np.ndarray:
        """Search in each game that has a choice."""
        actions = masks.argmax(axis=1)
        choices = np.count_nonzero(masks, axis=1)
        for row, game in enumerate(games):
            if game is not None and choices[row] > 1:
                actions[row] = self._decide(row, game, masks[row])
        return actions

    def advise(self, observations: np.ndarray, masks: np.ndarray, games: Sequence[Game | None]) -> np.ndarray:
        """Return the chance to win that the next search finds for each action (``agents/advice.py``).

        The searches are those of the decisions that come next. A chance is the mean over the playouts
        of that plan of the action which was kept longest; plans that seem worse get fewer playouts.
        How many these were is in :attr:`advised_playouts` then.
        """
        values = np.full(masks.shape, -np.inf)
        self.advised_playouts = np.zeros(masks.shape, dtype=np.int64)
        for row, game in enumerate(games):
            if game is not None:
                self._search(row, game, self._decisions.get(row, 0))
                self._note_advice(masks[row], values[row], self.advised_playouts[row])
        return values

    def _note_advice(self, mask: np.ndarray, values: np.ndarray, playouts: np.ndarray) -> None:
        """Write what the last search has found for the legal actions, and in how many playouts."""
        tools = self._tools
        n_plans = int(np.count_nonzero(tools.plans[:, 0] >= 0))
        kept_longest = tools.alive[:n_plans]
        for plan, count in zip(kept_longest, playouts_of_plans(n_plans, self._last_playouts)):
            action = tools.ids[tools.plans[plan, 0]]
            if mask[action] and not playouts[action]:
                values[action], playouts[action] = tools.means[plan], count

    def _means(self, mask: np.ndarray) -> np.ndarray:
        """Return the means that the last search has found for the legal actions, -inf for others."""
        means = np.full(len(mask), -np.inf)
        plans = self._tools.plans[:, 0]
        for plan in np.flatnonzero(plans >= 0):
            action = self.table.ids[plans[plan]]
            if mask[action]:
                means[action] = max(means[action], self._tools.means[plan])
        return means

    def _decide(self, row: int, game: Game, mask: np.ndarray) -> int:
        decision = self._decisions.get(row, 0)
        self._decisions[row] = decision + 1
        action = self._search(row, game, decision)
        if mask[action]:
            return action
        # Hidden cards were dealt anew, and with expansions the deck may then have other cards to choose.
        return int(np.where(mask, np.maximum(self._means(mask), -1.0), -np.inf).argmax())

    def _search(self, row: int, game: Game, decision: int) -> int:
        playouts = self._playouts
        if self._milliseconds is not None:
            playouts = max(1, int(self._milliseconds * self._rate))
        self._last_playouts = playouts
        started = time.perf_counter()
        code = self._search_game(game.state, playouts, self._seeds.get(row, 0), decision, self._tools)
        if self._milliseconds is not None and decision > 0:
            # The first decision may have been waiting for the compiler.
            self._rate = playouts / max(1e-3, 1e3 * (time.perf_counter() - started))
        return int(self.table.ids[code])

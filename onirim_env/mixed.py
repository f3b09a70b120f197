"""MixedBatch: games side by side that are each of another rule set, under one layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from onirim_env.batch import GameBatch
from onirim_env.errors import quoted
from onirim_env.game import Game
from onirim_env.keywords import layout_rules
from onirim_env.rules import RuleSet


class MixedBatch(GameBatch):
    """A batch in which each game is dealt by a rule set drawn from several.

    Every game has the actions and observations of ``layout="full"``, in which it sees its expansions.

    Parameters
    ----------
    size
        Number of games.
    rule_sets
        The rule sets; they differ in expansions, harder variants and the options of expansions only.
    weights
        How often each is drawn, relative to the others; all the same when not given.
    seed
        Decides what is drawn.
    **options
        ``reward``, ``illegal_action``, ``talk``, ``partner_action`` and ``threads`` of :class:`GameBatch`.

    Attributes
    ----------
    rule_sets : tuple of RuleSet
        The rule sets.
    number : numpy.ndarray
        int64, shape (size,): of each game the index of its rule set.

    Raises
    ------
    ValueError
        For no rule sets, ones that differ in options of the base game, and weights that are none.
    """

    def __init__(
        self,
        size: int,
        rule_sets: Sequence[RuleSet],
        weights: Sequence[float] | None = None,
        seed: int = 0,
        **options: Any,
    ) -> None:
        self.rule_sets = tuple(rule_sets)
        base = {rules.base_game() for rules in self.rule_sets}
        if len(base) != 1:
            raise ValueError(
                f"rule_sets: {len(base) or 'no'} different base games; a mixed batch has exactly one"
            )
        shares = np.ones(len(self.rule_sets)) if weights is None else np.asarray(weights, dtype=np.float64)
        if shares.shape != (len(self.rule_sets),) or not (shares >= 0).all() or not shares.sum() > 0:
            raise ValueError(
                f"weights must be {len(self.rule_sets)} numbers from 0 on, not {quoted(weights)}"
            )
        super().__init__(size, layout_rules(base.pop(), "full"), layout="full", **options)
        self.number = np.zeros(size, dtype=np.int64)
        self._flags = np.array([rules.flags for rules in self.rule_sets], dtype=np.int64)
        self._shares = shares / shares.sum()
        self._rng = np.random.default_rng(seed)

    def deal(
        self, seeds: np.ndarray, which: np.ndarray | None = None, numbers: np.ndarray | None = None
    ) -> None:
        """Deal the games of ``seeds``, or only those of ``which``.

        Games with expansions are those that a batch of their rule set deals. Games without any have a
        larger record here, whose cards come in another order for the same seed.

        Parameters
        ----------
        seeds, which
            As of :meth:`GameBatch.deal`.
        numbers
            int64, shape (size,): of each game the index of its rule set; drawn when not given.
        """
        self._forget(slice(None) if which is None else which)
        rows = np.arange(len(self)) if which is None else np.flatnonzero(which)
        if numbers is None:
            self._draw(rows)
        else:
            self.number[rows] = numbers[rows]
        for number in np.unique(self.number[rows]):
            own = rows[self.number[rows] == number]
            chosen = self.states[own]
            self._engine.deal_games(chosen, seeds[own], self.rule_sets[number].flags)
            self.states[own] = chosen
        self.ended[rows] = False
        self.n_ended = int(self.ended.sum())

    def deal_next(self, which: np.ndarray) -> None:
        """Draw rule sets for the rows of ``which`` (bool), and deal the games that follow."""
        rows = np.flatnonzero(which)
        self._draw(rows)
        self.states["rules"][rows] = self._flags[self.number[rows]]
        super().deal_next(which)

    def game(self, row: int, position: Any = None, history: list[int] | None = None) -> Game:
        """Return a copy of the game of a row as it stands, under its own rule set; it has no record.

        Raises
        ------
        ValueError
            For a base game: its record here is that of games with expansions.
        """
        rules = self.rule_sets[self.number[row]]
        if not rules.expansions:
            raise ValueError(f"game {row} is a base game, which a mixed batch holds in a larger record")
        return Game._of(self.states[row : row + 1].copy(), rules, self.talk, "0x0", None, None)

    def _draw(self, rows: np.ndarray) -> None:
        self.number[rows] = self._rng.choice(len(self.rule_sets), size=len(rows), p=self._shares)

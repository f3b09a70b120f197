"""The rules agent: hand-made rules with weights, as a strong and fast bar for others."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from agents.base import Agent
from agents.compiled.rules_weights import weights_for, weights_record
from onirim_env.cards import DOORS_PER_COLOUR
from onirim_env.rules import RuleSet


class WholeObservations:
    """Turns observations of a rule set with expansions back into what the engine wrote."""

    def __init__(self, rules: RuleSet) -> None:
        from onirim_env.observation import FULL_SIZE, columns

        self._columns, self._size = columns(rules), FULL_SIZE

    def __call__(self, observations: np.ndarray) -> np.ndarray:
        """Return float32, shape (n, whole size)."""
        whole = np.zeros((len(observations), self._size), dtype=np.float32)
        whole[:, self._columns] = observations
        return whole


class RulesAgent(Agent):
    """Scores each legal action by what it gains and what it leaves, with weights that have names.

    Parameters
    ----------
    rules, talk
        As for every agent.
    weights
        A value for each name of ``agents.compiled.rules_weights.WEIGHTS``; those of that table by default.
    """

    name = "rules"
    advice_unit = "score"

    def __init__(
        self,
        rules: RuleSet | None = None,
        talk: str = "open",
        weights: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(rules, talk)
        from agents.compiled.rules_policy import choose
        from agents.compiled.rules_view import VIEW, read_views

        self._choose, self._read_views, self._view_type = choose, read_views, VIEW
        if weights is None:
            weights = weights_for(self.rules.players)
        self._weights = weights_record(weights)
        self._whole_prophecies = self.rules.prophecy_actions == "permutation"
        # In co-op a second Door of a colour is of no use (C-8).
        self._doors_to_win = DOORS_PER_COLOUR // self.rules.players
        self._whole = WholeObservations(self.rules) if self.rules.expansions else None

    def act(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Take the legal action with the highest score."""
        if self._whole is not None:
            best: np.ndarray = self._expansion_scores(observations, masks).argmax(axis=1)
            return best
        actions = np.empty(len(masks), dtype=np.int64)
        self._choose(self._weights, self._views(observations), masks, self.table.codes, actions)
        return actions

    def advise(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the scores of the legal actions (``agents/advice.py``)."""
        if self._whole is not None:
            return self._expansion_scores(observations, masks)
        from agents.compiled.rules_scores import write_scores

        scores = np.full(masks.shape, -np.inf)
        write_scores(self._weights, self._views(observations), masks, self.table.codes, scores)
        return scores

    def _expansion_scores(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        from agents.compiled.expansion_policy import write_expansion_scores
        from agents.compiled.expansion_view import doors_to_win

        assert self._whole is not None
        scores = np.full(masks.shape, -np.inf)
        write_expansion_scores(
            self._weights,
            doors_to_win(self.rules),
            self._whole_prophecies,
            self._whole(observations),
            np.empty(1, dtype=self._view_type),
            masks,
            self.table.codes,
            scores,
        )
        return scores

    def _views(self, observations: np.ndarray) -> np.ndarray:
        views = np.empty(len(observations), dtype=self._view_type)
        self._read_views(observations, self._doors_to_win, self._whole_prophecies, views)
        return views

"""How likely a game is won, as the value network of the search agent sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agents.base import decide
from agents.registry import load_agent
from agents.rules_agent import WholeObservations
from agents.search_value import network_for, read_network
from onirim_env.observation import observation_size
from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from onirim_env.game import Game

WAYS_ON = 32
"""How many ways to the next turn are tried where a turn is under way."""


class WinChance:
    """Estimates the chance to win from what the player to move may know.

    The network has learned from positions in which a turn begins. In the middle of a turn the rules
    agent plays on to the next one, several times, from hidden cards dealt anew; the mean counts.

    Parameters
    ----------
    rules, talk
        Of the games.
    """

    label = "Chance to win, as the value network of search sees it"

    def __init__(self, rules: RuleSet, talk: str) -> None:
        knows_modules = rules.expansions and rules.players == 1
        self._network = (network_for(rules) if knows_modules else read_network(rules.players))[0]
        self._whole = WholeObservations(rules) if knows_modules else None
        # A network that knows the base game only sees its entries, which come first.
        self._n_inputs = observation_size(RuleSet(players=rules.players))
        self._agent = load_agent("rules", rules=rules, talk=talk)

    def __call__(self, game: Game) -> float:
        """Return the estimate, from 0 to 1; of an ended game, whether it is won."""
        games = [game]
        if game.phase != "action" and not game.over:
            games = [game.copy() for _ in range(WAYS_ON)]
            for number, one in enumerate(games):
                one.determinize(game.player, number)
            self._play_to_next_turn(games)
        going_on = [one for one in games if not one.over]
        chances = self._estimates(going_on).sum() if going_on else 0.0
        return float(chances + sum(one.won for one in games)) / len(games)

    def _play_to_next_turn(self, games: list[Game]) -> None:
        while True:
            waiting = [game for game in games if game.phase != "action" and not game.over]
            if not waiting:
                return
            observations = np.stack([game.observation() for game in waiting])
            masks = np.stack([game.action_mask() for game in waiting])
            for game, action in zip(waiting, decide(self._agent, observations, masks)):
                game.apply(int(action))

    def _estimates(self, games: list[Game]) -> np.ndarray:
        network = self._network
        observations = np.stack([game.observation() for game in games])
        inputs = self._whole(observations) if self._whole else observations[:, : self._n_inputs]
        first = np.maximum(0, inputs @ network["first"][: inputs.shape[1]] + network["first_bias"])
        second = np.maximum(0, first @ network["second"] + network["second_bias"])
        logits = second @ network["third"] + network["third_bias"]
        chances: np.ndarray = 1 / (1 + np.exp(-logits.astype(np.float64)))
        return chances

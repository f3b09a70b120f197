"""How likely a game is won, as the value network of the search agent sees it; and what networks do not know.

Networks have learned from games of some rules. Asked about others they answer, too, but of another game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from agents.base import Agent, Misfit, decide
from agents.compiled.networks import make_network
from agents.compiled.search_value import network_for
from agents.network_agent import NetworkAgent
from agents.registry import load_agent
from agents.rules_agent import WholeObservations
from agents.search import SearchAgent
from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from onirim_env.game import Game

WAYS_ON = 32
"""How many ways to the next turn are tried where a turn is under way."""


SAME_GAME = ("prophecy_actions", "draft")
"""Options that a position at the beginning of a turn does not depend on: how Prophecies are entered, and
how the first hands came about."""
ONLY_TOGETHER = ("duplicate_door", "shared_refill", "draft")
"""Options that say nothing of a game for one."""


def changed_options(rules: RuleSet, known: RuleSet) -> str:
    """Return the options that make a game another one than those of known rules, in words; empty for none.

    Parameters
    ----------
    rules
        The rules of the game.
    known
        The rules of the games that somebody has learned from. Its expansions do not count.
    """
    learned = {**RuleSet(expansions=rules.expansions).as_dict(), **known.base_game().as_dict()}
    other = [
        f"{name}={value}"
        for name, value in rules.as_dict().items()
        if name not in (*SAME_GAME, "players", "expansions", "hard")
        and not (rules.players == 1 and name in ONLY_TOGETHER)
        and value != learned[name]
    ]
    return ", ".join(other)


def unknown_to_values(rules: RuleSet) -> str:
    """Return what of some rules the value networks of ``search`` have not learned; empty for nothing.

    They have learned from games with the default rules: base games for one and two, and games for one with
    every expansion and harder variant (``agents/search_train.py``).
    """
    together = "expansions for two players" if rules.expansions and rules.players > 1 else ""
    options = changed_options(rules, RuleSet(players=rules.players))
    return " and ".join(filter(None, [together, options]))


def caution_of(agent: Agent) -> str:
    """Return in a sentence what an agent's networks do not know of its rules; empty where they know them."""
    other = ""
    if isinstance(agent, NetworkAgent):
        other = changed_options(agent.rules, RuleSet(**agent.about["rules"]))
        if agent.rules.players > 1 and agent.talk != agent.about["talk"]:
            other = ", ".join(filter(None, [other, f"{agent.talk} talk"]))
    elif isinstance(agent, SearchAgent) and not (agent.rules.expansions and agent.rules.players > 1):
        # With expansions for two it plays to the end, and asks no network.
        other = unknown_to_values(agent.rules)
    return (
        f"{agent.name} has learned from games without {other}: its values are those of other games."
        if other
        else ""
    )


class WinChance:
    """Estimates the chance to win from what the player to move may know.

    The network has learned from positions in which a turn begins. In the middle of a turn the rules
    agent plays on to the next one, several times, from hidden cards dealt anew; the mean counts.

    Parameters
    ----------
    rules, talk
        Of the games.

    Raises
    ------
    Misfit
        For rules that no network has learned; the message is a sentence.
    """

    label = "Chance to win, as the value network of search sees it"

    def __init__(self, rules: RuleSet, talk: str) -> None:
        unknown = unknown_to_values(rules)
        if unknown:
            raise Misfit(
                f"No chance to win is shown: no value network has learned from games with {unknown}."
            )
        network = network_for(rules)
        if network is None:
            raise Misfit(f"No chance to win is shown: no value network knows {rules}.")
        self._logits = make_network(network.form, network.arrays, network.tables)
        self._whole = WholeObservations(rules) if rules.expansions else None
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
        observations = np.stack([game.observation() for game in games])
        inputs = self._whole(observations) if self._whole else observations
        chances: np.ndarray = 1 / (1 + np.exp(-self._logits(inputs)[:, 0]))
        return chances

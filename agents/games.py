"""What an agent is given beside observations: seeds of its own, and games that a planner may search."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from agents.base import Agent
    from onirim_env.game import Game

_AGENT_STREAM = 1
_PLANNER_STREAM = 2


def _seed(seed: int, *key: int) -> int:
    """Return another seed, which follows from a seed and a key but does not lead back to it."""
    state = np.random.SeedSequence(seed, spawn_key=key).generate_state(1, np.uint64)
    return int(state[0]) >> 1


def agent_seeds(seeds: np.ndarray) -> np.ndarray:
    """Return the seeds of an agent's own randomness in the games of ``seeds``: int64, shape (k,).

    They follow from the games' seeds, but are not these: an agent that had them could deal the same
    game and see its deck.
    """
    return np.array([_seed(int(seed), _AGENT_STREAM) for seed in seeds], dtype=np.int64)


def view_for(agent: Agent, game: Game) -> tuple[np.ndarray, np.ndarray]:
    """Return observation and mask of the player to move, as an agent knows them, without the first axis."""
    return game.observation(layout=agent.layout), game.action_mask(agent.layout)


def id_in(game: Game, agent: Agent, action: int) -> int:
    """Return the id that an action of an agent has in a game's own table; it must be legal there."""
    return action if agent.layout == "own" else game.table.id(agent.table.text(action))


class SearchableGame:
    """A game that is followed move by move, so that a planner can be given copies of it.

    Parameters
    ----------
    seed
        Seed of the game, as for :class:`onirim_env.Game`.
    rules, talk
        Its rules.

    Attributes
    ----------
    game : onirim_env.Game
        The game itself, hidden cards included: not for agents.
    """

    def __init__(self, seed: int, rules: RuleSet, talk: str) -> None:
        from onirim_env.game import Game

        self.game = Game(rules, seed, talk=talk)
        self._seed = seed
        self._copies = 0

    def for_planner(self) -> Game:
        """Return a copy in which what the player to move cannot know is dealt anew."""
        game = self.game.copy()
        game.determinize(game.player, _seed(self._seed, _PLANNER_STREAM, self._copies))
        self._copies += 1
        return game

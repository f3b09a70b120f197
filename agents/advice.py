"""Advice: what an agent thinks of the actions it did not take, for people who play with a hint.

An agent that can say so has two things more than the others; nothing else asks for them::

    advice_unit = "probability"  # or "win chance", "score"

    def advise(self, observations, masks):  # and the games, for a planner
        ...  # float64, shape (n, n_actions)

One that tries actions out notes in ``advised_playouts`` (int64, shape (n, n_actions)) how many playouts are
behind the values of the last ``advise``; they are shown with them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Protocol, runtime_checkable

import numpy as np

from agents.base import Agent
from agents.games import id_in, view_for

if TYPE_CHECKING:
    from onirim_env.game import Game

ADVICE_UNITS = ("probability", "win chance", "score")
"""What the values of an advice can be. Only those of one row compare, and a higher one is better."""


@runtime_checkable
class Adviser(Protocol):
    """An agent that says what it thinks of every legal action.

    Attributes
    ----------
    advice_unit
        What its values are: one of :data:`ADVICE_UNITS`.
    """

    advice_unit: ClassVar[str]

    def advise(self, observations: np.ndarray, masks: np.ndarray, *games: Any) -> np.ndarray | None:
        """Return a value for each action in each game.

        It changes nothing: what the agent decides before and after is the same.

        Parameters
        ----------
        observations, masks, games
            As for :meth:`agents.base.Agent.act`.

        Returns
        -------
        numpy.ndarray or None
            float64, shape (n, n_actions): what it thinks of each action, ``-inf`` (0 for a
            probability) for one that is not legal. None where it has nothing to say.
        """


def values_of(agent: Agent, game: Game, *games: Any) -> dict[int, float]:
    """Return what an agent thinks of the legal actions of a game, by their ids; empty if it does not say.

    Parameters
    ----------
    agent
        The agent; it need not be an :class:`Adviser`.
    game
        The game.
    games
        A list of one game, for a planner.
    """
    if not isinstance(agent, Adviser):
        return {}
    observation, mask = view_for(agent, game)
    values = agent.advise(observation[None], mask[None], *games)
    if values is None:
        return {}
    return {id_in(game, agent, action): float(values[0, action]) for action in np.flatnonzero(mask).tolist()}

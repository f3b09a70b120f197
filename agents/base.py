"""Agent: what every agent of this folder is, and how one is asked for its decisions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from onirim_env.actions import ActionTable, action_table
from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from onirim_env.game import Game


class Misfit(ValueError):
    """An agent that cannot play the rules it was asked to play."""


class Agent(ABC):
    """A player of Onirim that decides in many games at once.

    To add one, write a file in this folder with one subclass that gives ``name`` as a literal text
    and :meth:`act`; ``python -m agents`` finds it, and ``tests/agents`` tests it. The first line of
    the class docstring is what the list shows. In co-op an agent plays both seats, each decision
    from the view of the player to move alone.

    What an agent decides in a game may depend on what it is given for that game and on the seeds of
    :meth:`start`, and on nothing else: not on the other rows, their number or their order.

    Parameters
    ----------
    rules
        The rule set of its games; the default solo rules when it is not given.
    talk
        Co-op: ``"open"`` or ``"closed"``.

    Attributes
    ----------
    name
        The name that it is found by.
    needs_games
        Whether :meth:`act` gets games to search as its third argument.
    needs_players
        Whether :meth:`act` gets ``players=``, the numbers of the players to move. Only a pair of
        agents does: everything that matters is seen from the player to move.
    layout
        Which observations and actions it knows: ``"own"``, those of its rules, or ``"full"``, those of
        all expansions (:func:`onirim_env.keywords.layout_rules`).
    table
        The actions that it chooses from.
    """

    name: ClassVar[str]
    needs_games: ClassVar[bool] = False
    needs_players: ClassVar[bool] = False
    layout: str = "own"

    def __init__(self, rules: RuleSet | None = None, talk: str = "open") -> None:
        from onirim_env.keywords import TALKS
        from onirim_env.shells.choices import check_choice

        check_choice("talk", talk, TALKS)
        self.rules = rules if rules is not None else RuleSet()
        self.talk = talk

    @property
    def table(self) -> ActionTable:
        """The actions that it chooses from."""
        from onirim_env.keywords import layout_rules

        return action_table(layout_rules(self.rules, self.layout))

    def start(self, rows: np.ndarray, seeds: np.ndarray) -> None:  # noqa: B027
        """Learn that new games begin; an agent without randomness or memory needs none of it.

        Parameters
        ----------
        rows
            int64, shape (k,): the rows of later calls of :meth:`act` in which games begin.
        seeds
            int64, shape (k,): where the agent's own randomness in these games has to come from.
            They are not the seeds that the games are dealt from.
        """

    # The open parameters let a subclass declare just what it takes: a third argument or none.
    @abstractmethod
    def act(self, observations: np.ndarray, masks: np.ndarray, *games: Any, **options: Any) -> np.ndarray:
        """Decide in each game.

        Parameters
        ----------
        observations
            float32, shape (n, observation size): what the players to move see
            (:func:`onirim_env.observation_layout`).
        masks
            int8, shape (n, n_actions): the legal actions. All ones for a row without a game, whose
            action is ignored.
        games
            Only with ``needs_games``: one list of n games, :class:`onirim_env.Game` or None for a
            row without one. What the player to move cannot know is dealt anew in each, so they may
            be searched, and changed, at will.

        Returns
        -------
        numpy.ndarray
            int64, shape (n,): ids of legal actions.
        """


def decide(
    agent: Agent,
    observations: np.ndarray,
    masks: np.ndarray,
    games: Sequence[Game | None] | None = None,
    players: np.ndarray | None = None,
) -> np.ndarray:
    """Ask an agent for its decisions, with what it needs for them, and check what comes back.

    Raises
    ------
    TypeError
        When the answer is not an int64 array of shape (n,).
    """
    needed = [games] if agent.needs_games else []
    options = {"players": players} if agent.needs_players else {}
    actions = agent.act(observations, masks, *needed, **options)
    right = isinstance(actions, np.ndarray) and actions.dtype == np.int64
    if not right or actions.shape != (len(masks),):
        raise TypeError(
            f"agent {agent.name!r}: act() must return an int64 array of shape ({len(masks)},), "
            f"not {getattr(actions, 'dtype', type(actions).__name__)} {getattr(actions, 'shape', '')}"
        )
    return actions

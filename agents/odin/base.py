"""OdinAgent: what every agent of Odin is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from onirim_env.odin.actions import ActionTable, action_table
from onirim_env.odin.rules import RuleSet


class OdinAgent(ABC):
    """A player of Odin that decides in many games at once, for one seat or for several.

    To add one, write a file in this folder with one subclass that gives ``name`` as a literal text and
    :meth:`act`; ``python -m agents --game odin`` finds it. The first line of the class docstring is what the
    list shows. What an agent decides in a game may depend on what it is given for that game and on the seeds
    of :meth:`start`, and on nothing else: not on the other rows, their number or their order.

    Parameters
    ----------
    rules
        The rule set of its games; the default rules when it is not given.

    Attributes
    ----------
    name
        The name that it is found by.
    needs_states
        Whether :meth:`act` gets records to search as its third argument.
    """

    name: ClassVar[str]
    needs_states: ClassVar[bool] = False

    def __init__(self, rules: RuleSet | None = None) -> None:
        self.rules = RuleSet() if rules is None else rules

    @property
    def table(self) -> ActionTable:
        """The actions that it chooses from."""
        return action_table(self.rules)

    def start(self, rows: np.ndarray, seeds: np.ndarray) -> None:  # noqa: B027
        """Learn that new games begin; an agent without randomness or memory needs none of it.

        Parameters
        ----------
        rows
            int64, shape (k,): the games, as :meth:`act` numbers them.
        seeds
            int64, shape (k,): where the agent's own randomness in these games has to come from.
        """

    # The open parameters let a subclass declare just what it takes: a fourth argument or none.
    @abstractmethod
    def act(self, rows: np.ndarray, observations: np.ndarray, masks: np.ndarray, *states: Any) -> np.ndarray:
        """Decide in some games, in each for the player to move.

        Parameters
        ----------
        rows
            int64, shape (n,): which games these are, as in :meth:`start`.
        observations
            float32, shape (n, 673): what the players to move see
            (:func:`onirim_env.odin.observation_layout`).
        masks
            int8, shape (n, n_actions): the legal actions.
        states
            Only with ``needs_states``: one array of records (``onirim_env.odin.engine.state.STATE``, shape
            (n,)). What the player to move cannot know is dealt anew in each, so they may be searched, and
            changed, at will.

        Returns
        -------
        numpy.ndarray
            int64, shape (n,): ids of legal actions.
        """


class SeededAgent(OdinAgent):
    """An agent with random numbers of its own for each game.

    Attributes
    ----------
    randoms
        uint64, by row: the state of a generator.
    """

    def __init__(self, rules: RuleSet | None = None) -> None:
        super().__init__(rules)
        self.randoms = np.zeros(0, dtype=np.uint64)

    def start(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Seed the random numbers of each game."""
        missing = int(rows.max(initial=-1)) + 1 - len(self.randoms)
        self.randoms = np.append(self.randoms, np.zeros(max(missing, 0), dtype=np.uint64))
        self.randoms[rows] = seeds.astype(np.uint64)

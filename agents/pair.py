"""A pair of different agents: one in each seat of a co-op game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from agents.base import Agent, Misfit, decide

SEPARATOR = "+"
"""Joins the names of a pair: ``rules+random`` is rules as player 0 and random as player 1."""


class Pair(Agent):
    """Two agents who play together; each decides for its own seat, from that seat's view.

    Parameters
    ----------
    partners
        The agents of player 0 and player 1, made for the same rules and talk.

    Raises
    ------
    Misfit
        For solo rules, or another number of agents than of players.
    ValueError
        For agents of different rules or talk.
    """

    needs_players = True

    def __init__(self, partners: Sequence[Agent]) -> None:
        super().__init__(partners[0].rules, partners[0].talk)
        self.name = SEPARATOR.join(partner.name for partner in partners)  # type: ignore[misc]
        self.needs_games = any(partner.needs_games for partner in partners)  # type: ignore[misc]
        self.partners = tuple(partners)
        self.layout = partners[0].layout
        if len(partners) != self.rules.players or self.rules.players == 1:
            raise Misfit(f"agents {self.name}: {len(partners)} agents for {self.rules.players} player(s)")
        for partner in partners:
            if (partner.rules, partner.talk) != (self.rules, self.talk):
                raise ValueError(f"agents {self.name}: made for different rules or talk")
            if partner.layout != self.layout:
                raise Misfit(f"agents {self.name}: they know different layouts of actions and observations")

    def start(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Tell both; each has its own random numbers."""
        for seat, partner in enumerate(self.partners):
            partner.start(rows, seeds ^ seat)

    def act(self, observations: np.ndarray, masks: np.ndarray, *games: Any, **options: Any) -> np.ndarray:
        """Ask each agent about all rows, and take its decisions where it is to move.

        ``players``, int64, shape (n,), has the player to move of each row.
        """
        players = options["players"]
        actions = np.empty(len(masks), dtype=np.int64)
        for seat, partner in enumerate(self.partners):
            mine = players == seat
            # Rows of the other seat are no decisions of this agent: an open mask says so. It is asked
            # all the same, for how often an agent is asked must not depend on the other rows.
            own_masks = np.where(mine[:, None], masks, np.int8(1))
            own_games = _games_of(games[0], mine) if games else None
            actions[mine] = decide(partner, observations, own_masks, own_games)[mine]
        return actions


def _games_of(games: Sequence[Any], mine: np.ndarray) -> list[Any]:
    return [game if own else None for game, own in zip(games, mine)]

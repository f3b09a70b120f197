"""What the partner did last, as an optional field of observations in co-op.

In closed talk the partner's decisions tell something of the partner's cards; no other field holds them.
"""

from __future__ import annotations

import numpy as np

from onirim_env.actions import ActionTable, verb_name
from onirim_env.cards import MAX_PLAYERS
from onirim_env.expansions.looks import SECRET_VERBS


def is_secret(table: ActionTable) -> np.ndarray:
    """Return which actions a partner in closed talk does not see: bool, shape (n_actions,)."""
    return np.array([verb_name(int(code)) in SECRET_VERBS for code in table.codes], dtype=np.bool_)


class PartnerActions:
    """The latest decisions of each player of many games.

    They are those that a player took one after the other, with none of the partner's between them; the first
    one after the partner's begins anew.

    Parameters
    ----------
    size
        Number of games.
    table
        The actions.
    closed
        Whether the players are in closed talk: then where hidden cards were put is not told.
    """

    def __init__(self, size: int, table: ActionTable, closed: bool) -> None:
        self._taken = np.zeros((size, MAX_PLAYERS, len(table)), dtype=np.float32)
        self._last = np.full(size, -1, dtype=np.int64)
        self._told = (~is_secret(table) if closed else np.ones(len(table), np.bool_)).astype(np.float32)

    def forget(self, which: np.ndarray | int) -> None:
        """Forget what was done in the games of ``which``: others begin there."""
        self._taken[which] = 0.0
        self._last[which] = -1

    def note(self, rows: np.ndarray, players: np.ndarray, actions: np.ndarray) -> None:
        """Note decisions.

        Parameters
        ----------
        rows, players, actions
            int64, shape (n,): the games, who decided, and the ids of the actions.
        """
        anew = self._last[rows] != players
        self._taken[rows[anew], players[anew]] = 0.0
        self._taken[rows, players, actions] = self._told[actions]
        self._last[rows] = players

    def seen_by(self, players: np.ndarray | int, rows: np.ndarray | None = None) -> np.ndarray:
        """Return the field for one player of each game (of ``rows``): float32, shape (n, n_actions)."""
        rows = np.arange(len(self._last)) if rows is None else rows
        seen: np.ndarray = self._taken[rows, 1 - np.asarray(players, dtype=np.int64)]
        return seen

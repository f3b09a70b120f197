"""What the partner did last, as an optional field of observations in co-op.

In closed talk the partner's decisions tell something of the partner's cards; no other field holds them.
"""

from __future__ import annotations

import numpy as np

from onirim_env.actions import FIRST_MODULE_CODE, VERBS, ActionTable, action_table
from onirim_env.cards import MAX_PLAYERS
from onirim_env.modules import verbs as module_verbs
from onirim_env.modules.looks import SECRET_VERBS
from onirim_env.observation import Field
from onirim_env.rules import RuleSet

NAME = "partner_action"
_BASE_FAMILIES = tuple(verb.name for verb in VERBS for _ in verb.texts)


def check_partner_action(partner_action: bool, rules: RuleSet) -> None:
    """Refuse anything else than a bool, and the field where there is no partner.

    Raises
    ------
    ValueError
        The message says what is allowed.
    """
    if not isinstance(partner_action, (bool, np.bool_)):
        raise ValueError(f"{NAME} must be True or False, not {partner_action!r}")
    if partner_action and rules.players == 1:
        raise ValueError(f"{NAME} needs two players: alone there is no partner")


def partner_field(rules: RuleSet | None) -> Field:
    """Return the field: an entry for each action of the rule set's table.

    Raises
    ------
    ValueError
        For rules of one player.
    """
    rules = RuleSet() if rules is None else rules
    check_partner_action(True, rules)
    texts = action_table(rules).texts
    ones = (1.0,) * len(texts)
    return Field(NAME, texts, ones, ones, "what the partner did when last to decide, one decision or several")


def is_secret(table: ActionTable) -> np.ndarray:
    """Return which actions a partner in closed talk does not see: bool, shape (n_actions,)."""
    return np.array([_family(int(code)) in SECRET_VERBS for code in table.codes], dtype=np.bool_)


def _family(code: int) -> str:
    if code < FIRST_MODULE_CODE:
        return _BASE_FAMILIES[code]
    return module_verbs.VERBS[(code - FIRST_MODULE_CODE) // module_verbs.STRIDE].name


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

"""The action table of Odin: every decision has an id and a text (OD-A1 to OD-A3)."""

from __future__ import annotations

from functools import cache

import numpy as np

from onirim_env.errors import quoted
from onirim_env.odin.cards import CARD_NAMES, GOAT, N_PLAIN, bits_of, sets_of_several
from onirim_env.odin.rules import RuleSet

END = N_PLAIN
PASS = END + 1
FIRST_TAKE = PASS + 1
PLAY_GOAT = FIRST_TAKE + N_PLAIN
TAKE_GOAT = PLAY_GOAT + 1
"""Ids of actions; below ``END`` the id of a play is its card."""


def first_whole(goat: bool) -> int:
    """Return the id of the first whole play of two cards."""
    return TAKE_GOAT + 1 if goat else PLAY_GOAT


class ActionTable:
    """Ids and texts of the actions of a rule set.

    Parameters
    ----------
    rules
        The rule set; the default rules when it is not given.

    Attributes
    ----------
    texts : tuple of str
        The text of each id.
    wholes : numpy.ndarray
        uint64: the cards of each whole play of two and more, as bits, in the order of ids; empty unless
        ``play_actions="whole"``.

    Examples
    --------
    >>> table = ActionTable()
    >>> table.id_of("pass"), table.text(0)
    (55, 'play red 1')
    """

    def __init__(self, rules: RuleSet | None = None) -> None:
        rules = RuleSet() if rules is None else rules
        plain = CARD_NAMES[:N_PLAIN]
        texts = [*(f"play {card}" for card in plain), "end", "pass", *(f"take {card}" for card in plain)]
        if rules.goat:
            texts += [f"play {CARD_NAMES[GOAT]}", f"take {CARD_NAMES[GOAT]}"]
        sets = sets_of_several(rules.goat) if rules.play_actions == "whole" else []
        texts += ["play " + ", ".join(CARD_NAMES[card] for card in cards) for cards in sets]
        self.rules = rules
        self.texts = tuple(texts)
        self.wholes = np.array([bits_of(cards) for cards in sets], dtype=np.uint64)
        self._ids = {text: number for number, text in enumerate(texts)}

    def __len__(self) -> int:
        return len(self.texts)

    def text(self, action: int) -> str:
        """Return the text of an id.

        Raises
        ------
        ValueError
            For what is no id.
        """
        whole = isinstance(action, (int, np.integer)) and not isinstance(action, bool)
        if not whole or not 0 <= action < len(self):
            raise ValueError(f"no action {quoted(action)}; ids are 0 to {len(self) - 1}")
        return self.texts[action]

    def id_of(self, text: str) -> int:
        """Return the id of a text.

        Raises
        ------
        ValueError
            For what is no text of an action.
        """
        if text not in self._ids:
            raise ValueError(f"no action {quoted(text)}")
        return self._ids[text]


@cache
def _table(goat: bool, play_actions: str) -> ActionTable:
    return ActionTable(RuleSet(goat=goat, play_actions=play_actions))


def action_table(rules: RuleSet) -> ActionTable:
    """Return the table of a rule set, the same object for all with the same actions."""
    return _table(rules.goat, rules.play_actions)

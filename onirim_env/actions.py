# ruff: noqa: E501  (the table of verbs has one line each)
"""The action table: every decision has an id and a text, by rule set.

The engine knows one *code* for each action of any rule set; a rule set offers a subset of them,
numbered from 0 in the same order. Under the default solo rules, codes and ids 0 to 69 are equal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import permutations
from typing import NamedTuple

import numpy as np

from onirim_env.cards import COLOURS, KIND_NAMES, LOCATION_NAMES, PROPHECY_SIZE
from onirim_env.errors import quoted
from onirim_env.expansions import (
    ALL_KIND_NAMES,
    ALL_KIND_OF_NAME,
    EXPANSION_TABLES,
    form,
    kind_counts,
    names_of,
    shared,
)
from onirim_env.rules import EXPANSIONS, RuleSet


class Verb(NamedTuple):
    """A family of actions: one text for each of its arguments, at consecutive codes."""

    name: str
    texts: tuple[str, ...]
    applies: Callable[[RuleSet], bool]
    meaning: str


def _each(template: str, arguments: Sequence[str]) -> tuple[str, ...]:
    return tuple(template.format(argument) for argument in arguments)


def _always(rules: RuleSet) -> bool:
    return True


def _co_op(rules: RuleSet) -> bool:
    return rules.players > 1


ORDERS = tuple(
    (discarded, *rest)
    for discarded in range(PROPHECY_SIZE)
    for rest in permutations([place for place in range(PROPHECY_SIZE) if place != discarded])
)
"""Whole Prophecies: the revealed place that is discarded, then the others, first one on top."""

VERBS: tuple[Verb, ...] = (
    Verb("PLAY", _each("play {}", LOCATION_NAMES), _always, "put a card of the hand in the row (P-1)"),
    Verb("DISCARD", _each("discard {}", LOCATION_NAMES), _always, "discard a card of the hand (P-7); a Key gives a Prophecy (P-8)"),
    Verb("PROPHECY_DISCARD", _each("prophecy discard {}", KIND_NAMES), _always, "discard one of the revealed cards (P-8)"),
    Verb("PROPHECY_PLACE", _each("prophecy place {}", KIND_NAMES), _always, "put the next revealed card back; first placed is drawn first (P-8)"),
    Verb("OPEN_DOOR", ("open door",), _always, "spend the Key and gain the drawn Door (F-3)"),
    Verb("REFUSE_DOOR", ("refuse door",), _always, "keep the Key; the Door goes to Limbo (F-3)"),
    Verb("NIGHTMARE_KEY", _each("nightmare discard {} key", COLOURS), _always, "resolve a Nightmare with a Key (N-1)"),
    Verb("NIGHTMARE_DOOR", _each("nightmare return {} door", COLOURS), _always, "resolve a Nightmare with a Door in play (N-2)"),
    Verb("NIGHTMARE_REVEAL", ("nightmare reveal five",), _always, "resolve a Nightmare with the next five cards (N-3)"),
    Verb("NIGHTMARE_HAND", ("nightmare discard hand",), _always, "resolve a Nightmare with the whole hand (N-4)"),
    Verb("PROPHECY_NOTHING", ("prophecy discard nothing",), lambda rules: rules.prophecy_discard == "optional", "discard none of the revealed cards (O-1)"),
    Verb("SEARCH", ("search",), lambda rules: rules.series_search == "choice", "search the deck for a Door and shuffle it (O-6)"),
    Verb("PASS", ("pass",), lambda rules: rules.series_search == "choice", "leave the deck as it is (O-6)"),
    Verb("PLAY_SHARED", _each("play shared {}", LOCATION_NAMES), _co_op, "put a shared card in the own row (C-3)"),
    Verb("DISCARD_SHARED", _each("discard shared {}", LOCATION_NAMES), _co_op, "discard a shared card (C-3)"),
    Verb("OPEN_DOOR_SHARED", ("open door with shared key",), _co_op, "spend a shared Key and gain the drawn Door (C-3)"),
    Verb("NIGHTMARE_KEY_SHARED", _each("nightmare discard shared {} key", COLOURS), _co_op, "resolve a Nightmare with a shared Key (C-3)"),
    Verb("NO_SWAP", ("no swap",), _co_op, "swap nothing after a discard (C-7)"),
    Verb("SWAP_OUT", _each("swap out {}", LOCATION_NAMES), _co_op, "put up a personal card for a swap (C-7)"),
    Verb("SWAP_IN", _each("swap in {}", LOCATION_NAMES), _co_op, "take a shared card for it (C-7)"),
    Verb("TAKE", _each("take {}", LOCATION_NAMES), _co_op, "pick a face-up card in the draft (C-1)"),
    Verb(
        "PROPHECY_ORDER",
        tuple(
            "prophecy discard place {} then {} {} {} {}".format(*(place + 1 for place in order))
            for order in ORDERS
        ),
        lambda rules: rules.prophecy_actions == "permutation",
        "a whole Prophecy at once: the revealed place to discard, then the order of the others",
    ),
)  # fmt: skip
"""The one table of actions, in the order of their codes."""

TEXTS: tuple[str, ...] = tuple(text for verb in VERBS for text in verb.texts)
"""The text of each code."""

N_CODES = len(TEXTS)
_VERB_OF_CODE = tuple(verb.name for verb in VERBS for _ in verb.texts)
FIRST_EXPANSION_CODE = 512
"""The codes of expansions begin here."""
STRIDE = 64
"""Every family of theirs has room for so many arguments: verb and argument of a code come by division."""


class ExpansionVerb(NamedTuple):
    """A family of actions that expansions bring.

    Attributes
    ----------
    name
        Its name in the engine.
    texts
        The text of each argument.
    cards
        Whether the arguments are kinds of cards.
    expansions
        It is there where one of these expansions is.
    co_op
        Whether it is there with two players only.
    meaning
        One line for the documentation.
    when
        As of :class:`~onirim_env.expansions.form.Verb`.
    """

    name: str
    texts: Mapping[int, str]
    cards: bool
    expansions: tuple[str, ...]
    co_op: bool
    meaning: str
    when: Callable[[RuleSet, str], bool]


def _expansion_verb(verb: form.Verb, expansions: Iterable[str]) -> ExpansionVerb:
    words, cards = verb.arguments, not isinstance(verb.arguments, Mapping)
    if not isinstance(words, Mapping):
        words = {ALL_KIND_OF_NAME[name]: name for name in names_of(words)}
    texts = {argument: verb.text.format(word) for argument, word in words.items()}
    assert max(texts) < STRIDE, verb.name
    return ExpansionVerb(verb.name, texts, cards, tuple(expansions), verb.co_op, verb.meaning, verb.when)


EXPANSION_VERBS: tuple[ExpansionVerb, ...] = (
    *(_expansion_verb(verb, EXPANSIONS) for verb in shared.WITH_ANY),
    *(
        _expansion_verb(
            verb, (expansion.keyword for expansion in EXPANSION_TABLES if verb.name in expansion.uses)
        )
        for verb in shared.USED
    ),
    *(
        _expansion_verb(verb, (expansion.keyword,))
        for expansion in EXPANSION_TABLES
        for verb in expansion.verbs
    ),
)
"""The families of actions that expansions bring, in the order of their codes: those of ``shared`` first."""

EXPANSION_VERB_INDEX = {verb.name: index for index, verb in enumerate(EXPANSION_VERBS)}


@cache
def _present_names(expansions: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the kinds that a game with some expansions has."""
    return frozenset(name for name, count in zip(ALL_KIND_NAMES, kind_counts(expansions)) if count)


def _offered(rules: RuleSet) -> list[tuple[int, str]]:
    """Return codes (from 0 on) and texts of the actions that the expansions of a rule set bring."""
    present = _present_names(rules.expansions)
    return [
        (index * STRIDE + argument, text)
        for index, verb in enumerate(EXPANSION_VERBS)
        if any(keyword in rules.expansions for keyword in verb.expansions)
        and (rules.players > 1 or not verb.co_op)
        for argument, text in verb.texts.items()
        if (not verb.cards or ALL_KIND_NAMES[argument] in present) and verb.when(rules, text)
    ]


def first_code(name: str) -> int:
    """Return the code of the first action of a verb, by the verb's name."""
    code = 0
    for verb in VERBS:
        if verb.name == name:
            return code
        code += len(verb.texts)
    raise KeyError(name)


def verb_name(code: int) -> str:
    """Return the name of the family of a code."""
    if code < FIRST_EXPANSION_CODE:
        return _VERB_OF_CODE[code]
    return EXPANSION_VERBS[(code - FIRST_EXPANSION_CODE) // STRIDE].name


class ActionTable:
    """The actions that a rule set offers.

    Parameters
    ----------
    rules
        A rule set; the default solo rules when it is not given.

    Attributes
    ----------
    rules : RuleSet
        The rule set of the table.
    texts : tuple of str
        The text of each id.
    codes : numpy.ndarray
        int16, shape (n_actions,): the engine's code of each id.
    ids : numpy.ndarray
        int16, shape (number of codes,): the id of each code, -1 for a code that is not offered.

    Examples
    --------
    >>> table = ActionTable()
    >>> len(table), table.text(0), table.id("nightmare discard hand")
    (70, 'play red sun', 69)
    """

    def __init__(self, rules: RuleSet | None = None) -> None:
        self.rules = rules if rules is not None else RuleSet()
        codes: list[int] = []
        code = 0
        for verb in VERBS:
            if verb.applies(self.rules):
                codes.extend(range(code, code + len(verb.texts)))
            code += len(verb.texts)
        texts = [TEXTS[code] for code in codes]
        n_codes = N_CODES
        if self.rules.expansions:
            for offset, text in _offered(self.rules):
                codes.append(FIRST_EXPANSION_CODE + offset)
                texts.append(text)
            n_codes = FIRST_EXPANSION_CODE + len(EXPANSION_VERBS) * STRIDE
        self.texts = tuple(texts)
        self.codes = np.array(codes, dtype=np.int16)
        self.ids = np.full(n_codes, -1, dtype=np.int16)
        self.ids[codes] = np.arange(len(codes), dtype=np.int16)
        self.codes.flags.writeable = False
        self.ids.flags.writeable = False
        self._id_of_text = {text: action for action, text in enumerate(self.texts)}

    def __len__(self) -> int:
        return len(self.texts)

    def __reduce__(self) -> tuple[Callable[[RuleSet], ActionTable], tuple[RuleSet]]:
        # Copies share the table: its arrays are read-only, which numpy's own copies are not, and the
        # engine would be compiled once more for them.
        return action_table, (self.rules,)

    def text(self, action: int) -> str:
        """Return the text of an action id; IndexError names the range for an unknown one."""
        if not 0 <= action < len(self.texts):
            raise IndexError(f"no action {action}; ids are 0 to {len(self.texts) - 1}")
        return self.texts[action]

    def id(self, text: str) -> int:
        """Return the id of an action text; KeyError for a text that the rule set does not have."""
        try:
            return self._id_of_text[text]
        except KeyError:
            raise KeyError(f"no action {quoted(text)} under {self.rules}") from None


@cache
def action_table(rules: RuleSet) -> ActionTable:
    """Return the (shared) action table of a rule set."""
    return ActionTable(rules)

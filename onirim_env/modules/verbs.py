"""The actions that modules bring, as families of texts: those of ``shared``, then each module's.

Every family has room for ``STRIDE`` arguments, so that the engine finds verb and argument of a code by
division. Where the argument is a card, it is the kind. A rule set has the actions whose cards and
modules it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import NamedTuple

from onirim_env.modules import ALL_KIND_NAMES, ALL_KIND_OF_NAME, MODULES, kind_counts, names_of, shared
from onirim_env.modules.table import DOORS, Group, Verb
from onirim_env.rules import EXPANSIONS, RuleSet

STRIDE = 64
ROW_CARDS = names_of(Group.ROW)
HAND_CARDS = names_of(Group.HAND)
LOCATIONS = names_of(Group.LOCATIONS)
__all__ = [
    "DOORS",
    "HAND_CARDS",
    "LOCATIONS",
    "ROW_CARDS",
    "STRIDE",
    "VERBS",
    "VERB_INDEX",
    "Family",
    "offered",
]


class Family(NamedTuple):
    """A family of actions of modules.

    Attributes
    ----------
    name
        Its name in the engine.
    texts
        The text of each argument.
    cards
        Whether the arguments are kinds of cards.
    modules
        It is there where one of these modules is.
    co_op
        Whether it is there with two players only.
    meaning
        One line for the documentation.
    when
        As of :class:`~onirim_env.modules.table.Verb`.
    """

    name: str
    texts: Mapping[int, str]
    cards: bool
    modules: tuple[str, ...]
    co_op: bool
    meaning: str
    when: Callable[[RuleSet, str], bool]


def _family(verb: Verb, modules: Iterable[str]) -> Family:
    words, cards = verb.arguments, not isinstance(verb.arguments, Mapping)
    if not isinstance(words, Mapping):
        words = {ALL_KIND_OF_NAME[name]: name for name in names_of(words)}
    texts = {argument: verb.text.format(word) for argument, word in words.items()}
    assert max(texts) < STRIDE, verb.name
    return Family(verb.name, texts, cards, tuple(modules), verb.co_op, verb.meaning, verb.when)


VERBS: tuple[Family, ...] = (
    *(_family(verb, EXPANSIONS) for verb in shared.WITH_ANY),
    *(
        _family(verb, (module.keyword for module in MODULES if verb.name in module.uses))
        for verb in shared.USED
    ),
    *(_family(verb, (module.keyword,)) for module in MODULES for verb in module.verbs),
)
"""The families in the order of their codes."""

VERB_INDEX = {verb.name: index for index, verb in enumerate(VERBS)}


@cache
def present_names(expansions: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the kinds that a game with some modules has."""
    return frozenset(name for name, count in zip(ALL_KIND_NAMES, kind_counts(expansions)) if count)


def offered(rules: RuleSet) -> list[tuple[int, str]]:
    """Return codes (from 0 on) and texts of the actions that the modules of a rule set bring."""
    present = present_names(rules.expansions)
    return [
        (index * STRIDE + argument, text)
        for index, verb in enumerate(VERBS)
        if any(keyword in rules.expansions for keyword in verb.modules)
        and (rules.players > 1 or not verb.co_op)
        for argument, text in verb.texts.items()
        if (not verb.cards or ALL_KIND_NAMES[argument] in present) and verb.when(rules, text)
    ]

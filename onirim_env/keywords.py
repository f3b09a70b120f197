"""Keywords of environments: those that there are, what they may be, and a TypeError for any other."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from typing import Any

from onirim_env.errors import UnknownKeyword, quoted
from onirim_env.rules import EXPANSIONS, OPTIONS, RuleSet, of_unplayed, options_of
from onirim_env.shells.choices import check_choice

TALKS = ("open", "closed")
ILLEGAL_ACTIONS = ("lose", "raise")
LAYOUTS = ("own", "full")

_LEAST_LIKE = 0.7
"""How like a keyword another has to be to be meant, from 0 to 1."""


def read_rules(made: Callable[..., Any], options: dict[str, Any]) -> RuleSet:
    """Return the rule set of the keywords that an environment has no parameters for.

    Parameters
    ----------
    made
        The class or function that was called, whose parameters are allowed too.
    options
        What it was given beyond them.

    Raises
    ------
    UnknownKeyword
        For one that is neither a parameter nor a rule option.
    ValueError
        For a value that an option cannot have.
    """
    for keyword in options:
        if keyword not in _RULE_KEYWORDS:
            raise UnknownKeyword(_message(made, keyword, options))
    expansions = options.get("expansions", ())
    if isinstance(expansions, (list, tuple, set, frozenset)):
        played = (*_BASE_KEYWORDS, *_keywords_of(tuple(one for one in EXPANSIONS if one in expansions)))
        for keyword in options:
            if keyword not in played:
                raise UnknownKeyword(_message(made, keyword, options, of_expansion=True))
    return RuleSet(**options)


def _keywords_of(expansions: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(option.keyword for option in options_of(expansions))


_BASE_KEYWORDS = (*(option.keyword for option in OPTIONS), "expansions", "hard")
_RULE_KEYWORDS = frozenset((*_BASE_KEYWORDS, *_keywords_of(EXPANSIONS)))


def _message(
    made: Callable[..., Any], keyword: str, options: dict[str, Any], of_expansion: bool = False
) -> str:
    """Return what is wrong with a keyword. Libraries look for how it begins, which is Python's own."""
    parameters = inspect.signature(made).parameters.values()
    own = [one.name for one in parameters if one.kind is not inspect.Parameter.VAR_KEYWORD]
    chosen = options.get("expansions", ())
    played = tuple(one for one in EXPANSIONS if isinstance(chosen, (list, tuple, set)) and one in chosen)
    allowed = list(dict.fromkeys((*own, *_BASE_KEYWORDS, *_keywords_of(played))))
    name = f"{made.__qualname__}.__init__" if inspect.isclass(made) else made.__qualname__
    if of_expansion:
        (expansion,) = (one for one in EXPANSIONS if keyword in _keywords_of((one,)))
        hint = f"rule option {keyword} {of_unplayed(expansion, played)}; "
    else:
        near = difflib.get_close_matches(keyword, [*allowed, *_RULE_KEYWORDS], 1, _LEAST_LIKE)
        hint = f"did you mean {near[0]!r}? " if near else ""
    return (
        f"{name}() got an unexpected keyword argument {quoted(keyword)}; "
        f"{hint}allowed are {', '.join(allowed)}"
    )


def layout_rules(rules: RuleSet, layout: str) -> RuleSet:
    """Return the rule set whose tables of actions and observations number those of a layout.

    Parameters
    ----------
    rules
        The rules that are played.
    layout
        ``"own"``: those of ``rules``. ``"full"``: those of the same game with every expansion, so
        that networks of one size play any set of them.
    """
    check_choice("layout", layout, LAYOUTS)
    if layout == "own":
        return rules
    return RuleSet(**rules.base_game().as_dict(), expansions=EXPANSIONS)

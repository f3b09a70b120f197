"""Keywords of environments of games whose rules are one table of options: any other is a TypeError."""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from onirim_env.errors import UnknownKeyword, quoted
from onirim_env.shells.options import Options

_LEAST_LIKE = 0.7
"""How like a keyword another has to be to be meant, from 0 to 1."""
_Rules = TypeVar("_Rules", bound=Options)


def read_rules(made: Callable[..., Any], kind: type[_Rules], options: dict[str, Any]) -> _Rules:
    """Return the rule set of the keywords that an environment has no parameters for.

    Parameters
    ----------
    made
        The class or function that was called, whose parameters are allowed too.
    kind
        The class of the rules.
    options
        What it was given beyond them.

    Raises
    ------
    UnknownKeyword
        For one that is neither a parameter nor a rule option.
    ValueError
        For a value that an option cannot have.
    """
    known = [option.keyword for option in kind.OPTIONS]
    for keyword in options:
        if keyword not in known:
            raise UnknownKeyword(_message(made, keyword, known))
    return kind(**options)


def _message(made: Callable[..., Any], keyword: str, known: list[str]) -> str:
    """Return what is wrong with a keyword. Libraries look for how it begins, which is Python's own."""
    parameters = inspect.signature(made).parameters.values()
    own = [one.name for one in parameters if one.kind is not inspect.Parameter.VAR_KEYWORD]
    allowed = list(dict.fromkeys((*own, *known)))
    name = f"{made.__qualname__}.__init__" if inspect.isclass(made) else made.__qualname__
    near = difflib.get_close_matches(keyword, allowed, 1, _LEAST_LIKE)
    meant = f"did you mean {near[0]!r}? " if near else ""
    return (
        f"{name}() got an unexpected keyword argument {quoted(keyword)}; "
        f"{meant}allowed are {', '.join(allowed)}"
    )

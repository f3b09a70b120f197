"""Points: the places of the base rules at which expansions come in.

A function marked ``@point`` is the rule of games without expansions. Records of games with expansions have
further fields; for them numba compiles what :data:`REPLACEMENTS` has for the function instead. Which of the
two it is, is decided while compiling, so games without expansions pay nothing.

The dict is filled in ``engine/expansions/points.py``, which says it all in one place. No base rule imports
that: ``engine/records.py`` does, where every record with expansions comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types

from onirim_env.compiling.compile import Function, choosing

MARK = "bottom_size"
"""A field that only records of games with expansions have."""

REPLACEMENTS: dict[Callable[..., Any], Callable[..., Any]] = {}
"""What replaces each point in games with expansions."""


def has_expansions(state: Any) -> bool:
    """Whether a numba type is that of records of games with expansions."""
    return isinstance(state, types.Record) and MARK in state.fields


def point(function: Function) -> Function:
    """Let expansions replace a rule, whose first argument is the state, in games that have expansions."""

    def choose(*arguments: Any) -> Callable[..., Any]:
        if not has_expansions(arguments[0]):
            return function
        replacement = REPLACEMENTS[function]
        python: Callable[..., Any] = getattr(replacement, "py_func", replacement)
        return python

    return choosing(choose)(function)

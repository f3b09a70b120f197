"""Points: the places of the base rules at which modules come in.

A function marked ``@point`` is the rule of games without modules. Records of games with modules have
further fields; for them numba compiles the function of the same name in ``engine/modules/points.py``
instead. Which of the two it is, is decided while compiling, so games without modules pay nothing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

from numba.core import types
from numba.extending import overload

from onirim_env.engine.compile import RULE_OPTIONS

MARK = "bottom_size"
"""A field that only records of games with modules have."""

Function = TypeVar("Function", bound=Callable[..., Any])


def has_modules(state: Any) -> bool:
    """Whether a numba type is that of records of games with modules."""
    return isinstance(state, types.Record) and MARK in state.fields


def point(function: Function) -> Function:
    """Let modules replace a rule, whose first argument is the state, in games that have modules."""
    parameters = ", ".join(inspect.signature(function).parameters)

    def of_modules() -> Callable[..., Any]:
        from onirim_env.engine.modules import points

        replacement = getattr(points, function.__name__)
        python: Callable[..., Any] = getattr(replacement, "py_func", replacement)
        return python

    # numba wants the chooser to have the very parameters of what it chooses.
    scope = {"base": function, "of_modules": of_modules, "has_modules": has_modules}
    code = f"def choose({parameters}): return of_modules() if has_modules(state) else base"
    exec(code, scope)
    choose: Any = scope["choose"]
    options: Any = dict(RULE_OPTIONS)
    overload(function, jit_options=options)(choose)
    return function

"""Refusing a second thread: compiled code runs without Python's lock, so two would write over each other."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar, cast

_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def one_thread(
    method: Callable[Concatenate[Any, _Given], _Result],
) -> Callable[Concatenate[Any, _Given], _Result]:
    """Mark a method that one thread at a time may be in; ``_busy`` of its object says whether one is.

    Marked methods of an object do not call each other.

    Raises
    ------
    RuntimeError
        By the marked method, while another thread is in one of that object.
    """

    @functools.wraps(method)
    def alone(self: Any, *given: _Given.args, **named: _Given.kwargs) -> _Result:
        # Python changes threads at calls and loops, so never between these two lines. A lock would do
        # the same and cost a step of an environment five hundredths more.
        if self._busy:
            refuse_thread(self)
        self._busy = True
        try:
            return method(self, *given, **named)
        finally:
            self._busy = False

    return cast(Any, alone)


def refuse_thread(used: Any) -> None:
    """Raise the RuntimeError that says that another thread uses an object."""
    raise RuntimeError(
        f"this {type(used).__name__} is in use by another thread; give each thread its own, "
        "or let them take turns with a lock"
    )

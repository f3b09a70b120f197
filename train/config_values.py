"""Kinds of settings: what each allows, and how values of YAML or of the command line become it.

YAML 1.1 reads ``5e6`` and ``1e-3`` as text (it wants a point and a sign), so numbers are accepted as
text too; an integer may be written as a float with no fraction.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Protocol


class Value(Protocol):
    """A kind of setting."""

    @property
    def allowed(self) -> str:
        """What may be given, in words."""

    def read(self, given: Any) -> Any:
        """Return the value, or raise ValueError."""


def _number(given: Any) -> float:
    if isinstance(given, bool) or not isinstance(given, (int, float, str)):
        raise ValueError
    number = float(given)
    if not math.isfinite(number):
        raise ValueError
    return number


def _range(low: float, high: float | None) -> str:
    return f"of at least {low:g}" if high is None else f"from {low:g} to {high:g}"


class Number:
    """A number from ``low`` to ``high``, both included."""

    def __init__(self, low: float, high: float | None = None) -> None:
        self.low = low
        self.high = high
        self.allowed = f"a number {_range(low, high)}"

    def read(self, given: Any) -> float:
        """Return the number as a float."""
        number = _number(given)
        if number < self.low or (self.high is not None and number > self.high):
            raise ValueError
        return number


class Integer:
    """A whole number of at least ``low``; ``5e6`` is one."""

    def __init__(self, low: int) -> None:
        self.low = low
        self.allowed = f"a whole number {_range(low, None)}"

    def read(self, given: Any) -> int:
        """Return the number as an int."""
        number = _number(given)
        if number != int(number) or number < self.low:
            raise ValueError
        return given if isinstance(given, int) else int(number)


class Flag:
    """Yes or no."""

    allowed = "true or false"

    def read(self, given: Any) -> bool:
        """Return the bool."""
        if not isinstance(given, bool):
            raise ValueError
        return given


class Choice:
    """One of some words."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.allowed = "one of " + ", ".join(self.words)

    def read(self, given: Any) -> str:
        """Return the word."""
        if given not in self.words:
            raise ValueError
        return str(given)


class Text:
    """Text; empty only where nothing is a value, too."""

    def __init__(self, allowed: str = "text", *, empty: bool = False) -> None:
        self.allowed = allowed
        self.empty = empty

    def read(self, given: Any) -> str:
        """Return the text."""
        if not isinstance(given, str) or not (given or self.empty):
            raise ValueError
        return given


class Names:
    """A list of words of some."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.allowed = "a list of some of " + ", ".join(self.words)

    def read(self, given: Any) -> tuple[str, ...]:
        """Return the words."""
        if not isinstance(given, (list, tuple)) or not all(word in self.words for word in given):
            raise ValueError
        return tuple(given)


class Layers:
    """Widths of hidden layers, at least one."""

    allowed = "a list of whole numbers of at least 1, as in [128, 128]"

    def read(self, given: Any) -> tuple[int, ...]:
        """Return the widths."""
        if not isinstance(given, (list, tuple)) or not given:
            raise ValueError
        return tuple(Integer(1).read(width) for width in given)


class Options:
    """Rule options by keyword."""

    allowed = "rule options by name, as in {prophecy_actions: permutation}"

    def read(self, given: Any) -> dict[str, Any]:
        """Return the options; the rule set checks them."""
        if given is None:
            return {}
        if not isinstance(given, dict) or not all(isinstance(key, str) for key in given):
            raise ValueError
        return dict(given)

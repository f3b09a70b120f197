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


class Number:
    """A number from ``low`` to ``high``, both included."""

    def __init__(self, low: float, high: float) -> None:
        self.low = low
        self.high = high
        self.allowed = f"a number from {low:g} to {high:g}"

    def read(self, given: Any) -> float:
        """Return the number as a float."""
        number = _number(given)
        if not self.low <= number <= self.high:
            raise ValueError
        return number


class Integer:
    """A whole number from ``low`` to ``high``, both included; ``5e6`` is one."""

    def __init__(self, low: int, high: int) -> None:
        self.low = low
        self.high = high
        self.allowed = f"a whole number from {low:,} to {high:,}"

    def read(self, given: Any) -> int:
        """Return the number as an int."""
        number = _number(given)
        whole = given if isinstance(given, int) else int(number)
        if number != int(number) or not self.low <= whole <= self.high:
            raise ValueError
        return whole


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
    """Text of at most 4,000 letters; empty only where nothing is a value, too."""

    def __init__(self, allowed: str = "text", *, empty: bool = False) -> None:
        self.allowed = allowed
        self.empty = empty

    def read(self, given: Any) -> str:
        """Return the text."""
        if not isinstance(given, str) or not (given or self.empty) or len(given) > 4_000:
            raise ValueError
        return given


class Names:
    """A list of words of some, each once."""

    def __init__(self, words: Sequence[str]) -> None:
        self.words = tuple(words)
        self.allowed = "a list of some of " + ", ".join(self.words)

    def read(self, given: Any) -> tuple[str, ...]:
        """Return the words."""
        if not isinstance(given, (list, tuple)) or not all(word in self.words for word in given):
            raise ValueError
        return tuple(dict.fromkeys(given))


class Layers:
    """Widths of hidden layers, at least one."""

    def __init__(self, most: int, widest: int) -> None:
        self.most = most
        self.width = Integer(1, widest)
        self.allowed = f"a list of 1 to {most} whole numbers from 1 to {widest:,}, as in [128, 128]"

    def read(self, given: Any) -> tuple[int, ...]:
        """Return the widths."""
        if not isinstance(given, (list, tuple)) or not 1 <= len(given) <= self.most:
            raise ValueError
        return tuple(self.width.read(width) for width in given)


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

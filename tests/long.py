"""What ``make test`` leaves to ``make test-all``: the mark ``long``, left out unless a run asks for it.

``make test`` holds every promise; with ``long`` more games, sets, seeds and settings are tried of the same.
``python -m pytest -m long`` runs what is marked, ``python -m pytest -m ""`` runs everything.
"""

from collections.abc import Iterable
from typing import Any

import pytest


def long_after(number: int, values: Iterable) -> list[Any]:
    """Return the values for ``parametrize``, of which all after the first so many are ``long``."""
    values = list(values)
    return [*values[:number], *map(as_long, values[number:])]


def as_long(value: Any) -> Any:
    """Return a value, or a tuple of values, for ``parametrize`` that is ``long``."""
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.long)

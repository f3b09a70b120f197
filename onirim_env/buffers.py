"""Arrays of what was unpickled: they may lie in memory that somebody else owns and nobody may write."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

_Value = TypeVar("_Value")


def own(value: _Value) -> _Value:
    """Return a value, or a copy of an array that cannot be written.

    Pickle protocol 5 hands arrays out of band, and whoever reads them may do so in place, such as Ray
    from its shared memory. They are read-only then; the games of an environment are written at each step.
    """
    if isinstance(value, np.ndarray) and not value.flags.writeable:
        return value.copy()  # type: ignore[return-value]
    return value


def own_arrays(state: dict[str, Any]) -> dict[str, Any]:
    """Return the attributes of an unpickled object with arrays of its own."""
    return {name: own(value) for name, value in state.items()}

"""Values as JSON has them: what a record holds, whatever it was made from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from onirim_env.errors import PositionError, quoted


def plain(value: Any, name: str = "position") -> Any:
    """Return a copy of a value made of dicts, lists, texts, numbers, bools and None alone.

    Parameters
    ----------
    value
        Mappings with texts as keys, lists, tuples, arrays, numbers of numpy, and plain values.
    name
        What it is, for the message.

    Raises
    ------
    PositionError
        For a value of another kind, or one nested too deep.
    """
    try:
        return _plain(value)
    except RecursionError:
        raise PositionError(f"{name}: nested too deep") from None
    except TypeError as error:
        raise PositionError(f"{name}: {error}") from None


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"the name of a field is a text, not {quoted(key)}")
        return {str(key): _plain(entry) for key, entry in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain(entry) for entry in value]
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool):
        return value
    for kind in (str, int, float):
        if isinstance(value, kind):
            return kind(value)
    raise TypeError(f"{quoted(value)} has no place in JSON")

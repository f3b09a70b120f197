"""Fields of an observation vector, for games whose layout is one for all rules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np


class Field(NamedTuple):
    """A run of entries of an observation.

    Attributes
    ----------
    name
        Name of the field.
    labels
        What each entry stands for.
    highest
        The largest value that each entry can take.
    meaning
        One line for the documentation.
    start
        Index of the first entry in the vector.
    """

    name: str
    labels: tuple[str, ...]
    highest: tuple[float, ...]
    meaning: str
    start: int = 0

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(self.labels)

    @property
    def stop(self) -> int:
        """Index behind the last entry."""
        return self.start + self.size


def placed(fields: Iterable[Field]) -> tuple[Field, ...]:
    """Return fields one behind the other."""
    found: list[Field] = []
    for field in fields:
        found.append(field._replace(start=found[-1].stop if found else 0))
    return tuple(found)


def described(fields: Sequence[Field], vector: np.ndarray) -> dict[str, dict[str, float]]:
    """Return an observation as named values: for each field, the entries that are not zero."""
    return {
        field.name: {
            label: float(value)
            for label, value in zip(field.labels, vector[field.start : field.stop])
            if value
        }
        for field in fields
    }

"""Reading ``metrics.csv``: a row counts with its line end, and where all of it are numbers."""

from __future__ import annotations

import math
from pathlib import Path
from typing import NamedTuple

from onirim_env.files import read_file

MOST_METRICS = 100_000_000
"""How many bytes a table of metrics has at most; ten million decisions take some 100,000."""


class MetricsRows(NamedTuple):
    """What a table of metrics holds.

    Attributes
    ----------
    rows
        Texts by column; empty where a row has none.
    damaged
        How many lines are no rows.
    """

    rows: list[dict[str, str]]
    damaged: int


def read_metrics(file: Path) -> MetricsRows:
    """Read a table of metrics; a file that is not there has no rows.

    Raises
    ------
    FileError
        For what is no plain file, or is too large.
    """
    if not file.exists():
        return MetricsRows([], 0)
    text = read_file(file, MOST_METRICS, "table of metrics").decode("utf-8", errors="replace")
    # What stands behind the last line end was being written when a training was killed.
    heading, *lines = (line.removesuffix("\r") for line in text.split("\n"))
    cut = bool(lines.pop()) if lines else bool(heading)
    names = heading.split(",")
    rows = [row for line in lines if (row := _row(names, line)) is not None]
    return MetricsRows(rows, len(lines) - len(rows) + cut)


def _row(names: list[str], line: str) -> dict[str, str] | None:
    cells = line.split(",")
    row = dict(zip(names, cells))
    try:
        is_row = (
            len(cells) == len(names) == len(row)
            and _is_count(row["steps"])
            and math.isfinite(float(row["seconds"]))
            and all(isinstance(float(cell), float) for cell in cells if cell)
        )
    except (KeyError, ValueError):
        return None
    return row if is_row else None


def _is_count(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 15

"""Rows of texts as aligned lines."""

from __future__ import annotations

from collections.abc import Sequence


def table_lines(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return rows of texts as lines of columns with two blanks between them.

    Parameters
    ----------
    rows
        The rows, all of the same length.
    left
        How many columns stand to the left; those after them, numbers, to the right.
    """
    widths = [max(map(len, column)) for column in zip(*rows)]
    return [
        "  ".join(
            text.ljust(width) if column < left else text.rjust(width)
            for column, (text, width) in enumerate(zip(row, widths))
        ).rstrip()
        for row in rows
    ]

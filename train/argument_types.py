"""Numbers on the command line: what is allowed, and one line for anything else."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable

from onirim_env.errors import quoted


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Return what reads a whole number from ``low`` to ``high``, such as ``1e4``, for an argument parser."""

    def read(text: str) -> int:
        try:
            number = int(text) if text.lstrip("+-").isdecimal() else float(text)
        except ValueError:  # no number, or one of thousands of digits
            number = math.nan
        if not (low <= number <= high and number == int(number)):
            raise argparse.ArgumentTypeError(
                f"must be a whole number from {low:,} to {high:,}, not {quoted(text)}"
            )
        return int(number)

    return read


def positive_number(high: float) -> Callable[[str], float]:
    """Return what reads a number above 0, up to ``high``, for an argument parser."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = math.nan
        if not 0.0 < number <= high:
            raise argparse.ArgumentTypeError(f"must be a number above 0, up to {high:g}, not {quoted(text)}")
        return number

    return read

"""Two agents on the same games: the difference of their win rates, with its interval."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.measure.evaluation_result import Z_95, Evaluation


@dataclass(frozen=True)
class Comparison:
    """What two agents did in the same games.

    Attributes
    ----------
    games
        How many.
    both, only_first, only_second
        Games that both won, and that one alone won: the counts of McNemar's test.
    """

    games: int
    both: int
    only_first: int
    only_second: int

    @property
    def difference(self) -> float:
        """Win rate of the first agent less that of the second."""
        return (self.only_first - self.only_second) / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95 % interval of the difference: normal approximation of the mean of paired differences."""
        share = (self.only_first + self.only_second) / self.games
        spread = Z_95 * math.sqrt(max(0.0, share - self.difference**2) / self.games)
        return self.difference - spread, self.difference + spread

    def as_dict(self, first: str, second: str) -> dict[str, Any]:
        """Return the comparison as JSON values; rates are shares of games."""
        return {
            "agents": [first, second],
            "games": self.games,
            "won_by_both": self.both,
            "won_by_one": [self.only_first, self.only_second],
            "win_rates": [(self.both + alone) / self.games for alone in (self.only_first, self.only_second)],
            "difference": self.difference,
            "interval_95": list(self.interval),
        }

    def text(self, first: str, second: str) -> str:
        """Return the comparison in words, three lines."""
        low, high = (100 * bound for bound in self.interval)
        rates = [
            f"{name} {100 * (self.both + alone) / self.games:.2f} %"
            for name, alone in ((first, self.only_first), (second, self.only_second))
        ]
        return "\n".join(
            (
                f"win rates: {', '.join(rates)}",
                f"{first} - {second}: {100 * self.difference:+.2f} points, 95 % interval {low:+.2f} to "
                f"{high:+.2f} (normal approximation of the paired differences)",
                f"only {first} won {self.only_first:,} games, only {second} {self.only_second:,}, "
                f"both {self.both:,}",
            )
        )


def compare(first: Evaluation, second: Evaluation) -> Comparison:
    """Compare two agents by games that both have played.

    Raises
    ------
    ValueError
        When their games are not the same, or none.
    """
    same = (first.rules, first.talk) == (second.rules, second.talk)
    if not same or first.games == 0 or not np.array_equal(first.seeds, second.seeds):
        raise ValueError(f"{first.agent} and {second.agent} have not played the same games")
    return Comparison(
        games=first.games,
        both=int((first.won & second.won).sum()),
        only_first=int((first.won & ~second.won).sum()),
        only_second=int((~first.won & second.won).sum()),
    )

"""What an evaluation measured, and its summary."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from agents.agent_spec import is_repeatable
from agents.measure.protocols import protocol_of
from onirim_env.rules import RuleSet

RESULTS = {
    "won": np.bool_,
    "doors": np.int64,
    "cards_left": np.int64,
    "turns": np.int64,
    "decisions": np.int64,
}
"""What is kept of every game, with its type."""

Z_95 = 1.959963984540054
"""Normal quantile of a two-sided 95 % interval."""


def wilson_interval(wins: int, games: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval of a win rate, as shares of 1.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
    Journal of the American Statistical Association 22, 1927.
    """
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    spread = Z_95 * math.sqrt(rate * (1.0 - rate) / games + Z_95**2 / (4 * games**2))
    middle = rate + Z_95**2 / (2 * games)
    scale = 1.0 + Z_95**2 / games
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The games that an agent played, in the order of their seeds.

    Attributes
    ----------
    agent
        Name of the agent.
    rules, talk
        What it played.
    seeds
        int64, shape (n,): seeds of the games.
    won
        bool, shape (n,).
    doors, cards_left, turns, decisions
        int64, shape (n,), at the end of each game: Doors in play, Locations left in the deck,
        completed turns, decisions taken.
    seconds
        Time that the games took, without the first step, in which code may be compiled.
    interrupted
        Whether it was ended early, and so lacks games.
    """

    agent: str
    rules: RuleSet
    talk: str
    seeds: np.ndarray
    won: np.ndarray
    doors: np.ndarray
    cards_left: np.ndarray
    turns: np.ndarray
    decisions: np.ndarray
    seconds: float
    interrupted: bool = False

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.seeds)

    @property
    def protocol(self) -> str | None:
        """Name of the protocol when it was followed to the letter, else None."""
        return protocol_of(self.seeds, self.rules, self.talk)

    @property
    def win_rate(self) -> float:
        """Share of games won."""
        return _mean(self.won)

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the win rate."""
        return wilson_interval(int(self.won.sum()), self.games)

    @property
    def mean_doors(self) -> float:
        """Mean number of Doors in play at the end."""
        return _mean(self.doors)

    @property
    def mean_cards_left(self) -> float:
        """Mean number of Locations left in the deck at the end."""
        return _mean(self.cards_left)

    @property
    def mean_turns(self) -> float:
        """Mean number of completed turns."""
        return _mean(self.turns)

    @property
    def decisions_per_second(self) -> float:
        """Decisions a second, the agent's and the game's work together."""
        return float(self.decisions.sum()) / max(self.seconds, 1e-9)

    def as_dict(self) -> dict[str, Any]:
        """Return the summary as plain values, for JSON."""
        low, high = self.interval
        return {
            "agent": self.agent,
            "repeatable": is_repeatable(self.agent),
            "protocol": self.protocol,
            "rules": self.rules.as_dict(),
            "talk": self.talk,
            "first_seed": int(self.seeds[0]) if self.games else None,
            "games": self.games,
            "wins": int(self.won.sum()),
            "win_rate": self.win_rate,
            "interval_95": [low, high],
            "mean_doors": self.mean_doors,
            "mean_cards_left": self.mean_cards_left,
            "mean_turns": self.mean_turns,
            "mean_decisions": _mean(self.decisions),
            "decisions_per_second": self.decisions_per_second,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
        }

    def row(self) -> dict[str, str]:
        """Return the summary as texts by column heading, for a table."""
        low, high = self.interval
        return {
            "agent": self.agent,
            "games": f"{self.games}" + (" (interrupted)" if self.interrupted else ""),
            "win rate": f"{100 * self.win_rate:.2f} %",
            "95 % interval": f"{100 * low:.2f} to {100 * high:.2f} %",
            "Doors": f"{self.mean_doors:.2f}",
            "cards left": f"{self.mean_cards_left:.2f}",
            "turns": f"{self.mean_turns:.1f}",
            "decisions/s": f"{self.decisions_per_second:,.0f}",
        }


def joined(parts: Sequence[Evaluation]) -> Evaluation:
    """Return several evaluations of one agent under one rule set as one, in their order.

    Its seconds are those of all parts together, and it is interrupted if one of them is.
    """
    arrays: dict[str, Any] = {
        name: np.concatenate([getattr(part, name) for part in parts]) for name in ("seeds", *RESULTS)
    }
    return replace(
        parts[0],
        seconds=sum(part.seconds for part in parts),
        interrupted=any(part.interrupted for part in parts),
        **arrays,
    )


def _mean(values: np.ndarray) -> float:
    return float(values.mean()) if len(values) else 0.0

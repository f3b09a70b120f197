"""Metrics: one row for each rollout, in ``metrics.csv`` and in TensorBoard."""

from __future__ import annotations

import csv
import io
import sys
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from onirim_env.files import shown, write_file
from train.event_file import EventFile
from train.metrics_file import read_metrics

RECENT_GAMES = 1000
"""How many of the last games the means are taken over."""


class Column(NamedTuple):
    """A column of ``metrics.csv``, its tag in TensorBoard and its meaning."""

    name: str
    tag: str
    meaning: str


COLUMNS = (
    Column("steps", "", "decisions so far"),
    Column("seconds", "time/seconds", "seconds of wall time of training so far, resumed parts joined"),
    Column("steps_per_second", "time/steps_per_second", "decisions a second of wall time, update included"),
    Column("games", "games/finished", "games that ended since the training (or its resumption) began"),
    Column("win_rate", "games/win_rate", "share of the last 1,000 games that was won; actions are drawn"),
    Column("reward", "games/reward", "mean sum of rewards of these games"),
    Column("doors", "games/doors", "mean Doors in play at their end"),
    Column("turns", "games/turns", "mean number of turns"),
    Column("cards_left", "games/cards_left", "mean number of Locations left in the deck"),
    Column("decisions", "games/decisions", "mean number of decisions"),
    Column("learning_rate", "update/learning_rate", "step size of Adam"),
    Column("entropy_coefficient", "update/entropy_coefficient", "coefficient of the entropy bonus"),
    Column("entropy", "update/entropy", "mean entropy of the policy in nats"),
    Column("policy_loss", "update/policy_loss", "clipped surrogate loss"),
    Column("value_loss", "update/value_loss", "mean squared error of the value"),
    Column("explained_variance", "update/explained_variance", "share of the variance of returns explained"),
    Column("approx_kl", "update/approx_kl", "estimated divergence from the policy before the update"),
    Column("clip_fraction", "update/clip_fraction", "share of decisions whose ratio was clipped"),
    Column("eval_win_rate", "evaluation/win_rate", "greedy win rate, in rows after an evaluation"),
    Column("eval_low", "evaluation/low", "lower end of its 95 % interval"),
    Column("eval_high", "evaluation/high", "upper end of its 95 % interval"),
    Column("eval_doors", "evaluation/doors", "mean Doors of the evaluation"),
)  # fmt: skip
"""The one table of metrics."""


class Metrics:
    """Writes rows of :data:`COLUMNS` to a CSV file and to TensorBoard.

    Parameters
    ----------
    csv_file
        Path of the CSV file; rows of it up to ``start_steps`` are kept.
    tensorboard
        Folder of the TensorBoard events.
    start_steps
        Decisions that the training begins with: 0, or those of the checkpoint it goes on from.

    Attributes
    ----------
    seconds_before : float
        Seconds of training in the rows that were kept.
    """

    def __init__(self, csv_file: Path, tensorboard: Path, start_steps: int = 0) -> None:
        rows = _rows_until(csv_file, start_steps) if start_steps else []
        self.seconds_before = float(rows[-1]["seconds"]) if rows else 0.0
        text = io.StringIO(newline="")
        writer = csv.DictWriter(text, _NAMES, lineterminator="\n", extrasaction="ignore")
        writer.writeheader()
        writer.writerows(rows)
        write_file(csv_file, text.getvalue())
        self._events = EventFile(tensorboard, start_steps or None)
        self._file = csv_file.open("a", newline="", encoding="utf-8")
        self._csv = csv.DictWriter(self._file, _NAMES, lineterminator="\n")

    def write(self, row: Mapping[str, float | None]) -> None:
        """Add a row; what it lacks stays empty."""
        known = {name: value for name, value in row.items() if value is not None}
        self._csv.writerow({name: _text(value) for name, value in known.items()})
        self._file.flush()
        points = {column.tag: known[column.name] for column in COLUMNS if column.tag and column.name in known}
        self._events.write(int(known["steps"]), points)

    def close(self) -> None:
        """Close the files."""
        try:
            self._file.close()
        finally:
            self._events.close()


class RecentGames:
    """Means over the last games that ended."""

    def __init__(self) -> None:
        self.finished = 0
        self._games: deque[dict[str, float]] = deque(maxlen=RECENT_GAMES)

    def add(self, infos: Iterable[Mapping[str, Any]]) -> None:
        """Note ended games by their last infos."""
        for info in infos:
            self.finished += 1
            self._games.append(
                {
                    "win_rate": float(info["won"]),
                    "reward": info["episode"]["r"],
                    "doors": info["doors"],
                    "turns": info["turns"],
                    "cards_left": info["cards_left"],
                    "decisions": info["episode"]["l"],
                }
            )

    def means(self) -> dict[str, float]:
        """Return the mean of each metric by column name; empty before the first game has ended."""
        if not self._games:
            return {}
        return {name: sum(game[name] for game in self._games) / len(self._games) for name in self._games[0]}


_NAMES = [column.name for column in COLUMNS]


def _text(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:.6g}"


def _rows_until(csv_file: Path, steps: int) -> list[dict[str, str]]:
    """Return the rows up to some decisions, and say how many lines are none."""
    table = read_metrics(csv_file)
    if table.damaged:
        lines = f"{table.damaged} line{'s' * (table.damaged > 1)}"
        print(f"{shown(csv_file)}: {lines} cannot be read and will be dropped", file=sys.stderr)
    return [row for row in table.rows if int(row["steps"]) <= steps]

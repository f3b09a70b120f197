"""The table of a sweep, for the terminal and as CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from onirim_env.files import write_file
from onirim_env.text_table import table_lines
from train.sweep_space import Space
from train.sweep_study import Row, number_text

FILE = "table.csv"


def table_text(rows: Sequence[Row], space: Space, seeds: int) -> str:
    """Return the table as text: a line for each trial, or for each seed when nothing was swept."""
    cells = [
        list(map(str, line)) for line in (_trial_lines(rows, space, seeds) if space else _seed_lines(rows))
    ]
    failures = [f"trial {row.number} failed: {row.failure}" for row in rows if row.failure is not None]
    return "\n".join([*table_lines(cells, left=0), *failures])


def write_csv(rows: Sequence[Row], space: Space, folder: Path) -> Path:
    """Write the numbers of the table in full; return the file."""
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(_csv_trials(rows, space) if space else _csv_seeds(rows))
    write_file(folder / FILE, text.getvalue())
    return folder / FILE


def _trial_lines(rows: Sequence[Row], space: Space, seeds: int) -> list[list[Any]]:
    lines: list[list[Any]] = [["trial", *space, "win rate", "min to max", "Doors", "time", "seeds"]]
    for row in rows:
        settings = [number_text(row.drawn[name]) if name in row.drawn else "" for name in space]
        if row.failure is not None:
            lines.append([row.number, *settings, "failed", "", "", "", ""])
            continue
        done = f"{len(row.results)} of {seeds}, pruned" if row.pruned else f"{len(row.results)}"
        lines.append([row.number, *settings, *_measured(row), done])
    return lines


def _measured(row: Row) -> list[str]:
    low, high = _ends(row)
    spread = f"{100 * low:.2f} to {100 * high:.2f} %"
    return [f"{100 * row.win_rate:.2f} %", spread, f"{row.doors:.2f}", _time(row.seconds)]


def _seed_lines(rows: Sequence[Row]) -> list[list[str]]:
    lines = [["seed", "win rate", "min to max", "Doors", "time"]]
    for row in rows:
        for result in row.results:
            rate = f"{100 * result.win_rate:.2f} %"
            lines.append([str(result.seed), rate, "", f"{result.doors:.2f}", _time(result.seconds)])
        if row.failure is None:
            lines.append(["mean", *_measured(row)])
    return lines


def _csv_trials(rows: Sequence[Row], space: Space) -> list[list[Any]]:
    names = ["win_rate", "win_rate_min", "win_rate_max", "doors", "seconds"]
    lines: list[list[Any]] = [["trial", "state", *space, "seeds", *names]]
    for row in rows:
        state = "failed" if row.failure is not None else "pruned" if row.pruned else "complete"
        settings = [row.drawn.get(name, "") for name in space]
        numbers = [row.win_rate, *_ends(row), row.doors, row.seconds] if row.results else [""] * len(names)
        lines.append([row.number, state, *settings, len(row.results), *numbers])
    return lines


def _csv_seeds(rows: Sequence[Row]) -> list[list[Any]]:
    lines: list[list[Any]] = [["seed", "games", "win_rate", "doors", "seconds"]]
    for row in rows:
        lines += [[one.seed, one.games, one.win_rate, one.doors, one.seconds] for one in row.results]
        if row.results:
            lines.append(["mean", row.results[0].games, row.win_rate, row.doors, row.seconds])
    return lines


def _ends(row: Row) -> tuple[float, float]:
    rates = [result.win_rate for result in row.results]
    return min(rates), max(rates)


def _time(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}"

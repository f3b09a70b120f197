"""``python -m train.plot``: learning curves of run folders, as a picture and as a table."""

from __future__ import annotations

import argparse
import csv
import io
import math
import sys
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agents.measure.output_files import check_picture, save_picture
from onirim_env.command import run_command, usage_errors
from onirim_env.files import check_output, read_text, reason, shown, write_file
from train.errors import UserError
from train.metrics_file import MOST_METRICS

if TYPE_CHECKING:
    from train.run_folder import RunFolder

CURVES = {"eval_win_rate": "greedy win rate", "win_rate": "win rate while training (actions drawn)"}
"""What can be drawn, with its label."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parsed = _parser().parse_args(arguments)
    return run_command("python -m train.plot", lambda: _run(parsed))


def _run(parsed: argparse.Namespace) -> None:
    with usage_errors(ImportError):
        check_picture("--picture", parsed.picture)
        check_output("--csv", parsed.csv)
    column, curves = _what_there_is(parsed.runs, parsed.column)
    if parsed.csv is not None:
        write_table(curves, column, parsed.csv)
    draw(curves, column, parsed.picture, parsed.seconds)
    print(parsed.picture)


def _what_there_is(runs: Sequence[Path], column: str | None) -> tuple[str, dict[str, list[Part]]]:
    """Return the column that is drawn, and its curves: after a short run there is no evaluation yet."""
    first, second = CURVES
    try:
        return column or first, curves_of(runs, column or first)
    except NoPoints as error:
        if column is not None:
            raise
        try:
            curves = curves_of(runs, second)
        except UserError:
            raise error from None
        print(f"no {first} yet: drawing the {CURVES[second]}", file=sys.stderr)
        return second, curves


class NoPoints(UserError):
    """A run that has no value of a column yet."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train.plot",
        description="Draw learning curves. Runs whose configurations differ in their seed alone are one "
        "curve: its mean, with the range of the seeds shaded.",
        epilog="example: python -m train.plot runs/solo-* --picture solo.png",
    )
    parser.add_argument(
        "runs", nargs="+", type=Path, metavar="RUN", help="run folders, or tables that --csv wrote"
    )
    parser.add_argument(
        "--picture",
        type=Path,
        default=Path("learning_curve.png"),
        metavar="FILE",
        help="what to write: .png, .svg or .pdf (default: %(default)s)",
    )
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the points as a table, too")
    parser.add_argument(
        "--column", choices=tuple(CURVES),
        help="what to draw (default: eval_win_rate, or win_rate where no run has got so far)",
    )  # fmt: skip
    parser.add_argument(
        "--seconds", action="store_true", help="against minutes of training instead of decisions"
    )
    return parser


class Part(NamedTuple):
    """The part of a curve that one training is.

    Attributes
    ----------
    seed
        The seed of the training, as text.
    points
        float64, shape (n, 3): decisions, seconds of wall time and the column.
    """

    seed: str
    points: np.ndarray


def curves_of(runs: Sequence[Path], column: str) -> dict[str, list[Part]]:
    """Return the curves of runs, each as the points of its seeds.

    Parameters
    ----------
    runs
        Run folders, or tables that :func:`write_table` wrote.
    column
        One of :data:`CURVES`.

    Returns
    -------
    dict
        Name to the parts of a curve.

    Raises
    ------
    UserError
        For a folder that is none, a file that cannot be read, and one that has no point.
    """
    from train.run_folder import RunFolder

    curves: dict[str, list[Part]] = defaultdict(list)
    names: dict[str, str] = {}
    for run in runs:
        with usage_errors(OSError):
            is_table = run.is_file()
        if is_table:
            for name, part in read_points(run, column):
                curves[name].append(part)
            continue
        folder = RunFolder.open(run)
        name = names.setdefault(_settings_text(folder), run.name)
        seed = str(folder.saved_settings().get("seed", ""))
        curves[name] += [Part(seed, part.points) for _, part in read_points(folder.metrics_file, column)]
    return curves


def _settings_text(folder: RunFolder) -> str:
    """Return the settings of a run as text that is the same for equal settings, without the seed."""
    from train.config_reading import make_config

    settings = folder.saved_settings()
    # Runs of other versions may have other settings; those that are read have equal rules written alike.
    with suppress(UserError):
        settings = make_config(settings).as_dict()
    return repr(sorted((repr(name), repr(value)) for name, value in settings.items() if name != "seed"))


def read_points(file: Path, column: str) -> list[tuple[str, Part]]:
    """Return the names and the parts of a table: see :func:`curves_of`."""
    parts: dict[tuple[str, str], list[list[float]]] = defaultdict(list)
    with usage_errors():
        text = read_text(file, MOST_METRICS, "table of metrics")
    # Behind the last line end a training may be writing.
    whole = text[: text.rfind("\n") + 1]
    rows = csv.DictReader(io.StringIO(whole, newline=""))
    try:
        for row in rows:
            if row[column]:
                point = [float(row[name]) for name in ("steps", "seconds", column)]
                if not all(map(math.isfinite, point)) or None in row or None in row.values():
                    raise ValueError("no row of numbers")
                parts[row.get("curve") or file.stem, row.get("seed") or ""].append(point)
    except (csv.Error, KeyError, ValueError, TypeError) as error:
        why = " ".join(reason(error).split())[:200]
        raise UserError(
            f"{shown(file)} cannot be read as a table of metrics: line {rows.line_num}: {why}"
        ) from None
    if not parts:
        raise NoPoints(f"{shown(file)} has no {column} yet")
    return [(name, Part(seed, np.array(points))) for (name, seed), points in parts.items()]


def write_table(curves: dict[str, list[Part]], column: str, file: Path) -> None:
    """Write all points as CSV: steps, seconds of wall time, the column, the curve and its seed."""
    lines = io.StringIO(newline="")
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(["steps", "seconds", column, "curve", "seed"])
    for name, parts in curves.items():
        for seed, points in parts:
            writer.writerows([int(row[0]), round(row[1], 1), row[2], name, seed] for row in points)
    write_file(file, lines.getvalue())


def draw(curves: dict[str, list[Part]], column: str, picture: Path, seconds: bool) -> None:
    """Draw curves to a file.

    Raises
    ------
    OSError
        When the file cannot be written.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.2), layout="constrained")
    axes: Any = figure.add_subplot()
    x_column, unit = (1, 60.0) if seconds else (0, 1e6)
    for name, parts in curves.items():
        length = min(len(part.points) for part in parts)
        points = np.stack([part.points[:length] for part in parts])
        x = points[:, :, x_column].mean(axis=0) / unit
        (line,) = axes.plot(x, 100.0 * points[:, :, 2].mean(axis=0), label=name)
        if len(parts) > 1:
            low, high = (100.0 * reduce(points[:, :, 2], axis=0) for reduce in (np.min, np.max))
            axes.fill_between(x, low, high, color=line.get_color(), alpha=0.25, linewidth=0)
    axes.set_xlabel("minutes of wall time" if seconds else "million decisions")
    axes.set_ylabel(f"{CURVES[column]} (%)")
    axes.set_ylim(0, 100)
    axes.grid(alpha=0.3)
    axes.legend()
    save_picture(figure, picture)


if __name__ == "__main__":
    sys.exit(main())

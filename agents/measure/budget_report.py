"""``python -m agents budget``: win rates against budgets as a table, as CSV and as a picture."""

from __future__ import annotations

import argparse
import csv
import dataclasses
from collections.abc import Callable, Sequence
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent_spec import TIME_SETTING, is_repeatable
from agents.measure.output_files import check_picture, save_picture
from agents.measure.protocols import PROTOCOLS
from agents.measure.ranking import add_measuring, add_seed_offset, check_agent, check_measuring
from onirim_env.errors import FileError
from onirim_env.files import check_output, check_output_folder, read_text, write_file

if TYPE_CHECKING:
    from agents.measure.budget import Point

BUDGETS = {"playouts": "N", TIME_SETTING: "M"}
"""Settings that are budgets, with the metavariables of their options."""
GAMES = 300
"""How many games are played when nothing else is said."""
COLUMNS = {
    "games": 6,
    "win rate": 8,
    "95 % interval": 16,
    "ms a decision": 13,
    "CPU s a game": 12,
    "CPU s a win": 11,
}
"""Columns of the table after the agent's name, with their widths."""
MOST_CSV = 10_000_000
"""How many bytes a CSV of points has at most."""
PICTURE_SIZE = (8.0, 5.0)
"""In inches."""


def add_command(commands: Any) -> None:
    """Add the command to a parser's subparsers."""
    parser = commands.add_parser(
        "budget",
        help="measure agents with several budgets, as a curve",
        description="Let agents play the first games of a protocol with each of several budgets, and show "
        "what more thinking brings. Results are stored as those of rank: Ctrl-C keeps what is finished, the "
        "same command goes on. Milliseconds cannot be repeated and are measured anew each time.",
    )
    parser.set_defaults(prepare=_prepare)
    parser.add_argument(
        "names", nargs="*", metavar="NAME",
        help="an agent, a curve each; one that has no such budget is a single point",
    )  # fmt: skip
    for setting, metavar in BUDGETS.items():
        parser.add_argument(f"--{setting}", nargs="+", metavar=metavar, help=f"budgets in {setting}")
    parser.add_argument("--protocol", choices=PROTOCOLS, default="solo-v1", help="default: %(default)s")
    add_seed_offset(parser)
    add_measuring(parser)
    parser.set_defaults(games=GAMES)
    parser.add_argument("--csv", type=Path, metavar="FILE", help="write the points to a CSV file, too")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE",
        help="draw win rates against milliseconds a decision, too (needs matplotlib); .png, .svg and others",
    )  # fmt: skip
    parser.add_argument(
        "--from-csv", type=Path, nargs="+", metavar="FILE",
        help="show what was written before, and measure nothing",
    )  # fmt: skip


def _prepare(arguments: argparse.Namespace) -> Callable[[], None]:
    budgets = {name: values for name in BUDGETS if (values := getattr(arguments, name))}
    check_output("--csv", arguments.csv)
    check_picture("--picture", arguments.picture)
    if arguments.from_csv:
        if arguments.names or budgets:
            raise ValueError("--from-csv measures nothing: it goes without agents and budgets")
        return _prepare_showing(arguments)
    if not arguments.names or not budgets:
        options = " or ".join(f"--{name} {metavar} ..." for name, metavar in BUDGETS.items())
        raise ValueError(f"budget needs an agent and its budgets: NAME {options}; or --from-csv FILE")
    return _prepare_measuring(arguments, budgets)


def _prepare_showing(arguments: argparse.Namespace) -> Callable[[], None]:
    points = [point for file in arguments.from_csv for point in read_points(file)]
    width = max(len(point.agent) for point in points)

    def run() -> None:
        print("\n".join([_heading(width), *(_line(point, width) for point in points)]))
        _write(points, arguments)

    return run


def _prepare_measuring(arguments: argparse.Namespace, budgets: dict[str, list[str]]) -> Callable[[], None]:
    from agents.measure.budget import measure_point, plan

    protocol: str = arguments.protocol
    workers = check_measuring(arguments, [protocol])
    tasks = plan(arguments.names, budgets)
    for task in tasks:
        check_agent(task.agent, protocol)
    if any(is_repeatable(task.agent) for task in tasks):
        check_output_folder("--results", arguments.results)
    width = max(len(task.agent) for task in tasks)

    def run() -> None:
        begin = f" from seed offset {arguments.seed_offset:,}" if arguments.seed_offset else ""
        print(f"{protocol}: the first {arguments.games:,} games{begin}")
        print(_heading(width), flush=True)
        points = []
        for task in tasks:
            point = measure_point(
                task, protocol, arguments.games, workers, arguments.results, arguments.seed_offset
            )
            points.append(point)
            print(_line(point, width), flush=True)
            if arguments.csv is not None:  # whatever happens to the next point
                write_points(points, arguments.csv)
        _write(points, arguments)

    return run


def _write(points: Sequence[Point], arguments: argparse.Namespace) -> None:
    if arguments.csv is not None:
        write_points(points, arguments.csv)
    if arguments.picture is not None:
        draw(points, arguments.picture)
    timed = [point.agent for point in points if not is_repeatable(point.agent)]
    if timed:
        print(f"cannot be repeated, for it depends on the machine: {', '.join(timed)}")


def _heading(width: int) -> str:
    return "  ".join([f"{'agent':<{width}}", *(f"{name:>{size}}" for name, size in COLUMNS.items())])


def _line(point: Point, width: int) -> str:
    low, high = point.interval
    cells = (
        f"{point.games:,}",
        f"{100 * point.win_rate:.1f} %",
        f"{100 * low:.1f} to {100 * high:.1f} %",
        f"{point.ms_per_decision:.3g}",
        f"{point.seconds_per_game:.3g}",
        "-" if point.seconds_per_win is None else f"{point.seconds_per_win:.3g}",
    )
    sizes = COLUMNS.values()
    return "  ".join([f"{point.agent:<{width}}", *(f"{cell:>{size}}" for cell, size in zip(cells, sizes))])


def write_points(points: Sequence[Point], file: Path) -> None:
    """Write points to a CSV file, with what follows from their fields."""
    text = StringIO()
    rows = [_csv_row(point) for point in points]
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    write_file(file, text.getvalue())


def _csv_row(point: Point) -> dict[str, Any]:
    low, high = point.interval
    per_win = point.seconds_per_win
    return {
        **dataclasses.asdict(point),
        "ms_per_decision": round(point.ms_per_decision, 6),
        "seconds_per_game": round(point.seconds_per_game, 6),
        "win_rate": round(point.win_rate, 6),
        "interval_low": round(low, 6),
        "interval_high": round(high, 6),
        "seconds_per_win": "" if per_win is None else round(per_win, 6),
        "repeatable": "yes" if is_repeatable(point.agent) else "no",
    }


def read_points(file: Path) -> list[Point]:
    """Return the points of a CSV file.

    Raises
    ------
    ValueError
        For a file that cannot be read or is none of :func:`write_points`.
    """
    from agents.measure.budget import Point

    kinds = {"games": int, "wins": int, "ms_per_decision": float, "seconds_per_game": float}
    names = [field.name for field in dataclasses.fields(Point)]
    try:
        rows = list(csv.DictReader(StringIO(read_text(file, MOST_CSV, "--from-csv"))))
        points = [Point(**{name: kinds.get(name, str)(row[name]) for name in names}) for row in rows]
    except FileError:
        raise
    except (ValueError, TypeError, KeyError, csv.Error) as error:
        raise ValueError(f"{file} is no CSV of budgets: {error!r}") from None
    if not points or any(point.games < 1 for point in points):
        raise ValueError(f"{file} is no CSV of budgets: it needs points, and each of them games")
    return points


def draw(points: Sequence[Point], file: Path) -> None:
    """Draw win rates with their intervals against CPU time a decision; the file's ending says how."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import LogLocator, PercentFormatter

    figure = Figure(figsize=PICTURE_SIZE, layout="constrained")
    axes = figure.add_subplot()
    for curve, setting in dict.fromkeys((point.curve, point.setting) for point in points):
        own = [point for point in points if (point.curve, point.setting) == (curve, setting)]
        _draw_curve(axes, f"{curve}, {setting}" if setting else curve, own)
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_locator(LogLocator(subs=(2.0, 5.0)))
    axes.xaxis.set_minor_formatter("{x:g}")
    axes.set_xlabel("milliseconds of CPU time a decision")
    axes.set_ylabel("win rate, with 95 % intervals")
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_title(_title(points), fontsize="medium")
    axes.grid(alpha=0.3)
    axes.legend()
    save_picture(figure, file)


def _draw_curve(axes: Any, label: str, points: Sequence[Point]) -> None:
    ordered = sorted(points, key=lambda point: point.ms_per_decision)
    times = [point.ms_per_decision for point in ordered]
    rates = [point.win_rate for point in ordered]
    # Where none or all games are won, rounding may put an end of the interval past the rate.
    bars = [
        [max(0.0, point.win_rate - point.interval[0]) for point in ordered],
        [max(0.0, point.interval[1] - point.win_rate) for point in ordered],
    ]
    axes.errorbar(times, rates, yerr=bars, marker="o", capsize=3, label=label)
    for point in ordered:
        axes.annotate(
            point.budget, (point.ms_per_decision, point.win_rate), (4, 4), textcoords="offset points",
            fontsize="x-small",
        )  # fmt: skip


def _title(points: Sequence[Point]) -> str:
    games = sorted({point.games for point in points})
    protocols = dict.fromkeys(point.protocol for point in points)
    numbers = f"{games[0]:,}" if len(games) == 1 else f"{games[0]:,} to {games[-1]:,}"
    return f"{', '.join(protocols)}: the first {numbers} games"

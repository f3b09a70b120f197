"""``python -m agents stats``: statistics of an agent's games as a table and as a picture."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from agents.measure.output_files import check_picture, save_picture
from agents.measure.protocols import PROTOCOLS, protocol_seeds
from agents.measure.ranking import add_seed_offset
from agents.registry import load_agent
from agents.workers.workers import add_worker_options, read_workers
from onirim_env.cards import N_DOORS
from onirim_env.files import check_output, write_json
from onirim_env.text_table import table_lines

if TYPE_CHECKING:
    from agents.measure.stats import Statistics

GAMES = 1000
"""How many games are played when nothing else is said."""


class Section(NamedTuple):
    """A part of the report: counts that share a whole.

    Attributes
    ----------
    title
        Its heading.
    lines
        The names of the counts (fields of :class:`agents.measure.stats.Counts`) with their labels.
    """

    title: str
    lines: tuple[tuple[str, str], ...]


DOORS = Section(
    "Doors gained and lost",
    (
        ("doors_by_series", "found by a series"),
        ("doors_by_key", "opened with a Key"),
        ("nightmares_by_door", "returned for a Nightmare"),
        ("doors_refused", "refused, though a Key was there"),
        ("doors_discarded", "discarded by a Prophecy"),
    ),
)
KEYS = Section(
    "Keys: what became of the twelve",
    (
        ("doors_by_key", "opened a drawn Door"),
        ("keys_prophesying", "discarded for a Prophecy"),
        ("nightmares_by_key", "discarded for a Nightmare"),
        ("keys_played", "played in a row"),
        ("keys_in_lost_hands", "lost with a whole hand"),
        ("keys_revealed", "lost in five cards revealed"),
        ("keys_foreseen", "discarded by a Prophecy"),
        ("keys_in_hand", "left in a hand"),
        ("keys_in_deck", "left in the deck"),
    ),
)
NIGHTMARES = Section(
    "Nightmares: how they were resolved",
    (
        ("nightmares_by_key", "with a Key"),
        ("nightmares_by_door", "with a Door"),
        ("nightmares_by_reveal", "with five cards of the deck"),
        ("nightmares_by_hand", "with the whole hand"),
        ("nightmares_foreseen", "not at all: a Prophecy"),
    ),
)
COSTS = Section(
    "Cards lost to Nightmares",
    (
        ("nightmares_by_key", "Keys discarded"),
        ("nightmares_by_door", "Doors returned"),
        ("cards_revealed", "Locations of the deck"),
        ("keys_revealed", "  Keys among them"),
        ("cards_in_lost_hands", "Locations of the hand"),
        ("keys_in_lost_hands", "  Keys among them"),
    ),
)
SECTIONS = (
    (DOORS, False),
    (KEYS, True),
    (NIGHTMARES, True),
    (COSTS, False),
)
"""The sections of counts, and whether their lines are shares of a whole."""

PICTURE_SIZE = (14.0, 7.5)
"""In inches."""
WON_COLOUR, LOST_COLOUR, ALL_COLOUR = "#3a7d44", "#b5482f", "#4a6fa5"


def report(statistics: Statistics) -> str:
    """Return statistics as a table in text; with no games it is only its first line."""
    lines = [_headline(statistics)]
    if statistics.games:
        lines += ["", *_results_lines(statistics), "", *_doors_lines(statistics)]
        for section, whole in SECTIONS:
            lines += ["", *_count_lines(statistics, section, whole)]
    return "\n".join(lines)


def _headline(statistics: Statistics) -> str:
    games, wins = statistics.games, statistics.wins
    text = f"{statistics.agent}: {games:,} games"
    if games:
        text += f", {wins:,} won ({100 * wins / games:.1f} %)"
    if statistics.interrupted:
        text += "; interrupted: games under way are missing"
    return text


def _results_lines(statistics: Statistics) -> list[str]:
    """Return how long games lasted and how much was left of them."""
    rows = [["At the end", "mean", "least", "median", "most"]]
    for label, values in (
        ("turns, won games", statistics.turns[statistics.won]),
        ("turns, lost games", statistics.turns[~statistics.won]),
        ("Locations left in the deck, won games", statistics.cards_left[statistics.won]),
        ("decisions, all games", statistics.counts.decisions),
    ):
        rows.append([label, *_spread(values)])
    return table_lines(rows)


def _spread(values: np.ndarray) -> list[str]:
    if len(values) == 0:
        return ["-"] * 4
    numbers = (values.min(), np.median(values), values.max())
    return [f"{values.mean():.1f}", *(f"{number:g}" for number in numbers)]


def _doors_lines(statistics: Statistics) -> list[str]:
    """Return how many games ended with each number of Doors."""
    won, lost = statistics.doors_at_end(True), statistics.doors_at_end(False)
    rows = [["Doors in play at the end", "won", "lost", "of all"]]
    for doors in range(N_DOORS + 1):
        share = 100 * (won[doors] + lost[doors]) / statistics.games
        rows.append([f"{doors}", f"{won[doors]:,}", f"{lost[doors]:,}", f"{share:.1f} %"])
    rows.append(["mean", *(_mean(statistics.doors, which) for which in _outcomes(statistics))])
    return table_lines(rows)


def _outcomes(statistics: Statistics) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return which games were won, which lost, and all."""
    return statistics.won, ~statistics.won, np.ones_like(statistics.won)


def _mean(values: np.ndarray, which: np.ndarray) -> str:
    return f"{values[which].mean():.2f}" if which.any() else "-"


def _count_lines(statistics: Statistics, section: Section, whole: bool) -> list[str]:
    """Return a section: sums over all games, and means of a game that was won, lost, or either."""
    counts = [(getattr(statistics.counts, name), label) for name, label in section.lines]
    total = sum(int(values.sum()) for values, _ in counts)
    heading = [section.title, "in all", "a game", "won", "lost"]
    rows = [heading + ["share"] * whole]
    won, lost, everything = _outcomes(statistics)
    for values, label in counts:
        means = [_mean(values, which) for which in (everything, won, lost)]
        share = [f"{100 * values.sum() / total:.1f} %" if total else "-"] * whole
        rows.append([label, f"{values.sum():,}", *means, *share])
    return table_lines(rows)


def draw(statistics: Statistics, file: Path) -> None:
    """Draw statistics into a picture file; its ending says of which kind."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=PICTURE_SIZE, layout="constrained")
    figure.suptitle(_headline(statistics))
    rows: Any = figure.subfigures(2, 1)
    above, below = (row.subplots(1, 3) for row in rows)
    won, lost, _ = _outcomes(statistics)
    _draw_doors_at_end(above[0], statistics)
    _draw_spread(above[1], "Turns", [statistics.turns[won], statistics.turns[lost]])
    _draw_spread(above[2], "Locations left in the deck, won games", [statistics.cards_left[won]])
    for axes, section in zip(list(below), (DOORS, KEYS, NIGHTMARES)):
        _draw_section(axes, statistics, section)
    save_picture(figure, file)


def _draw_doors_at_end(axes: Any, statistics: Statistics) -> None:
    won, lost = statistics.doors_at_end(True), statistics.doors_at_end(False)
    axes.bar(range(N_DOORS + 1), won, color=WON_COLOUR, label="won")
    axes.bar(range(N_DOORS + 1), lost, bottom=won, color=LOST_COLOUR, label="lost")
    axes.set_xticks(range(N_DOORS + 1))
    axes.set_ylim(0, 1.05 * max(1, *(won + lost)))
    axes.set_title("Doors in play at the end", fontsize="medium")
    axes.set_ylabel("games")
    axes.legend()


def _draw_section(axes: Any, statistics: Statistics, section: Section) -> None:
    labels = [label for _, label in section.lines]
    games = max(1, statistics.games)
    means = [getattr(statistics.counts, name).sum() / games for name, _ in section.lines]
    bars = axes.barh(range(len(labels)), means, color=ALL_COLOUR)
    axes.bar_label(bars, fmt="%.2f", padding=2)
    axes.set_yticks(range(len(labels)), labels)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.25 * max(*means, 0.1))  # room for the numbers
    axes.set_title(section.title, fontsize="medium", loc="right")
    axes.set_xlabel("a game")


def _draw_spread(axes: Any, title: str, parts: list[np.ndarray]) -> None:
    """Draw how many games have each value: one bar a value, the parts upon each other."""
    colours = [WON_COLOUR, LOST_COLOUR][: len(parts)]
    values = np.concatenate([*parts, [0] if sum(map(len, parts)) == 0 else []])
    axes.hist(parts, bins=np.arange(values.min(), values.max() + 2) - 0.5, stacked=True, color=colours)
    axes.set_title(title, fontsize="medium")
    axes.set_ylabel("games")


def add_command(commands: Any) -> argparse.ArgumentParser:
    """Add the command to a parser's subparsers, without what decides about the rules; return it."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "stats",
        help="count what happens in an agent's games",
        description="Let an agent play games of an evaluation protocol, and count where Doors come from, "
        "what Keys are used for and what Nightmares cost. Ctrl-C shows what has been counted so far.",
    )
    parser.add_argument("name", metavar="NAME", help="an agent, or a pair such as rules+random")
    parser.add_argument(
        "--games", type=int, default=GAMES, metavar="N", help="how many games (default: %(default)s)"
    )
    add_seed_offset(parser)
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the counts to a JSON file, too")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE.png", help="draw them into a picture, too (needs matplotlib)"
    )
    add_worker_options(parser)
    return parser


def prepare(arguments: argparse.Namespace, protocol_name: str) -> Callable[[], None]:
    """Check a command line; return what plays, counts and reports.

    Raises
    ------
    ValueError
        For an unknown agent, fewer than one game, or a file that cannot be written there.
    ImportError
        For a picture without matplotlib.
    """
    from agents.measure.parts import collect_by

    workers = read_workers(arguments)
    protocol = PROTOCOLS[protocol_name]
    seeds = protocol_seeds(protocol_name, arguments.games, offset=arguments.seed_offset).tolist()
    agent = load_agent(arguments.name, rules=protocol.rules, talk=protocol.talk)
    check_output("--json", arguments.json)
    check_picture("--picture", arguments.picture)

    def run() -> None:
        statistics = collect_by(workers, agent, seeds=seeds)
        print(f"{protocol_name} from seed {seeds[0]}")
        print(report(statistics))
        if arguments.json is not None:
            write_json(arguments.json, statistics.as_dict())
        if arguments.picture is not None:
            draw(statistics, arguments.picture)

    return run

"""``python -m agents rank`` and ``compare``: measuring what is missing, and showing what came out."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents import FOLDER
from agents.agent_spec import TIME_SETTING, add_settings, is_repeatable
from agents.base import Misfit
from agents.measure.output_files import check_picture
from agents.measure.protocols import PROTOCOLS, protocol_seeds
from agents.registry import load_agent, resolve_names
from agents.workers.workers import Workers, add_worker_options, read_workers
from onirim_env.errors import quoted
from onirim_env.files import check_output, check_output_folder, write_json

if TYPE_CHECKING:
    from agents.measure.results import Results

RESULTS_FOLDER = FOLDER.parent / "results"
LEADERBOARD_FOLDER = FOLDER


def add_commands(commands: Any) -> None:
    """Add both commands to a parser's subparsers."""
    rank = commands.add_parser(
        "rank",
        help="measure agents in the protocols and rewrite agents/LEADERBOARD.md",
        description="Play the games of the protocols that are not stored yet, and rewrite "
        "agents/LEADERBOARD.md. Without names it is only rewritten. Ctrl-C keeps what is finished; the "
        "same command goes on.",
    )
    rank.set_defaults(prepare=_prepare_ranking)
    rank.add_argument("names", nargs="*", metavar="NAME", help="an agent, or a pair such as rules+random")
    rank.add_argument(
        "--protocol", nargs="+", choices=PROTOCOLS, metavar="NAME", dest="protocols",
        help=f"default: each that the agent can play, of {', '.join(PROTOCOLS)}",
    )  # fmt: skip
    rank.add_argument(
        "--picture", type=Path, metavar="FILE", help="draw the leaderboard at the end (.png, .svg, .pdf)"
    )
    rank.add_argument(
        "--remove", nargs="+", default=[], metavar="NAME",
        help="take the rows of agents out, as they stand in the leaderboard; their stored games stay",
    )  # fmt: skip
    add_settings(rank)
    add_measuring(rank)

    compare = commands.add_parser(
        "compare",
        help="compare two agents on the same games",
        description="Play the games of a protocol that are not stored yet, and print the difference of "
        "the win rates with its 95 % interval (normal approximation of the paired differences).",
    )
    compare.set_defaults(prepare=_prepare_comparison)
    compare.add_argument("names", nargs=2, metavar="NAME", help="an agent, or a pair such as rules+random")
    compare.add_argument("--protocol", choices=PROTOCOLS, default="solo-v1", help="default: %(default)s")
    add_seed_offset(compare)
    compare.add_argument("--json", type=Path, metavar="FILE", help="write the comparison to a JSON file, too")
    add_settings(compare)
    add_measuring(compare)


def add_seed_offset(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses other games than those of a protocol."""
    parser.add_argument(
        "--seed-offset", type=int, default=0, metavar="N",
        help="leave out the first N seeds, to play other games than those of the protocol: what is chosen "
        "or tuned by games is told by others",
    )  # fmt: skip


def add_measuring(parser: argparse.ArgumentParser) -> None:
    """Add the options of a command that measures and stores."""
    parser.add_argument(
        "--games", type=int, metavar="N", help="how many games, from the first on; default: all"
    )
    add_worker_options(parser, default=None)
    parser.add_argument(
        "--results", type=Path, default=RESULTS_FOLDER, metavar="FOLDER",
        help="where each game's result is stored (default: results, beside agents)",
    )  # fmt: skip


def check_measuring(arguments: argparse.Namespace, protocols: Sequence[str]) -> Workers:
    """Check the options of :func:`add_measuring`; return who plays.

    Raises
    ------
    ValueError
        For a number of workers or games that cannot be.
    """
    workers = read_workers(arguments)
    for name in protocols:
        most = PROTOCOLS[name].games
        if arguments.games is not None and arguments.games > most:
            raise ValueError(f"{name} has {most:,} games, not {arguments.games:,}")
        protocol_seeds(name, arguments.games, offset=getattr(arguments, "seed_offset", 0))
    return workers


def _check_removed(arguments: argparse.Namespace) -> None:
    """Make sure that what is to be taken out of the leaderboard is there."""
    from agents.measure.leaderboard import read_rows

    protocols = arguments.protocols or list(PROTOCOLS)
    there = [row["agent"] for row in read_rows(LEADERBOARD_FOLDER) if row["protocol"] in protocols]
    for name in arguments.remove:
        if name not in there:
            raise ValueError(
                f"--remove {quoted(name)}: the leaderboard has {', '.join(dict.fromkeys(there)) or 'no rows'}"
            )


def _check_results_folder(arguments: argparse.Namespace, tasks: Sequence[Results]) -> None:
    """Make sure that results can be stored, where there is anything to be measured."""
    for results in tasks:
        if len(results.missing(arguments.games or PROTOCOLS[results.protocol].games)):
            check_output_folder("--results", arguments.results)
            return


def check_agent(name: str, protocol: str) -> None:
    """Make sure that an agent can play a protocol, before anything is measured."""
    load_agent(name, rules=PROTOCOLS[protocol].rules, talk=PROTOCOLS[protocol].talk)


def _stored_names(arguments: argparse.Namespace) -> list[str]:
    """Return the canonical names of the agents, whose games are to be stored.

    Raises
    ------
    ValueError
        For an agent that is unknown, or whose results cannot be repeated.
    """
    names = resolve_names(arguments.names, arguments.settings)
    for name in names:
        if not is_repeatable(name):
            raise ValueError(
                f"{name} cannot be repeated, for {TIME_SETTING} depend on the machine, so its games are not "
                "stored: only evaluate, watch and budget take it"
            )
    return names


def _playable(name: str) -> list[str]:
    """Return the protocols that an agent can play."""
    playable = []
    for protocol in PROTOCOLS:
        try:
            check_agent(name, protocol)
        except Misfit:
            continue
        playable.append(protocol)
    return playable


def _prepare_ranking(arguments: argparse.Namespace) -> Callable[[], None]:
    from agents.measure.leaderboard import leaderboard_row, read_rows, remove_rows, update_leaderboard
    from agents.measure.measuring import measure
    from agents.measure.results import Results

    workers = check_measuring(arguments, arguments.protocols or list(PROTOCOLS))
    _check_removed(arguments)
    check_picture("--picture", arguments.picture)
    tasks = []
    for name in dict.fromkeys(_stored_names(arguments)):
        if arguments.protocols:
            for protocol in arguments.protocols:
                check_agent(name, protocol)
        for protocol in arguments.protocols or _playable(name):
            tasks.append(Results(arguments.results, name, protocol))
    _check_results_folder(arguments, tasks)

    def run() -> None:
        if arguments.remove:
            remove_rows(arguments.remove, arguments.protocols or list(PROTOCOLS), LEADERBOARD_FOLDER)
        for results in tasks:
            games = arguments.games or PROTOCOLS[results.protocol].games
            try:
                measure(results, games, workers)
            finally:
                evaluation = results.evaluation()
                if evaluation.games:
                    update_leaderboard([leaderboard_row(results)], LEADERBOARD_FOLDER)
            row = evaluation.row()
            texts = (row["win rate"], row["95 % interval"], f"{results.milliseconds:.3g} ms a decision")
            print(
                f"{results.protocol} {results.agent}: {evaluation.games:,} games, {', '.join(texts)}",
                flush=True,
            )
        if not tasks:
            update_leaderboard([], LEADERBOARD_FOLDER)
        if arguments.picture is not None:
            from agents.measure.leaderboard_picture import draw_leaderboard

            draw_leaderboard(read_rows(LEADERBOARD_FOLDER), arguments.picture)
            print(f"saved {arguments.picture}", flush=True)

    return run


def _prepare_comparison(arguments: argparse.Namespace) -> Callable[[], None]:
    from agents.measure.comparison import compare
    from agents.measure.measuring import measure
    from agents.measure.results import Results

    workers = check_measuring(arguments, [arguments.protocol])
    check_output("--json", arguments.json)
    both = []
    names = _stored_names(arguments)
    for name in names:
        check_agent(name, arguments.protocol)
        both.append(Results(arguments.results, name, arguments.protocol, arguments.seed_offset))
    games = arguments.games or PROTOCOLS[arguments.protocol].games
    _check_results_folder(arguments, both)

    def run() -> None:
        for results in both:
            measure(results, games, workers)
        found = compare(*(results.evaluation(games) for results in both))
        print(f"{both[0].games_name}: {games:,} games, the same for both")
        print(found.text(*names))
        if arguments.json is not None:
            about = {"protocol": arguments.protocol, "seed_offset": arguments.seed_offset}
            write_json(arguments.json, {**about, **found.as_dict(*names)})

    return run

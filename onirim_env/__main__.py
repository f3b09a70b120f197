"""The command line: ``python -m onirim_env play | replay | bench | rules | warmup``."""

from __future__ import annotations

import argparse
import functools
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from onirim_env.command import run_command, usage_errors
from onirim_env.files import check_output, write_json

if TYPE_CHECKING:
    from onirim_env.shells.options import Option


def _bench(arguments: argparse.Namespace) -> int:
    from onirim_env import warm_up
    from onirim_env.bench.report import run, run_threads

    with usage_errors():
        check_output("--json", arguments.json)
    seconds, repeats = (0.1, 3) if arguments.quick else (arguments.seconds, arguments.repeats)
    print("loading the engine ...", file=sys.stderr)
    warm_up()
    tell = functools.partial(print, flush=True)
    if arguments.threads > 1:
        print("steps a second of wall time, medians of measurements in turns", file=sys.stderr)
        report = run_threads(arguments.threads, seconds, repeats, tell)
    else:
        print("steps a second of CPU time on one core, medians; ratios within this run", file=sys.stderr)
        report = run(seconds, repeats, tell)
    if arguments.json is not None:
        write_json(arguments.json, report)
        print(f"written to {arguments.json}", file=sys.stderr)
    return 0


def _option_lines(option: Option) -> str:
    values = ", ".join(json.dumps(value) for value in option.values)
    return f"  {option.keyword} = {values}  {option.rule}\n      {option.meaning}"


def _rules(arguments: argparse.Namespace) -> int:
    from onirim_env.actions import ActionTable
    from onirim_env.observation import observation_layout
    from onirim_env.option_text import read_options
    from onirim_env.rules import EXPANSION_RULES, OPTIONS, RuleSet

    with usage_errors():
        rules = RuleSet(**read_options(arguments.options))
    print("Options of the rules, defaults first:")
    for option in OPTIONS:
        print(_option_lines(option))
    print("Expansions, as in expansions=towers,glyphs hard=towers, and their options:")
    for expansion in EXPANSION_RULES:
        hard = f"\n      hard: {expansion.hard}" if expansion.hard else ""
        print(f"  {expansion.keyword}  {expansion.title}{hard}")
        for option in expansion.options:
            print(_option_lines(option))
    table = ActionTable(rules)
    print(f"\nActions under {rules}:")
    for action, text in enumerate(table.texts):
        print(f"  {action:>3} {text}")
    print("\nObservation:")
    for field in observation_layout(rules):
        print(f"  {field.start:>3}-{field.stop - 1:<3} {field.name:<20} {field.meaning}")
    return 0


def _play(arguments: argparse.Namespace) -> int:
    from onirim_env.play.command import make_session, play

    with usage_errors():
        session = make_session(arguments)
    play(session, arguments, ["python", "-m", "onirim_env", "play"])
    return 0


def _replay(arguments: argparse.Namespace) -> int:
    from onirim_env.replay.command import run

    with usage_errors():
        run(arguments)
    return 0


def _warm_up(arguments: argparse.Namespace) -> int:
    from onirim_env import warm_up

    takes = "up to a minute" if arguments.expansions else "some ten seconds"
    print(f"compiling the engine; the first time takes {takes} ...")
    start = time.perf_counter()
    warm_up(arguments.expansions)
    print(f"ready after {time.perf_counter() - start:.1f} s")
    return 0


def _positive(kind: type[int] | type[float]) -> Callable[[str], float]:
    """Return the argparse type of numbers above 0."""

    def read(text: str) -> float:
        try:
            value = kind(text)
        except ValueError:
            value = kind(0)
        if not value > 0:
            raise argparse.ArgumentTypeError(f"must be a number above 0, not {text!r}")
        return value

    return read


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    from onirim_env.play.command import add_options
    from onirim_env.replay.command import add_options as add_replay_options

    parser = argparse.ArgumentParser(
        prog="python -m onirim_env", description="Onirim: play it, look at games; speed, rules, set-up."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    play = commands.add_parser(
        "play", help="play a game in this terminal or in a window, alone or two together"
    )
    add_options(play)
    play.set_defaults(run=_play)
    replay = commands.add_parser(
        "replay",
        help="show a record of a game, in words or as a page for a browser",
        description="Show a record of a game: in words, or with --html as a page to step through.",
    )
    add_replay_options(replay)
    replay.set_defaults(run=_replay)
    bench = commands.add_parser("bench", help="measure decisions a second")
    bench.add_argument("--json", type=Path, metavar="FILE", help="also write the report to FILE")
    bench.add_argument(
        "--seconds", type=_positive(float), default=1.0, help="CPU time of one measurement (default 1)"
    )
    bench.add_argument(
        "--repeats",
        type=_positive(int),
        default=5,
        help="measurements, of which the median counts (default 5)",
    )
    bench.add_argument(
        "--threads",
        type=_positive(int),
        default=1,
        metavar="N",
        help="measure batches with N threads against one instead, by wall time",
    )
    bench.add_argument("--quick", action="store_true", help="a rough look in under a minute")
    bench.set_defaults(run=_bench)
    rules = commands.add_parser("rules", help="list the rule options, the actions and the observation")
    rules.add_argument(
        "options", nargs="*", metavar="option=value", help="a rule set: players=2 expansions=towers,glyphs"
    )
    rules.set_defaults(run=_rules)
    warm = commands.add_parser("warmup", help="compile the engine now rather than at the first game")
    warm.add_argument(
        "--expansions", action="store_true", help="also for games with expansions, which takes up to a minute"
    )
    warm.set_defaults(run=_warm_up)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parsed = build_parser().parse_args(arguments)
    return run_command("error", lambda: parsed.run(parsed))


if __name__ == "__main__":
    raise SystemExit(main())

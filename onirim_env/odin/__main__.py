"""``python -m onirim_env.odin``: play Odin in the terminal, list its rules, actions and observation."""

from __future__ import annotations

import argparse
from typing import Any

from onirim_env.command import run_command, usage_errors
from onirim_env.odin.actions import action_table
from onirim_env.odin.observation import FIELDS
from onirim_env.odin.rules import OPTIONS, RuleSet
from onirim_env.shells.seats import RANDOM, read_opponents


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m onirim_env.odin", description="Odin: play it in the terminal; its rules and tables."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    play = commands.add_parser(
        "play", help="play in this terminal, opponents in the other seats",
        description="Play Odin in this terminal. Answers are numbers or texts of choices; ? explains.",
    )  # fmt: skip
    play.add_argument(
        "--opponents", default=RANDOM, metavar="WHO",
        help="random (default), or where to import a callable from: agents.odin.opponents:simple",
    )  # fmt: skip
    play.add_argument("--seat", type=int, default=0, metavar="N", help="your seat (default: %(default)s)")
    play.add_argument("--seed", type=int, metavar="N", help="the game to deal; a new one when not given")
    play.set_defaults(prepare=_prepare_play)
    rules = commands.add_parser("rules", help="list the rule options, the actions and the observation")
    rules.set_defaults(prepare=_prepare_rules)
    for command in (play, rules):
        _add_rules(command)
    return parser


def _add_rules(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("rules")
    for option in OPTIONS:
        name = "--" + option.keyword.replace("_", "-")
        texts = {str(value).lower(): value for value in option.values}
        group.add_argument(
            name, choices=list(texts), default=str(option.values[0]).lower(),
            help=f"{option.meaning} (default: %(default)s)",
        )  # fmt: skip


def _rules(arguments: argparse.Namespace) -> RuleSet:
    chosen: dict[str, Any] = {}
    for option in OPTIONS:
        texts = {str(value).lower(): value for value in option.values}
        chosen[option.keyword] = texts[getattr(arguments, option.keyword)]
    return RuleSet(**chosen)


def _prepare_play(arguments: argparse.Namespace) -> Any:
    from onirim_env.odin.game import Game
    from onirim_env.odin.play import Table, can_edit_lines

    rules = _rules(arguments)
    if not 0 <= arguments.seat < rules.players:
        raise ValueError(f"--seat must be a number from 0 to {rules.players - 1}, not {arguments.seat}")
    table = Table(Game(rules, arguments.seed), arguments.seat, read_opponents(arguments.opponents))

    def run() -> None:
        can_edit_lines()
        table.run()

    return run


def _prepare_rules(arguments: argparse.Namespace) -> Any:
    rules = _rules(arguments)

    def run() -> None:
        for option in OPTIONS:
            print(f"{option.keyword} ({option.rule}): {', '.join(map(repr, option.values))}")
            print(f"    {option.meaning}")
        table = action_table(rules)
        print(f"\nActions under {rules}:")
        for action, text in enumerate(table.texts):
            print(f"  {action:>4} {text}")
        print("\nObservation:")
        for field in FIELDS:
            print(f"  {field.start:>3}-{field.stop - 1:<3} {field.name:<12} {field.meaning}")

    return run


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return the exit status."""
    parsed = _parser().parse_args(arguments)

    def work() -> None:
        with usage_errors():
            run = parsed.prepare(parsed)
        run()

    return run_command("error", work)


if __name__ == "__main__":
    raise SystemExit(main())

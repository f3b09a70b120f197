"""``python -m agents``: list agents, evaluate, rank and compare them, count, draw, watch one play."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from agents.agent_spec import add_settings, is_repeatable
from agents.measure import budget_report, ranking, stats_report
from agents.measure.protocols import PROTOCOLS, Protocol, find_protocol, protocol_seeds
from agents.registry import find_agents, load_agent, resolve_names
from agents.show import play, replay_page
from agents.workers.workers import add_worker_options, read_workers
from onirim_env.command import run_command, usage_errors
from onirim_env.files import check_output, write_json
from onirim_env.keywords import TALKS
from onirim_env.option_text import add_expansions, expansion_options
from onirim_env.replay.command import add_html
from onirim_env.row_threads import check_threads
from onirim_env.rules import RuleSet
from onirim_env.text_table import table_lines

GAMES = ("onirim", "odin")
"""The games that there are agents for."""
MOST_PLAYERS = 6


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m agents",
        description="List the agents of this folder, evaluate, rank or compare them, or watch one play.",
    )
    parser.set_defaults(prepare=_prepare_list)
    commands = parser.add_subparsers(metavar="COMMAND")

    listing = commands.add_parser("list", help="list the agents; the same as no command")
    listing.set_defaults(prepare=_prepare_list)
    _add_game(listing)

    evaluate = commands.add_parser(
        "evaluate",
        help="measure how well agents play",
        description="Let agents play the games of an evaluation protocol. The number of players and "
        f"the talk choose it: {', '.join(PROTOCOLS)}.",
    )
    evaluate.set_defaults(prepare=_prepare_evaluation)
    evaluate.add_argument(
        "names", nargs="+", metavar="NAME",
        help="an agent, one with settings such as search[playouts=5000], or a pair such as rules+random",
    )  # fmt: skip
    add_settings(evaluate)
    evaluate.add_argument(
        "--games", type=int, metavar="N", help="how many games; default: the whole protocol"
    )
    _add_game(evaluate)
    _add_rules(evaluate, most=MOST_PLAYERS)
    add_expansions(evaluate, "play with these expansions, on the seeds of the protocol")
    evaluate.add_argument("--json", type=Path, metavar="FILE", help="write the results to a JSON file, too")
    ranking.add_seed_offset(evaluate)
    evaluate.add_argument(
        "--batch-size", type=int, default=256, metavar="N",
        help="games side by side (default: %(default)s); it does not change the results",
    )  # fmt: skip
    evaluate.add_argument(
        "--threads", type=int, default=1, metavar="N",
        help="threads that step the games, each 1,024 of them or more (default: %(default)s)",
    )  # fmt: skip
    add_worker_options(evaluate)

    ranking.add_commands(commands)
    budget_report.add_command(commands)

    stats = stats_report.add_command(commands)
    stats.set_defaults(prepare=_prepare_stats)
    _add_rules(stats)

    watch = commands.add_parser(
        "watch",
        help="show a game that an agent plays, as text or as a page for a browser",
        description="Print a game that an agent plays, decision by decision, or write it as a page with "
        "the agent's opinion of every choice.",
    )
    watch.set_defaults(prepare=_prepare_watching)
    watch.add_argument("name", metavar="NAME", help="an agent, or a pair such as rules+random")
    add_settings(watch)
    watch.add_argument(
        "--seed", type=int, default=0, metavar="N", help="seed of the game (default: %(default)s)"
    )
    _add_rules(watch)
    add_expansions(watch, "play with these expansions")
    add_html(watch)

    replay_page.add_command(commands)
    play.add_command(commands)
    return parser


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", choices=GAMES, default=GAMES[0],
        help="whose agents; with odin, each deal is played once in every seat among players of its reference "
        "agent (default: %(default)s)",
    )  # fmt: skip


def _add_rules(parser: argparse.ArgumentParser, most: int = 2) -> None:
    others = f"; of another game 2 to {most}" if most > 2 else ""
    parser.add_argument(
        "--players", type=int, choices=range(1, most + 1), default=None if most > 2 else 1, metavar="N",
        help=f"1 is solo (default), 2 co-op{others}",
    )  # fmt: skip
    parser.add_argument(
        "--talk", choices=TALKS, default="open",
        help="co-op: whether the players see each other's cards (default: %(default)s)",
    )  # fmt: skip


def _rules(arguments: argparse.Namespace, protocol: Protocol) -> RuleSet:
    """Return the rules of a protocol, with the expansions that were asked for."""
    return RuleSet(**protocol.rules.as_dict(), **expansion_options(arguments))


def _protocol(arguments: argparse.Namespace) -> tuple[str, Protocol]:
    name = find_protocol(arguments.players, arguments.talk)
    return name, PROTOCOLS[name]


def _prepare_list(arguments: argparse.Namespace) -> Callable[[], None]:
    if getattr(arguments, "game", GAMES[0]) != GAMES[0]:
        from agents.odin.command import list_lines

        return lambda: print("\n".join(list_lines()))
    entries = find_agents()
    width = max(map(len, entries), default=0)
    lines = [f"{name:<{width}}  {entry.line}" for name, entry in entries.items()]
    return lambda: print("\n".join(lines))


def _prepare_evaluation(arguments: argparse.Namespace) -> Callable[[], None]:
    from agents.measure.parts import evaluate_by

    if arguments.game != GAMES[0]:
        from agents.odin.command import prepare_evaluation

        return prepare_evaluation(arguments)
    arguments.players = 1 if arguments.players is None else arguments.players
    workers = read_workers(arguments)
    name, protocol = _protocol(arguments)
    rules = _rules(arguments, protocol)
    title = name if rules == protocol.rules else f"{name}, but {rules}"
    seeds = protocol_seeds(name, arguments.games, offset=arguments.seed_offset).tolist()
    names = resolve_names(arguments.names, arguments.settings)
    agents = [load_agent(one, rules=rules, talk=protocol.talk) for one in names]
    if arguments.batch_size < 1:
        raise ValueError(f"--batch-size must be at least 1, not {arguments.batch_size}")
    check_threads(arguments.threads)
    batch = {"batch_size": arguments.batch_size, "threads": arguments.threads}
    check_output("--json", arguments.json)

    def run() -> None:
        print(f"{title}: {len(seeds):,} games from seed {seeds[0]}")
        results = []
        for agent in agents:
            results.append(evaluate_by(workers, agent, seeds=seeds, **batch))
            if results[-1].interrupted:
                break
        _print_table([result.row() for result in results])
        timed = [result.agent for result in results if not is_repeatable(result.agent)]
        if timed:
            print(f"cannot be repeated, for it depends on the machine: {', '.join(timed)}")
        if arguments.json is not None:
            write_json(arguments.json, [result.as_dict() for result in results])

    return run


def _print_table(rows: Sequence[dict[str, str]]) -> None:
    print("\n".join(table_lines([list(rows[0]), *(list(row.values()) for row in rows)], left=0)))


def _prepare_stats(arguments: argparse.Namespace) -> Callable[[], None]:
    return stats_report.prepare(arguments, _protocol(arguments)[0])


def _prepare_watching(arguments: argparse.Namespace) -> Callable[[], None]:
    _, protocol = _protocol(arguments)
    (name,) = resolve_names([arguments.name], arguments.settings)
    rules = _rules(arguments, protocol)
    return replay_page.prepare_watching(name, arguments.seed, rules, protocol.talk, arguments.html)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; return the exit status: 0, or 2 for input that cannot be."""
    arguments = _parser().parse_args(argv)

    def work() -> None:
        with usage_errors(ImportError):
            run = arguments.prepare(arguments)
        run()

    return run_command("error", work)


if __name__ == "__main__":
    sys.exit(main())

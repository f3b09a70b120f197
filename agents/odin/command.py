"""``python -m agents evaluate NAME --game odin``."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from agents.odin.protocols import PROTOCOLS, REFERENCE
from agents.odin.registry import load_odin_agent, odin_agents
from onirim_env.files import check_output, write_json
from onirim_env.odin.rules import RuleSet
from onirim_env.text_table import table_lines


def prepare_evaluation(arguments: argparse.Namespace) -> Callable[[], None]:
    """Read the arguments; return what plays and prints.

    Raises
    ------
    ValueError
        For an unknown agent, or a number of players that Odin is not for.
    """
    from agents.odin.evaluation import evaluate_seats

    players = 2 if arguments.players is None else arguments.players
    if players not in PROTOCOLS:
        raise ValueError(f"--players cannot be {players}; Odin is for {min(PROTOCOLS)} to {max(PROTOCOLS)}")
    protocol = PROTOCOLS[players]
    rules = RuleSet(players=players)
    seeds = protocol.seeds(arguments.games)
    names = [_with_settings(name, arguments.settings) for name in arguments.names]
    agents = [load_odin_agent(name, rules) for name in names]
    check_output("--json", arguments.json)

    def run() -> None:
        print(
            f"{protocol.name}: {len(seeds):,} deals, each once in every seat among {players - 1} of "
            f"{REFERENCE}; fair is {1 / players:.3f}"
        )
        results = []
        for agent in agents:
            results.append(evaluate_seats(agent, load_odin_agent(REFERENCE, rules), seeds))
        rows = [["agent", "games", "win share", "95 % interval", "to the first", "points", "ms/decision"]]
        for result in results:
            low, high = result.interval()
            difference = (
                "" if result is results[0] else "{:+.3f} to {:+.3f}".format(*result.interval(results[0]))
            )
            rows.append(
                [
                    result.agent, f"{result.shares.size:,}", f"{result.share:.3f}",
                    f"{low:.3f} to {high:.3f}", difference, f"{result.points.mean():.2f}",
                    f"{1000 * result.seconds / max(result.decisions, 1):.3f}",
                ]
            )  # fmt: skip
        print("\n".join(table_lines(rows, left=0)))
        if arguments.json is not None:
            write_json(
                arguments.json,
                [
                    {
                        "agent": result.agent, "protocol": protocol.name, "deals": len(seeds),
                        "win_share": result.share, "interval": result.interval(),
                        "points": float(result.points.mean()), "seconds": result.seconds,
                        "decisions": result.decisions,
                    }
                    for result in results
                ],
            )  # fmt: skip

    return run


def _with_settings(name: str, settings: list[str]) -> str:
    return name if not settings else f"{name}[{','.join(settings)}]"


def list_lines() -> list[str]:
    """Return a line for each agent of Odin."""
    entries = odin_agents()
    width = max(map(len, entries), default=0)
    return [f"{name:<{width}}  {entry.line}" for name, entry in entries.items()]

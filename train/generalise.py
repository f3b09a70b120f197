"""``python -m train.generalise``: how a network does on sets of expansions that it has met, and on others."""

from __future__ import annotations

import argparse
import functools
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.measure.ranking import add_seed_offset
from agents.workers.workers import add_worker_options, read_workers
from onirim_env.command import INTERRUPTED, run_command, usage_errors
from onirim_env.files import check_output, write_json
from onirim_env.text_table import table_lines
from train.devices import add_device_option
from train.errors import UserError
from train.evaluate import read_games

if TYPE_CHECKING:
    from agents.base import Agent
    from agents.measure.evaluation_result import Evaluation
    from onirim_env.rules import RuleSet

HEADINGS = ("sets", "agent", "met in training", "held out")
OTHER_HEADINGS = ("sets", "agent", "sets of mixed trainings", "held out of them")
"""Of a policy whose training was not mixed: it has met none of these sets, or one."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parsed = _parser().parse_args(arguments)
    return run_command("python -m train.generalise", lambda: _run(parsed))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train.generalise",
        description="Play held-out games of all 128 sets of expansions with a trained policy of the layout "
        "full; print its win rates on the 96 sets that a mixed training meets and on the 32 others "
        "(agents/measure/expansion_sets.py), by the number of expansions, beside the rules agent's.",
        epilog="example: python -m train.generalise runs/solo_mixed-0-20250101-120000 --games 100",
    )
    parser.add_argument(
        "model",
        metavar="RUN_OR_MODEL",
        type=Path,
        help="a run folder (model.zip, else the last checkpoint) or a .zip",
    )
    parser.add_argument("--games", type=read_games, default=100, help="games of each set (default 100)")
    parser.add_argument("--hard", action="store_true", help="play every expansion in its harder variant")
    parser.add_argument("--alone", action="store_true", help="leave out the rules agent")
    add_device_option(parser)
    add_worker_options(parser)
    add_seed_offset(parser)
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the results of each set as JSON")
    return parser


def _run(parsed: argparse.Namespace) -> int:
    import torch

    from train.loading import load_policy
    from train.set_results import evaluate_sets, rule_sets

    torch.set_num_threads(1)
    with usage_errors():
        check_output("--json", parsed.json)
        workers = read_workers(parsed)
    policy = load_policy(parsed.model)
    if policy.layout != "full":
        raise UserError(f"{policy.file} is for the layout {policy.layout}; this needs one of the layout full")
    rules = rule_sets(policy.rules.base_game(), hard=parsed.hard)
    games = {"games": parsed.games, "talk": policy.talk, "offset": parsed.seed_offset, "workers": workers}
    agent_for = functools.partial(policy.agent, device=parsed.device)
    results = {"policy": evaluate_sets(agent_for, rules, **games)}
    if not parsed.alone and len(results["policy"]) == len(rules):  # fewer after Ctrl-C
        results["rules"] = evaluate_sets(functools.partial(_rules_agent, policy.talk), rules, **games)
    mixed = bool(policy.settings and policy.settings.get("mixed_expansions"))
    if not mixed:
        print(f"this policy was trained on {policy.rules} alone")
    print(sets_table(results, mixed))
    if parsed.json is not None:
        write_json(parsed.json, sets_json(results, model=policy.file.name, steps=policy.steps))
    return INTERRUPTED if any(len(some) < len(rules) for some in results.values()) else 0


def _rules_agent(talk: str, rules: RuleSet) -> Agent:
    from agents.registry import load_agent

    return load_agent("rules", rules=rules, talk=talk)


def sets_table(results: dict[str, list[Evaluation]], mixed: bool = True) -> str:
    """Return win rates of agents by the number of expansions, on sets met and held out, as a text table.

    ``mixed`` says whether the training was one that meets the sets that are not held out.
    """
    from train.set_results import summary

    lines: list[Sequence[str]] = [HEADINGS if mixed else OTHER_HEADINGS]
    for agent, evaluations in results.items():
        for name, met, held_out in summary(evaluations):
            lines.append((f"{name} ({met.sets} + {held_out.sets})", agent, met.text(), held_out.text()))
    return "\n".join(table_lines(lines, left=len(HEADINGS)))


def sets_json(results: dict[str, list[Evaluation]], **about: Any) -> dict[str, Any]:
    """Return the results of each set as JSON values, after what they are about."""
    from train.set_results import sets_as_dicts

    return {**about, "sets": {agent: sets_as_dicts(evaluations) for agent, evaluations in results.items()}}


if __name__ == "__main__":
    sys.exit(main())

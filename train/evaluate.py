"""``python -m train.evaluate``: how well a trained policy plays, beside other agents."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agents.measure.ranking import add_seed_offset
from onirim_env.command import INTERRUPTED, run_command, usage_errors
from onirim_env.files import check_output, json_text, write_json
from train.argument_types import whole_number
from train.devices import add_device_option
from train.errors import UserError

if TYPE_CHECKING:
    from agents.base import Agent
    from onirim_env.rules import RuleSet
    from train.loading import LoadedPolicy


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parsed = _parser().parse_args(arguments)
    return run_command("python -m train.evaluate", lambda: _run(parsed))


read_games = whole_number(1, 1_000_000)
"""Reads a number of games for an argument parser, such as ``1e4``."""


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train.evaluate",
        description="Play held-out games with a trained policy, the rules agent and the random agent; "
        "print win rates with 95 % intervals. Game i has the seed 1,000,000,000 + i in solo; 10,000 "
        "games are the whole protocol. The same model and games give the same result everywhere.",
        epilog="example: python -m train.evaluate runs/solo_quick-0-20250101-120000 --games 10000",
    )
    parser.add_argument(
        "model",
        metavar="RUN_OR_MODEL",
        type=Path,
        help="a run folder (model.zip, else the last checkpoint) or a .zip",
    )
    parser.add_argument("--games", type=read_games, default=10_000, help="how many games (default 10000)")
    parser.add_argument(
        "--sampled", action="store_true", help="draw actions instead of the most probable ones"
    )
    parser.add_argument("--alone", action="store_true", help="leave out the other agents")
    parser.add_argument(
        "--expansions", nargs="+", metavar="EXPANSION",
        help="play with these expansions; only for a policy of the layout full",
    )  # fmt: skip
    parser.add_argument(
        "--hard", nargs="+", default=[], metavar="EXPANSION", help="those of them in their harder variant"
    )
    parser.add_argument(
        "--against",
        metavar="RUN_OR_MODEL",
        type=Path,
        help="another trained policy of the same game, on the same games: also prints the paired difference",
    )
    add_device_option(parser)
    add_seed_offset(parser)
    parser.add_argument(
        "--json",
        metavar="FILE",
        type=Path,
        help="write the results as JSON; '-' prints them instead of the table",
    )
    return parser


def _run(parsed: argparse.Namespace) -> int:
    import torch

    from agents.measure.comparison import compare as paired
    from train.evaluation import COMPARED, compare, comparison_json, comparison_table
    from train.loading import load_policy

    torch.set_num_threads(1)  # more seldom help networks this small, and are ruinous on busy machines
    if parsed.json != Path("-"):
        with usage_errors():
            check_output("--json", parsed.json)
    policy = load_policy(parsed.model)
    rules = _rules(policy, parsed)
    others: tuple[Agent | str, ...] = () if parsed.alone else COMPARED
    if parsed.against is not None:
        others = (_rival(policy, load_policy(parsed.against), rules, parsed.device), *others)
    agent = policy.agent(rules, deterministic=not parsed.sampled, device=parsed.device)
    evaluations = compare(agent, parsed.games, others, offset=parsed.seed_offset)
    about = {"model": policy.file.name, "steps": policy.steps, "sampled": parsed.sampled}
    pair = None
    if parsed.against is not None and not any(one.interrupted for one in evaluations[:2]):
        pair = paired(*evaluations[:2])
        about["against"] = pair.as_dict("policy", str(parsed.against))
    result = comparison_json(evaluations, **about, seed_offset=parsed.seed_offset)
    if parsed.json == Path("-"):
        print(json_text(result), end="")
    else:
        print(comparison_table(evaluations))
        if pair is not None:
            print(pair.text("policy", str(parsed.against)))
        if parsed.json is not None:
            write_json(parsed.json, result)
    return INTERRUPTED if any(evaluation.interrupted for evaluation in evaluations) else 0


def _rules(policy: LoadedPolicy, parsed: argparse.Namespace) -> RuleSet:
    """Return the rules that are to be played: those of the policy, or others of the layout full."""
    from onirim_env.rules import RuleSet

    if parsed.expansions is None and not parsed.hard:
        return policy.rules
    if policy.layout != "full":
        raise UserError(f"{policy.file} knows {policy.rules} only: its layout is not full")
    base = policy.rules.base_game().as_dict()
    try:
        return RuleSet(**base, expansions=parsed.expansions or [], hard=parsed.hard)
    except ValueError as error:
        raise UserError(str(error)) from None


def _rival(policy: LoadedPolicy, other: LoadedPolicy, rules: RuleSet, device: str) -> Agent:
    """Return the agent of another policy, under its path as a name."""
    if (other.rules, other.talk) != (policy.rules, policy.talk):
        raise UserError(f"{other.file} is for {other.rules}, {other.talk} talk; {policy.file} is for others")
    agent = other.agent(rules, device=device)
    agent.name = str(other.file)  # type: ignore[misc]
    return agent


if __name__ == "__main__":
    sys.exit(main())

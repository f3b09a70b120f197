"""``python -m train``: train from a configuration, then evaluate."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from onirim_env.command import INTERRUPTED, run_command
from onirim_env.files import write_json
from train.errors import UserError

if TYPE_CHECKING:
    from onirim_env.rules import RuleSet
    from train.checkpoint import Checkpoint
    from train.config import TrainConfig
    from train.run_folder import RunFolder
    from train.training import Training

EXAMPLES = """\
examples:
  python -m train configs/solo_quick.yaml
  python -m train configs/solo_quick.yaml total_steps=5e6 seed=3 rules.prophecy_actions=permutation
  python -m train --resume runs/solo_quick-0-20250101-120000 total_steps=2e7
  python -m train.evaluate runs/solo_quick-0-20250101-120000 --games 10000
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parsed = _parser().parse_intermixed_args(arguments)
    return run_command("python -m train", lambda: _run(*_prepare(parsed)))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train",
        usage="python -m train (CONFIG | --resume RUN) [name=value ...] [--run-dir DIR]",
        description="Train MaskablePPO on Onirim from a YAML file, then evaluate it on held-out games.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES + "\n" + _settings_help(),
    )
    parser.add_argument(
        "arguments",
        nargs="*",
        metavar="CONFIG or name=value",
        help="a YAML file, and settings that take precedence over it",
    )
    parser.add_argument(
        "--resume",
        metavar="RUN",
        type=Path,
        help="go on from the last checkpoint of a run folder; the games under way are dealt anew",
    )
    parser.add_argument(
        "--run-dir",
        metavar="DIR",
        type=Path,
        help="the run folder (default: <runs_dir>/<config>-<seed>-<time>)",
    )
    return parser


def _settings_help() -> str:
    from train.config import settings_table

    lines = ["settings (name, default: meaning; what is allowed):"]
    for name, default, allowed, meaning in settings_table():
        lines += [f"  {name}, {default}:", f"      {meaning}; {allowed}"]
    return "\n".join(lines)


def _prepare(parsed: argparse.Namespace) -> tuple[TrainConfig, RunFolder, Checkpoint | None]:
    """Read the configuration and make or open the run folder."""
    from train.config_reading import make_config, read_overrides, read_yaml, resumed_config
    from train.run_folder import RunFolder, default_path

    files = [text for text in parsed.arguments if "=" not in text]
    overrides = read_overrides([text for text in parsed.arguments if "=" in text])
    if parsed.resume is not None:
        if files or parsed.run_dir is not None:
            raise UserError("--resume takes its configuration from the run folder; give overrides only")
        folder = RunFolder.open(parsed.resume)
        config = resumed_config(folder.saved_settings(), overrides)
        checkpoint = _last_checkpoint(folder)
        if checkpoint.steps >= config.total_steps:
            raise UserError(
                f"{folder.path} already has {checkpoint.steps} of {config.total_steps} steps; "
                f"raise it, as in total_steps={2 * checkpoint.steps}"
            )
        folder.note_config(config)
        return config, folder, checkpoint
    if len(files) != 1:
        raise UserError(f"expected one configuration file, or --resume RUN; {len(files)} were given")
    config = make_config(read_yaml(files[0]), overrides)
    path = parsed.run_dir or default_path(config, Path(files[0]).stem)
    return config, RunFolder.create(path, config), None


def _last_checkpoint(folder: RunFolder) -> Checkpoint:
    from train.checkpoint import load_checkpoint

    return load_checkpoint(folder.last_checkpoint())


def _run(config: TrainConfig, folder: RunFolder, checkpoint: Checkpoint | None) -> int:
    from train.training import train

    print(f"run folder {folder.path}", file=sys.stderr)
    training = train(config, folder, checkpoint)
    if not training.complete:
        print(
            f"interrupted after {training.steps} steps; go on with: python -m train --resume {folder.path}",
            file=sys.stderr,
        )
        return INTERRUPTED
    if config.final_games and not _evaluate(config, folder, training):
        print(
            f"interrupted, but trained; evaluate with: python -m train.evaluate {folder.path}",
            file=sys.stderr,
        )
        return INTERRUPTED
    print(f"saved {folder.model_file}", file=sys.stderr)
    return 0


def _evaluate(config: TrainConfig, folder: RunFolder, training: Training) -> bool:
    """Evaluate the trained model on held-out games; return whether it came to the end."""
    from train.evaluation import compare, comparison_json, comparison_table
    from train.policy_agent import PolicyAgent

    if config.mixed_expansions:
        return _evaluate_sets(config, folder, training)
    agent = PolicyAgent(training.policy, rules=config.rule_set(), talk=config.talk, layout=config.layout)
    try:
        evaluations = compare(agent, config.final_games)
    except KeyboardInterrupt:
        return False
    if any(evaluation.interrupted for evaluation in evaluations):
        return False
    print(comparison_table(evaluations))
    about = {"model": folder.model_file.name, "steps": training.steps}
    write_json(folder.evaluation_file, comparison_json(evaluations, **about))
    return True


def _evaluate_sets(config: TrainConfig, folder: RunFolder, training: Training) -> bool:
    """Do the same for a mixed training, whose held-out games are shared out to all sets of expansions."""
    from agents.expansion_sets import SETS
    from train.generalise import sets_json, sets_table
    from train.policy_agent import PolicyAgent
    from train.set_results import evaluate_sets, rule_sets

    def agent_for(rules: RuleSet) -> PolicyAgent:
        return PolicyAgent(training.policy, rules=rules, talk=config.talk, layout="full")

    games = max(1, config.final_games // len(SETS))
    results = evaluate_sets(agent_for, rule_sets(config.rule_set()), games, talk=config.talk)
    if len(results) < len(SETS):
        return False
    print(sets_table({"policy": results}))
    about = {"model": folder.model_file.name, "steps": training.steps}
    write_json(folder.evaluation_file, sets_json({"policy": results}, **about))
    return True


if __name__ == "__main__":
    sys.exit(main())

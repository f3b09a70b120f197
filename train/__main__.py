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
    given = list(sys.argv[1:] if arguments is None else arguments)
    parsed = _parser().parse_intermixed_args(given)
    parsed.command = ["python", "-m", "train", *given]
    begun: list[RunFolder] = []
    return run_command("python -m train", lambda: _run(parsed, begun), lambda: _interrupted(begun))


def _interrupted(begun: list[RunFolder]) -> str:
    from train.going_on import how_to_resume

    return f"interrupted; {how_to_resume(begun[0])}" if begun else "interrupted"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train",
        usage="python -m train (CONFIG | --resume RUN) [name=value ...] [--run-dir DIR]",
        description="Train MaskablePPO on Onirim from a YAML file, then evaluate it on other games.",
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


def _run(parsed: argparse.Namespace, begun: list[RunFolder]) -> int:
    """Train; note the run folder as soon as there is one."""
    from train.going_on import how_to_resume, saying_how_to_go_on
    from train.history import segment

    folder, config = _resumed(parsed) if parsed.resume is not None else _new(parsed)
    with folder.in_use(), saying_how_to_go_on(lambda: how_to_resume(folder)):
        begun.append(folder)
        checkpoint = _checkpoint(folder, config) if parsed.resume is not None else None
        folder.note_config(config)
        name = "" if parsed.resume is not None else Path(_given(parsed)[0][0]).stem
        with segment(folder, config, parsed.command, name):
            return _train(config, folder, checkpoint)


def _new(parsed: argparse.Namespace) -> tuple[RunFolder, TrainConfig]:
    """Make the run folder of a new training, when everything that can be checked has been."""
    from train.config_reading import make_config, read_overrides, read_yaml
    from train.run_folder import RunFolder, default_path
    from train.starting_weights import check_start

    files, overrides = _given(parsed)
    if len(files) != 1:
        raise UserError(f"expected one configuration file, or --resume RUN; {len(files)} were given")
    config = make_config(read_yaml(files[0]), read_overrides(overrides))
    check_start(config)
    if parsed.run_dir is not None:
        return RunFolder.create(parsed.run_dir, config), config
    return RunFolder.create_next(default_path(config, Path(files[0]).stem), config), config


def _resumed(parsed: argparse.Namespace) -> tuple[RunFolder, TrainConfig]:
    """Open the run folder of a training that goes on."""
    from train.config_reading import read_overrides, resumed_config
    from train.run_folder import RunFolder

    files, overrides = _given(parsed)
    if files or parsed.run_dir is not None:
        raise UserError("--resume takes its configuration from the run folder; give overrides only")
    folder = RunFolder.open(parsed.resume)
    return folder, resumed_config(folder.saved_settings(), read_overrides(overrides))


def _given(parsed: argparse.Namespace) -> tuple[list[str], list[str]]:
    """Return the configuration files and the overrides."""
    files = [text for text in parsed.arguments if "=" not in text]
    return files, [text for text in parsed.arguments if "=" in text]


def _checkpoint(folder: RunFolder, config: TrainConfig) -> Checkpoint | None:
    """Return where a training goes on; None for one that was ended before its first checkpoint."""
    from train.resuming import newest_checkpoint
    from train.starting_weights import check_start

    checkpoint = newest_checkpoint(folder, config)
    has_model = folder.model_file.is_file()
    if checkpoint is None:
        if has_model:
            raise UserError(
                f"{folder.path} has a model and no checkpoint; "
                f"start_from={folder.path} begins with its weights"
            )
        check_start(config)
        print(f"{folder.path} has no checkpoint yet; it begins from the start", file=sys.stderr)
    elif has_model and checkpoint.steps >= config.total_steps:
        raise UserError(
            f"{folder.path} already has {checkpoint.steps} of {config.total_steps} steps; "
            f"raise it, as in total_steps={2 * checkpoint.steps}"
        )
    return checkpoint


def _train(config: TrainConfig, folder: RunFolder, checkpoint: Checkpoint | None) -> int:
    from train.going_on import resume_command
    from train.training import train

    print(f"run folder {folder.path}", file=sys.stderr)
    training = train(config, folder, checkpoint)
    if not training.complete:
        print(
            f"interrupted after {training.steps} steps; go on with: {resume_command(folder)}",
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
    """Evaluate the trained model on games that it has not seen; return whether it came to the end."""
    from train.evaluation import compare, comparison_json, comparison_table, final_offset, games_text
    from train.policy_agent import PolicyAgent

    if config.mixed_expansions:
        return _evaluate_sets(config, folder, training)
    agent = PolicyAgent(training.policy, rules=config.rule_set(), talk=config.talk, layout=config.layout)
    offset = final_offset(config)
    try:
        evaluations = compare(agent, config.final_games, offset=offset)
    except KeyboardInterrupt:
        return False
    if any(evaluation.interrupted for evaluation in evaluations):
        return False
    print(games_text(offset))
    print(comparison_table(evaluations))
    about = {"model": folder.model_file.name, "steps": training.steps, "seed_offset": offset}
    write_json(folder.evaluation_file, comparison_json(evaluations, **about))
    return True


def _evaluate_sets(config: TrainConfig, folder: RunFolder, training: Training) -> bool:
    """Do the same for a mixed training, whose games are shared out to all sets of expansions."""
    from agents.measure.expansion_sets import SETS
    from train.evaluation import final_offset, games_text
    from train.generalise import sets_json, sets_table
    from train.policy_agent import PolicyAgent
    from train.set_results import evaluate_sets, rule_sets

    def agent_for(rules: RuleSet) -> PolicyAgent:
        return PolicyAgent(training.policy, rules=rules, talk=config.talk, layout="full")

    games, offset = max(1, config.final_games // len(SETS)), final_offset(config)
    results = evaluate_sets(agent_for, rule_sets(config.rule_set()), games, talk=config.talk, offset=offset)
    if len(results) < len(SETS):
        return False
    print(games_text(offset))
    print(sets_table({"policy": results}))
    about = {"model": folder.model_file.name, "steps": training.steps, "seed_offset": offset}
    write_json(folder.evaluation_file, sets_json({"policy": results}, **about))
    return True


if __name__ == "__main__":
    sys.exit(main())

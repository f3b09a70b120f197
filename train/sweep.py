"""``python -m train.sweep``: train with many settings and seeds, and see which ones win."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from agents.workers.workers import add_worker_options, read_workers
from onirim_env.command import run_command, usage_errors
from train.argument_types import whole_number
from train.errors import UserError

if TYPE_CHECKING:
    from train.sweep_plan import Plan

DESCRIPTION = """\
Train a configuration with many settings, each with some seeds, and print which ones win how often.

  name=value         fixes a setting, as for python -m train
  name=low..high     draws a number from a range: on a log scale where high is at least 10 times low,
                     and for learning rates; whole settings stay whole
  name=a,b,c         chooses; lists are written [64,64],[128,128]

The value of a trial is the mean over its seeds of the greedy win rate of the trained policies, on as many
games as final_games says. These are games for validation, so that the games of the evaluation protocols
remain unseen: the best of many trials looks better here than it is. Measure it with python -m train.evaluate.

Without anything to sweep, the seeds alone are: a line for each, and the mean.
The same command goes on where it stopped; with more --trials it adds to them.
"""

EXAMPLES = """\
examples:
  python -m train.sweep configs/solo_quick.yaml learning_rate=5e-4..3e-3 n_epochs=2,3,4 --trials 20
  python -m train.sweep configs/solo_quick.yaml hidden_layers=[64,64],[128,128] activation=relu,tanh
  python -m train.sweep configs/solo_quick.yaml gamma=1.0,0.99 n_epochs=3,1,6 --sampler each
  python -m train.sweep configs/solo_quick.yaml total_steps=5e6 --seeds 5
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parsed = _parser().parse_intermixed_args(given)
    command = shlex.join(["python", "-m", "train.sweep", *given])
    return run_command(
        "python -m train.sweep",
        lambda: _run(parsed),
        lambda: f"interrupted; the same command goes on where it stopped: {command}",
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train.sweep",
        usage="python -m train.sweep CONFIG [name=value | name=low..high | name=a,b,c ...] [options]",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog=EXAMPLES,
    )
    parser.add_argument(
        "arguments",
        nargs="*",
        metavar="CONFIG or name=...",
        help="a YAML file, and settings that take precedence over it",
    )
    parser.add_argument(
        "--trials",
        type=whole_number(1, 1_000_000),
        metavar="N",
        help="how many settings are tried in all (default: 20; all with --sampler grid or each)",
    )
    parser.add_argument(
        "--seeds",
        type=whole_number(1, 1000),
        default=2,
        metavar="K",
        help="how many seeds each of them is trained with, from seed on (default: %(default)s)",
    )
    parser.add_argument(
        "--sampler",
        choices=("random", "grid", "each", "tpe"),
        help="where settings come from: at random, every combination in turn, the configuration with each "
        "choice alone in turn, or from what has won so far (default: tpe where there is a range, else grid)",
    )
    parser.add_argument(
        "--prune",
        action="store_true",
        help="end a trial after a seed with which its mean is below the median of those before",
    )
    add_worker_options(parser)
    parser.add_argument(
        "--folder",
        type=Path,
        metavar="DIR",
        help="where trials, run folders and table.csv are kept (default: <runs_dir>/sweep-<config>)",
    )
    return parser


def _run(parsed: argparse.Namespace) -> int:
    from train.going_on import saying_how_to_go_on
    from train.sweep_study import Sweep
    from train.sweep_table import table_text, write_csv

    with usage_errors():
        workers = read_workers(parsed)
    files = [text for text in parsed.arguments if "=" not in text]
    if len(files) != 1:
        raise UserError(f"expected one configuration file; {len(files)} were given")
    plan, runs_dir = _plan(parsed, files[0])
    trials = plan.trials(parsed.trials)
    path = parsed.folder or runs_dir / f"sweep-{Path(files[0]).stem}"
    with Sweep.in_use(plan, path, workers) as sweep, saying_how_to_go_on(lambda: "the same command goes on"):
        print(f"folder {sweep.path}", file=sys.stderr)
        for _ in sweep.run(trials):
            write_csv(sweep.rows(), plan.space, sweep.path)
        rows = sweep.rows()
        print(table_text(rows, plan.space, plan.seeds))
        print(f"saved {write_csv(rows, plan.space, sweep.path)}", file=sys.stderr)
    return 0 if any(row.failure is None for row in rows) else 1


def _plan(parsed: argparse.Namespace, file: str) -> tuple[Plan, Path]:
    """Return what to do, and where the configuration keeps runs."""
    from train.config import TrainConfig
    from train.config_reading import make_config, read_settings, read_yaml
    from train.sweep_plan import Plan
    from train.sweep_space import Range, read_space, with_base

    space, overrides = read_space([text for text in parsed.arguments if "=" in text])
    in_file = read_yaml(file)
    if parsed.sampler != "each":
        in_file = {name: value for name, value in in_file.items() if name not in space}
    settings = read_settings(in_file, overrides)
    ranges = any(isinstance(swept, Range) for swept in space.values())
    sampler = parsed.sampler or ("tpe" if ranges else "grid")
    if parsed.prune and (parsed.seeds < 2 or not space):
        raise UserError("--prune ends trials between their seeds: it needs settings to sweep, and --seeds 2")
    if sampler == "each":
        space = with_base(space, make_config(settings))
    plan = Plan(settings, space, parsed.seeds, sampler, parsed.prune)
    plan.check()
    return plan, Path(settings.get("runs_dir", TrainConfig().runs_dir))


if __name__ == "__main__":
    sys.exit(main())

"""``python -m train.distil``: teach a trained network what playouts say of its choices."""

from __future__ import annotations

import argparse
import contextlib
import functools
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.workers.tasks import run_tasks
from agents.workers.workers import Workers, add_worker_options, read_workers
from onirim_env.command import run_command, usage_errors
from onirim_env.errors import quoted
from onirim_env.files import check_output_folder, read_json, shown, write_json
from train.argument_types import positive_number, whole_number
from train.devices import add_device_option, find_device
from train.errors import UserError

if TYPE_CHECKING:
    import numpy as np

    from agents.compiled.lessons import Lessons
    from onirim_env.rules import RuleSet
    from train.checkpoint import Checkpoint
    from train.config import TrainConfig
    from train.lesson_book import LessonBook
    from train.run_folder import RunFolder
    from train.torch_ppo import Network

GOES_ON = "interrupted; the same command goes on with the lessons that are there"
VALUES = Path(__file__).parent.parent / "agents" / "guided_values"

NOT_SETTINGS = ("run_dir", "device", "workers", "ray", "default_workers")
"""Options that change no result."""

DESCRIPTION = """\
The network of a training plays games. At each decision every legal action is tried out in some playouts:
the network plays on for some turns, then a value network estimates the end, as in the agent `guided`.
Then the network learns to prefer what the playouts found better. RUN is of trainer torch and has two
hidden layers with relu. The result is a run folder: evaluate, export or train on (start_from) from it.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parsed = _parser().parse_args(arguments)
    return run_command("python -m train.distil", lambda: _run(parsed), lambda: GOES_ON)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train.distil",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="example: python -m train.distil runs/solo --run-dir runs/solo_distilled",
    )
    parser.add_argument("run", metavar="RUN", type=Path, help="the run folder of the network")
    parser.add_argument(
        "--run-dir", metavar="DIR", type=Path, help="where the result goes (default: RUN_distilled)"
    )
    parser.add_argument(
        "--games",
        type=whole_number(1, 10_000_000),
        default=8000,
        help="games to learn from (default: %(default)s)",
    )
    parser.add_argument(
        "--playouts",
        type=whole_number(1, 1_000_000),
        default=16,
        help="playouts of each action (default: %(default)s)",
    )
    parser.add_argument(
        "--values", metavar="FILE", type=Path,
        help="value network for the end of playouts (default: that of the agent guided for the same game; "
        "python -m agents.search_train --teacher makes one)",
    )  # fmt: skip
    parser.add_argument(
        "--temperature", type=positive_number(1000), default=0.02,
        help="difference in value that makes an action e times as probable (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--passes",
        type=whole_number(1, 1000),
        default=4,
        help="passes over the lessons (default: %(default)s)",
    )
    parser.add_argument(
        "--batch-size",
        type=whole_number(1, 2**24),
        default=1024,
        help="lessons in a minibatch (default: %(default)s)",
    )
    parser.add_argument(
        "--learning-rate", type=positive_number(1), default=3e-4,
        help="step size of Adam at the start; it falls to 0 (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument(
        "--from-scratch", action="store_true", help="teach a new network of the same form instead"
    )
    add_device_option(parser)
    add_worker_options(parser)
    parser.add_argument(
        "--seed",
        type=whole_number(0, 2**63 - 1),
        default=0,
        help="of the order of the lessons, and of new weights (default: 0)",
    )
    return parser


def _run(parsed: argparse.Namespace) -> None:
    import torch

    from train.config_reading import make_config
    from train.going_on import saying_how_to_go_on
    from train.resuming import best_checkpoint
    from train.run_folder import RunFolder
    from train.torch_ppo import make_network

    with usage_errors():
        workers = read_workers(parsed)
    source = RunFolder.open(parsed.run)
    checkpoint = best_checkpoint(source)
    config = make_config(checkpoint.config.as_dict(), {"start_from": str(parsed.run)})
    _check_network(parsed, config)
    _check_values(_values_file(parsed, config), config)
    torch.manual_seed(parsed.seed)
    device = find_device(parsed.device)
    network = make_network(config)
    if not parsed.from_scratch:
        checkpoint.put_weights(network)
    folder = _folder(parsed)
    with folder.in_use(), saying_how_to_go_on(lambda: "the same command goes on"):
        book = _begin(folder, parsed, config)
        _teach(parsed, source, config, folder, book, workers)
        _learn(parsed, network.to(device), config, book)
        _save(folder, network, config, checkpoint)
        write_json(folder.distillation_file, _settings(parsed))
    print(f"saved {folder.model_file}; python -m train.evaluate {folder.path}", file=sys.stderr)


def _check_network(parsed: argparse.Namespace, config: TrainConfig) -> None:
    """Refuse a network that cannot play inside a search."""
    if config.trainer != "torch":
        raise UserError(f"{parsed.run} is of trainer {config.trainer}; only torch ones can be taught")
    if len(config.hidden_layers) != 2 or config.activation != "relu":
        raise UserError(
            f"{parsed.run} has the hidden layers {list(config.hidden_layers)} with {config.activation}; "
            "only two with relu can be taught"
        )


def _values_file(parsed: argparse.Namespace, config: TrainConfig) -> Path:
    """Return the file of the value network that ends playouts."""
    from agents.guided import MODELS

    file: Path = parsed.values or VALUES / f"{MODELS[config.rule_set().players, config.talk]}.npz"
    return file


def _check_values(file: Path, config: TrainConfig) -> None:
    """Refuse a file that is no value network, before anything is made."""
    from agents.compiled.search_value import read_network

    rules = config.rule_set()
    if rules.expansions or config.layout != "own":
        raise UserError(f"no value network knows {rules}: only networks of the base game can be taught")
    try:
        read_network(rules.players, file)
    except ValueError as error:
        raise UserError(f"{file} is no value network for {rules.players} players: {error}") from None


def _settings(parsed: argparse.Namespace) -> dict[str, Any]:
    """Return the options as JSON values, without the folder of the result."""
    given = {name: value for name, value in vars(parsed).items() if name not in NOT_SETTINGS}
    return {name: value if isinstance(value, (int, float)) else str(value) for name, value in given.items()}


def _folder(parsed: argparse.Namespace) -> RunFolder:
    """Return the run folder of the result, which is there or can be made."""
    from train.run_folder import RunFolder

    path = parsed.run_dir
    if path is None:
        run = parsed.run if parsed.run.name not in ("", "..") else parsed.run.resolve()
        path = run.with_name(f"{run.name}_distilled")
    with usage_errors():
        check_output_folder("--run-dir", path)
    return RunFolder(path)


def _begin(folder: RunFolder, parsed: argparse.Namespace, config: TrainConfig) -> LessonBook:
    """Return the lessons of a folder that is new, or has lessons of the same kind in it."""
    from onirim_env.actions import action_table
    from onirim_env.observation import observation_size
    from train.lesson_book import LessonBook
    from train.run_folder import LOCK

    lessons = {name: _settings(parsed)[name] for name in ("run", "playouts", "values")}
    file = folder.path / "lessons.json"
    if file.is_file():
        if (before := read_json(file)) != lessons:
            raise UserError(
                f"{shown(folder.path)} has lessons of {quoted(before)}, not of {quoted(lessons)}; "
                "give another --run-dir"
            )
    elif any(one.name != LOCK for one in folder.path.iterdir()):
        raise UserError(f"run folder {shown(folder.path)} is not empty and has no lessons; name another")
    else:
        write_json(file, lessons)
    folder.note_config(config)
    rules = config.rule_set()
    return LessonBook(folder.path / "lessons", observation_size(rules), len(action_table(rules)))


def _teach(
    parsed: argparse.Namespace,
    source: RunFolder,
    config: TrainConfig,
    folder: RunFolder,
    book: LessonBook,
    workers: Workers,
) -> None:
    """Have the lessons made that are missing."""
    from tqdm import tqdm

    from train.export import export
    from train.loading import load_policy

    rules = config.rule_set()
    values = _values_file(parsed, config)
    model = export(load_policy(source.path), "teacher", folder.path)[1]
    missing = book.missing(parsed.games)
    make = functools.partial(_teacher, model, rules, values, parsed.playouts)
    ended = run_tasks(make, [book.seeds(part) for part in missing], workers)
    bar = tqdm(total=len(missing), unit=" parts", desc="lessons", dynamic_ncols=True, disable=None)
    with bar, contextlib.closing(ended):
        for number, lessons in ended:
            book.write(missing[number], lessons)
            bar.update()


def _teacher(model: Path, rules: RuleSet, values: Path, playouts: int) -> Callable[[np.ndarray], Lessons]:
    """Return what makes the lessons of the games of seeds."""
    from agents.compiled.lessons import lessons_of
    from agents.guided import guided_tools
    from agents.network_model import read_model

    tools = guided_tools(read_model(model), rules, values)
    return lambda seeds: lessons_of(seeds, rules, playouts, tools)


def _learn(parsed: argparse.Namespace, network: Network, config: TrainConfig, book: LessonBook) -> None:
    """Teach the network the lessons; print a line for each pass."""
    import torch

    from train.distillation import distil

    torch.set_num_threads(config.threads)
    observations, values = book.read(parsed.games)
    print(f"{len(values):,} lessons", file=sys.stderr)
    passes = distil(
        network, observations, values,
        temperature=parsed.temperature, passes=parsed.passes, batch_size=parsed.batch_size,
        learning_rate=parsed.learning_rate, generator=torch.Generator().manual_seed(parsed.seed),
    )  # fmt: skip
    for one in passes:
        print(
            f"pass {one.number} of {parsed.passes}: loss {one.loss:.4f}; held back: "
            f"{one.loss_held_back:.4f}, regret of the greedy choice {100 * one.regret_held_back:.3f} points",
            file=sys.stderr,
        )


def _save(folder: RunFolder, network: Network, config: TrainConfig, checkpoint: Checkpoint) -> None:
    """Write the model; a training that starts from it begins with a new optimizer."""
    from train.checkpoint import save_tensors

    save_tensors(folder.model_file, network.state_dict(), {}, config, checkpoint.steps, checkpoint.updates)


if __name__ == "__main__":
    sys.exit(main())

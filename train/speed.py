"""How fast the trainers train: ``python -m train.speed``."""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence

from onirim_env.command import run_command
from train.argument_types import whole_number
from train.config import TrainConfig

STANDARD = ((64, 2048), (256, 4096))
"""Numbers of games and minibatches that are measured by default."""
KINDS = ("stock", "sb3", "torch", "bfloat16")
"""sb3-contrib as it is, the trainer ``sb3``, the trainer ``torch``, and that one in bfloat16."""
HIDDEN_LAYERS, N_STEPS, N_EPOCHS = (64, 64), 128, 4


def measure_ppo_speed(
    kind: str,
    num_envs: int,
    batch_size: int,
    *,
    hidden_layers: Sequence[int] = HIDDEN_LAYERS,
    n_steps: int = N_STEPS,
    n_epochs: int = N_EPOCHS,
    rollouts: int = 4,
    repeats: int = 3,
) -> float:
    """Return how many decisions a second of CPU time a training takes, updates included.

    Parameters
    ----------
    kind
        One of :data:`KINDS`.
    num_envs
        Number of games.
    batch_size
        Decisions in a minibatch.
    hidden_layers
        Width of each hidden layer; policy and value have their own.
    n_steps, n_epochs
        Decisions of each game in a rollout, and passes over it.
    rollouts
        How many rollouts with their updates are timed at once.
    repeats
        How often that is done; the median counts.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    config = TrainConfig(
        num_envs=num_envs,
        batch_size=batch_size,
        n_steps=n_steps,
        n_epochs=n_epochs,
        hidden_layers=tuple(hidden_layers),
        activation="tanh",
        shared_trunk=False,
        trainer="sb3" if kind in ("stock", "sb3") else "torch",
        precision="bfloat16" if kind == "bfloat16" else "float32",
    )
    try:
        run = _sb3(config, kind == "stock") if kind in ("stock", "sb3") else _torch(config)
        run(1)  # compiles the engine and warms the caches
        speeds = []
        for _ in range(repeats):
            start = time.process_time()
            run(rollouts)
            speeds.append(rollouts * num_envs * n_steps / (time.process_time() - start))
    finally:
        torch.set_num_threads(threads)
    return statistics.median(speeds)


def _sb3(config: TrainConfig, stock: bool) -> Callable[[int], object]:
    """Return what trains ``MaskablePPO`` for a number of rollouts."""
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.logger import Logger
    from torch import nn

    from onirim_env.sb3 import OnirimVecEnv
    from train.fast_policy import MaskedPolicy, MaskedRolloutBuffer

    model = MaskablePPO(
        "MlpPolicy" if stock else MaskedPolicy,
        OnirimVecEnv(config.num_envs, seed=0),
        n_steps=config.n_steps,
        batch_size=config.batch_size,
        n_epochs=config.n_epochs,
        rollout_buffer_class=None if stock else MaskedRolloutBuffer,
        policy_kwargs={"net_arch": list(config.hidden_layers), "activation_fn": nn.Tanh},
        seed=0,
        device="cpu",
    )
    model.set_logger(Logger(folder=None, output_formats=[]))
    return lambda rollouts: model.learn(rollouts * config.num_envs * config.n_steps)


def _torch(config: TrainConfig) -> Callable[[int], object]:
    """Return what trains the plain torch trainer for a number of rollouts."""
    from train.torch_ppo import Games, Rollout, make_learner

    learner = make_learner(config, 0)
    games = Games(config, 0)
    rollout = Rollout(config, learner.device, games)

    def run(rollouts: int) -> None:
        for _ in range(rollouts):
            learner.collect(games, rollout, lambda ended: True)
            learner.learn(games, rollout)

    return run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m train.speed",
        description="Decisions a second of CPU time that a training takes, updates included, one thread: "
        "sb3-contrib's MaskablePPO as it is (stock), the trainer sb3, the trainer torch, and that one in "
        "bfloat16, which pays where the processor has it.",
    )
    parser.add_argument(
        "--repeats", type=whole_number(1, 1000), default=3, help="measurements; the median counts"
    )
    parser.add_argument(
        "--hidden-layers",
        type=whole_number(1, 8192),
        nargs="+",
        default=list(HIDDEN_LAYERS),
        metavar="WIDTH",
        help="width of each hidden layer, policy and value each (default 64 64)",
    )
    parsed = parser.parse_args(arguments)
    return run_command("python -m train.speed", lambda: _print_speeds(parsed))


def _print_speeds(parsed: argparse.Namespace) -> None:
    """Print the speed of each kind of training."""
    import torch  # noqa: F401  before anything is printed

    print(f"{'games':>5}  {'minibatch':>9}" + "".join(f"  {kind:>8}" for kind in KINDS))
    for num_envs, batch_size in STANDARD:
        print(f"{num_envs:>5}  {batch_size:>9}", end="")
        for kind in KINDS:
            speed = measure_ppo_speed(
                kind, num_envs, batch_size, hidden_layers=parsed.hidden_layers, repeats=parsed.repeats
            )
            print(f"  {speed:>8,.0f}", end="", flush=True)
        print()


if __name__ == "__main__":
    sys.exit(main())

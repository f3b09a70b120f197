"""How fast ``MaskablePPO`` trains: ``python -m train.speed``."""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Sequence

import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from torch import nn

from onirim_env.sb3 import OnirimVecEnv
from train.fast_policy import MaskedPolicy, MaskedRolloutBuffer

STANDARD = ((64, 2048), (256, 4096))
"""Numbers of games and minibatches that are measured by default."""


def measure_ppo_speed(
    num_envs: int,
    batch_size: int,
    *,
    stock: bool = False,
    hidden_layers: Sequence[int] = (64, 64),
    n_steps: int = 128,
    n_epochs: int = 4,
    rollouts: int = 4,
    repeats: int = 3,
) -> float:
    """Return how many decisions a second of CPU time a training takes, updates included.

    Parameters
    ----------
    num_envs
        Number of games.
    batch_size
        Decisions in a minibatch.
    stock
        Whether to use the policy and the buffer of sb3-contrib instead of those of this package.
    hidden_layers
        Width of each hidden layer; policy and value have their own.
    n_steps, n_epochs
        Decisions of each game in a rollout, and passes over it.
    rollouts
        How many rollouts with their updates are timed at once.
    repeats
        How often that is done; the median counts.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        env = OnirimVecEnv(num_envs, seed=0)
        model = MaskablePPO(
            "MlpPolicy" if stock else MaskedPolicy,
            env,
            n_steps=n_steps,
            batch_size=batch_size,
            n_epochs=n_epochs,
            rollout_buffer_class=None if stock else MaskedRolloutBuffer,
            policy_kwargs={"net_arch": list(hidden_layers), "activation_fn": nn.Tanh},
            seed=0,
            device="cpu",
        )
        model.set_logger(Logger(folder=None, output_formats=[]))
        steps = num_envs * n_steps
        model.learn(steps)  # compiles the engine and warms the caches
        speeds = []
        for _ in range(repeats):
            start = time.process_time()
            model.learn(rollouts * steps)
            speeds.append(rollouts * steps / (time.process_time() - start))
    finally:
        torch.set_num_threads(threads)
    return statistics.median(speeds)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the speed of the stock policy and of this package's at the standard sizes."""
    parser = argparse.ArgumentParser(
        prog="python -m train.speed",
        description="Decisions a second of CPU time that MaskablePPO trains, one thread.",
    )
    parser.add_argument("--repeats", type=int, default=3, help="measurements; the median counts")
    repeats = parser.parse_args(arguments).repeats
    print(f"{'games':>5}  {'minibatch':>9}  {'stock':>7}  {'train':>7}")
    for num_envs, batch_size in STANDARD:
        stock, ours = (
            measure_ppo_speed(num_envs, batch_size, stock=which, repeats=repeats) for which in (True, False)
        )
        print(f"{num_envs:>5}  {batch_size:>9}  {stock:>7,.0f}  {ours:>7,.0f}", flush=True)


if __name__ == "__main__":
    main()

"""The loops that are timed, and how they are timed: CPU time of one process, medians."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import gymnasium as gym
import numpy as np

from onirim_env.sampling import MaskedSampler


def rate(loop: Callable[[int], int], seconds: float, repeats: int) -> float:
    """Return the median rate of a loop in steps a second of CPU time.

    Parameters
    ----------
    loop
        Takes about so many steps and returns how many it took.
    seconds
        CPU time that each repeat takes, roughly.
    repeats
        Number of measurements.
    """
    steps = 64
    while True:
        start = time.process_time()
        done = loop(steps)
        spent = time.process_time() - start
        if spent >= seconds / 4:
            break
        steps *= 2 if spent > seconds / 40 else 8
    steps = max(1, int(done / spent * seconds))
    rates = []
    for _ in range(repeats):
        start = time.process_time()
        done = loop(steps)
        rates.append(done / (time.process_time() - start))
    return statistics.median(rates)


def engine_loop(n_games: int = 1024) -> Callable[[int], int]:
    """Return a loop of random legal play inside the engine, masks included."""
    from onirim_env.actions import ActionTable
    from onirim_env.engine import batch
    from onirim_env.engine.state import STATE

    table = ActionTable()
    states = np.zeros(n_games, dtype=STATE)
    batch.deal_games(states, np.arange(n_games, dtype=np.uint64), table.rules.flags)
    masks = np.zeros((n_games, len(table)), dtype=np.int8)

    def loop(steps: int) -> int:
        rounds = -(-steps // n_games)
        batch.play_random(states, table.ids, masks, rounds, np.uint64(1))
        return rounds * n_games

    return loop


def odin_engine_loop(n_games: int = 1024) -> Callable[[int], int]:
    """Return a loop of random legal play of Odin for two inside the engine, masks included."""
    from onirim_env.odin.batch import OdinBatch
    from onirim_env.odin.engine import batch
    from onirim_env.odin.rules import RuleSet

    games = OdinBatch(n_games, RuleSet())
    games.deal(np.arange(n_games, dtype=np.uint64))
    masks = np.zeros((n_games, len(games.table)), dtype=np.int8)

    def loop(steps: int) -> int:
        rounds = -(-steps // n_games)
        batch.play_random(games.states, games.table.wholes, masks, rounds, np.uint64(1))
        return rounds * n_games

    return loop


def engines_loop(threads: int) -> Callable[[int], int]:
    """Return a loop of random legal play in several engines that share nothing, a thread for each."""
    loops = [engine_loop() for _ in range(threads)]
    pool = ThreadPoolExecutor(threads)

    def loop(steps: int) -> int:
        return sum(pool.map(lambda one: one(-(-steps // threads)), loops))

    return loop


def single_loop(env: gym.Env[Any, Any], masked: bool) -> Callable[[int], int]:
    """Return a loop over one environment: a masked random pick a step, or actions drawn before."""
    sampler = MaskedSampler(seed=0)
    drawn = np.random.default_rng(0).integers(0, env.action_space.n, 4096).tolist()  # type: ignore[attr-defined]

    def masked_loop(steps: int) -> int:
        _, info = env.reset()
        for _ in range(steps):
            _, _, terminated, truncated, info = env.step(sampler(info["action_mask"]))
            if terminated or truncated:
                _, info = env.reset()
        return steps

    def drawn_loop(steps: int) -> int:
        env.reset()
        for step in range(steps):
            _, _, terminated, truncated, _ = env.step(drawn[step & 4095])
            if terminated or truncated:
                env.reset()
        return steps

    env.reset(seed=0)
    return masked_loop if masked else drawn_loop


def vector_loop(envs: Any, masked: bool, threads: int = 1) -> Callable[[int], int]:
    """Return a loop over a vector environment: masked random picks, or the same actions again."""
    sampler = MaskedSampler(seed=0, threads=threads)
    _, infos = envs.reset(seed=0)
    fixed = envs.action_space.sample()

    def loop(steps: int) -> int:
        nonlocal infos
        rounds = -(-steps // envs.num_envs)
        for _ in range(rounds):
            actions = sampler(infos["action_mask"]) if masked else fixed
            infos = envs.step(actions)[4]
        return rounds * envs.num_envs

    return loop


def vec_env_loop(envs: Any) -> Callable[[int], int]:
    """Return a loop over a stable-baselines3 ``VecEnv``, with its masks and masked random picks."""
    sampler = MaskedSampler(seed=0)
    envs.reset()

    def loop(steps: int) -> int:
        rounds = -(-steps // envs.num_envs)
        for _ in range(rounds):
            envs.step(sampler(np.asarray(envs.env_method("action_masks"))))
        return rounds * envs.num_envs

    return loop


def aec_loop(env: Any) -> Callable[[int], int]:
    """Return a loop over a PettingZoo AEC environment as its tutorials write it, masked picks."""
    sampler = MaskedSampler(seed=0)

    def loop(steps: int) -> int:
        done = 0
        while done < steps:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                env.step(None if terminated or truncated else sampler(observation["action_mask"]))
                done += 1
        return done

    return loop


def rates_in_turn(loops: Sequence[Callable[[int], int]], seconds: float, repeats: int) -> list[float]:
    """Return the median rate of each of several loops in steps a second of wall time, measured in turns.

    Parameters
    ----------
    loops
        Each takes about so many steps and returns how many it took.
    seconds, repeats
        Wall time of one measurement, roughly, and number of measurements of each.
    """
    steps = 64
    while True:
        start = time.perf_counter()
        done = loops[0](steps)
        spent = time.perf_counter() - start
        if spent >= seconds / 4:
            break
        steps *= 2
    steps = max(1, int(done / spent * seconds))
    rates: list[list[float]] = [[] for _ in loops]
    for _ in range(repeats):
        for loop, found in zip(loops, rates):
            start = time.perf_counter()
            done = loop(steps)
            found.append(done / (time.perf_counter() - start))
    return [statistics.median(found) for found in rates]


def pin_to_one_core() -> None:
    """Keep this process on one core, where the system lets it choose."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


_FIRST_STEP = """
import time
start = time.perf_counter()
import onirim_env
imported = time.perf_counter() - start
import gymnasium as gym
env = gym.make("Onirim-v0")
_, info = env.reset(seed=0)
env.step(int(info["action_mask"].argmax()))
print(imported, time.perf_counter() - start)
"""


def startup(cold: bool) -> tuple[float, float]:
    """Return the seconds that a new process takes to import the package, and to its first step.

    Parameters
    ----------
    cold
        Whether the process begins with an empty cache of compiled code.
    """
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ)
        if cold:
            environment["NUMBA_CACHE_DIR"] = folder
        output = subprocess.run(
            [sys.executable, "-c", _FIRST_STEP], env=environment, check=True, capture_output=True, text=True
        ).stdout
    imported, stepped = map(float, output.split())
    return imported, stepped

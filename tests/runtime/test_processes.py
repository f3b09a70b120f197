"""Environments in other processes: forked, spawned, served."""

import multiprocessing
import os
from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv

from onirim_env import MaskedSampler
from onirim_env.vector import OnirimVectorEnv


@pytest.mark.parametrize("context", ["spawn", "forkserver", "fork"])
def test_worker_processes_know_the_environment(context):
    """Workers that import nothing but what the identifier names; their games are ours."""
    if context not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {context} on this platform")
    make = partial(gym.make, "onirim_env:Onirim-v0")
    env = AsyncVectorEnv([make, make], context=context)
    ours = OnirimVectorEnv(2)
    sampler = MaskedSampler(seed=0)
    try:
        infos = env.reset(seed=3)[1]
        ours.reset(seed=3)
        for _ in range(150):
            actions = sampler(infos["action_mask"])
            observations, rewards, terminated, _, infos = env.step(actions)
            expected = ours.step(actions)
            np.testing.assert_array_equal(observations, expected[0])
            np.testing.assert_array_equal(rewards, expected[1])
            np.testing.assert_array_equal(terminated, expected[2])
            np.testing.assert_array_equal(infos["action_mask"], expected[4]["action_mask"])
    finally:
        env.close()


@pytest.mark.long
def test_six_spawned_workers_come_up_with_nothing_compiled(tmp_path, monkeypatch, capfd):
    """Six compilers at once took ten minutes and more; now the workers wait for one of them."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    env = AsyncVectorEnv([partial(gym.make, "onirim_env:Onirim-v0")] * 6, context="spawn")
    sampler = MaskedSampler(seed=0)
    try:
        infos = env.reset(seed=3)[1]
        env.step(sampler(infos["action_mask"]))
    finally:
        env.close()
    assert "another process does it" in capfd.readouterr().err
    assert list((tmp_path / "cache").rglob("*.nbi"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork on this platform")
def test_a_fork_after_the_engine_was_used_goes_on_playing(python):
    """A thread pool in the kernels would abort or hang the child."""
    code = """
import os, threading
from onirim_env import MaskedSampler
from onirim_env.vector import OnirimVectorEnv

env = OnirimVectorEnv(64)
sampler = MaskedSampler(seed=0)
infos = env.reset(seed=0)[1]
for _ in range(10):
    infos = env.step(sampler(infos["action_mask"]))[-1]

def play():
    global infos
    for _ in range(100):
        infos = env.step(sampler(infos["action_mask"]))[-1]
    return env._batch.states.tobytes()

read, write = os.pipe()
child = os.fork()
if child == 0:
    os.write(write, play())
    os._exit(0)
expected = play()
os.close(write)
with os.fdopen(read, "rb") as pipe:
    received = pipe.read()
assert os.waitpid(child, 0)[1] == 0
assert received == expected and len(expected) > 1000
"""
    assert python(code, NUMBA_NUM_THREADS="2") == ("", "")

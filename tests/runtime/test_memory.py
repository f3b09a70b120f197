"""Memory: what a game takes, and that playing on takes no more."""

import gc
import pickle

import psutil
import pytest

from onirim_env import MaskedSampler, RuleSet
from onirim_env.batch import GameBatch
from onirim_env.engine.state import STATE
from onirim_env.env import OnirimEnv
from onirim_env.vector import OnirimVectorEnv

MEGABYTE = 2**20


def resident():
    gc.collect()
    return psutil.Process().memory_info().rss


def test_a_game_takes_less_than_a_kilobyte():
    assert STATE.itemsize < 256
    small, large = (len(pickle.dumps(GameBatch(n, RuleSet()))) for n in (1000, 2000))
    assert (large - small) / 1000 < 1024


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_million_steps_of_a_batch_keep_no_memory(mode):
    n = 256
    env = OnirimVectorEnv(n, autoreset_mode=mode)
    sampler = MaskedSampler(seed=0)
    infos = env.reset(seed=0)[1]

    def play(steps):
        nonlocal infos
        for _ in range(steps // n):
            infos = env.step(sampler(infos["action_mask"]))[-1]

    play(100_000)
    before = resident()
    play(1_000_000)
    assert resident() - before < 20 * MEGABYTE


def test_many_games_of_a_single_environment_keep_no_memory():
    env = OnirimEnv()
    sampler = MaskedSampler(seed=0)

    def play(games):
        for _ in range(games):
            info, terminated = env.reset()[1], False
            while not terminated:
                _, _, terminated, _, info = env.step(sampler(info["action_mask"]))

    play(100)
    before = resident()
    play(2000)
    assert resident() - before < 10 * MEGABYTE


def test_making_environments_keeps_no_memory():
    def make(times):
        for _ in range(times):
            OnirimEnv(players=2).reset()
            OnirimVectorEnv(100).reset()

    make(20)
    before = resident()
    make(300)
    assert resident() - before < 10 * MEGABYTE

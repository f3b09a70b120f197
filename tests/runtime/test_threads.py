"""Threads: kernels let others run, and share nothing."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from onirim_env import Game, MaskedSampler
from onirim_env.engine import batch
from onirim_env.vector import OnirimVectorEnv


def play(seed, **options):
    """The states after each of many steps, as bytes."""
    env = OnirimVectorEnv(50, **options)
    sampler = MaskedSampler(seed=seed)
    infos = env.reset(seed=seed)[1]
    seen = []
    for _ in range(200):
        infos = env.step(sampler(infos["action_mask"]))[-1]
        seen.append(env._batch.states.tobytes())
    return seen


def test_environments_in_threads_play_the_games_that_they_play_alone():
    jobs = [(seed, {"players": 1 + seed % 2}) for seed in range(6)]
    alone = [play(seed, **options) for seed, options in jobs]
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(lambda job: play(job[0], **job[1]), jobs))
    assert together == alone


def test_a_running_kernel_lets_other_threads_run():
    """With the GIL held, the loop below could not turn once before the kernel is done."""
    game = Game(seed=0)
    states = np.repeat(game._states, 100)
    masks = np.empty((100, len(game.table)), dtype=np.int8)
    running = threading.Event()

    def long_kernel():
        running.set()
        batch.play_random(states, game.table.ids, masks, 40_000, np.uint64(1))
        running.clear()

    batch.play_random(states, game.table.ids, masks, 1, np.uint64(1))  # compiled by now
    thread = threading.Thread(target=long_kernel)
    thread.start()
    turns = 0
    running.wait(timeout=10)
    while running.is_set():
        turns += 1
        time.sleep(0.001)
    thread.join()
    assert turns > 10

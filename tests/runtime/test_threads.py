"""Threads: kernels let others run, and share nothing."""

import copy
import pickle
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from onirim_env import Game, IllegalAction, MaskedSampler, RuleSet
from onirim_env.batch import GameBatch
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


def disturbed(work, others):
    """Do some work over and over in one thread and others in three more; return what they raised."""
    raised = []
    end = threading.Event()

    def run(some_work):
        while not end.is_set():
            try:
                some_work()
            except RuntimeError as error:
                raised.append(str(error))
                end.set()

    threads = [threading.Thread(target=run, args=(one,)) for one in (work, *others)]
    for thread in threads:
        thread.start()
    end.wait(timeout=60)
    end.set()
    for thread in threads:
        thread.join()
    return raised


def test_a_batch_refuses_a_second_thread():
    """Without that, two of them write over each other's cards, and the process dies."""
    games = GameBatch(2000, RuleSet())
    games.deal(np.arange(2000, dtype=np.uint64))
    actions = np.zeros(2000, dtype=np.int64)
    raised = disturbed(lambda: games.step(actions), [games.view, lambda: games.observe(0), games.view])
    assert raised
    assert all("this GameBatch is in use by another thread" in text for text in raised)
    games.view()  # and it is free again


def test_a_game_refuses_a_second_thread():
    game = Game(seed=1)
    game._busy = True  # as it is while another thread is in a kernel
    for use in (
        lambda: game.apply(game.table.texts[0]),
        game.action_mask,
        game.observation,
        lambda: game.determinize(0, 1),
        lambda: game.reseed(1),
    ):
        with pytest.raises(RuntimeError, match="this Game is in use by another thread"):
            use()
    game._busy = False
    game.apply(game.legal_texts()[0])


def test_copies_of_a_batch_are_free_while_it_is_in_use():
    games = GameBatch(2, RuleSet())
    games.deal(np.arange(2, dtype=np.uint64))
    games._busy = True
    for other in (copy.deepcopy(games), pickle.loads(pickle.dumps(games))):
        other.view()


def test_an_error_leaves_a_batch_free():
    games = GameBatch(1, RuleSet(), illegal_action="raise")
    games.deal(np.zeros(1, dtype=np.uint64))
    illegal = np.array([int(games.view()[1][0].argmin())])
    for _ in range(2):
        with pytest.raises(IllegalAction):
            games.step(illegal)
    games.view()

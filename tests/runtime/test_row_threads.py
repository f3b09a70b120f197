"""Batches over several threads: the same games, whatever their number."""

import copy
import os
import pickle
import threading

import gymnasium as gym
import numpy as np
import pytest

from onirim_env import IllegalAction, MaskedSampler, RuleSet, row_threads, sampling
from onirim_env.batch import GameBatch
from onirim_env.row_threads import RowThreads
from onirim_env.sb3 import OnirimVecEnv
from onirim_env.vector import OnirimVectorEnv

SIZE = 50
STEPS = 120


@pytest.fixture(autouse=True)
def _small_parts(monkeypatch):
    """Let small batches, too, be stepped by several threads."""
    monkeypatch.setattr(row_threads, "ROWS", 8)
    monkeypatch.setattr(sampling, "_MANY", 16)


def play(make, threads):
    """All that a vector environment shows in many steps, as bytes."""
    env = make(threads)
    sampler = MaskedSampler(seed=3)
    observations, infos = env.reset(seed=5)
    seen = [observations.tobytes()]
    for _ in range(STEPS):
        observations, rewards, terminated, truncated, infos = env.step(sampler(infos["action_mask"]))
        arrays = (observations, rewards, terminated, truncated, infos["action_mask"])
        seen.append(b"".join(array.tobytes() for array in arrays))
    return seen


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"autoreset_mode": "SameStep", "reward": "score"},
        {"players": 2, "talk": "closed", "partner_action": True},
        {"expansions": ["towers", "glyphs"]},
    ],
)
def test_games_are_the_same_for_every_number_of_threads(options):
    one, two, five = (
        play(lambda number: OnirimVectorEnv(SIZE, threads=number, **options), threads)
        for threads in (1, 2, 5)
    )
    assert one == two == five


@pytest.mark.parametrize("threads", [2, 5])
def test_picks_are_the_same_for_every_number_of_threads(threads):
    masks = (np.random.default_rng(0).random((SIZE, 30)) < 0.3).astype(np.int8)
    masks[:, 7] = 1
    one, several = MaskedSampler(seed=1), MaskedSampler(seed=1, threads=threads)
    for _ in range(3):
        assert one(masks).tolist() == several(masks).tolist()
    again = pickle.loads(pickle.dumps(several))
    assert again(masks).tolist() == several(masks).tolist() == one(masks).tolist()
    assert several(masks[:9]).tolist() == one(masks[:9]).tolist()  # too few for two threads
    masks[-1] = 0
    with pytest.raises(ValueError, match=f"mask {SIZE - 1} has no legal action"):
        several(masks)


def test_make_vec_and_stable_baselines3_take_threads():
    def make(threads):
        return gym.make_vec(
            "Onirim-v0", num_envs=SIZE, vectorization_mode="vector_entry_point", threads=threads
        )

    assert play(make, 1) == play(make, 3)
    seen = []
    for threads in (1, 3):
        envs = OnirimVecEnv(SIZE, seed=2, threads=threads)
        sampler = MaskedSampler(seed=1)
        steps = [envs.reset().tobytes()]
        for _ in range(STEPS):
            observations, rewards, dones, _ = envs.step(sampler(envs.action_masks()))
            steps.append(observations.tobytes() + rewards.tobytes() + dones.tobytes())
        seen.append(steps)
    assert seen[0] == seen[1]


def test_several_threads_step_the_games():
    used = set()

    def note(part):
        used.add(threading.current_thread())
        barrier.wait()
        return part.stop - part.start

    rows = RowThreads(SIZE, 3)
    barrier = threading.Barrier(3, timeout=30)
    assert sum(rows.run(note)) == SIZE
    assert len(used) == 3


@pytest.mark.parametrize(
    ("size", "threads", "parts"), [(50, 1, 1), (50, 2, 6), (100, 2, 8), (50, 100, 6), (15, 2, 1), (1, 4, 1)]
)
def test_parts_cover_all_rows_in_order_and_none_is_small(size, threads, parts):
    found = RowThreads(size, threads).parts
    assert len(found) == parts
    assert [row for part in found for row in range(size)[part]] == list(range(size))
    assert len(found) == 1 or min(part.stop - part.start for part in found) >= row_threads.ROWS


def test_an_action_outside_the_space_changes_no_game():
    envs = OnirimVectorEnv(SIZE, threads=2)
    actions = MaskedSampler(seed=0)(envs.reset(seed=0)[1]["action_mask"])
    actions[-1] = 70
    before = envs.states.copy()
    with pytest.raises(gym.error.InvalidAction, match="action 70 of game 49 is outside"):
        envs.step(actions)
    assert envs.states.tobytes() == before.tobytes()


def test_illegal_actions_lose_or_raise_as_with_one_thread():
    for threads in (1, 2):
        batch = GameBatch(SIZE, RuleSet(), illegal_action="raise", threads=threads)
        batch.deal(np.arange(SIZE, dtype=np.uint64))
        illegal = (batch.view()[1] == 0).argmax(axis=1)
        with pytest.raises(IllegalAction):
            batch.step(illegal)
    ends = []
    for threads in (1, 2):
        batch = GameBatch(SIZE, RuleSet(), threads=threads)
        batch.deal(np.arange(SIZE, dtype=np.uint64))
        rewards = batch.step(illegal)[2]
        ends.append((batch.n_ended, rewards.tobytes(), batch.illegal_in.tobytes()))
    assert ends[0] == ends[1]
    assert ends[0][0] == SIZE


def test_an_error_in_one_thread_is_raised_when_all_have_ended():
    ended = []

    def fail(part):
        if part.start:
            raise RuntimeError("one part failed")
        ended.append(part)

    with pytest.raises(RuntimeError, match="one part failed"):
        RowThreads(SIZE, 2).run(fail)
    assert ended


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_keep_their_threads_and_play_the_same(clone):
    env = OnirimVectorEnv(SIZE, threads=2)
    infos = env.reset(seed=1)[1]
    other = clone(env)
    assert other._batch.threads == 2
    actions = MaskedSampler(seed=0)(infos["action_mask"])
    assert env.step(actions)[0].tobytes() == other.step(actions)[0].tobytes()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_forked_process_has_threads_of_its_own():
    env = OnirimVectorEnv(SIZE, threads=2)
    actions = MaskedSampler(seed=0)(env.reset(seed=1)[1]["action_mask"])
    env.step(actions)
    child = os.fork()
    if child == 0:
        env.reset(seed=1)
        env.step(actions)
        os._exit(7)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


@pytest.mark.parametrize("threads", [0, -1, True, 1.5, "2", None, 5000])
def test_wrong_numbers_of_threads_are_refused_in_one_line(threads):
    with pytest.raises(ValueError, match="threads must be a whole number from 1 to 1024, not"):
        OnirimVectorEnv(4, threads=threads)


def test_evaluations_are_the_same_for_every_number_of_threads():
    from agents.measure.evaluation import evaluate

    one, three = (
        evaluate("rules", seeds=range(60), batch_size=50, threads=threads, progress=False)
        for threads in (1, 3)
    )
    assert (one.won == three.won).all() and (one.turns == three.turns).all()
    with pytest.raises(ValueError, match="threads must be a whole number"):
        evaluate("rules", seeds=range(3), threads=0, progress=False)

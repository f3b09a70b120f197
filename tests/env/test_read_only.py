"""Games that arrive in memory that nobody may write play on: pickle protocol 5, out of band."""

import pickle

import numpy as np
import pytest

from onirim_env import Game, MaskedSampler, RuleSet, onirim_coop_v0
from onirim_env.env import OnirimEnv
from onirim_env.mixed import MixedBatch
from onirim_env.sb3 import OnirimVecEnv
from onirim_env.vector import OnirimVectorEnv


def sent(value):
    """Return what arrives where buffers are read in place, as Ray does from its shared memory."""
    buffers = []
    data = pickle.dumps(value, protocol=5, buffer_callback=buffers.append)
    assert buffers
    return pickle.loads(data, buffers=[bytes(one.raw()) for one in buffers])


def steps_of(env, sampler, masks, step, count=60):
    return [step(env, sampler, masks) for _ in range(count)]


def test_the_way_of_sending_gives_arrays_that_cannot_be_written():
    assert not sent(np.zeros(3)).flags.writeable


@pytest.mark.parametrize("env_id", [{}, {"players": 2}])
def test_a_single_environment(env_id):
    env = OnirimEnv(**env_id)
    mask = env.reset(seed=1)[1]["action_mask"]
    other, sampler = sent(env), MaskedSampler(seed=0)
    for _ in range(120):
        if mask.all():
            mask, again = env.reset()[1]["action_mask"], other.reset()[1]["action_mask"]
        else:
            action = sampler(mask)
            mask, again = env.step(action)[4]["action_mask"], other.step(action)[4]["action_mask"]
        assert np.array_equal(mask, again)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_batch(mode):
    envs = OnirimVectorEnv(3, autoreset_mode=mode, max_episode_steps=20)
    mask = envs.reset(seed=1)[1]["action_mask"]
    other, sampler = sent(envs), MaskedSampler(seed=0)
    for _ in range(60):
        actions = sampler(mask)
        result, again = envs.step(actions), other.step(actions)
        mask = result[4]["action_mask"]
        assert np.array_equal(result[0], again[0]) and np.array_equal(result[3], again[3])


def test_a_batch_for_stable_baselines3():
    envs = OnirimVecEnv(3, max_episode_steps=20)
    envs.reset()
    other, sampler = sent(envs), MaskedSampler(seed=0)
    for _ in range(60):
        actions = sampler(envs.action_masks())
        assert np.array_equal(envs.step(actions)[0], other.step(actions)[0])


@pytest.mark.parametrize("make", [onirim_coop_v0.raw_env, onirim_coop_v0.env])
def test_the_game_of_turns(make):
    env = make()
    env.reset(seed=1)
    other, sampler = sent(env), MaskedSampler(seed=0)
    for _ in range(40):
        action = sampler(env.observe(env.agent_selection)["action_mask"])
        env.step(action)
        other.step(action)
        assert np.array_equal(env.state(), other.state())


def test_a_game_and_a_sampler():
    game, sampler = Game(seed=4), sent(MaskedSampler(seed=0))
    other, same = sent(game), MaskedSampler(seed=0)
    for _ in range(20):
        action = game.legal_actions()[0]
        game.apply(action)
        other.apply(action)
        assert game == other
    mask = np.ones(70, dtype=np.int8)
    assert [sampler(mask) for _ in range(5)] == [same(mask) for _ in range(5)]


def test_a_mixed_batch():
    rule_sets = [RuleSet(expansions=["towers"]), RuleSet(expansions=["glyphs"])]
    batch = MixedBatch(2, rule_sets, seed=0)
    batch.deal(np.arange(2, dtype=np.uint64))
    other = sent(batch)
    for one in (batch, other):
        one.deal_next(np.ones(2, dtype=np.bool_))
    assert np.array_equal(batch.states, other.states)

"""The co-op game as a parallel environment: one player decides, the other waits."""

import copy
import pickle

import numpy as np
import pytest
from gymnasium.error import InvalidAction
from pettingzoo.test import parallel_api_test, parallel_seed_test

from onirim_env import IllegalAction, MaskedSampler, onirim_coop_v0
from onirim_env.coop import AGENTS


def picks(observations, sampler):
    return {agent: int(sampler(observations[agent]["action_mask"])) for agent in AGENTS}


def test_pettingzoos_parallel_tests_pass(recwarn):
    parallel_api_test(onirim_coop_v0.parallel_env(), num_cycles=2000)
    parallel_seed_test(onirim_coop_v0.parallel_env)
    assert [str(one.message) for one in recwarn if "onirim" in str(one.filename)] == []


@pytest.mark.parametrize("options", [{}, {"talk": "closed", "reward": "doors"}, {"expansions": ["towers"]}])
def test_it_plays_the_game_of_turns_step_for_step(options):
    parallel = onirim_coop_v0.parallel_env(illegal_action="raise", **options)
    turns = onirim_coop_v0.raw_env(illegal_action="raise", **options)
    sampler = MaskedSampler(seed=1)
    for seed in range(5):
        observations, infos = parallel.reset(seed=seed)
        turns.reset(seed=seed)
        while parallel.agents:
            mover = turns.agent_selection
            for agent in AGENTS:
                seen, own = observations[agent], turns.observe(agent)
                assert parallel.observation_space(agent).contains(seen)
                assert np.array_equal(seen["observation"], own["observation"])
                assert np.array_equal(seen["action_mask"][:-1], own["action_mask"])
                assert np.array_equal(seen["action_mask"], infos[agent]["action_mask"])
                assert seen["action_mask"][-1] == (agent != mover)
                assert (seen["action_mask"].sum() == 1) or agent == mover
            assert np.array_equal(parallel.state(), turns.state())
            actions = picks(observations, sampler)
            assert [agent for agent in AGENTS if actions[agent] == parallel.wait] == [
                agent for agent in AGENTS if agent != mover
            ]
            observations, rewards, terminations, truncations, infos = parallel.step(actions)
            turns.step(actions[mover])
            assert rewards == turns.rewards
            assert terminations == turns.terminations and truncations == turns.truncations
        assert all(terminations.values())
        for agent in AGENTS:
            assert infos[agent]["won"] == turns.infos[agent]["won"] == infos[agent]["is_success"]
            assert np.flatnonzero(observations[agent]["action_mask"]).tolist() == [parallel.wait]
        assert parallel.step({}) == ({}, {}, {}, {}, {})


def wrong_actions(env, observations):
    """Return a wait of the one to move, and an action of the one who is not."""
    sampler = MaskedSampler(seed=0)
    legal = picks(observations, sampler)
    (mover,) = (agent for agent in AGENTS if legal[agent] != env.wait)
    (waiting,) = (agent for agent in AGENTS if agent != mover)
    return [({**legal, mover: env.wait}, f"{mover} is to move and cannot wait"),
            ({**legal, waiting: legal[mover]}, f"{waiting} is not to move and can only wait")]  # fmt: skip


@pytest.mark.parametrize("which", [0, 1])
def test_waiting_out_of_turn_and_acting_out_of_turn_are_illegal(which, caplog):
    env = onirim_coop_v0.parallel_env(illegal_action="raise")
    observations, _ = env.reset(seed=0)
    actions, message = wrong_actions(env, observations)[which]
    before = env.game
    with pytest.raises(IllegalAction, match=message):
        env.step(actions)
    assert env.game == before and env.agents

    env = onirim_coop_v0.parallel_env()
    env.reset(seed=0)
    _, rewards, terminations, _, infos = env.step(actions)
    assert rewards == dict.fromkeys(AGENTS, -1.0) and all(terminations.values()) and not env.agents
    assert message in caplog.text
    for agent in AGENTS:
        assert infos[agent]["illegal_action"] == (env.wait if which == 0 else actions[AGENTS[1]])
        assert not infos[agent]["won"]
    env.reset()
    assert env.agents


def test_an_action_outside_the_space_or_missing_is_refused():
    env = onirim_coop_v0.parallel_env()
    env.reset(seed=0)
    for wrong in (-1, env.wait + 1, "wait", 1.5, None):
        with pytest.raises(InvalidAction, match=f"outside the space; ids are 0 to {env.wait}"):
            env.step({"player_0": 0, "player_1": wrong})
    with pytest.raises(ValueError, match="actions must have one for each of player_0, player_1"):
        env.step({"player_0": 0})


def test_keys_and_dtype_are_those_that_are_asked_for():
    env = onirim_coop_v0.parallel_env(observation_key="observations", mask_dtype="float32")
    observations, infos = env.reset(seed=0)
    for agent in AGENTS:
        assert list(observations[agent]) == ["observations", "action_mask"]
        assert observations[agent]["action_mask"].dtype == np.float32
        assert infos[agent]["action_mask"].dtype == np.int8
        assert env.observation_space(agent).contains(observations[agent])


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_go_on_as_the_original_does(twin_of):
    env = onirim_coop_v0.parallel_env()
    observations, _ = env.reset(seed=3)
    sampler = MaskedSampler(seed=3)
    for _ in range(10):
        observations = env.step(picks(observations, sampler))[0]
    twin = twin_of(env)
    while env.agents:
        actions = picks(observations, sampler)
        observations = env.step(actions)[0]
        others = twin.step(actions)[0]
        for agent in AGENTS:
            assert np.array_equal(observations[agent]["observation"], others[agent]["observation"])

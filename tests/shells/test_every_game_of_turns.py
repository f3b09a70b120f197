"""What holds for the PettingZoo environments of every game."""

import copy
import pickle
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from onirim_env import MaskedSampler
from tests.shells.games import TURNS

everywhere = pytest.mark.parametrize("name", TURNS)


def make(name, wrapped=False):
    module, options = TURNS[name]
    return module.env(**options) if wrapped else module.raw_env(**options)


def play(env, seed, games=2):
    """Play games; return what was seen, as bytes, and the rewards of the agents in each."""
    sampler = MaskedSampler(seed=0)
    seen, totals = [], []
    for game in range(games):
        env.reset(seed=seed if game == 0 else None)
        totals.append(dict.fromkeys(env.possible_agents, 0.0))
        for agent in env.agent_iter():
            observation, reward, terminated, truncated, _ = env.last()
            totals[-1][agent] += reward
            seen.append(observation["observation"].tobytes() + observation["action_mask"].tobytes())
            env.step(None if terminated or truncated else sampler(observation["action_mask"]))
    return seen, totals


@everywhere
def test_pettingzoos_own_tests_pass(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(make(name, wrapped=True), num_cycles=300)
        seed_test(lambda: make(name, wrapped=True), num_cycles=100)


@everywhere
def test_a_seed_fixes_all_games(name):
    assert play(make(name), 5) == play(make(name), 5)
    assert play(make(name), 5)[0] != play(make(name), 6)[0]


@everywhere
def test_agents_see_their_spaces_and_masks_of_zeros_out_of_turn(name):
    env = make(name)
    sampler = MaskedSampler(seed=1)
    env.reset(seed=3)
    for _ in range(120):
        mover = env.agent_selection
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert seen in env.observation_space(agent)
            assert seen["action_mask"].any() == (agent == mover)
            assert seen["action_mask"].tobytes() == env.infos[agent]["action_mask"].tobytes()
        state = np.concatenate([env.observe(agent)["observation"] for agent in env.possible_agents])
        assert env.state().tobytes() == state.tobytes() and env.state() in env.state_space
        env.step(sampler(env.observe(mover)["action_mask"]))
        if all(env.terminations.values()):
            env.reset()


@everywhere
def test_all_agents_end_and_are_stepped_off_one_by_one(name):
    env = make(name)
    sampler = MaskedSampler(seed=2)
    env.reset(seed=8)
    while not any(env.terminations.values()):
        env.step(sampler(env.observe(env.agent_selection)["action_mask"]))
    assert all(env.terminations.values())
    assert not any(env.observe(agent)["action_mask"].any() for agent in env.possible_agents)
    left = len(env.possible_agents)
    while env.agents:
        env.step(None)
        left -= 1
        assert len(env.agents) == left


@everywhere
def test_copies_and_pickles_go_on_alike(name):
    env = make(name)
    env.reset(seed=4)
    sampler = MaskedSampler(seed=5)
    for _ in range(15):
        env.step(sampler(env.observe(env.agent_selection)["action_mask"]))
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]

    def go_on(one):
        seen = []
        for _ in range(20):
            agent = one.agent_selection
            if one.terminations[agent]:
                break
            mask = one.observe(agent)["action_mask"]
            one.step(int(np.flatnonzero(mask)[0]))
            seen.append((agent, one.observe(agent)["observation"].tobytes()))
        return seen

    first = go_on(env)
    assert [go_on(other) for other in others] == [first, first]


@everywhere
def test_an_illegal_action_costs_its_agent_one(name):
    env = make(name)
    env.reset(seed=1)
    offender = env.agent_selection
    mask = env.observe(offender)["action_mask"]
    env.step(int(np.flatnonzero(mask == 0)[0]))
    shared = TURNS[name][0].__name__.endswith("onirim_coop_v0")
    assert env.rewards == {
        agent: -1.0 if shared or agent == offender else 0.0 for agent in env.possible_agents
    }
    assert all(env.terminations.values())

"""The co-op game keeps what PettingZoo promises."""

import copy
import pickle
import random
import sys
import warnings
from collections import Counter
from types import SimpleNamespace

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.test.performance_benchmark import performance_benchmark
from pettingzoo.test.state_test import test_state as check_state
from pettingzoo.test.state_test import test_state_space as check_state_space

from onirim_env import Game, IllegalAction, MaskedSampler, RuleSet, onirim_coop_v0
from onirim_env.env import OnirimEnv
from tests.engine.lockstep import random_rules

NOT_OURS = ("Observation is not a NumPy array", "Observation space for each agent probably should be")
"""What api_test says of every environment that has its mask in the observation (PettingZoo's own too)."""


def play(env, seed, pick, *, actions=None):
    """Play one game and return the sum of rewards that each agent got from ``last()``."""
    env.reset(seed=seed)
    rewards = Counter()
    for agent in env.agent_iter(3000):
        observation, reward, terminated, truncated, _ = env.last()
        rewards[agent] += reward
        if terminated or truncated:
            env.step(None)
            continue
        action = pick(observation["action_mask"])
        if actions is not None:
            actions.append((agent, int(action), observation["observation"].tobytes()))
        env.step(action)
    return rewards


@pytest.mark.parametrize("talk", ["open", "closed"])
@pytest.mark.parametrize("make", [onirim_coop_v0.env, onirim_coop_v0.raw_env])
def test_api_test_passes_without_a_warning_of_our_making(make, talk):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(make(talk=talk), num_cycles=1000)
    ours = [str(one.message) for one in caught if not str(one.message).startswith(NOT_OURS)]
    assert ours == []


def test_seed_test_passes():
    seed_test(onirim_coop_v0.env, num_cycles=300)


def test_state_test_passes():
    # state_test() itself also wants a parallel environment, which a game of turns is not;
    # bombardment_test() expects step() to return observations, and fails for every AEC environment.
    env = onirim_coop_v0.env()
    env.reset(seed=1)
    check_state_space(env.unwrapped)
    check_state(env.unwrapped, num_cycles=200)


def test_render_test_passes(monkeypatch):
    monkeypatch.setitem(OnirimEnv.metadata, "render_fps", 1000)
    render_test(onirim_coop_v0.env)


def test_performance_benchmark_runs(capsys, monkeypatch):
    clock = iter(range(100))
    module = sys.modules[performance_benchmark.__module__]
    monkeypatch.setattr(module, "time", SimpleNamespace(time=lambda: next(clock)))
    performance_benchmark(onirim_coop_v0.env())
    assert "turns per second" in capsys.readouterr().out


def test_the_tutorial_loop_with_masks_runs_as_it_stands():
    env = onirim_coop_v0.env(render_mode="ansi")
    env.reset(seed=42)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()  # noqa: RUF059  as in the tutorial
        if termination or truncation:
            action = None
        else:
            mask = observation["action_mask"]
            action = env.action_space(agent).sample(mask)
        env.step(action)
    env.close()
    assert env.agents == []


def test_the_mask_of_the_info_can_be_sampled_with_too():
    env = onirim_coop_v0.raw_env()
    env.reset(seed=1)
    for agent in env.agent_iter(200):
        _, _, terminated, _, info = env.last()
        env.step(None if terminated else env.action_space(agent).sample(info["action_mask"]))


def test_both_agents_end_together_and_the_iteration_drains():
    pick = MaskedSampler(seed=0)
    env = onirim_coop_v0.raw_env()
    for seed in range(50):
        env.reset(seed=seed)
        while not any(env.terminations.values()):
            env.step(pick(env.observe(env.agent_selection)["action_mask"]))
        assert env.terminations == {"player_0": True, "player_1": True}
        assert env.infos["player_0"]["won"] is env.infos["player_1"]["won"]
        for _ in range(2):
            env.step(None)
        assert env.agents == []


@pytest.mark.parametrize("reward", ["win", "doors", "score"])
def test_the_rewards_of_last_sum_to_the_shared_return(reward):
    pick = MaskedSampler(seed=3)
    for seed in range(30):
        env = onirim_coop_v0.raw_env(reward=reward)
        actions = []
        rewards = play(env, seed, pick, actions=actions)
        game = Game(RuleSet(players=2), seed=seed)
        total = 0.0
        for _, action, _ in actions:
            doors = game.doors
            game.apply(action)
            total += (game.doors - doors) / 8 if reward == "doors" else 0.0
        assert not game.won
        assert rewards["player_0"] == rewards["player_1"] == pytest.approx(total)


@pytest.mark.parametrize("make", [onirim_coop_v0.env, onirim_coop_v0.raw_env])
def test_the_rewards_after_every_step_are_those_of_that_step(make):
    """Zeros included: a Door gained or lost is rewarded once, and the next step says nothing of it."""
    rng = random.Random(2)
    env = make(reward="doors")
    seen = Counter()
    for seed in range(60):
        env.reset(seed=seed)
        assert env.rewards == {"player_0": 0.0, "player_1": 0.0}
        before = 0.0
        while not any(env.terminations.values()):
            doors, legal = env.unwrapped.game.doors, env.unwrapped.game.legal_texts()
            leanings = [text for text in legal if text.startswith(("play", "open", "nightmare return"))]
            env.step(env.unwrapped.game.table.id(rng.choice(leanings or legal)))
            change = (env.unwrapped.game.doors - doors) / 8
            assert env.rewards == {"player_0": change, "player_1": change}
            seen[before, change] += 1
            before = change
        env.step(None)
    assert {(0.0, 0.125), (0.125, 0.0), (0.0, -0.125), (-0.125, 0.0)} <= set(seen)


def test_a_win_rewards_both():
    doors = ["red door", "blue door", "green door", "brown door"]
    position = {
        "rules": {"players": 2},
        "players": [
            {"row": ["red moon", "red key"], "hand": ["red sun", "red key", "blue moon"], "doors": doors[1:]},
            {"hand": ["green sun", "brown key", "green moon"], "doors": doors},
        ],
        "shared": ["blue key", "brown sun"],
        "deck": ["nightmare", "red door"],
    }  # fmt: skip
    env = onirim_coop_v0.env()
    env.reset(seed=1, options={"position": position})
    env.step(env.unwrapped.game.table.id("play red sun"))
    assert env.rewards == {"player_0": 1.0, "player_1": 1.0}
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.infos["player_1"]["won"]


def test_whole_games_are_equal_for_equal_seeds():
    for talk in ("open", "closed"):
        runs = []
        for _ in range(2):
            actions = []
            for seed in range(6):
                play(onirim_coop_v0.env(talk=talk), seed, MaskedSampler(seed=seed), actions=actions)
            runs.append(actions)
        assert runs[0] == runs[1] and len(runs[0]) > 300


def test_unseeded_games_differ():
    env = onirim_coop_v0.raw_env()
    seen = set()
    for _ in range(5):
        env.reset()
        seen.add(env.observe("player_0")["observation"].tobytes())
    assert len(seen) == 5


def test_random_play_never_makes_an_illegal_move():
    env = onirim_coop_v0.raw_env(illegal_action="raise")
    for seed in range(40):
        play(env, seed, MaskedSampler(seed=seed))
    with pytest.raises(IllegalAction):
        env.reset(seed=0)
        env.step(int(env.observe("player_0")["action_mask"].argmin()))


def test_the_flat_observation_is_that_of_the_gymnasium_environment():
    import gymnasium as gym

    aec, flat = onirim_coop_v0.raw_env(talk="closed"), gym.make("OnirimCoop-v0", talk="closed")
    pick = MaskedSampler(seed=5)
    for seed in range(10):
        aec.reset(seed=seed)
        observation, info = flat.reset(seed=seed)
        over = False
        while not over:
            seen = aec.observe(aec.agent_selection)
            assert aec.agent_selection == f"player_{info['player']}"
            assert np.array_equal(seen["observation"], observation)
            assert np.array_equal(seen["action_mask"], info["action_mask"])
            action = pick(info["action_mask"])
            aec.step(action)
            observation, reward, over, _, info = flat.step(action)
            assert aec.rewards["player_1"] == reward


def test_the_mask_after_reset_is_that_of_the_game():
    env = onirim_coop_v0.raw_env()
    for seed in range(1000):
        env.reset(seed=seed)
        assert np.array_equal(
            env.infos["player_0"]["action_mask"], Game(RuleSet(players=2), seed=seed).action_mask()
        )


def test_either_agent_can_be_observed_at_any_time():
    pick = MaskedSampler(seed=1)
    env = onirim_coop_v0.raw_env(talk="closed")
    env.reset(seed=9)
    for _ in range(400):
        for agent in env.possible_agents:
            seen = env.observe(agent)
            assert env.observation_space(agent).contains(seen)
            acts = agent == env.agent_selection and env.agents == env.possible_agents
            over = not env.agents or any(env.terminations.values())
            assert seen["action_mask"].any() == (acts and not over)
        if not env.agents:
            break
        env.step(
            None
            if env.terminations[env.agent_selection]
            else pick(env.observe(env.agent_selection)["action_mask"])
        )
    assert env.agents == []


def test_observations_and_infos_are_new_arrays():
    env = onirim_coop_v0.raw_env()
    env.reset(seed=1)
    first, second = env.observe("player_0"), env.observe("player_0")
    for name in first:
        assert not np.shares_memory(first[name], second[name])
    kept = {name: value.copy() for name, value in first.items()}
    info = env.infos["player_0"]["action_mask"]
    first["action_mask"][:] = 7
    info[:] = 7
    env.step(int(kept["action_mask"].argmax()))
    assert env.observe(env.agent_selection)["action_mask"].max() == 1


def test_an_illegal_move_in_the_wrapped_environment_ends_the_game_for_both():
    env = onirim_coop_v0.env()
    env.reset(seed=1)
    illegal = int(env.observe("player_0")["action_mask"].argmin())
    env.step(illegal)
    assert all(env.terminations.values()) and all(env.truncations.values())
    assert env.rewards == {"player_0": -1, "player_1": 0}
    for _ in range(2):
        env.step(None)
    assert env.agents == []


def test_copies_and_pickles_go_on_alike_in_mid_game():
    pick = MaskedSampler(seed=2)
    for make in (onirim_coop_v0.env, onirim_coop_v0.raw_env):
        env = make(talk="closed")
        env.reset(seed=4)
        for _ in range(25):
            env.step(pick(env.observe(env.agent_selection)["action_mask"]))
        twins = [env, copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
        for _ in range(50):
            agent = env.agent_selection
            if env.terminations[agent]:
                break
            action = pick(env.observe(agent)["action_mask"])
            for twin in twins:
                twin.step(action)
            states = [twin.unwrapped.state().tobytes() for twin in twins]
            assert len(set(states)) == 1
            assert len({twin.agent_selection for twin in twins}) == 1


def test_the_state_holds_what_both_players_see():
    env = onirim_coop_v0.raw_env(talk="closed")
    env.reset(seed=3)
    views = [env.observe(agent)["observation"] for agent in env.possible_agents]
    assert np.array_equal(env.state(), np.concatenate(views))


def test_solo_rules_and_unknown_options_are_refused():
    with pytest.raises(ValueError, match="players"):
        onirim_coop_v0.env(players=1)
    with pytest.raises(ValueError, match="talk cannot be 'secret'"):
        onirim_coop_v0.env(talk="secret")
    with pytest.raises(TypeError, match="unexpected keyword argument 'deal'"):
        onirim_coop_v0.env(deal=True)


def test_games_under_random_options_end_without_a_dead_end():
    rng = random.Random(8)
    pick = MaskedSampler(seed=8)
    for seed in range(60):
        rules = random_rules(rng, 2)
        rules["prophecy_actions"] = rng.choice(("sequential", "permutation"))
        play(
            onirim_coop_v0.raw_env(talk=rng.choice(("open", "closed")), illegal_action="raise", **rules),
            seed,
            pick,
        )

"""OnirimCoop-v0: one learner that plays both seats, each from its own view."""

import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from stable_baselines3.common.env_checker import check_env as sb3_check_env

from onirim_env import Game, MaskedSampler, RuleSet
from onirim_env.sb3 import OnirimVecEnv

TALKS = ("open", "closed")


@pytest.mark.parametrize("talk", TALKS)
def test_both_checkers_have_no_complaint(talk):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make("OnirimCoop-v0", talk=talk).unwrapped)
        sb3_check_env(gym.make("OnirimCoop-v0", talk=talk))


@pytest.mark.parametrize("talk", TALKS)
def test_each_decision_is_seen_from_the_seat_of_the_player_who_takes_it(talk):
    env, pick = gym.make("OnirimCoop-v0", talk=talk), MaskedSampler(seed=1)
    seats = set()
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        game = Game(RuleSet(players=2), seed=seed, talk=talk)
        over = False
        while not over:
            assert info["player"] == game.player
            assert np.array_equal(observation, game.observation(game.player))
            assert np.array_equal(info["action_mask"], game.action_mask())
            seats.add((info["player"], game.phase))
            action = pick(info["action_mask"])
            game.apply(action)
            observation, _, over, _, info = env.step(action)
    assert {(0, "draft"), (1, "draft"), (0, "swap"), (1, "prophecy_discard")} <= seats


@pytest.mark.parametrize("talk", TALKS)
def test_rows_of_the_batch_are_the_single_games(talk):
    pick = MaskedSampler(seed=3)
    envs = gym.make_vec("OnirimCoop-v0", num_envs=5, vectorization_mode="vector_entry_point", talk=talk)
    singles = [gym.make("OnirimCoop-v0", talk=talk) for _ in range(5)]
    observations, infos = envs.reset(seed=30)
    seen = [env.reset(seed=30 + row) for row, env in enumerate(singles)]
    over = np.zeros(5, dtype=bool)
    for _ in range(150):
        for row, (observation, info) in enumerate(seen):
            if not over[row]:
                assert np.array_equal(observations[row], observation)
                assert infos["player"][row] == info["player"]
        actions = pick(infos["action_mask"])
        observations, _, terminations, _, infos = envs.step(actions)
        for row, env in enumerate(singles):
            if over[row]:
                continue
            observation, _, ended, _, info = env.step(actions[row])
            seen[row] = observation, info
            assert ended == terminations[row]
            over[row] |= ended
    assert over.all()


@pytest.mark.parametrize("talk", TALKS)
def test_the_vec_env_plays_the_same_games(talk):
    pick = MaskedSampler(seed=5)
    vec = OnirimVecEnv(4, "OnirimCoop-v0", seed=9, talk=talk)
    envs = gym.make_vec(
        "OnirimCoop-v0",
        num_envs=4,
        vectorization_mode="vector_entry_point",
        talk=talk,
        autoreset_mode="SameStep",
    )
    first, second = vec.reset(), envs.reset(seed=9)[0]
    assert np.array_equal(first, second)
    for _ in range(300):
        actions = pick(np.asarray(vec.env_method("action_masks")))
        first, rewards, dones, _ = vec.step(actions)
        second, other_rewards, terminations, _, infos = envs.step(actions)
        assert np.array_equal(first, second) and np.array_equal(dones, terminations)
        assert np.array_equal(rewards, other_rewards)
        assert np.array_equal(vec.action_masks(), infos["action_mask"])


def test_the_spaces_are_those_of_co_op():
    env = gym.make("OnirimCoop-v0")
    assert env.action_space.n == 136 and env.observation_space.shape == (255,)
    assert gym.make("OnirimCoop-v0", talk="closed", draft="dealt").unwrapped.rules.draft == "dealt"

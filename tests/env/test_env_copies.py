"""Copies and specifications: what is copied in the middle of a game goes on as the original."""

import copy
import pickle

import cloudpickle
import gymnasium as gym
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit

from onirim_env import Game, IllegalAction, MaskedSampler, RuleSet
from onirim_env.env import OnirimEnv
from onirim_env.vector import OnirimVectorEnv
from tests.env.same import assert_same

WAYS = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
    "old pickle": lambda one: pickle.loads(pickle.dumps(one, protocol=2)),
    "cloudpickle": lambda one: pickle.loads(cloudpickle.dumps(one)),
}


@pytest.fixture(params=WAYS.values(), ids=WAYS)
def copied(request):
    return request.param


def wrapped(**options):
    env = gym.make("Onirim-v0", **options)
    return RecordEpisodeStatistics(TimeLimit(env, 40))


SINGLE = {"plain": OnirimEnv, "made": lambda **options: gym.make("Onirim-v0", **options), "wrapped": wrapped}


def step_or_reset(env, last, sampler):
    """One step of a single environment, or a reset after the end."""
    if len(last) == 5 and (last[2] or last[3]):
        return env.reset()
    result = env.step(sampler(last[-1]["action_mask"]))
    result[-1].get("episode", {}).pop("t", None)
    return result


@pytest.mark.parametrize("make", SINGLE.values(), ids=SINGLE)
def test_an_environment_copied_in_the_middle_of_a_game_goes_on_alike(make, copied, options):
    """Fifty equal steps, resets between them included, and neither disturbs the other."""
    env = make(**options)
    sampler = MaskedSampler(seed=0)
    result = env.reset(seed=6)
    for _ in range(20):
        result = step_or_reset(env, result, sampler)
    other, other_result, other_sampler = copied((env, result, sampler))
    assert other is not env
    results = []
    for _ in range(50):
        result = step_or_reset(env, result, sampler)
        results.append(result)
    for expected in results:
        other_result = step_or_reset(other, other_result, other_sampler)
        assert_same(other_result, expected)
    assert other.unwrapped.game == env.unwrapped.game
    assert other.unwrapped.game.record() == env.unwrapped.game.record()
    assert_same(other.reset(), env.reset())
    assert_same(other.reset(seed=4), env.reset(seed=4))


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_vector_environment_copied_in_the_middle_goes_on_alike(mode, copied, options):
    env = OnirimVectorEnv(7, autoreset_mode=mode, max_episode_steps=45, **options)
    sampler = MaskedSampler(seed=0)
    result = env.reset(seed=6)
    for _ in range(40):
        result = env.step(sampler(result[-1]["action_mask"]))
    other, other_sampler = copied((env, sampler))
    actions = sampler(result[-1]["action_mask"])
    assert_same(other_sampler(result[-1]["action_mask"]), actions)
    for _ in range(50):
        result = env.step(actions)
        assert_same(other.step(actions), result)
        actions = sampler(result[-1]["action_mask"])
    assert_same(other.reset(), env.reset())


def test_an_unseeded_environment_copied_in_the_middle_goes_on_alike(copied):
    """The generator's state is copied too."""
    env = OnirimEnv()
    env.reset()
    other = copied(env)
    for _ in range(3):
        assert_same(other.reset(), env.reset())
    fresh, vector = OnirimEnv(), OnirimVectorEnv(2)
    fresh.np_random, vector.np_random = np.random.default_rng(1), np.random.default_rng(1)
    assert_same(copied(fresh).reset(), fresh.reset())
    assert_same(copied(vector).reset(), vector.reset())


def test_a_copied_environment_keeps_its_arguments(copied):
    env = copied(OnirimEnv(render_mode="ansi", illegal_action="raise", reward="score", players=2))
    assert env.render_mode == "ansi"
    assert env.rules == RuleSet(players=2)
    env.reset(seed=0)
    with pytest.raises(IllegalAction):
        env.step(0)


def test_a_copied_game_has_the_same_future(copied, options):
    options.pop("reward", None)
    talk = options.pop("talk", "open")
    game = Game(RuleSet(**options), seed=3, talk=talk)
    sampler = MaskedSampler(seed=0)
    for _ in range(10):
        game.apply(sampler(game.action_mask()))
    other = copied(game)
    assert other == game and other.record() == game.record()
    before = other.position()
    while not game.over:
        game.apply(sampler(game.action_mask()))
    assert other.position() == before
    for text in game.record()["actions"][10:]:
        other.apply(text)
    assert other == game and other.result() == game.result()


@pytest.mark.parametrize(
    "copied_game", [copy.copy, copy.deepcopy, Game.copy], ids=["copy", "deepcopy", "Game.copy"]
)
def test_a_copy_of_a_game_leaves_the_original_alone(copied_game):
    game = Game(seed=0)
    other = copied_game(game)
    other.apply(other.legal_actions()[0])
    assert game == Game(seed=0) and game.record()["actions"] == []


def test_rule_sets_are_copied_by_value(copied):
    rules = RuleSet(players=2, draft="dealt")
    assert copied(rules) == rules
    assert hash(copied(rules)) == hash(rules)


def test_the_specification_goes_through_json(options):
    """The spec, kwargs included, to JSON and back, deepcopy and pickle."""
    env = gym.make("Onirim-v0", **options)
    spec = EnvSpec.from_json(env.spec.to_json())
    assert spec == env.spec
    assert copy.deepcopy(env.spec) == pickle.loads(pickle.dumps(env.spec)) == env.spec
    again = gym.make(spec)
    assert again.unwrapped.rules == env.unwrapped.rules
    assert_same(again.reset(seed=0), env.reset(seed=0))


def test_the_specification_of_a_vector_environment_goes_through_json(options):
    env = gym.make_vec("Onirim-v0", num_envs=3, vectorization_mode="vector_entry_point", **options)
    spec = EnvSpec.from_json(env.spec.to_json())
    again = gym.make_vec(spec)
    assert again.num_envs == 3
    assert_same(again.reset(seed=0), env.reset(seed=0))

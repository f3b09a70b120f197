"""OnirimVecEnv: the batch as a stable-baselines3 VecEnv."""

import copy
import logging
import pickle
import warnings
from collections import Counter

import cloudpickle
import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import InvalidAction
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv, VecCheckNan, VecNormalize
from stable_baselines3.common.vec_env.base_vec_env import VecEnv

from onirim_env import Game, IllegalAction, MaskedSampler
from onirim_env.batch import GameBatch
from onirim_env.sb3 import OnirimVecEnv

RESULTS = {"won", "doors", "cards_left", "turns"}
ADDED = {"terminal_observation", "TimeLimit.truncated", "episode", "is_success"}


def dummy(num_envs, seed, limit=None, **options):
    """What SB3 itself makes of single environments."""

    def make():
        return Monitor(gym.make("Onirim-v0", max_episode_steps=limit, **options))

    env = DummyVecEnv([make] * num_envs)
    env.seed(seed)
    return env


def test_sb3s_check_env_has_no_complaint_about_the_single_environment(options):
    """With every warning an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make("Onirim-v0", **options).unwrapped)
        check_env(gym.make("Onirim-v0", render_mode="ansi", **options))


@pytest.mark.parametrize("limit", [None, 20])
def test_steps_are_those_of_a_dummy_vec_env(limit, options):
    """Observations, rewards, dones, ends and masks, over several episodes and a second reset."""
    n = 4
    ours = OnirimVecEnv(n, seed=5, max_episode_steps=limit, **options)
    theirs = dummy(n, 5, limit, **options)
    sampler = MaskedSampler(seed=0)
    ends = 0
    for _ in range(2):
        np.testing.assert_array_equal(ours.reset(), theirs.reset())
        for _ in range(150):
            masks = get_action_masks(ours)
            np.testing.assert_array_equal(masks, get_action_masks(theirs))
            actions = sampler(masks)
            observations, rewards, dones, infos = ours.step(actions)
            expected = theirs.step(actions)
            for one, other in zip((observations, rewards, dones), expected):
                assert one.dtype == other.dtype
                np.testing.assert_array_equal(one, other)
            for done, info, their_info in zip(dones, infos, expected[3]):
                if done:
                    _assert_same_end(info, their_info)
                    ends += 1
    assert ends > 2 * n


def _assert_same_end(info, expected):
    np.testing.assert_array_equal(info["terminal_observation"], expected["terminal_observation"])
    assert info["TimeLimit.truncated"] is expected["TimeLimit.truncated"]
    assert info["episode"]["l"] == expected["episode"]["l"]
    assert info["episode"]["r"] == pytest.approx(expected["episode"]["r"], abs=1e-5)
    assert info.keys() == RESULTS | ADDED
    assert info["is_success"] is info["won"]
    for name in RESULTS & expected.keys():
        assert info[name] == expected[name]
        assert np.asarray(info[name]).dtype == np.asarray(expected[name]).dtype


@pytest.mark.parametrize(
    ("late", "truncated"), [(0, False), (1, True)], ids=["on that step", "one step later"]
)
def test_a_game_that_ends_by_itself_on_the_step_of_the_limit_is_not_truncated(late, truncated):
    """As SB3's own environments say; one that would end a step later is."""
    game = Game(seed=3)
    actions = []
    while not game.over:
        actions.append(game.legal_actions()[0])
        game.apply(actions[-1])
    limit = len(actions) - late
    for env in (OnirimVecEnv(1, seed=3, max_episode_steps=limit), dummy(1, 3, limit)):
        env.reset()
        steps = [env.step(np.array([action])) for action in actions[:limit]]
        assert [bool(step[2][0]) for step in steps] == [False] * (limit - 1) + [True]
        info = steps[-1][3][0]
        assert info["TimeLimit.truncated"] is truncated
        assert info["episode"]["l"] == limit


def test_infos_are_empty_but_at_the_end_of_an_episode():
    """No arrays to deepcopy in every step; the info dicts are not shared."""
    env = OnirimVecEnv(20, seed=0)
    sampler = MaskedSampler(seed=0)
    env.reset()
    ends = 0
    for _ in range(200):
        _, _, dones, infos = env.step(sampler(env.action_masks()))
        assert len({id(info) for info in infos}) == 20
        for done, info in zip(dones, infos):
            if done:
                arrays = [name for name, value in info.items() if isinstance(value, np.ndarray)]
                assert arrays == ["terminal_observation"]
                ends += 1
            else:
                assert info == {}
    assert ends > 20


def test_masks_of_the_batch_are_the_stacked_masks_of_single_environments(options):
    env = OnirimVecEnv(5, seed=3, **options)
    assert is_masking_supported(env)
    env.reset()
    singles = [gym.make("Onirim-v0", **options) for _ in range(5)]
    for row, single in enumerate(singles):
        single.reset(seed=3 + row)
    sampler = MaskedSampler(seed=1)
    for _ in range(30):
        masks = get_action_masks(env)
        assert masks.dtype == np.bool_ and masks.shape == (5, env.action_space.n)
        np.testing.assert_array_equal(masks, np.stack([get_action_masks(single) for single in singles]))
        np.testing.assert_array_equal(env.env_method("action_masks", indices=[4, 1]), masks[[4, 1]])
        np.testing.assert_array_equal(env.env_method("action_masks", indices=2), masks[[2]])
        actions = sampler(masks)
        dones = env.step(actions)[2]
        for row, single in enumerate(singles):
            single.step(int(actions[row]))
            if dones[row]:
                single.reset()


def test_masks_go_through_sb3s_wrappers():
    env = VecNormalize(VecCheckNan(OnirimVecEnv(3, seed=0)), norm_reward=False)
    env.reset()
    assert is_masking_supported(env)
    np.testing.assert_array_equal(get_action_masks(env), env.unwrapped.action_masks())


def test_a_mask_that_is_written_to_changes_no_later_one():
    env = OnirimVecEnv(3, seed=0)
    env.reset()
    before = env.action_masks()
    for masks in (
        env.action_masks(),
        env.env_method("action_masks"),
        env.env_method("action_masks", indices=[0]),
    ):
        masks[:] = True
    np.testing.assert_array_equal(env.action_masks(), before)


def test_training_asks_for_the_masks_once_a_step_and_plays_no_illegal_action(monkeypatch):
    """The engine is called once a step, too, for all games together."""
    env = OnirimVecEnv(8, seed=0, illegal_action="raise")
    calls = Counter()

    def count(owner, name):
        method = getattr(owner, name)

        def counted(*args, **kwargs):
            calls[name] += 1
            return method(*args, **kwargs)

        monkeypatch.setattr(owner, name, counted)

    count(env, "env_method")
    count(GameBatch, "step")
    model = MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=256, n_epochs=1, seed=0, device="cpu")
    model.learn(2 * 8 * 64)
    assert calls["env_method"] == calls["step"] == 2 * 64


def test_a_hundred_thousand_masked_steps_make_no_illegal_action(caplog):
    env = OnirimVecEnv(100, seed=0)
    sampler = MaskedSampler(seed=0)
    env.reset()
    with caplog.at_level(logging.WARNING, "onirim_env"):
        for _ in range(1000):
            rewards = env.step(sampler(env.action_masks()))[1]
            assert (rewards > -1).all()
    assert not caplog.records


def test_rows_do_not_depend_on_their_number():

    def play(num_envs):
        env = OnirimVecEnv(num_envs, seed=10)
        results = [env.reset()]
        for step in range(150):
            masks = env.action_masks()
            picks = (np.arange(num_envs) * 7919 + step * 31) % masks.sum(axis=1)
            actions = [np.flatnonzero(mask)[pick] for mask, pick in zip(masks, picks)]
            results.append(env.step(np.array(actions))[0])
        return results

    among_many = play(64)
    for num_envs in (1, 7):
        for one, other in zip(play(num_envs), among_many):
            np.testing.assert_array_equal(one, other[:num_envs])


def test_what_was_returned_is_never_changed_afterwards():
    env = OnirimVecEnv(6, seed=0)
    sampler = MaskedSampler(seed=0)
    kept = [(env.reset(), env.action_masks())]
    copies = [tuple(part.copy() for part in kept[0])]
    for _ in range(100):
        observations, rewards, dones, _ = env.step(sampler(env.action_masks()))
        kept.append((observations, rewards, dones, env.action_masks()))
        copies.append(tuple(part.copy() for part in kept[-1]))
    for result, copied in zip(kept, copies):
        for one, other in zip(result, copied):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize(
    "copied",
    [
        copy.deepcopy,
        lambda one: pickle.loads(pickle.dumps(one)),
        lambda one: pickle.loads(cloudpickle.dumps(one)),
    ],
    ids=["deepcopy", "pickle", "cloudpickle"],
)
def test_a_copy_goes_on_as_the_original(copied, options):
    """Fifty equal steps from the middle of an episode."""
    env = OnirimVecEnv(4, seed=0, **options)
    sampler = MaskedSampler(seed=0)
    env.reset()
    for _ in range(30):
        env.step(sampler(env.action_masks()))
    other = copied(env)
    for _ in range(50):
        np.testing.assert_array_equal(other.action_masks(), env.action_masks())
        actions = sampler(env.action_masks())
        result, expected = other.step(actions), env.step(actions)
        for one, two in zip(result[:3], expected[:3]):
            np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(other.reset(), env.reset())


@pytest.mark.parametrize(
    "actions",
    [[0, 70, 0], [-1, 0, 0], [0, 0], [[0], [0], [0]], [0.0, 1.0, 1.5], ["a", "b", "c"], None, 0],
    ids=str,
)
def test_actions_outside_the_space_raise_and_change_nothing(actions):
    env, other = OnirimVecEnv(3, seed=0), OnirimVecEnv(3, seed=0)
    sampler = MaskedSampler(seed=0)
    env.reset()
    other.reset()
    for _ in range(3):
        with pytest.raises(InvalidAction):
            env.step(np.array(actions))
        legal = sampler(env.action_masks())
        for one, expected in zip(env.step(legal)[:3], other.step(legal)[:3]):
            np.testing.assert_array_equal(one, expected)


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint8])
def test_actions_may_be_any_kind_of_integers(kind):
    env, other = OnirimVecEnv(3, seed=0), OnirimVecEnv(3, seed=0)
    env.reset()
    other.reset()
    actions = MaskedSampler(seed=0)(env.action_masks())
    np.testing.assert_array_equal(env.step(actions.astype(kind))[0], other.step(actions)[0])


def test_an_illegal_action_loses_its_game_alone(caplog):
    env, other = OnirimVecEnv(3, seed=0), OnirimVecEnv(3, seed=0)
    env.reset()
    other.reset()
    legal = MaskedSampler(seed=0)(env.action_masks())
    actions = legal.copy()
    actions[1] = 69
    with caplog.at_level(logging.WARNING, "onirim_env"):
        observations, rewards, dones, infos = env.step(actions)
    expected = other.step(legal)
    assert rewards.tolist() == [0, -1, 0] and dones.tolist() == [False, True, False]
    assert infos[1]["won"] is False and infos[1]["episode"]["r"] == -1
    np.testing.assert_array_equal(observations[[0, 2]], expected[0][[0, 2]])
    assert "nightmare discard hand" in caplog.records[0].getMessage()


def test_the_info_names_the_illegal_action():
    """As the info of the single environment does, also through SB3's own DummyVecEnv."""
    for env in (dummy(2, 0), OnirimVecEnv(2, seed=0)):
        env.reset()
        infos = env.step(np.array([69, int(env.env_method("action_masks")[1].argmax())]))[3]
        assert infos[0]["illegal_action"] == 69
        assert "illegal_action" not in infos[1]


def test_an_illegal_action_may_raise_instead_and_no_row_changes():
    env, other = OnirimVecEnv(3, seed=0, illegal_action="raise"), OnirimVecEnv(3, seed=0)
    env.reset()
    other.reset()
    legal = MaskedSampler(seed=0)(env.action_masks())
    wrong = legal.copy()
    wrong[2] = 69
    for _ in range(2):
        with pytest.raises(IllegalAction, match="nightmare discard hand"):
            env.step(wrong)
    result, expected = env.step(legal), other.step(legal)
    for one, two in zip(result[:3], expected[:3]):
        np.testing.assert_array_equal(one, two)


def test_sb3s_make_vec_env_makes_the_single_environment():
    """It asks for render_mode="rgb_array" first, and for none when that is a TypeError."""
    env = make_vec_env("Onirim-v0", n_envs=2, seed=0)
    np.testing.assert_array_equal(env.reset(), OnirimVecEnv(2, seed=0).reset())


def test_seeds_are_used_once_and_games_go_on_after_a_second_reset():
    env = OnirimVecEnv(2, seed=4)
    first, second = env.reset(), env.reset()
    assert not np.array_equal(first, second)
    env.seed(4)
    np.testing.assert_array_equal(env.reset(), first)
    np.testing.assert_array_equal(env.reset(), second)


def test_environments_without_a_seed_differ():
    one, other = OnirimVecEnv(3, seed=None), OnirimVecEnv(3, seed=None)
    assert not np.array_equal(one.reset(), other.reset())


def test_the_environment_answers_as_a_vec_env():
    env = OnirimVecEnv(3, seed=0)
    assert isinstance(env, VecEnv)
    assert env.num_envs == 3
    assert env.get_attr("render_mode") == [None] * 3
    assert len(env.get_attr("rules", indices=[0, 2])) == 2
    assert env.env_is_wrapped(Monitor) == [True] * 3
    assert env.env_is_wrapped(gym.wrappers.TimeLimit, indices=0) == [False]
    assert not env.has_attr("reward_function")
    with pytest.raises(AttributeError, match="nothing_of_the_kind"):
        env.get_attr("nothing_of_the_kind")
    with pytest.raises(AttributeError, match="seed_all"):
        env.env_method("seed_all")
    with pytest.raises(AttributeError, match="reward"):
        env.set_attr("reward", "win")
    env.close()


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"reward": "wins"}, "'win', 'doors', 'score', 'progress'"),
        ({"player": 2}, "players"),
        ({"num_envs": 0}, "number of games"),
    ],
    ids=str,
)
def test_unknown_arguments_are_refused_with_the_allowed_ones(options, named):
    with pytest.raises(ValueError, match=named):
        OnirimVecEnv(**{"num_envs": 2, **options})


def test_an_unregistered_environment_is_refused():
    with pytest.raises(gym.error.Error, match="Onirin"):
        OnirimVecEnv(2, "Onirin-v0")


def test_the_identifier_may_name_the_module():
    """As everywhere else."""
    env = OnirimVecEnv(2, "onirim_env:Onirim-v0", seed=0)
    np.testing.assert_array_equal(env.reset(), OnirimVecEnv(2, seed=0).reset())


def test_an_environment_of_another_package_is_refused():
    with pytest.raises(ValueError, match="CartPole"):
        OnirimVecEnv(2, "CartPole-v1")


def test_a_limit_of_no_steps_is_refused():
    with pytest.raises(ValueError, match="max_episode_steps"):
        OnirimVecEnv(2, max_episode_steps=0)


def test_options_of_the_next_reset_are_carried_out():
    """As by SB3's own environments: each row starts from the position, once."""
    position = Game(seed=3).position()
    env, other = OnirimVecEnv(2, seed=0), dummy(2, 0)
    for one in (env, other):
        one.set_options({"position": position})
    np.testing.assert_array_equal(env.reset(), other.reset())
    np.testing.assert_array_equal(env.reset(), other.reset())


def test_evaluation_with_masks_gives_the_same_on_the_batch_and_on_single_environments():
    """The ``evaluate_policy`` of sb3-contrib, which must be told to use the masks."""
    env = OnirimVecEnv(4, seed=9, illegal_action="raise", reward="doors")
    single = dummy(4, 9, illegal_action="raise", reward="doors")
    model = MaskablePPO("MlpPolicy", OnirimVecEnv(1), seed=0, device="cpu")
    results = [
        evaluate_policy(model, one, n_eval_episodes=12, return_episode_rewards=True) for one in (env, single)
    ]
    assert results[0][1] == results[1][1]
    np.testing.assert_allclose(results[0][0], results[1][0], atol=1e-5)

"""Masks of legal actions: against the plain model of the rules, and by brute force."""

import logging

import gymnasium as gym
import numpy as np
import pytest

from onirim_env import Game, IllegalAction, MaskedSampler, RuleSet
from onirim_env.batch import GameBatch
from onirim_env.env import OnirimEnv
from onirim_env.vector import OnirimVectorEnv
from tests.env.same import assert_same
from tests.long import long_after
from tests.model.game import PlainGame


def oracle_mask(game):
    """The mask by the plain model of the rules, which shares no line with the engine."""
    position = game.position()
    position.pop("known")  # says nothing about what is legal
    legal = PlainGame(position).legal()
    mask = np.zeros(len(game.table), dtype=np.int8)
    mask[[game.table.id(text) for text in legal]] = 1
    return mask if legal else np.ones_like(mask)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
@pytest.mark.parametrize("rules", [{}, {"players": 2}], ids=["solo", "co-op"])
def test_masks_are_never_stale_over_a_million_random_steps(rules, mode):
    """Every mask has legal actions only, and a sample, each reset included, equals the oracle's."""
    n, steps = 1000, 250
    env = OnirimVectorEnv(n, autoreset_mode=mode, **rules)
    sampler = MaskedSampler(seed=3)
    rng = np.random.default_rng(3)
    infos = env.reset(seed=0)[1]
    ended = restarted = np.zeros(n, dtype=bool)
    n_restarted = 0
    for _ in range(steps):
        masks = infos["action_mask"]
        sample = [*np.flatnonzero(ended)[:2], *np.flatnonzero(restarted)[:2], *rng.integers(n, size=2)]
        for row in sample:
            game = Game.from_state(env._batch.states[row : row + 1], env.rules)
            np.testing.assert_array_equal(masks[row], oracle_mask(game))
        n_restarted += int(restarted.sum())
        _, rewards, terminated, _, infos = env.step(sampler(masks))
        assert (rewards >= 0).all() and "illegal_action" not in infos.get("final_info", infos)
        ended, restarted = terminated, ended
    assert n_restarted > 1000


def test_the_masks_of_every_state_of_whole_games_are_the_oracles(rule_options):
    """Each step and reset of some games, under rules that the plain model knows."""
    if rule_options.get("prophecy_actions") == "permutation":
        rule_options["prophecy_actions"] = "sequential"
    env = OnirimEnv(**rule_options)
    sampler = MaskedSampler(seed=1)
    for seed in range(30):
        info = env.reset(seed=seed)[1]
        terminated = False
        while not terminated:
            np.testing.assert_array_equal(info["action_mask"], oracle_mask(env.game))
            _, _, terminated, _, info = env.step(sampler(info["action_mask"]))


def test_a_hundred_thousand_masked_steps_make_no_illegal_action(rule_options, caplog):
    """With one environment, and with a batch."""
    single = gym.make("Onirim-v0", **rule_options)
    env = OnirimVectorEnv(100, **rule_options)
    sampler = MaskedSampler(seed=0)
    with caplog.at_level(logging.WARNING, "onirim_env"):
        info = single.reset(seed=0)[1]
        for _ in range(3000):
            _, reward, terminated, _, info = single.step(sampler(info["action_mask"]))
            assert "illegal_action" not in info and reward > -1
            if terminated:
                info = single.reset()[1]
        infos = env.reset(seed=0)[1]
        for _ in range(1000):
            _, rewards, _, _, infos = env.step(sampler(infos["action_mask"]))
            assert "illegal_action" not in infos and (rewards > -1).all()
    assert not caplog.records


@pytest.mark.parametrize("games", long_after(1, [100, 1000]))
def test_the_action_space_samples_with_the_mask_of_every_state_of_whole_games(games):
    """The dtype, shape and values are those that Discrete.sample asks for."""
    env = OnirimEnv(illegal_action="raise")
    env.action_space.seed(0)
    for seed in range(games):
        info = env.reset(seed=seed)[1]
        terminated = False
        while not terminated:
            action = env.action_space.sample(info["action_mask"])
            _, _, terminated, _, info = env.step(action)
        env.action_space.sample(info["action_mask"])


def test_the_action_space_samples_with_the_masks_of_a_vector_environment():
    """Also the rows of ended games, whose mask is all ones."""
    env = gym.make_vec("Onirim-v0", num_envs=5, vectorization_mode="vector_entry_point")
    env.action_space.seed(0)
    infos = env.reset(seed=0)[1]
    for _ in range(150):
        actions = env.action_space.sample(tuple(infos["action_mask"]))
        infos = env.step(actions)[-1]
        assert "illegal_action" not in infos


@pytest.mark.parametrize("n", long_after(1, [1000, 10_000]))
@pytest.mark.parametrize("rules", [{}, {"players": 2}, {"players": 2, "draft": "dealt"}], ids=str)
def test_the_mask_after_a_reset_is_the_oracles_for_every_seed(rules, n):
    """And that of the Game of the same seed."""
    masks = OnirimVectorEnv(n, **rules).reset(seed=0)[1]["action_mask"]
    for seed in range(n):
        game = Game(RuleSet(**rules), seed=seed)
        np.testing.assert_array_equal(masks[seed], game.action_mask())
        if seed % 10 == 0:
            np.testing.assert_array_equal(masks[seed], oracle_mask(game))
    single = OnirimEnv(**rules)
    for seed in range(0, n, 100):
        np.testing.assert_array_equal(masks[seed], single.reset(seed=seed)[1]["action_mask"])


@pytest.mark.parametrize("games", long_after(1, [3, 12]))
def test_every_action_outside_the_mask_is_refused_and_every_one_inside_is_accepted(rule_options, games):
    """Brute force over single games."""
    talk = rule_options.pop("talk", "open")
    rules = RuleSet(**rule_options)
    rng = np.random.default_rng(7)
    for seed in range(games):
        game = Game(rules, seed=seed, talk=talk)
        while not game.over:
            mask = game.action_mask()
            if rng.random() < 0.15:
                before = game.copy()
                for action, text in enumerate(game.table.texts):
                    other = game.copy()
                    if mask[action]:
                        other.apply(text)
                        assert other != game
                    else:
                        with pytest.raises(IllegalAction):
                            other.apply(action)
                        assert other == game
                assert game == before
            game.apply(int(rng.choice(np.flatnonzero(mask))))
        for action in range(len(game.table)):
            with pytest.raises(IllegalAction):
                game.apply(action)


@pytest.mark.parametrize("n", long_after(1, [2000, 20_000]))
def test_the_batch_takes_exactly_the_actions_of_the_masks(rule_options, n):
    """Every action in each of many random states, over the five sets of rules."""
    env = OnirimVectorEnv(n, **rule_options)
    talk = rule_options.pop("talk", "open")
    sampler = MaskedSampler(seed=11)
    infos = env.reset(seed=0)[1]
    depth = np.random.default_rng(0).integers(60, size=n)
    states = env._batch.states.copy()
    for step in range(60):
        infos = env.step(sampler(infos["action_mask"]))[-1]
        states[depth == step] = env._batch.states[depth == step]
    batch = GameBatch(n, RuleSet(**rule_options), talk=talk)
    batch.states[:] = states
    masks = batch.view()[1]
    over = masks.all(axis=1)
    for action in range(masks.shape[1]):
        batch.states[:] = states
        rewards = batch.step(np.full(n, action))[-1]
        refused = batch.illegal_in >= 0
        assert_same(refused, masks[:, action] == 0)
        assert (rewards[refused] == -1).all()
        assert batch.ended[refused | over].all()
        changed = (batch.states.view(np.uint64) != states.view(np.uint64)).reshape(n, -1).any(axis=1)
        assert_same(changed, ~over)

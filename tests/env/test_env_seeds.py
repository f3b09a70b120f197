"""Seeds: what they fix, and what they leave alone."""

import json
import random

import gymnasium as gym
import numpy as np
import pytest

from onirim_env import Game, MaskedSampler, PositionError, RuleSet
from onirim_env.env import OnirimEnv
from onirim_env.vector import OnirimVectorEnv
from tests.env.same import assert_same


def trajectory(env, seed, n_games=5, sampler_seed=0):
    """Everything that whole games return, one after the other."""
    sampler = MaskedSampler(seed=sampler_seed)
    results = []
    for game in range(n_games):
        results.append(env.reset(seed=seed if game == 0 else None))
        terminated = False
        while not terminated:
            results.append(env.step(sampler(results[-1][-1]["action_mask"])))
            terminated = results[-1][2]
    return results


def test_equal_seeds_give_equal_games_to_the_end(options):
    """Five whole games, not one step."""
    one, other = gym.make("Onirim-v0", **options), gym.make("Onirim-v0", **options)
    assert_same(trajectory(one, 31), trajectory(other, 31))


def test_a_seed_fixes_the_games_whatever_was_played_before(options):
    env = OnirimEnv(**options)
    first = trajectory(env, 8)
    trajectory(env, None, n_games=2)
    trajectory(env, 9, n_games=1)
    env.reset(seed=1)
    assert_same(trajectory(env, 8), first)


def test_equal_seeds_give_equal_sampled_actions_and_games():
    """With Gymnasium's own seeded action space."""

    def play():
        env = OnirimEnv()
        env.action_space.seed(5)
        info = env.reset(seed=5)[1]
        results = []
        terminated = False
        while not terminated:
            action = env.action_space.sample(info["action_mask"])
            results.append((action, env.step(action)))
            _, _, terminated, _, info = results[-1][1]
        return results

    assert_same(play(), play())


def test_a_game_and_both_environments_deal_the_same_for_a_seed(options):
    """Game(seed), reset(seed) and row i of reset(seed - i)."""
    env = OnirimEnv(**options)
    vector = OnirimVectorEnv(3, **options)
    options.pop("reward", None)
    talk = options.pop("talk", "open")
    for seed in range(50):
        game = Game(RuleSet(**options), seed=seed, talk=talk)
        observation, info = env.reset(seed=seed)
        assert env.game == game
        assert_same((observation, info["action_mask"]), (game.observation(), game.action_mask()))
        observations, infos = vector.reset(seed=max(seed - 2, 0))
        row = min(seed, 2)
        assert_same((observations[row], infos["action_mask"][row]), (observation, info["action_mask"]))


def test_resets_without_a_seed_deal_different_games():
    """Two environments that nobody seeded, and one environment again and again."""
    positions = []
    for _ in range(3):
        env = OnirimEnv()
        for _ in range(3):
            env.reset()
            positions.append(env.game.position()["deck"])
    assert all(one != other for index, one in enumerate(positions) for other in positions[:index])
    states = []
    for _ in range(2):
        vector = OnirimVectorEnv(3)
        for _ in range(3):
            vector.reset()
            states.extend(state.tobytes() for state in vector._batch.states)
    assert len(set(states)) == len(states)


def test_seeded_rows_differ_from_each_other_and_from_their_next_games():
    env = OnirimVectorEnv(500)
    env.reset(seed=0)
    seeds = [env._batch.states["seed"].copy()]
    for _ in range(20):
        env.reset()
        seeds.append(env._batch.states["seed"].copy())
    seeds = np.concatenate(seeds)
    assert len(np.unique(seeds)) == len(seeds)


def test_a_list_of_seeds_gives_each_row_its_own():
    env, other = OnirimVectorEnv(3), OnirimVectorEnv(3)
    observations = env.reset(seed=[9, 4, 9])[0]
    assert_same(observations[0], observations[2])
    assert_same(observations[:2], np.stack([OnirimEnv().reset(seed=seed)[0] for seed in (9, 4)]))
    other.reset(seed=[9, 4, 9])
    expected = other.reset()[0]
    mixed = env.reset(seed=[None, 6, None])[0]
    assert_same(mixed[[0, 2]], expected[[0, 2]])
    assert_same(mixed[1], OnirimEnv().reset(seed=6)[0])


def test_seeds_of_any_size_are_taken():
    for seed in (0, 2**31, 2**32, 2**63, 2**100):
        observation = OnirimEnv().reset(seed=seed)[0]
        assert_same(OnirimVectorEnv(2).reset(seed=seed)[0][0], observation)


def test_a_seed_is_noted_as_gymnasium_does():
    env = OnirimEnv()
    env.reset(seed=17)
    assert env.np_random_seed == 17
    env.np_random = np.random.default_rng(3)
    env.reset()
    first = env.game
    env.np_random = np.random.default_rng(3)
    env.reset()
    assert env.game == first


def test_stepping_draws_nothing_from_the_environments_generator():
    env = OnirimEnv()
    info = env.reset(seed=0)[1]
    before = env.np_random.bit_generator.state
    sampler = MaskedSampler(seed=0)
    terminated = False
    while not terminated:
        _, _, terminated, _, info = env.step(sampler(info["action_mask"]))
    assert env.np_random.bit_generator.state == before


@pytest.mark.parametrize("vector", [False, True])
def test_global_random_numbers_change_nothing_and_are_not_changed(vector, options):
    """``random`` and ``np.random``, drawn or reseeded between the steps."""

    def play(disturb):
        env = OnirimVectorEnv(3, autoreset_mode="SameStep", **options) if vector else OnirimEnv(**options)
        sampler = MaskedSampler(seed=0)
        results = [env.reset(seed=2)]
        for step in range(150):
            disturb(step)
            ended = not vector and results[-1][-1]["action_mask"].all()
            results.append(env.reset() if ended else env.step(sampler(results[-1][-1]["action_mask"])))
        return results

    def draw(step):
        np.random.seed(step)  # noqa: NPY002
        random.seed(step)
        np.random.random(step)  # noqa: NPY002
        random.random()

    random.seed(1)
    np.random.seed(1)  # noqa: NPY002
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    undisturbed = play(lambda step: None)
    assert random.getstate() == states[0]
    assert_same(np.random.get_state(), states[1])  # noqa: NPY002
    assert_same(play(draw), undisturbed)


def test_unseeded_construction_leaves_the_global_random_numbers_alone():
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    OnirimEnv().reset()
    OnirimVectorEnv(2).reset()
    Game()
    MaskedSampler()
    assert random.getstate() == states[0]
    assert_same(np.random.get_state(), states[1])  # noqa: NPY002


@pytest.mark.parametrize(
    "seed",
    [
        "7",
        "",
        "x",
        "0x",
        "0x1ffffffffffffffff",
        "0xg",
        3.7,
        3.0,
        -1,
        True,
        b"7",
        [7],
        np.float64(3),
        "1" * 10**6,
    ],
)
def test_a_seed_of_another_kind_is_refused(seed):
    game = Game(seed=0)
    for take in (
        lambda: Game(seed=seed),
        lambda: Game.from_position({}, seed),
        lambda: game.reseed(seed),
        lambda: game.determinize(0, seed),
    ):
        with pytest.raises(
            ValueError, match=r"\Aseed must be a whole number from 0 on, or a text of 0x"
        ) as raised:
            take()
        assert len(str(raised.value)) < 250
    with pytest.raises(PositionError, match=r"\Aseed"):
        Game.from_record({"seed": seed})


@pytest.mark.parametrize(
    "seed", [7, np.int64(7), np.uint8(7), 2**53, 2**64 + 5, "0xAb", "0x0123456789abcdef", None]
)
def test_a_record_names_its_seed_so_that_every_reader_of_json_deals_the_same_game(seed):
    game = Game(seed=seed)
    recorded = json.loads(json.dumps(game.record()))["seed"]
    assert isinstance(recorded, str) or recorded == float(recorded) < 2**53
    assert Game(seed=recorded) == game == Game.from_record(game.record())


def test_a_number_is_recorded_as_the_number():
    assert Game(seed=np.int32(12)).record()["seed"] == 12


def test_games_without_a_seed_differ():
    assert len({Game().record()["seed"] for _ in range(20)}) == 20

"""What holds for the environments for one learner of every game."""

import copy
import pickle
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from onirim_env import IllegalAction, MaskedSampler
from tests.shells.games import SINGLE, make, make_vec

STEPS = 300
everywhere = pytest.mark.parametrize("name", SINGLE)


def play(env, seed, steps=STEPS, sampler_seed=0):
    """Play games one after the other; return what was seen, as bytes."""
    sampler = MaskedSampler(seed=sampler_seed)
    observation, info = env.reset(seed=seed)
    seen = [observation.tobytes() + info["action_mask"].tobytes()]
    for _ in range(steps):
        observation, reward, terminated, truncated, info = env.step(sampler(info["action_mask"]))
        assert not truncated
        seen.append(observation.tobytes() + info["action_mask"].tobytes() + np.float64(reward).tobytes())
        if terminated:
            observation, info = env.reset()
    return seen


@everywhere
def test_gymnasiums_own_checker_passes(name):
    with warnings.catch_warnings():
        warnings.simplefilter("error", UserWarning)
        check_env(make(name), skip_render_check=True)


@everywhere
def test_spaces_hold_what_is_seen_and_masks_what_is_legal(name):
    env = make(name)
    sampler = MaskedSampler(seed=1)
    observation, info = env.reset(seed=4)
    for _ in range(STEPS):
        assert observation in env.observation_space
        mask = info["action_mask"]
        assert mask.dtype == np.int8 and mask.shape == (env.action_space.n,)
        assert np.flatnonzero(mask).tolist() == env.game.legal_actions() != []
        assert (env.action_masks() == mask.astype(bool)).all()
        observation, _, terminated, _, info = env.step(sampler(mask))
        if terminated:
            assert observation in env.observation_space and info["action_mask"].all()
            assert info["is_success"] == info["won"]
            observation, info = env.reset()


@everywhere
def test_a_seed_fixes_all_games_and_another_gives_others(name):
    assert play(make(name), 7) == play(make(name), 7) != play(make(name), 8)


@everywhere
def test_copies_and_pickles_go_on_alike(name):
    env = make(name)
    play(env, 3, steps=40)
    env.reset(seed=5)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    first = [env.step(int(np.flatnonzero(env.action_masks())[0]))[0].tobytes() for _ in range(25)]
    for other in others:
        assert first == [
            other.step(int(np.flatnonzero(other.action_masks())[0]))[0].tobytes() for _ in range(25)
        ]


@everywhere
def test_rows_of_a_batch_are_single_games(name):
    envs, rows = make_vec(name, 5), [make(name) for _ in range(5)]
    samplers = [MaskedSampler(seed=row) for row in range(5)]
    observations, infos = envs.reset(seed=11)
    singles = [row.reset(seed=11 + index) for index, row in enumerate(rows)]
    over = np.zeros(5, dtype=bool)
    for _ in range(STEPS):
        for index, (observation, info) in enumerate(singles):
            assert observations[index].tobytes() == observation.tobytes()
            assert infos["action_mask"][index].tobytes() == info["action_mask"].tobytes()
        actions = np.array([sampler(info["action_mask"]) for sampler, (_, info) in zip(samplers, singles)])
        observations, rewards, terminated, _, infos = envs.step(actions)
        steps = [
            (*row.reset()[:1], 0.0, False, False, {"action_mask": row.action_masks().astype(np.int8)})
            if over[index]
            else row.step(int(actions[index]))
            for index, row in enumerate(rows)
        ]
        assert rewards.tolist() == [step[1] for step in steps]
        over = terminated.copy()
        assert over.tolist() == [step[2] for step in steps]
        singles = [(step[0], step[4]) for step in steps]


@everywhere
def test_an_illegal_action_ends_the_game_or_raises(name):
    env_id, options = SINGLE[name]
    env = gym.make(env_id, disable_env_checker=True, **options).unwrapped
    mask = env.reset(seed=1)[1]["action_mask"]
    illegal = int(np.flatnonzero(mask == 0)[0])
    _, reward, terminated, _, info = env.step(illegal)
    assert terminated and reward == -1.0 and info["illegal_action"] == illegal and not info["won"]
    strict = gym.make(env_id, disable_env_checker=True, illegal_action="raise", **options).unwrapped
    strict.reset(seed=1)
    before = strict.game.position()
    with pytest.raises(IllegalAction, match="legal are: "):
        strict.step(illegal)
    assert strict.game.position() == before
    with pytest.raises(gym.error.InvalidAction):
        env.step(env.action_space.n)


@everywhere
def test_games_that_differ_in_hidden_cards_alone_look_alike(name):
    env = make(name)
    sampler = MaskedSampler(seed=2)
    _, info = env.reset(seed=9)
    differed = 0
    for step in range(STEPS):
        game = env.game
        if not game.over and step % 3 == 0:
            other = game.copy()
            other.determinize(game.player, step)
            assert other.observation(game.player).tobytes() == game.observation(game.player).tobytes()
            assert other.legal_texts() == game.legal_texts()
            differed += other.state.tobytes() != game.state.tobytes()
        _, _, terminated, _, info = env.step(sampler(info["action_mask"]))
        if terminated:
            _, info = env.reset()
    assert differed > 20


@everywhere
def test_positions_and_records_come_back_as_they_were(name):
    env = make(name)
    sampler = MaskedSampler(seed=3)
    _, info = env.reset(seed=2)
    for step in range(STEPS):
        game = env.game
        if step % 5 == 0 and not game.over:
            again = type(game).from_position(game.position())
            assert again.position() == game.position() and again.legal_texts() == game.legal_texts()
        _, _, terminated, _, info = env.step(sampler(info["action_mask"]))
        if terminated:
            break
    if name != "odin in one seat":  # what opponents did is in no history
        game = env.game
        again = type(game).from_record(game.record())
        assert again.position() == game.position() and again.result() == game.result()


@everywhere
def test_a_position_is_where_a_game_begins(name):
    env = make(name)
    sampler = MaskedSampler(seed=4)
    _, info = env.reset(seed=6)
    for _ in range(12):
        info = env.step(sampler(info["action_mask"]))[4]
    position = env.game.position()
    other = make(name)
    observation, info = other.reset(seed=1, options={"position": position})
    assert observation.tobytes() == env.observe(env.game.player).tobytes()
    with pytest.raises(ValueError, match="unknown reset option 'start'"):
        other.reset(options={"start": position})

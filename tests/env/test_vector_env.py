"""What OnirimVectorEnv promises as a Gymnasium vector environment."""

import copy
import logging

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import InvalidAction
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.wrappers import FlattenObservation as FlattenSingle
from gymnasium.wrappers.vector import FlattenObservation

from onirim_env import Game, IllegalAction, MaskedSampler, PositionError
from onirim_env.vector import OnirimVectorEnv
from tests.env.same import assert_same
from tests.env.test_gymnasium_env import assert_all_cards_are_there
from tests.long import long_after

OUTSIDE = {
    "below": [0, -1, 0],
    "above": [0, 70, 0],
    "uint64": np.array([0, 2**64 - 1, 0], dtype=np.uint64),
    "far above": [0, 2**70, 0],
    "fraction": [0.0, 1.0, 1.5],
    "bool": np.zeros(3, dtype=bool),
    "one": 0,
    "two": [0, 0],
    "four": [0, 0, 0, 0],
    "column": [[0], [0], [0]],
    "text": ["play red sun"] * 3,
    "none": None,
    "ragged": [0, [0, 0], 0],
}


def make_vec(num_envs, mode="vector_entry_point", **options):
    return gym.make_vec("Onirim-v0", num_envs=num_envs, vectorization_mode=mode, **options)


def play(env, seed, steps, sampler_seed=0, rows=None):
    """Play legal actions that depend on the row and the step alone; return all results."""
    rows = np.arange(env.num_envs) if rows is None else rows
    observations, infos = env.reset(seed=seed)
    results = [(observations, infos["action_mask"])]
    for step in range(steps):
        masks = infos["action_mask"]
        picks = ((rows + 1) * 2654435761 + step * 40503 + sampler_seed) % masks.sum(axis=1)
        actions = np.array([np.flatnonzero(mask)[pick] for mask, pick in zip(masks, picks)])
        observations, rewards, terminated, truncated, infos = env.step(actions)
        results.append((observations, rewards, terminated, truncated, infos["action_mask"]))
    return results


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_the_ways_to_vectorise_give_the_same_games(mode, options):
    """The vector entry point beside Gymnasium's, sync and async, over several episodes of every row."""
    ours, theirs = make_vec(4, **options), make_vec(4, mode, **options)
    try:
        results = play(ours, 7, 150)
        assert_same(results, play(theirs, 7, 150))
        assert sum(result[2].sum() for result in results[1:]) >= 4
    finally:
        theirs.close()


@pytest.mark.parametrize("num_envs", [1, 7, 64])
def test_a_row_does_not_depend_on_the_number_of_rows(num_envs):
    """1, 7 or 64 rows; each plays what it plays among a hundred."""
    among_many = play(make_vec(100), 50, 200)
    for result, expected in zip(play(make_vec(num_envs), 50, 200), among_many):
        assert_same(result, tuple(part[:num_envs] for part in expected))


def test_a_row_is_the_single_environment_of_its_seed(options):
    """Whole games, one after the other, of seed + row."""
    n, seed = 6, 123
    env = make_vec(n, **options)
    singles = [gym.make("Onirim-v0", **options) for _ in range(n)]
    observations, infos = env.reset(seed=seed)
    starts = [single.reset(seed=seed + row) for row, single in enumerate(singles)]
    rng = np.random.default_rng(0)
    finished = np.zeros(n, dtype=int)
    ended = np.zeros(n, dtype=bool)
    for row, (observation, info) in enumerate(starts):
        assert_same((observations[row], infos["action_mask"][row]), (observation, info["action_mask"]))
    while finished.min() < 5:
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        observations, rewards, terminated, truncated, infos = env.step(actions)
        for row, single in enumerate(singles):
            if ended[row]:
                observation, info = single.reset()
                expected = observation, 0.0, False, False, info
            else:
                expected = single.step(int(actions[row]))
            assert_same(observations[row], expected[0])
            assert (rewards[row], terminated[row], truncated[row]) == expected[1:4]
            assert_same(infos["action_mask"][row], expected[4]["action_mask"])
        ended = terminated
        finished += terminated


def test_the_environment_is_a_vector_env_with_batched_spaces(options):
    env = make_vec(3, **options)
    single = gym.make("Onirim-v0", **options)
    assert isinstance(env, VectorEnv) and not isinstance(env, gym.Env)
    assert env.num_envs == 3
    assert env.single_action_space == single.action_space
    assert env.single_observation_space == single.observation_space
    assert env.observation_space == gym.vector.utils.batch_space(single.observation_space, 3)
    assert env.action_space == gym.vector.utils.batch_space(single.action_space, 3)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    assert env.spec.id == "Onirim-v0"
    assert "Onirim-v0" in repr(env) and "3" in repr(env)


def test_what_a_step_returns_has_the_types_that_gymnasium_gives(options):
    env = make_vec(8, **options)
    sampler = MaskedSampler(seed=0)
    observations, infos = env.reset(seed=0)
    for _ in range(200):
        assert observations.dtype == np.float32
        assert observations.shape == env.observation_space.shape
        assert infos["action_mask"].dtype == np.int8
        actions = sampler(infos["action_mask"])
        assert env.action_space.contains(actions)
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert rewards.dtype == np.float64
        assert terminated.dtype == truncated.dtype == np.bool_
        assert rewards.shape == terminated.shape == truncated.shape == (8,)


def test_what_was_returned_is_never_changed_afterwards():
    """Every array of a hundred steps, against the same steps kept as copies."""
    env = make_vec(20, autoreset_mode="SameStep")
    sampler = MaskedSampler(seed=0)
    kept = [env.reset(seed=0)]
    copies = [_copy(kept[0])]
    for _ in range(100):
        kept.append(env.step(sampler(kept[-1][-1]["action_mask"])))
        copies.append(_copy(kept[-1]))
    assert_same(kept, copies)
    assert any("final_obs" in result[-1] for result in kept)


def _copy(result):
    if isinstance(result, np.ndarray):
        return (
            np.array([_copy(one) for one in result], dtype=object)
            if result.dtype == object
            else result.copy()
        )
    if isinstance(result, dict):
        return {key: _copy(value) for key, value in result.items()}
    return type(result)(map(_copy, result)) if isinstance(result, (list, tuple)) else result


def test_writing_into_what_was_returned_or_given_changes_no_game():
    env, other = make_vec(10), make_vec(10)
    sampler = MaskedSampler(seed=0)
    result, expected = env.reset(seed=0), other.reset(seed=0)
    for _ in range(150):
        assert_same(result, expected)
        actions = sampler(expected[-1]["action_mask"])
        for part in (*result[:-1], *result[-1].values()):
            part[...] = 1
        given = actions.copy()
        result, expected = env.step(given), other.step(actions)
        given[:] = 69


@pytest.mark.parametrize("kind", [list, tuple, np.int8, np.int32, np.int64, np.uint8, np.uint64])
def test_actions_may_be_any_kind_of_integers(kind):
    env, other = make_vec(3), make_vec(3)
    sampler = MaskedSampler(seed=0)
    infos = env.reset(seed=3)[1]
    other.reset(seed=3)
    for _ in range(100):
        actions = sampler(infos["action_mask"])
        given = kind(actions.tolist()) if kind in (list, tuple) else actions.astype(kind)
        result = env.step(given)
        assert_same(result, other.step(actions))
        infos = result[-1]


@pytest.mark.parametrize("illegal_action", ["lose", "raise"])
@pytest.mark.parametrize("actions", OUTSIDE.values(), ids=OUTSIDE)
def test_actions_outside_the_space_raise_and_change_nothing(actions, illegal_action):
    env, other = (make_vec(3, illegal_action=illegal_action, max_episode_steps=5) for _ in range(2))
    sampler = MaskedSampler(seed=0)
    infos = env.reset(seed=0)[1]
    other.reset(seed=0)
    for _ in range(3):
        with pytest.raises(InvalidAction):
            env.step(actions)
        legal = sampler(infos["action_mask"])
        result = env.step(legal)
        assert_same(result, other.step(legal))
        infos = result[-1]


def test_the_error_names_the_action_and_the_row():
    env = make_vec(3)
    env.reset(seed=0)
    with pytest.raises(InvalidAction, match=r"action 70 of game 1 .*0 to 69"):
        env.step([0, 70, -1])


def test_illegal_actions_lose_their_games_and_no_others(options, caplog):
    n = 40
    env, other = make_vec(n, **options), make_vec(n, **options)
    rng = np.random.default_rng(0)
    sampler = MaskedSampler(seed=0)
    infos = env.reset(seed=0)[1]
    other.reset(seed=0)
    with caplog.at_level(logging.WARNING, "onirim_env"):
        for step in range(8):
            masks = infos["action_mask"]
            actions = sampler(masks)
            good = other.step(actions.copy())
            if step == 7:
                illegal = (rng.random(n) < 0.5) & ~masks.all(axis=1)
                actions[illegal] = masks[illegal].argmin(axis=1)
            observations, rewards, terminated, _, infos = env.step(actions)
    assert_same(infos["_illegal_action"], illegal)
    assert_same(infos["illegal_action"], np.where(illegal, actions, 0))
    assert (rewards[illegal] == -1).all() and terminated[illegal].all()
    assert infos["action_mask"][illegal].all()
    assert_same(observations[~illegal], good[0][~illegal])
    assert_same(rewards[~illegal], good[1][~illegal])
    assert_same(terminated[~illegal], good[2][~illegal])
    [record] = caplog.records
    first = int(illegal.argmax())
    assert f"(action {actions[first]})" in record.getMessage()
    assert env._batch.table.texts[actions[first]] in record.getMessage()
    legal = np.flatnonzero(masks[first])
    assert all(env._batch.table.texts[action] in record.getMessage() for action in legal)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep", "Disabled"])
def test_an_illegal_action_may_raise_instead_and_no_row_changes(mode, options):
    env, other = (
        OnirimVectorEnv(4, illegal_action="raise", autoreset_mode=mode, max_episode_steps=30, **options)
        for _ in range(2)
    )
    sampler = MaskedSampler(seed=0)
    rng = np.random.default_rng(0)
    infos = env.reset(seed=0)[1]
    other.reset(seed=0)
    ignored = np.zeros(4, dtype=bool)
    for _ in range(120):
        masks = infos["action_mask"]
        legal = sampler(masks)
        row = int(rng.integers(4))
        if not ignored[row]:
            wrong = legal.copy()
            wrong[row] = masks[row].argmin()
            with pytest.raises(IllegalAction) as error:
                env.step(wrong)
            texts = env._batch.table.texts
            assert texts[wrong[row]] in str(error.value)
            assert all(texts[action] in str(error.value) for action in np.flatnonzero(masks[row]))
        result = env.step(legal)
        assert_same(result, other.step(legal))
        infos = result[-1]
        done = result[2] | result[3]
        if mode == "NextStep":
            ignored = done
        if mode == "Disabled" and done.any():
            infos = env.reset(options={"reset_mask": done})[1]
            other.reset(options={"reset_mask": done})


@pytest.mark.parametrize("steps", long_after(1, [200, 1000]))
def test_random_and_illegal_actions_never_reach_into_other_rows(rule_options, steps):
    """Actions from the whole space, in a hundred games at once; all 76 cards stay in every row."""
    n = 100
    env = make_vec(n, **rule_options)
    rules, talk = env.rules, env._batch.talk
    n_actions = env.single_action_space.n
    rng = np.random.default_rng(5)
    infos = env.reset(seed=0)[1]
    legal = MaskedSampler(seed=5)
    for step in range(steps):
        anything = rng.integers(n_actions, size=n)
        actions = np.where(rng.random(n) < 0.1, anything, legal(infos["action_mask"]))
        infos = env.step(actions)[-1]
        for row in range(n) if step % 100 == 99 else rng.integers(n, size=1):
            game = Game.from_state(env._batch.states[row : row + 1], rules, talk=talk)
            assert_all_cards_are_there(game.position())


def test_render_gives_the_texts_of_the_games(options):
    env = make_vec(3, render_mode="ansi", **options)
    singles = [gym.make("Onirim-v0", render_mode="ansi", **options) for _ in range(3)]
    env.reset(seed=5)
    for row, single in enumerate(singles):
        single.reset(seed=5 + row)
    assert env.render() == tuple(single.render() for single in singles)


def test_render_without_a_render_mode_returns_none():
    env = make_vec(2)
    env.reset(seed=0)
    assert env.render() is None


@pytest.mark.parametrize(
    ("keyword", "value", "allowed"),
    [
        ("render_mode", "human", "'rgb_array', 'ansi'"),
        ("reward", "wins", "'win', 'doors', 'score', 'progress'"),
        ("illegal_action", "ignore", "'lose', 'raise'"),
        ("talk", "loud", "'open', 'closed'"),
        ("players", 3, "1, 2"),
        ("stop_when_unwinnable", 1, "False, True"),
        ("max_episode_steps", 0, "None"),
    ],
)
def test_an_unknown_value_is_refused_with_the_allowed_ones(keyword, value, allowed):
    with pytest.raises(ValueError) as error:
        OnirimVectorEnv(2, **{keyword: value})
    assert keyword in str(error.value) and repr(value) in str(error.value) and allowed in str(error.value)


@pytest.mark.parametrize("num_envs", [0, -1, 1.5, True, "4"])
def test_the_number_of_games_must_be_a_positive_integer(num_envs):
    with pytest.raises(ValueError, match="number of games"):
        OnirimVectorEnv(num_envs)


@pytest.mark.parametrize("seed", [-1, [1, 2, -3]])
def test_a_negative_seed_is_refused(seed):
    with pytest.raises(gym.error.Error):
        make_vec(3).reset(seed=seed)


def test_a_list_of_seeds_must_fit():
    with pytest.raises(ValueError, match="2 seeds for 3 games"):
        make_vec(3).reset(seed=[1, 2])


@pytest.mark.parametrize(
    ("mask", "error"),
    [
        ([True, False, True], TypeError),
        (np.array([1, 0, 1]), TypeError),
        (np.array([True, False]), ValueError),
        (np.zeros(3, dtype=bool), ValueError),
    ],
)
def test_a_wrong_reset_mask_is_refused_and_changes_nothing(mask, error):
    env = OnirimVectorEnv(3, autoreset_mode="Disabled")
    env.reset(seed=0)
    before = env._batch.states.tobytes()
    with pytest.raises(error, match="reset_mask"):
        env.reset(options={"reset_mask": mask})
    assert env._batch.states.tobytes() == before


def test_a_reset_starts_every_row_from_a_position():
    position = Game(seed=4).position()
    env = make_vec(3)
    observations, infos = env.reset(seed=8, options={"position": position})
    for row in range(3):
        game = Game.from_position(position, seed=8 + row)
        assert_same((observations[row], infos["action_mask"][row]), (game.observation(), game.action_mask()))
        assert Game.from_state(env._batch.states[row : row + 1], env.rules) == game


def test_a_reset_to_a_position_that_cannot_be_changes_nothing():
    env, other = make_vec(3), make_vec(3)
    sampler = MaskedSampler(seed=0)
    infos = env.reset(seed=0)[1]
    other.reset(seed=0)
    for _ in range(5):
        with pytest.raises(PositionError):
            env.reset(options={"position": {"phase": "nonsense"}})
        actions = sampler(infos["action_mask"])
        result = env.step(actions)
        assert_same(result, other.step(actions))
        infos = result[-1]


def test_a_closed_environment_says_so():
    env = make_vec(2)
    assert not env.closed
    env.close()
    env.close()
    assert env.closed


def test_a_step_before_the_first_reset_is_refused():
    """As Gymnasium's OrderEnforcing does for single and sync environments."""
    env = make_vec(2)
    with pytest.raises(gym.error.ResetNeeded):
        env.step([0, 0])


def test_the_number_of_steps_of_a_made_environment_is_limited():
    spec = copy.deepcopy(gym.spec("Onirim-v0"))
    spec.max_episode_steps = 6
    env = gym.make_vec(spec, num_envs=2, vectorization_mode="vector_entry_point")
    infos = env.reset(seed=0)[1]
    sampler = MaskedSampler(seed=0)
    for step in range(1, 7):
        _, _, terminated, truncated, infos = env.step(sampler(infos["action_mask"]))
        assert (truncated == (step == 6)).all() and not terminated.any()


def test_vector_wrappers_apply():
    env = FlattenObservation(make_vec(2))
    plain = make_vec(2, "sync", wrappers=(FlattenSingle,))
    assert_same(env.reset(seed=1)[0], plain.reset(seed=1)[0])

"""What OnirimEnv promises as a Gymnasium environment."""

import logging
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import InvalidAction
from gymnasium.utils.env_checker import check_env
from gymnasium.wrappers import FlattenObservation, TimeLimit

from onirim_env import (
    ActionTable,
    Game,
    IllegalAction,
    MaskedSampler,
    PositionError,
    RuleSet,
    observation_layout,
)
from onirim_env.cards import KIND_COUNTS, KIND_OF_NAME
from onirim_env.env import OnirimEnv
from onirim_env.rules import OPTIONS
from tests.env.same import assert_same

OUTSIDE = {
    "below": -1,
    "above": 70,
    "far above": 2**70,
    "np above": np.int64(70),
    "uint64": np.uint64(2**64 - 1),
    "0-d above": np.array(70),
    "fraction": 1.5,
    "np fraction": np.float32(1.5),
    "0-d fraction": np.array(1.5),
    "nan": float("nan"),
    "text": "play red sun",
    "none": None,
    "list": [0],
    "tuple": (0,),
    "list above": [70],
    "one-element": np.array([0]),
    "two": np.array([0, 1]),
    "empty": np.array([], dtype=np.int64),
}


@pytest.fixture
def env(options):
    return gym.make("Onirim-v0", **options)


def play_to_the_end(env, seed, sampler):
    """Play random legal actions; return the last result and the sum of rewards."""
    info = env.reset(seed=seed)[1]
    total, terminated = 0.0, False
    while not terminated:
        result = env.step(sampler(info["action_mask"]))
        _, reward, terminated, _, info = result
        total += reward
    return result, total


@pytest.mark.parametrize("render_mode", [None, "ansi"])
def test_check_env_has_no_complaint(options, render_mode):
    """Gymnasium's own checker, with every warning an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make("Onirim-v0", render_mode=render_mode, **options).unwrapped)


def test_a_made_environment_plays_illegal_actions_without_a_warning(env, caplog):
    """The passive checker of ``gym.make`` is content; the notice is a log record, not a warning."""
    rng = np.random.default_rng(0)
    with warnings.catch_warnings(), caplog.at_level(logging.WARNING, "onirim_env"):
        warnings.simplefilter("error")
        for seed in range(20):
            env.reset(seed=seed)
            terminated = False
            while not terminated:
                terminated = env.step(int(rng.integers(env.action_space.n)))[2]
    assert [record.levelname for record in caplog.records] == ["WARNING"]


def test_spaces_are_those_of_the_tables(env):
    rules = env.unwrapped.rules
    assert env.action_space == gym.spaces.Discrete(len(ActionTable(rules)))
    assert env.observation_space.shape == (observation_layout(rules)[-1].stop,)
    assert env.observation_space.dtype == np.float32
    assert np.isfinite(env.observation_space.high).all()


def test_what_a_step_returns_has_the_types_that_gymnasium_asks_for(env):
    sampler = MaskedSampler(seed=0)
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            assert observation.dtype == np.float32
            assert observation.shape == env.observation_space.shape
            assert info["action_mask"].dtype == np.int8
            assert info["action_mask"].shape == (env.action_space.n,)
            observation, reward, terminated, truncated, info = env.step(sampler(info["action_mask"]))
            assert type(reward) is float
            assert type(terminated) is bool
            assert truncated is False
        assert all(info[name].dtype == np.bool_ and not info[name].shape for name in ("won", "is_success"))
        assert info["won"] == info["is_success"]
        assert all(type(info[name]) is np.int64 for name in ("doors", "cards_left", "turns"))
        assert info["action_mask"].all()


def test_infos_have_results_at_the_end_only(env):
    sampler = MaskedSampler(seed=0)
    always = {"action_mask"} if env.unwrapped.rules.players == 1 else {"action_mask", "player"}
    info = env.reset(seed=1)[1]
    assert info.keys() == always
    terminated = False
    while not terminated:
        _, _, terminated, _, info = env.step(sampler(info["action_mask"]))
        assert info.keys() == (
            always | {"won", "is_success", "doors", "cards_left", "turns"} if terminated else always
        )


def test_observations_and_infos_are_never_changed_afterwards(env):
    """What was returned a hundred steps ago still says what it said."""
    sampler = MaskedSampler(seed=0)
    kept = [env.reset(seed=0)]
    for _ in range(100):
        mask = kept[-1][-1]["action_mask"]
        if mask.all():
            kept.append(env.reset())
        else:
            kept.append(env.step(sampler(mask)))
    objects = [id(part) for result in kept for part in (result[0], result[-1], result[-1]["action_mask"])]
    assert len(set(objects)) == len(objects)
    sampler, env = MaskedSampler(seed=0), OnirimEnv(**env.spec.kwargs)
    for index, before in enumerate(kept):
        if index == 0:
            again = env.reset(seed=0)
        elif mask.all():
            again = env.reset()
        else:
            again = env.step(sampler(mask))
        assert_same(before, again, f"result {index}")
        mask = before[-1]["action_mask"]


def test_writing_into_what_was_returned_changes_no_game():
    env, other = OnirimEnv(), OnirimEnv()
    sampler = MaskedSampler(seed=0)
    observation, info = env.reset(seed=0)
    other.reset(seed=0)
    for _ in range(40):
        action = sampler(info["action_mask"])
        observation[:] = -1
        info["action_mask"][:] = 0
        observation, reward, terminated, truncated, info = env.step(action)
        assert_same((observation, reward, terminated, truncated, info), other.step(action))


@pytest.mark.parametrize("kind", [int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64, np.array])
def test_an_action_may_be_any_kind_of_integer(kind):
    env, other = OnirimEnv(), OnirimEnv()
    info = env.reset(seed=3)[1]
    other.reset(seed=3)
    sampler = MaskedSampler(seed=3)
    terminated = False
    while not terminated:
        action = sampler(info["action_mask"])
        result = env.step(kind(action))
        assert_same(result, other.step(action))
        terminated, info = result[2], result[4]


@pytest.mark.parametrize("illegal_action", ["lose", "raise"])
@pytest.mark.parametrize("action", OUTSIDE.values(), ids=OUTSIDE)
def test_an_action_outside_the_space_raises_and_changes_nothing(action, illegal_action):
    env, other = OnirimEnv(illegal_action=illegal_action), OnirimEnv(illegal_action=illegal_action)
    info = env.reset(seed=0)[1]
    other.reset(seed=0)
    legal = int(info["action_mask"].argmax())
    assert_same(env.step(legal), other.step(legal))
    with pytest.raises(InvalidAction):
        env.step(action)
    assert env.game == other.game
    assert env.game.record() == other.game.record()
    legal = env.game.legal_actions()[0]
    assert_same(env.step(legal), other.step(legal))


def test_an_action_outside_the_space_raises_after_the_end_too():
    env = OnirimEnv()
    env.reset(seed=0)
    env.step(69)
    with pytest.raises(InvalidAction, match="0 to 69"):
        env.step(70)


def test_an_illegal_action_loses_the_game_with_reward_minus_one(options):
    env = OnirimEnv(**options)
    for seed in range(30):
        info = env.reset(seed=seed)[1]
        for _ in range(seed % 7):
            info = env.step(int(info["action_mask"].argmax()))[4]
        assert not info["action_mask"].all()
        action = int(info["action_mask"].argmin())
        _, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (-1.0, True, False)
        assert info["illegal_action"] == action and type(info["illegal_action"]) is np.int64
        assert not info["won"]
        assert info["action_mask"].all()


def test_the_first_illegal_action_is_logged_with_its_text_and_the_legal_ones(caplog):
    env = OnirimEnv()
    with caplog.at_level(logging.WARNING, "onirim_env"):
        for seed in (5, 6, 7):
            env.reset(seed=seed)
            env.step(69)
    [record] = caplog.records
    assert "'nightmare discard hand' (action 69)" in record.getMessage()
    assert all(text in record.getMessage() for text in Game(seed=5).legal_texts())


def test_an_illegal_action_may_raise_instead_and_changes_nothing(options):
    env = OnirimEnv(illegal_action="raise", **options)
    sampler = MaskedSampler(seed=0)
    info = env.reset(seed=2)[1]
    terminated = False
    while not terminated:
        before = env.game
        texts = before.legal_texts()
        illegal = int(np.flatnonzero(info["action_mask"] == 0)[-1])
        with pytest.raises(IllegalAction) as error:
            env.step(illegal)
        assert all(text in str(error.value) for text in texts)
        assert before.table.texts[illegal] in str(error.value)
        assert env.game == before
        assert env.game.record() == before.record()
        _, _, terminated, _, info = env.step(sampler(info["action_mask"]))


@pytest.mark.parametrize("illegal_action", ["lose", "raise"])
def test_actions_after_the_end_are_ignored(illegal_action):
    env = OnirimEnv(illegal_action=illegal_action)
    last, _ = play_to_the_end(env, 0, MaskedSampler(seed=0))
    ended = env.game
    for action in range(70):
        observation, reward, terminated, truncated, info = env.step(action)
        assert (reward, terminated, truncated) == (0.0, True, False)
        assert_same((observation, info), (last[0], last[4]))
    assert env.game == ended


def test_the_record_of_a_game_replays_after_actions_that_were_ignored():
    env = OnirimEnv()
    play_to_the_end(env, 0, MaskedSampler(seed=0))
    record = env.game.record()
    env.step(0)
    assert env.game.record() == record
    assert Game.from_record(env.game.record()) == env.game


def test_records_of_consecutive_games_replay(options):
    env = OnirimEnv(**options)
    talk = options.get("talk", "open")
    info = env.reset(seed=0)[1]
    sampler = MaskedSampler(seed=0)
    for _ in range(10):
        terminated = False
        while not terminated:
            _, _, terminated, _, info = env.step(sampler(info["action_mask"]))
        assert Game.from_record(env.game.record(), talk=talk) == env.game
        info = env.reset()[1]


def test_a_game_lost_by_an_illegal_action_gives_no_record_that_cannot_be_replayed():
    env = OnirimEnv()
    env.reset(seed=0)
    env.step(69)
    assert env.game.over
    try:
        record = env.game.record()
    except ValueError:
        return
    assert Game.from_record(record).result() == record["result"]


def test_the_game_is_a_copy():
    env = OnirimEnv()
    env.reset(seed=0)
    game = env.game
    game.apply(game.legal_actions()[0])
    assert env.game == Game(seed=0) != game


DOORS = [f"{colour} door" for colour in ("red", "blue", "green", "brown") for _ in range(2)]
LAST_DOOR = {
    "phase": "door",
    "drawn": "brown door",
    "deck": ["red sun", "blue sun", "nightmare"],
    "players": [{"hand": ["brown key", "red sun", "red moon", "blue moon"], "doors": DOORS[:-1]}],
}
"""A position whose last Door can be opened, with two Locations in the deck."""


@pytest.mark.parametrize(("reward", "expected"), [("win", 1), ("doors", 1 + 1 / 8), ("score", 1 + 2 / 53)])
def test_opening_the_last_door_is_rewarded(reward, expected):
    env = OnirimEnv(reward=reward)
    env.reset(seed=0, options={"position": LAST_DOOR})
    _, reward, terminated, _, info = env.step(env.game.table.id("open door"))
    assert terminated
    assert (info["won"], info["doors"], info["cards_left"]) == (True, 8, 2)
    assert reward == pytest.approx(expected)


@pytest.mark.parametrize("reward", ["win", "doors", "score"])
def test_a_loss_is_worth_nothing(reward):
    env = OnirimEnv(reward=reward)
    hand = LAST_DOOR["players"][0]["hand"]
    env.reset(seed=0, options={"position": {"deck": [], "players": [{"hand": [*hand, "green sun"]}]}})
    _, reward, terminated, _, info = env.step(env.game.table.id("play red sun"))
    assert (reward, terminated, info["won"]) == (0.0, True, False)


def test_the_doors_rewards_of_a_game_add_up_to_its_doors_and_its_win():
    env = OnirimEnv(reward="doors")
    sampler = MaskedSampler(seed=0)
    for seed in range(50):
        (*_, info), total = play_to_the_end(env, seed, sampler)
        assert total == pytest.approx(info["doors"] / 8 + info["won"])


def test_render_gives_the_text_of_the_game_in_ansi_mode(options):
    env = gym.make("Onirim-v0", render_mode="ansi", **options)
    env.reset(seed=0)
    text = env.render()
    assert isinstance(text, str) and len(text.splitlines()) > 5
    assert text == str(env.unwrapped.game)
    env.step(env.unwrapped.game.legal_actions()[0])
    assert env.render() != text


def test_render_without_a_render_mode_warns_and_returns_none():
    env = gym.make("Onirim-v0")
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="render"):
        assert env.unwrapped.render() is None


def test_every_declared_render_mode_renders():
    assert OnirimEnv.metadata["render_modes"] == ["human", "rgb_array", "ansi"]
    for mode in OnirimEnv.metadata["render_modes"]:
        env = gym.make("Onirim-v0", render_mode=mode)
        env.reset(seed=0)
        env.render()
        env.close()
    assert OnirimEnv.metadata["render_fps"] > 0


@pytest.mark.parametrize(
    ("keyword", "allowed"),
    [
        ("render_mode", ["human", "rgb_array", "ansi"]),
        ("reward", ["win", "doors", "score"]),
        ("illegal_action", ["lose", "raise"]),
        ("talk", ["open", "closed"]),
        *((option.keyword, option.values) for option in OPTIONS),
    ],
)
def test_an_unknown_value_is_refused_with_the_allowed_ones(keyword, allowed):
    with pytest.raises(ValueError) as error:
        OnirimEnv(**{keyword: "whatever"})
    assert keyword in str(error.value) and "'whatever'" in str(error.value)
    assert all(repr(value) in str(error.value) for value in allowed)


def test_an_unknown_option_is_refused_with_the_allowed_ones():
    with pytest.raises(TypeError, match=r"keyword argument 'player'; did you mean 'players'\? allowed"):
        gym.make("Onirim-v0", player=2)


def test_a_reward_function_is_refused():
    with pytest.raises(ValueError, match="reward"):
        OnirimEnv(reward=lambda game: 1.0)


def test_a_position_of_other_rules_is_refused():
    env = OnirimEnv()
    with pytest.raises(ValueError, match="rules"):
        env.reset(options={"position": Game(RuleSet(players=2), seed=0).position()})


def test_a_reset_to_a_position_that_cannot_be_leaves_a_game_whose_record_replays():
    env = OnirimEnv()
    env.reset(seed=0)
    env.step(env.game.legal_actions()[0])
    with pytest.raises(PositionError, match="nonsense"):
        env.reset(options={"position": {"phase": "nonsense"}})
    assert Game.from_record(env.game.record()) == env.game


def test_a_reset_starts_from_a_position():
    position = Game(seed=4).position()
    env = OnirimEnv()
    observation, info = env.reset(seed=9, options={"position": position})
    game = Game.from_position(position, seed=9)
    assert env.game == game
    assert_same(observation, game.observation())
    assert_same(info["action_mask"], game.action_mask())


def test_options_that_mean_nothing_here_are_accepted():
    env = OnirimEnv()
    assert_same(env.reset(seed=1, options={}), env.reset(seed=1, options=None))


def test_flatten_observation_changes_nothing():
    env = FlattenObservation(gym.make("Onirim-v0"))
    plain = gym.make("Onirim-v0")
    assert env.observation_space == plain.observation_space
    assert_same(env.reset(seed=0), plain.reset(seed=0))
    action = plain.unwrapped.game.legal_actions()[0]
    assert_same(env.step(action), plain.step(action))


def test_time_limit_truncates():
    env = TimeLimit(OnirimEnv(), 10)
    info = env.reset(seed=0)[1]
    sampler = MaskedSampler(seed=0)
    for step in range(1, 11):
        _, _, terminated, truncated, info = env.step(sampler(info["action_mask"]))
        assert (terminated, truncated) == (False, step == 10)


def test_action_masks_are_reached_through_wrappers_and_agree_with_the_info(env):
    sampler = MaskedSampler(seed=0)
    info = env.reset(seed=0)[1]
    for _ in range(60):
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        np.testing.assert_array_equal(masks, info["action_mask"] == 1)
        masks[:] = False
        _, _, terminated, _, info = env.step(sampler(info["action_mask"]))
        if terminated:
            info = env.reset()[1]


def test_cards_are_conserved_whatever_is_played(options):
    env = OnirimEnv(**options)
    rng = np.random.default_rng(1)
    for seed in range(20):
        info = env.reset(seed=seed)[1]
        terminated = False
        while not terminated:
            assert_all_cards_are_there(env.game.position())
            anything = rng.random() < 0.02
            choices = np.arange(env.action_space.n) if anything else np.flatnonzero(info["action_mask"])
            _, _, terminated, _, info = env.step(rng.choice(choices))
        assert_all_cards_are_there(env.game.position())


def assert_all_cards_are_there(position):
    """Fail unless each of the 76 cards lies in one zone of a position."""
    cards = [
        card
        for zone in ("shared", "limbo", "discard", "deck", "revealed", "placed")
        for card in position[zone]
    ]
    cards += [
        card for player in position["players"] for zone in ("row", "hand", "doors") for card in player[zone]
    ]
    cards += [card for card in (position["drawn"], position["swapping"]) if card is not None]
    counts = np.bincount([KIND_OF_NAME[card] for card in cards], minlength=len(KIND_COUNTS))
    np.testing.assert_array_equal(counts, KIND_COUNTS)


def test_rule_options_reach_the_rules():
    env = gym.make("Onirim-v0", series_search="choice", stop_when_unwinnable=True)
    assert env.unwrapped.rules == RuleSet(series_search="choice", stop_when_unwinnable=True)

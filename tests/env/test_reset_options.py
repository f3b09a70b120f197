"""Options of a reset: what is unknown is refused by name, and what is taken becomes plain values."""

import json
from types import MappingProxyType

import gymnasium as gym
import numpy as np
import pytest

from onirim_env import Game, PositionError, onirim_coop_v0
from onirim_env.sb3 import OnirimVecEnv

HAND = ["red sun", "red key", "blue sun", "green sun", "brown moon"]
POSITION = {"players": [{"row": ["red sun"], "hand": HAND}], "turns": 3}


def single():
    return gym.make("Onirim-v0")


def vector():
    return gym.make_vec("Onirim-v0", num_envs=2, vectorization_mode="vector_entry_point")


def sync():
    return gym.make_vec("Onirim-v0", num_envs=2, vectorization_mode="sync")


class Stable:
    """stable-baselines3 is given options apart from the reset."""

    def __init__(self):
        self.env = OnirimVecEnv(2)

    def reset(self, options):
        self.env.set_options(options)
        return self.env.reset()


MAKERS = [single, vector, sync, onirim_coop_v0.env, onirim_coop_v0.raw_env, Stable]


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize(
    "options", [{"postion": POSITION}, {"seed": 3}, {"Position": None, "position": None}]
)
def test_an_unknown_option_is_refused_by_name(make, options):
    unknown = next(name for name in options if name != "position")
    with pytest.raises(ValueError, match=f"unknown reset option '{unknown}'; allowed are 'position'"):
        make().reset(options=options)


def test_the_vector_environment_also_names_its_own_option():
    with pytest.raises(ValueError, match="allowed are 'position', 'reset_mask'"):
        vector().reset(options={"reset_masks": np.ones(2, dtype=np.bool_)})


def test_an_environment_that_refuses_options_goes_on_with_its_game():
    env = single()
    env.reset(seed=5)
    before = env.unwrapped.game
    with pytest.raises(ValueError, match="unknown reset option"):
        env.reset(seed=6, options={"x": 1})
    assert env.unwrapped.game == before


@pytest.mark.parametrize("options", ["position", [("position", POSITION)], 5])
def test_options_are_a_dict(options):
    with pytest.raises((TypeError, AttributeError), match=r"options must be a dict|attribute"):
        single().reset(options=options)


def test_a_record_holds_the_position_and_not_the_path_of_its_file(tmp_path):
    file = tmp_path / "position.json"
    file.write_text(json.dumps(POSITION))
    for path in (file, str(file)):
        env = single()
        env.reset(seed=1, options={"position": path})
        env.step(int(env.unwrapped.action_masks().argmax()))
        record = json.loads(json.dumps(env.unwrapped.game.record()))
        assert record["position"] == POSITION
        assert Game.from_position(path, 1).record()["position"] == POSITION
        file.rename(tmp_path / "moved.json")
        assert Game.from_record(record).position() == env.unwrapped.game.position()
        (tmp_path / "moved.json").rename(file)


def odd(position):
    """The same position, of numpy's and other kinds of values."""
    return MappingProxyType(
        {
            "players": (MappingProxyType({"row": ("red sun",), "hand": tuple(map(np.str_, HAND))}),),
            "turns": np.int8(position["turns"]),
            "prophecy_follows": np.bool_(False),
        }
    )


def test_a_record_of_values_of_numpy_is_plain_json():
    env = single()
    env.reset(seed=1, options={"position": odd(POSITION)})
    for game in (env.unwrapped.game, Game.from_position(odd(POSITION), np.int64(1))):
        record = game.record()
        assert json.loads(json.dumps(record)) == record
        assert record["position"] == {**POSITION, "prophecy_follows": False}


def test_a_position_that_json_does_not_have_is_refused():
    for value, reason in (({1: 2}, "unknown field 1"), ({"turns": {1}}, "turns: .* not {1}")):
        with pytest.raises(PositionError, match=reason):
            Game.from_position(value)
    nested = []
    for _ in range(100_000):
        nested = [nested]
    with pytest.raises(PositionError, match=r"players\[0\]: a dict, not"):
        Game.from_position({"players": nested})
    while nested:  # what is nested so deep cannot be dropped at once either
        nested = nested.pop()


def test_a_game_does_not_change_with_the_dict_that_it_came_from():
    position = json.loads(json.dumps(POSITION))
    env = single()
    env.reset(options={"position": position})
    game = Game.from_position(position)
    position["players"][0]["hand"].append("red sun")
    assert env.unwrapped.game.record()["position"] == game.record()["position"] == POSITION
    game.record()["position"]["turns"] = 9
    assert game.record()["position"] == POSITION

"""The batch answers for its rows as Gymnasium's own vector environments do."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from onirim_env.env import OnirimEnv
from onirim_env.vector import OnirimVectorEnv
from tests.env.same import assert_same


def both(num_envs=3):
    loop = SyncVectorEnv([OnirimEnv] * num_envs)
    batch = OnirimVectorEnv(num_envs)
    for envs in (loop, batch):
        envs.reset(seed=5)
    return loop, batch


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_the_autoreset_mode_is_an_attribute(mode):
    assert OnirimVectorEnv(2, autoreset_mode=mode).autoreset_mode is mode
    assert SyncVectorEnv([OnirimEnv], autoreset_mode=mode).autoreset_mode is mode


def test_methods_and_attributes_of_rows_are_those_of_single_environments():
    loop, batch = both()
    assert_same(batch.call("action_masks"), loop.call("action_masks"))
    assert_same(batch.call("observe", 0), loop.call("observe", 0))
    for name in ("rules", "render_mode", "action_space", "observation_space"):
        assert batch.get_attr(name) == loop.get_attr(name) == batch.call(name)
    assert [game.describe() for game in batch.get_attr("game")] == [
        game.describe() for game in loop.get_attr("game")
    ]
    assert OnirimVectorEnv(2, render_mode="ansi").get_attr("render_mode") == ("ansi", "ansi")


def test_rows_have_what_they_were_given():
    for envs in both():
        envs.set_attr("weight", [1, 2, 3])
        assert envs.get_attr("weight") == (1, 2, 3)
        envs.set_attr("weight", 0.5)
        assert envs.get_attr("weight") == (0.5,) * 3
        with pytest.raises(ValueError):
            envs.set_attr("weight", [1, 2])


def test_what_rows_do_not_have_is_refused_by_name():
    batch = both()[1]
    for ask in (batch.get_attr, batch.call):
        with pytest.raises(AttributeError, match="games have no attribute 'nothing'; there are game, rules"):
            ask("nothing")
    with pytest.raises(AttributeError, match="'rules' of games cannot be set"):
        batch.set_attr("rules", None)


def test_texts_of_all_games_come_through_the_wrappers_of_make():
    envs = gym.make_vec("Onirim-v0", 2, vectorization_mode="vector_entry_point", render_mode="ansi")
    envs.reset(seed=0)
    assert envs.unwrapped.call("render") == envs.render()
    assert np.array_equal(envs.unwrapped.call("action_masks"), envs.reset(seed=0)[1]["action_mask"])

"""What holds for the stable-baselines3 form of every game."""

import numpy as np
import pytest

from onirim_env import MaskedSampler
from onirim_env.sb3 import GameVecEnv, OnirimVecEnv
from tests.shells.games import SINGLE, make, make_vec_env


@pytest.mark.parametrize("name", SINGLE)
def test_rows_are_single_games_and_masks_are_theirs(name):
    envs, rows = make_vec_env(name, 3, seed=6), [make(name) for _ in range(3)]
    observations = envs.reset()
    singles = [row.reset(seed=6 + index) for index, row in enumerate(rows)]
    samplers = [MaskedSampler(seed=row) for row in range(3)]
    for _ in range(250):
        masks = envs.env_method("action_masks")
        for index, (observation, info) in enumerate(singles):
            assert observations[index].tobytes() == observation.tobytes()
            assert masks[index].tolist() == info["action_mask"].astype(bool).tolist()
        actions = [sampler(info["action_mask"]) for sampler, (_, info) in zip(samplers, singles)]
        observations, rewards, dones, infos = envs.step(np.array(actions))
        for index, row in enumerate(rows):
            observation, reward, done, _, info = row.step(actions[index])
            assert rewards[index] == np.float32(reward) and dones[index] == done
            if done:
                assert infos[index]["terminal_observation"].tobytes() == observation.tobytes()
                assert infos[index]["is_success"] == bool(info["won"])
                observation, info = row.reset()
            singles[index] = observation, info


def test_an_environment_of_no_game_here_is_refused():
    with pytest.raises(ValueError, match="allowed are Onirim-v0, OnirimCoop-v0, Odin-v0"):
        GameVecEnv(2, "CartPole-v1")
    with pytest.raises(ValueError, match=r"allowed are Onirim-v0, OnirimCoop-v0$"):
        OnirimVecEnv(2, "Odin-v0")
    with pytest.raises(TypeError, match="did you mean 'players'"):
        GameVecEnv(2, "Odin-v0", player=3)

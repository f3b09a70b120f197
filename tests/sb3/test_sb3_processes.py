"""The single environment in SB3's worker processes."""

import multiprocessing
from functools import partial

import gymnasium as gym
import numpy as np
import pytest
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import SubprocVecEnv

from onirim_env import MaskedSampler
from onirim_env.sb3 import OnirimVecEnv


@pytest.mark.parametrize("start_method", ["fork", pytest.param("spawn", marks=pytest.mark.long)])
def test_subproc_vec_env_gives_masks_and_the_games_of_the_batch(start_method):
    """A hundred steps, whatever starts the processes."""
    if start_method not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {start_method} on this platform")
    n = 2
    make = partial(gym.make, "onirim_env:Onirim-v0")
    env = SubprocVecEnv([make] * n, start_method=start_method)
    env.seed(7)
    ours = OnirimVecEnv(n, seed=7)
    sampler = MaskedSampler(seed=0)
    try:
        assert is_masking_supported(env)
        np.testing.assert_array_equal(env.reset(), ours.reset())
        for _ in range(100):
            masks = get_action_masks(env)
            assert masks.shape == (n, env.action_space.n)
            np.testing.assert_array_equal(masks, ours.action_masks())
            actions = sampler(masks)
            result, expected = env.step(actions), ours.step(actions)
            for one, other in zip(result[:3], expected[:3]):
                np.testing.assert_array_equal(one, other)
    finally:
        env.close()

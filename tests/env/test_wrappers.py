"""Masks inside observations, as the few lines that users write by hand put them there."""

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

from onirim_env import MaskedSampler
from onirim_env.wrappers import MaskInObservation, VectorMaskInObservation
from tests.env.same import assert_same

LIBRARIES = {
    "rllib": ("observations", "action_mask", "float32"),
    "tianshou": ("obs", "mask", "bool"),
    "default": ("observation", "action_mask", np.int8),
}


class ByHand(gym.Wrapper):
    """What users write."""

    def __init__(self, env, key, mask_key, dtype):
        super().__init__(env)
        self.names = key, mask_key, np.dtype(dtype)
        mask = gym.spaces.Box(0, 1, (env.action_space.n,), np.dtype(dtype).type)
        self.observation_space = gym.spaces.Dict({key: env.observation_space, mask_key: mask})

    def both(self, observation, info):
        key, mask_key, dtype = self.names
        return {key: observation, mask_key: info["action_mask"].astype(dtype)}

    def reset(self, **options):
        observation, info = self.env.reset(**options)
        return self.both(observation, info), info

    def step(self, action):
        observation, *rest, info = self.env.step(action)
        return self.both(observation, info), *rest, info


@pytest.mark.parametrize("names", LIBRARIES.values(), ids=LIBRARIES)
@pytest.mark.parametrize("env_id", ["Onirim-v0", "OnirimCoop-v0"])
def test_the_wrapper_does_what_is_written_by_hand(env_id, names):
    wrapped, by_hand = (wrap(gym.make(env_id), *names) for wrap in (MaskInObservation, ByHand))
    assert wrapped.observation_space == by_hand.observation_space
    sampler = MaskedSampler(seed=0)
    for seed in range(3):
        result, expected = wrapped.reset(seed=seed), by_hand.reset(seed=seed)
        assert_same(result, expected)
        over = False
        while not over:
            mask = result[0][names[1]].astype(np.int8)
            assert np.array_equal(wrapped.action_masks(), mask.astype(bool))
            assert wrapped.observation_space.contains(result[0])
            action = sampler(mask)
            result, expected = wrapped.step(action), by_hand.step(action)
            assert_same(result, expected)
            over = result[2]


@pytest.mark.filterwarnings("ignore:.*different from the unwrapped version")
def test_gymnasiums_checker_passes_and_the_specification_makes_it_again():
    env = MaskInObservation(gym.make("Onirim-v0").unwrapped, *LIBRARIES["rllib"])
    check_env(env, skip_render_check=True)
    again = gym.make(gym.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    assert again.observation_space == env.observation_space


@pytest.mark.parametrize("names", LIBRARIES.values(), ids=LIBRARIES)
@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_batch_has_the_same_in_every_autoreset_mode(mode, names):
    make = {"id": "OnirimCoop-v0", "num_envs": 6, "vectorization_mode": "vector_entry_point"}
    plain = gym.make_vec(**make, autoreset_mode=mode)
    wrapped = VectorMaskInObservation(gym.make_vec(**make, autoreset_mode=mode), *names)
    key, mask_key, dtype = names
    assert wrapped.autoreset_mode is mode
    assert wrapped.metadata["autoreset_mode"] is mode
    assert wrapped.get_attr("observation_space") == (wrapped.single_observation_space,) * 6
    sampler = MaskedSampler(seed=0)
    observations, infos = plain.reset(seed=0)
    seen, own = wrapped.reset(seed=0)
    ends = 0
    for _ in range(300):
        assert wrapped.observation_space.contains(seen)
        assert_same(seen, {key: observations, mask_key: infos["action_mask"].astype(dtype)})
        assert_same(wrapped.call("action_masks"), tuple(infos["action_mask"].astype(bool)))
        actions = sampler(infos["action_mask"])
        observations, *rest, infos = plain.step(actions)
        seen, *others, own = wrapped.step(actions)
        assert_same(others, rest)
        if "final_obs" in infos:
            for row in np.flatnonzero(infos["_final_obs"]):
                mask = infos["final_info"]["action_mask"][row].astype(dtype)
                assert_same(own["final_obs"][row], {key: infos["final_obs"][row], mask_key: mask})
            assert all(one is None for one in own["final_obs"][~infos["_final_obs"]])
        done = rest[1] | rest[2]
        ends += done.sum()
        if mode is AutoresetMode.DISABLED and done.any():
            observations, infos = plain.reset(options={"reset_mask": done})
            seen, own = wrapped.reset(options={"reset_mask": done})
    assert ends


def test_single_environments_side_by_side_can_be_wrapped_too():
    envs = gym.make_vec("Onirim-v0", num_envs=3, vectorization_mode="sync")
    wrapped = VectorMaskInObservation(envs, "obs", "mask", "bool")
    observations, infos = wrapped.reset(seed=0)
    assert np.array_equal(observations["mask"], infos["action_mask"].astype(bool))


@pytest.mark.parametrize("wrap", [MaskInObservation, VectorMaskInObservation])
def test_names_and_dtypes_that_cannot_be_are_refused(wrap):
    if wrap is MaskInObservation:
        env = gym.make("Onirim-v0")
    else:
        env = gym.make_vec("Onirim-v0", 2, vectorization_mode="vector_entry_point")
    with pytest.raises(ValueError, match="observation_key and mask_key must differ; both are 'mask'"):
        wrap(env, "mask", "mask")
    with pytest.raises(ValueError, match="mask_key must be a text such as 'obs', not 3"):
        wrap(env, "obs", 3)
    for wrong in ("float33", "object", "U3", None):
        with pytest.raises(TypeError, match="mask_dtype must be a dtype such as 'int8'"):
            wrap(env, mask_dtype=wrong)

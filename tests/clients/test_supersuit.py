"""SuperSuit wraps co-op as its documentation shows it; masks go through, and no action is illegal."""

import numpy as np
import pytest
import supersuit

from onirim_env import MaskedSampler, onirim_coop_v0

DECISIONS = 2000


def play_batch(envs, masks_of):
    """Play on masks: an illegal action would raise. Return how many games ended."""
    sampler = MaskedSampler(seed=0)
    observations, infos = envs.reset(seed=0)
    ended = 0
    for _ in range(DECISIONS // (envs.num_envs // 2)):  # of two players one decides
        observations, _, terminated, truncated, infos = envs.step(sampler(masks_of(observations, infos)))
        assert not np.any(truncated)
        ended += np.sum(terminated)
    envs.close()
    return ended


def wrapped(env):
    """Leave the vector alone of an observation, as wrappers want it, and pad and stack it."""
    env = supersuit.observation_lambda_v0(
        env, lambda seen, space: seen["observation"], lambda space: space["observation"]
    )
    env = supersuit.pad_action_space_v0(supersuit.pad_observations_v0(env))
    return supersuit.frame_stack_v2(env, 3)


@pytest.mark.parametrize("processes", [0, 2])
def test_a_batch_of_parallel_environments(processes):
    env = onirim_coop_v0.parallel_env(illegal_action="raise")
    envs = supersuit.pettingzoo_env_to_vec_env_v1(env)
    envs = supersuit.concat_vec_envs_v1(envs, 2, num_cpus=processes, base_class="gymnasium")
    assert play_batch(envs, lambda observations, infos: observations["action_mask"]) > 0


def test_a_batch_with_masks_in_the_infos_alone():
    env = wrapped(onirim_coop_v0.parallel_env(illegal_action="raise"))
    envs = supersuit.pettingzoo_env_to_vec_env_v1(env)
    assert envs.observation_space.shape == (
        3 * onirim_coop_v0.parallel_env().observation_space("player_0")["observation"].shape[0],
    )
    assert play_batch(envs, lambda observations, infos: np.stack([info["action_mask"] for info in infos])) > 0


def test_wrappers_on_the_environment_of_turns():
    env = wrapped(onirim_coop_v0.env(illegal_action="raise"))
    sampler = MaskedSampler(seed=0)
    decisions = seed = 0
    while decisions < DECISIONS:
        env.reset(seed=seed)
        seed += 1
        for _ in env.agent_iter():
            observation, _, terminated, truncated, info = env.last()
            over = terminated or truncated
            assert observation in env.observation_space(env.agent_selection)
            env.step(None if over else int(sampler(info["action_mask"])))
            decisions += not over

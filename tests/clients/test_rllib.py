"""RLlib's new stack with its own masking module: an illegal action would raise, and none does."""

import gymnasium as gym
import numpy as np
import pytest
import ray
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import ParallelPettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from onirim_env import MaskedSampler, onirim_coop_v0
from onirim_env.env import OnirimEnv
from onirim_env.wrappers import MaskInObservation, VectorMaskInObservation

DECISIONS = 2000
MODULE = RLModuleSpec(
    module_class=ActionMaskingTorchRLModule,
    model_config={"fcnet_hiddens": [32], "head_fcnet_hiddens": [32]},
)


@pytest.fixture(scope="module", autouse=True)
def _ray():
    ray.init(num_cpus=1, include_dashboard=False, logging_level="ERROR")
    yield
    ray.shutdown()


def train(config):
    algorithm = config.training(
        train_batch_size_per_learner=DECISIONS, minibatch_size=500, num_epochs=1
    ).build_algo()
    result = algorithm.train()
    algorithm.stop()
    return result["env_runners"]["num_env_steps_sampled_lifetime"]


def masked_env(config):
    env = gym.make("onirim_env:Onirim-v0", **config)
    return MaskInObservation(env, "observations", mask_dtype="float32")


def masked_batch(config):
    envs = gym.make_vec("onirim_env:Onirim-v0", vectorization_mode="vector_entry_point", **config)
    return VectorMaskInObservation(envs, "observations", mask_dtype="float32")


def co_op(config):
    game = onirim_coop_v0.parallel_env(observation_key="observations", mask_dtype="float32", **config)
    return ParallelPettingZooEnv(game)


def test_a_single_environment():
    register_env("onirim", masked_env)
    config = PPOConfig().environment("onirim", env_config={"illegal_action": "raise"})
    config.env_runners(num_env_runners=0).rl_module(rl_module_spec=MODULE)
    assert train(config) >= DECISIONS


def test_the_native_batch_of_make_vec():
    register_env("onirim_batch", masked_batch)
    config = PPOConfig().environment("onirim_batch", env_config={"illegal_action": "raise"})
    config.env_runners(
        num_env_runners=0, num_envs_per_env_runner=8, gym_env_vectorize_mode="vector_entry_point"
    ).rl_module(rl_module_spec=MODULE)
    assert train(config) >= DECISIONS


def test_co_op():
    register_env("onirim_coop", co_op)
    # Its check of environments acts without masks.
    config = PPOConfig().environment(
        "onirim_coop", env_config={"illegal_action": "raise"}, disable_env_checking=True
    )
    config.env_runners(num_env_runners=0).multi_agent(
        policies={"both"}, policy_mapping_fn=lambda agent, episode, **options: "both"
    ).rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"both": MODULE}))
    assert train(config) >= DECISIONS


@ray.remote
def play_on(env, mask):
    """An argument of Ray lies in shared memory that nobody may write."""
    sampler = MaskedSampler(seed=0)
    observations = []
    for _ in range(5):
        observation, _, _, _, info = env.step(sampler(mask))
        mask = info["action_mask"]
        observations.append(observation)
    return np.stack(observations)


def test_an_environment_that_is_the_argument_of_a_remote_function():
    env = OnirimEnv()
    _, info = env.reset(seed=0)
    mask = info["action_mask"]
    there = ray.get(play_on.remote(env, mask))
    sampler = MaskedSampler(seed=0)
    for row in there:
        observation, _, _, _, info = env.step(sampler(mask))
        mask = info["action_mask"]
        assert np.array_equal(row, observation)

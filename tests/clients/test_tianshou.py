"""Tianshou 2 plays as its documentation shows it, with masks: no illegal action in 2,000 decisions."""

import gymnasium as gym
import pytest
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv, SubprocVectorEnv
from tianshou.trainer import OffPolicyTrainerParams
from tianshou.utils.net.common import Net

import onirim_env  # noqa: F401  registers the environments
from onirim_env import onirim_coop_v0
from onirim_env.wrappers import MaskInObservation

DECISIONS = 2000


def make_env():
    """An illegal action raises: whatever plays through is legal."""
    env = gym.make("onirim_env:Onirim-v0", reward="doors", illegal_action="raise")
    return MaskInObservation(env, "obs", "mask", "bool")


def make_dqn(observation_space, action_space):
    net = Net(
        state_shape=observation_space["obs" if "obs" in observation_space.spaces else "observation"].shape,
        action_shape=action_space.n,
        hidden_sizes=[32],
    )
    policy = DiscreteQLearningPolicy(
        model=net, action_space=action_space, eps_training=0.3, eps_inference=0.05
    )
    return DQN(policy=policy, optim=AdamOptimizerFactory(lr=1e-3), target_update_freq=100)


def test_dqn_with_masks_trains():
    env = make_env()
    algorithm = make_dqn(env.observation_space, env.action_space)
    envs = DummyVectorEnv([make_env for _ in range(4)])
    collector = Collector(algorithm, envs, VectorReplayBuffer(4000, 4), exploration_noise=True)
    collector.reset()
    result = algorithm.run_training(
        OffPolicyTrainerParams(
            training_collector=collector,
            max_epochs=1,
            epoch_num_steps=DECISIONS,
            collection_step_num_env_steps=200,
            batch_size=32,
            update_step_num_gradient_steps_per_sample=0.05,
            show_progress=False,
            verbose=False,
        )
    )
    assert result.train_step >= DECISIONS and result.update_step > 0


@pytest.mark.parametrize("vector_env", [DummyVectorEnv, SubprocVectorEnv])
def test_its_vector_environments(vector_env):
    env = make_env()
    algorithm = make_dqn(env.observation_space, env.action_space)
    envs = vector_env([make_env for _ in range(2)])
    collector = Collector(algorithm, envs, exploration_noise=True)
    collector.reset()
    assert collector.collect(n_step=DECISIONS).n_collected_steps >= DECISIONS
    envs.close()


@pytest.mark.parametrize("talk", ["open", "closed"])
def test_its_pettingzoo_env(talk):
    def make():
        return PettingZooEnv(onirim_coop_v0.raw_env(talk=talk, illegal_action="raise"))

    env = make()
    spaces = env.observation_space, env.action_space
    players = [make_dqn(*spaces), MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space)]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
    envs = DummyVectorEnv([make for _ in range(2)])
    collector = Collector(algorithm, envs, VectorReplayBuffer(4000, 2), exploration_noise=True)
    collector.reset()
    assert collector.collect(n_step=DECISIONS).n_collected_steps >= DECISIONS

"""AgileRL trains as its documentation shows it, on the masks of infos: an illegal action would raise.

It wants an older PettingZoo than the other libraries are tested with, so it has an environment of its own.
"""

import gymnasium as gym
import pytest
import supersuit
from agilerl.algorithms import DQN, MADDPG, PPO
from agilerl.components.replay_buffer import ReplayBuffer
from agilerl.training.train_multi_agent_off_policy import train_multi_agent_off_policy
from agilerl.training.train_off_policy import train_off_policy
from agilerl.training.train_on_policy import train_on_policy
from agilerl.utils.utils import make_multi_agent_vect_envs, make_vect_envs

import onirim_env  # noqa: F401  registers the environments
from onirim_env import onirim_coop_v0
from tests.clients.page import run_section

DECISIONS = 2000
NET = {"encoder_config": {"hidden_size": [32]}, "head_config": {"hidden_size": [32]}}


def native_batch():
    return gym.make_vec(
        "Onirim-v0", num_envs=4, vectorization_mode="vector_entry_point", illegal_action="raise"
    )


def its_own_batch():
    return make_vect_envs("onirim_env:Onirim-v0", num_envs=4, illegal_action="raise")


@pytest.mark.parametrize("make", [its_own_batch, native_batch])
def test_dqn_with_masks_trains(make):
    envs = make()
    agent = DQN(envs.single_observation_space, envs.single_action_space, net_config=NET, learn_step=16)
    population, fitness = train_off_policy(
        envs, "Onirim-v0", "DQN", [agent], ReplayBuffer(DECISIONS), max_steps=DECISIONS, evo_steps=DECISIONS,
        eval_steps=200, verbose=False,
    )  # fmt: skip
    envs.close()
    assert len(population) == 1 and fitness


def test_ppo_with_masks_trains():
    envs = native_batch()
    spaces = envs.single_observation_space, envs.single_action_space
    agent = PPO(*spaces, net_config=NET, num_envs=4, learn_step=250)
    population, fitness = train_on_policy(
        envs, "Onirim-v0", "PPO", [agent], max_steps=DECISIONS, evo_steps=DECISIONS, eval_steps=200,
        verbose=False,
    )  # fmt: skip
    assert len(population) == 1 and fitness


def vectors_of_co_op(**options):
    """Return co-op with plain vectors: AgileRL wants the masks among the infos alone."""
    env = onirim_coop_v0.parallel_env(**options)
    return supersuit.observation_lambda_v0(
        env, lambda seen, space: seen["observation"], lambda space: space["observation"]
    )


def test_maddpg_plays_co_op_with_masks():
    envs = make_multi_agent_vect_envs(vectors_of_co_op, num_envs=2, illegal_action="raise")
    spaces = [
        [space(agent) for agent in envs.agents]
        for space in (envs.single_observation_space, envs.single_action_space)
    ]
    agent = MADDPG(*spaces, agent_ids=envs.agents, learn_step=100, vect_noise_dim=2)
    population, fitness = train_multi_agent_off_policy(
        envs, "onirim_coop_v0", "MADDPG", [agent], ReplayBuffer(DECISIONS), max_steps=2 * DECISIONS,
        evo_steps=2 * DECISIONS, eval_steps=100, verbose=False,
    )  # fmt: skip
    envs.close()
    assert len(population) == 1 and fitness


def test_the_example_of_the_page_runs():
    assert run_section("AgileRL")["fitness"]

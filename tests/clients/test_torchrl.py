"""TorchRL plays as its documentation shows it, with masks: no illegal action in 2,000 decisions."""

import gymnasium as gym
import pytest
import torch
from tensordict.nn import TensorDictModule
from torchrl.collectors import Collector
from torchrl.envs import ActionMask, GymEnv, GymWrapper, PettingZooWrapper, TransformedEnv, check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import onirim_env  # noqa: F401  registers the environments
from onirim_env import onirim_coop_v0
from onirim_env.wrappers import MaskInObservation

DECISIONS = 2000
MODES = ["SameStep", "Disabled"]
"""TorchRL itself refuses NextStep."""


def masked(env):
    return TransformedEnv(env, ActionMask())


def gym_env(env_id="Onirim-v0", **options):
    env = GymEnv(env_id, **options)
    env.auto_register_info_dict()
    return masked(env)


def count_illegal(rollout):
    return int((rollout["next", "reward"] < 0).sum())


@pytest.mark.parametrize("env_id", ["Onirim-v0", "OnirimCoop-v0"])
def test_gym_env_with_masks(env_id):
    torch.manual_seed(0)
    env = gym_env(env_id)
    env.set_seed(0)
    rollout = env.rollout(DECISIONS, break_when_any_done=False)
    assert rollout.shape == (DECISIONS,) and rollout["next", "done"].any()
    assert count_illegal(rollout) == 0
    assert rollout["action_mask"].shape == (DECISIONS, env.action_spec.space.n)


def test_results_of_a_game_are_registered_with_their_types():
    env = gym_env("OnirimCoop-v0")
    rollout = env.rollout(DECISIONS, break_when_any_done=False)
    assert rollout["next", "player"].dtype == torch.int64
    assert set(rollout["next", "player"].tolist()) == {0, 1}


def test_a_misspelt_argument_is_refused_through_gym_env():
    with pytest.raises(TypeError, match="'rewards'; did you mean 'reward'"):
        GymEnv("Onirim-v0", rewards="win")


@pytest.mark.parametrize("mode", MODES)
def test_gym_wrapper_over_the_native_batch(mode):
    torch.manual_seed(0)
    envs = gym.make_vec("Onirim-v0", num_envs=4, vectorization_mode="vector_entry_point", autoreset_mode=mode)
    env = GymWrapper(envs)
    if not env.info_dict_reader:  # in SameStep it has registered them itself
        env.auto_register_info_dict()
    env = masked(env)
    rollout = env.rollout(DECISIONS // 4, break_when_any_done=False)
    assert rollout.shape == (4, DECISIONS // 4) and rollout["next", "done"].any()
    assert count_illegal(rollout) == 0


def test_torchrl_refuses_the_mode_that_it_does_not_know():
    envs = gym.make_vec("Onirim-v0", num_envs=2, vectorization_mode="vector_entry_point")
    with pytest.raises(RuntimeError, match="NEXT_STEP"):
        GymWrapper(envs)


@pytest.mark.parametrize("make", [onirim_coop_v0.env, onirim_coop_v0.raw_env, onirim_coop_v0.parallel_env])
@pytest.mark.parametrize("talk", ["open", "closed"])
def test_pettingzoo_wrapper(make, talk):
    torch.manual_seed(0)
    env = PettingZooWrapper(make(talk=talk), use_mask=True)
    decisions = 0
    while decisions < DECISIONS:
        rollout = env.rollout(DECISIONS)
        decisions += len(rollout)
        for group in env.group_map:
            assert (rollout["next", group, "reward"] >= 0).all()
        assert rollout["next", "done"][-1].all()


def test_the_specifications_of_the_parallel_game_hold():
    check_env_specs(PettingZooWrapper(onirim_coop_v0.parallel_env(), use_mask=True))


def test_a_small_ppo_with_masked_categorical():
    torch.manual_seed(0)
    game = MaskInObservation(gym.make("Onirim-v0", reward="doors"), mask_dtype="bool")
    env = TransformedEnv(GymWrapper(game, categorical_action_encoding=True), ActionMask())
    size, n_actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
    net = torch.nn.Sequential(torch.nn.Linear(size, 64), torch.nn.Tanh(), torch.nn.Linear(64, n_actions))
    actor = ProbabilisticActor(
        TensorDictModule(net, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    critic = ValueOperator(
        torch.nn.Sequential(torch.nn.Linear(size, 64), torch.nn.Tanh(), torch.nn.Linear(64, 1)),
        in_keys=["observation"],
    )
    loss = ClipPPOLoss(actor, critic)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    before = [parameter.detach().clone() for parameter in net.parameters()]
    collector = Collector(env, actor, frames_per_batch=500, total_frames=DECISIONS)
    decisions = 0
    for batch in collector:
        decisions += batch.numel()
        assert (batch["next", "reward"] > -0.5).all()
        advantage(batch)
        values = loss(batch)
        total = values["loss_objective"] + values["loss_critic"] + values["loss_entropy"]
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
    collector.shutdown()
    assert decisions == DECISIONS
    assert any(not torch.equal(one, other) for one, other in zip(before, net.parameters()))

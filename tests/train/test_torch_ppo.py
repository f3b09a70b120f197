"""The trainer in plain torch: its parts against slow references, and whole trainings."""

import csv

import numpy as np
import pytest
import torch
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution

from train.checkpoint import load_checkpoint
from train.evaluation import compare
from train.loading import load_policy
from train.policy_agent import PolicyAgent
from train.torch_ppo import (
    ActorCritic,
    Choices,
    Games,
    Rollout,
    advantages_of,
    draw,
    make_learner,
    masked_log_probabilities,
)
from train.training import train


def slow_advantages(rewards, values, ended, last_values, gamma, gae_lambda):
    """Sum the errors of each game's own decisions, one advantage after the other."""
    steps, games = rewards.shape
    advantages = np.zeros((steps, games))
    for game in range(games):
        for step in range(steps):
            weight = 1.0
            for later in range(step, steps):
                following = last_values[game] if later + 1 == steps else values[later + 1, game]
                if ended[later, game]:
                    following = 0.0
                error = rewards[later, game] + gamma * following - values[later, game]
                advantages[step, game] += weight * error
                weight *= gamma * gae_lambda
                if ended[later, game]:
                    break
    return advantages


@pytest.mark.parametrize("gamma, gae_lambda", [(1.0, 0.97), (0.99, 0.95), (1.0, 1.0), (0.9, 0.0)])
def test_advantages_equal_a_slow_reference_over_resets(gamma, gae_lambda):
    """Nothing is carried over the end of a game, and the last rows look ahead."""
    rng = np.random.default_rng(3)
    rewards, values = rng.normal(size=(2, 40, 7))
    ended = rng.random((40, 7)) < 0.15
    ended[-1, 0], ended[-1, 1], ended[0, 2] = True, False, True
    last_values = rng.normal(size=7)
    tensors = (torch.from_numpy(array) for array in (rewards, values, ended, last_values))
    fast = advantages_of(*tensors, gamma, gae_lambda)
    np.testing.assert_allclose(
        fast.numpy(),
        slow_advantages(rewards, values, ended, last_values, gamma, gae_lambda),
        rtol=1e-5,
        atol=1e-6,
    )


def test_advantages_equal_those_of_stable_baselines3(tiny):
    """The buffer of SB3 marks the first decision of a game, ours the last one."""
    from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer

    from onirim_env.sb3 import OnirimVecEnv

    env = OnirimVecEnv(4, seed=0)
    rng = np.random.default_rng(1)
    rewards, values = rng.normal(size=(2, 30, 4)).astype(np.float32)
    ended = rng.random((30, 4)) < 0.2
    last_values = rng.normal(size=4).astype(np.float32)
    buffer = MaskableRolloutBuffer(
        30, env.observation_space, env.action_space, gamma=0.99, gae_lambda=0.9, n_envs=4
    )
    buffer.rewards[:], buffer.values[:] = rewards, values
    buffer.episode_starts[1:] = ended[:-1]
    buffer.compute_returns_and_advantage(torch.from_numpy(last_values), ended[-1])
    tensors = (torch.from_numpy(array) for array in (rewards, values, ended, last_values))
    np.testing.assert_allclose(advantages_of(*tensors, 0.99, 0.9).numpy(), buffer.advantages, atol=1e-5)


def test_choices_and_their_gradients_equal_the_stock_distribution():
    torch.manual_seed(0)
    masks = torch.rand(50, 70) < 0.1
    masks[:, 3] = True
    actions = torch.full((50,), 3)
    weights = torch.randn(2, 50)
    values, gradients = [], []
    for ours in (True, False):
        torch.manual_seed(1)
        logits = torch.randn(50, 70, requires_grad=True)
        if ours:
            value = Choices.apply(logits, masks, actions)
        else:
            stock = MaskableCategoricalDistribution(70).proba_distribution(logits)
            stock.apply_masking(masks.numpy())
            value = stock.log_prob(actions), stock.entropy()
        (weights[0] * value[0] + weights[1] * value[1]).sum().backward()
        values.append(torch.stack(value).detach())
        gradients.append(logits.grad)
    torch.testing.assert_close(values[0], values[1])
    torch.testing.assert_close(gradients[0], gradients[1], rtol=1e-4, atol=1e-6)
    assert gradients[0].abs().max() > 0.1


def test_draws_follow_the_probabilities_and_the_masks():
    masks = torch.tensor([[True, False, True, True]]).expand(20_000, 4)
    logits = torch.tensor([[0.0, 9.0, 1.0, 2.0]]).expand(20_000, 4)
    log_probabilities = masked_log_probabilities(logits, masks)
    drawn = draw(log_probabilities, torch.rand(20_000, generator=torch.Generator().manual_seed(1)))
    shares = torch.bincount(drawn, minlength=4) / len(drawn)
    torch.testing.assert_close(shares, log_probabilities[0].exp(), atol=0.01, rtol=0)
    assert shares[1] == 0


def test_a_rollout_is_what_the_games_did(tiny):
    """Legal actions only, ends where games ended, and the policy's own probabilities."""
    config = tiny(trainer="torch", num_envs=8, n_steps=128, batch_size=64)
    learner = make_learner(config, 0)
    games = Games(config, 0)
    rollout = Rollout(config, learner.device, games)
    ended = []
    assert learner.collect(games, rollout, lambda ends: ended.extend(ends) or True)
    assert rollout.masks.gather(2, rollout.actions[..., None]).all()
    assert int(rollout.ended.sum()) == len(ended) > 10
    assert all(end["won"] is False and end["episode"]["l"] > 10 for end in ended)
    total = sum(end["episode"]["r"] for end in ended)
    under_way = torch.where(rollout.ended.flip(0).cumsum(0).flip(0) == 0, rollout.rewards, 0.0).sum()
    assert float(rollout.rewards.sum() - under_way) == pytest.approx(total, abs=1e-4)
    logits, values = learner.network(rollout.observations.flatten(0, 1))
    expected = masked_log_probabilities(logits, rollout.masks.flatten(0, 1))
    chosen = expected.gather(1, rollout.actions.flatten()[:, None])[:, 0]
    torch.testing.assert_close(chosen, rollout.log_probabilities.flatten(), atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(values, rollout.values.flatten(), atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("shared", [True, False])
def test_the_policy_of_a_network_gives_its_logits(shared):
    network = ActorCritic(10, 5, [8, 8], "tanh", shared)
    observations = torch.randn(6, 10)
    assert torch.equal(network.policy()(observations), network(observations)[0])
    assert (network.value_trunk is None) is shared


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_equal_seeds_give_equal_weights_and_other_seeds_others(trained, precision):
    settings = {"trainer": "torch", "precision": precision, "eval_every": 0, "checkpoint_every": 0}
    first, again, other = (
        trained(name, seed=seed, **settings)[0].policy.state_dict()
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not all(torch.equal(first[name], other[name]) for name in first)
    assert all(weights.dtype == torch.float32 and weights.isfinite().all() for weights in first.values())


def test_a_training_leaves_the_same_files_as_the_other_trainer(trained):
    names = []
    for trainer in ("sb3", "torch"):
        training, folder = trained(trainer, trainer=trainer)
        assert (training.complete, training.steps) == (True, 4096)
        names.append(
            sorted(
                str(file.relative_to(folder.path))
                for file in folder.path.rglob("*")
                if "tensorboard" not in file.parts
            )
        )
        with folder.metrics_file.open(newline="") as file:
            rows = list(csv.DictReader(file))
        assert [int(row["steps"]) for row in rows] == [1024, 2048, 3072, 4096]
        assert [bool(row["eval_win_rate"]) for row in rows] == [False, True, False, True]
        assert all(value for name, value in rows[-1].items())
        assert float(rows[-1]["learning_rate"]) == pytest.approx(1e-5, rel=20)
    assert names[0] == names[1]


def test_a_resumed_training_goes_on_where_it_was(trained, tiny):
    training, folder = trained(trainer="torch")
    checkpoint = load_checkpoint(folder.last_checkpoint())
    expected = training.model.network.state_dict()
    assert all(torch.equal(value, expected[name]) for name, value in checkpoint.policy.items())
    assert {float(state["step"]) for state in checkpoint.optimizer["state"].values()} == {4096 / 256 * 2}
    again = train(tiny(trainer="torch", total_steps=6144), folder, checkpoint)
    assert again.complete
    assert (again.steps, again.model.updates) == (6144, 6144 // 1024 * 2)
    with folder.metrics_file.open(newline="") as file:
        assert [int(row["steps"]) for row in csv.DictReader(file)] == [1024, 2048, 3072, 4096, 5120, 6144]


def test_a_checkpoint_of_one_trainer_is_loaded_as_such(trained):
    for trainer in ("sb3", "torch"):
        training, folder = trained(trainer, trainer=trainer)
        loaded = load_policy(folder.path)
        observations = torch.rand(5, 173)
        assert torch.equal(loaded.network(observations), training.policy(observations))
        assert loaded.steps == 4096


def test_ctrl_c_keeps_whole_updates_only(trained, monkeypatch):
    from train.interrupt import Interrupt

    counted = []
    step = Games.step

    def stepping(games, actions):
        counted.append(None)
        return step(games, actions)

    monkeypatch.setattr(Games, "step", stepping)
    monkeypatch.setattr(Interrupt, "wished", property(lambda self: len(counted) >= 100), raising=False)
    monkeypatch.setattr(Interrupt, "__init__", lambda self: setattr(self, "_can_listen", False))
    training, folder = trained(trainer="torch")
    assert (training.complete, training.steps) == (False, 1024)
    assert folder.last_checkpoint().name == "step_1024.zip"


def test_a_short_training_beats_random_play_by_a_margin(trained):
    """With the other trainer."""
    settings = {
        "trainer": "torch", "total_steps": 98_304, "num_envs": 64, "batch_size": 512, "n_epochs": 3,
        "hidden_layers": [64, 64], "eval_every": 0,
    }  # fmt: skip
    training, _ = trained(**settings)
    policy, random = compare(PolicyAgent(training.policy), 300, ["random"])
    assert policy.mean_doors > random.mean_doors + 3


@pytest.mark.parametrize("talk", ["open", "closed"])
def test_co_op_and_other_rules_train(trained, talk):
    training, _ = trained(
        trainer="torch", env="OnirimCoop-v0", talk=talk, rules={"prophecy_actions": "permutation"}
    )
    assert training.complete

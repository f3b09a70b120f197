"""The masked policy and its buffer against those of sb3-contrib."""

import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableCategoricalDistribution
from sb3_contrib.common.maskable.utils import get_action_masks

from onirim_env.sb3 import OnirimVecEnv
from train.fast_policy import MaskedCategorical, MaskedPolicy, MaskedRolloutBuffer
from train.speed import KINDS, measure_ppo_speed


def make(policy, **arguments):
    arguments = {"n_steps": 16, "batch_size": 64, "n_epochs": 2, "device": "cpu", "seed": 5, **arguments}
    return MaskablePPO(policy, OnirimVecEnv(8, seed=5, reward="doors"), **arguments)


@pytest.fixture(scope="module")
def states():
    """Observations, masks and legal actions of 200 steps of random play."""
    env = OnirimVecEnv(8, seed=1)
    rng = np.random.default_rng(0)
    observations, masks, actions = [env.reset()], [get_action_masks(env)], []
    for _ in range(25):
        actions.append((masks[-1] * rng.random(masks[-1].shape)).argmax(axis=1))
        observations.append(env.step(actions[-1])[0])
        masks.append(get_action_masks(env))
    return tuple(torch.from_numpy(np.concatenate(rows)) for rows in (observations[:-1], masks[:-1], actions))


@pytest.fixture(scope="module")
def policies():
    stock, ours = make("MlpPolicy").policy, make(MaskedPolicy).policy
    torch.manual_seed(0)
    with torch.no_grad():
        for parameter in stock.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
    ours.load_state_dict(stock.state_dict())  # the parameters have the same names
    return stock, ours


def test_values_log_probabilities_and_entropies_equal_the_stock_policy(states, policies):
    observations, masks, actions = states
    theirs, ours = (policy.evaluate_actions(observations, actions, masks) for policy in policies)
    for expected, got in zip(theirs, ours):
        torch.testing.assert_close(got, expected, rtol=1e-5, atol=1e-6)


def test_gradients_equal_the_stock_policy(states, policies):
    observations, masks, actions = states
    gradients = []
    for policy in policies:
        policy.zero_grad()
        values, log_probabilities, entropy = policy.evaluate_actions(observations, actions, masks)
        (log_probabilities.mean() + 0.1 * entropy.mean() + values.pow(2).mean()).backward()
        gradients.append({name: parameter.grad for name, parameter in policy.named_parameters()})
    for name, expected in gradients[0].items():
        torch.testing.assert_close(gradients[1][name], expected, rtol=1e-4, atol=1e-6)


def test_greedy_actions_equal_the_stock_policy(states, policies):
    observations, masks, _ = states
    theirs, ours = (
        policy.predict(observations.numpy(), deterministic=True, action_masks=masks.numpy())[0]
        for policy in policies
    )
    np.testing.assert_array_equal(ours, theirs)


def test_without_masks_the_distribution_is_the_stock_one():
    logits = torch.randn(50, 70, generator=torch.Generator().manual_seed(0))
    actions = torch.arange(50)
    ours, theirs = MaskedCategorical(70), MaskableCategoricalDistribution(70)
    ours.proba_distribution(logits)
    theirs.proba_distribution(logits)
    torch.testing.assert_close(ours.log_prob(actions), theirs.log_prob(actions))
    torch.testing.assert_close(ours.entropy(), theirs.entropy())


def test_drawn_actions_are_legal_and_as_frequent_as_their_probabilities():
    n = 200_000
    logits = torch.randn(1, 70, generator=torch.Generator().manual_seed(3)).expand(n, 70)
    masks = torch.zeros(1, 70, dtype=torch.bool)
    masks[0, [0, 7, 33, 69]] = True
    distribution = MaskedCategorical(70).proba_distribution(logits)
    distribution.apply_masking(masks.expand(n, 70))
    torch.manual_seed(0)
    counts = torch.bincount(distribution.sample(), minlength=70) / n
    expected = distribution.log_probabilities[0].exp()
    assert counts[~masks[0]].sum() == 0
    torch.testing.assert_close(counts, expected, rtol=0, atol=0.005)


def test_a_rollout_holds_what_the_stock_buffer_would_hold():
    """Both buffers are fed the same rollout; only the order of rows differs."""
    model = make(MaskedPolicy)
    stock, ours = make(MaskedPolicy).rollout_buffer, MaskedRolloutBuffer(
        16, model.observation_space, model.action_space, "cpu", gae_lambda=0.97, gamma=1.0, n_envs=8
    )  # fmt: skip
    stock.gae_lambda, stock.gamma = 0.97, 1.0
    for _ in range(2):  # the second time our arrays are used again
        rng = np.random.default_rng(4)
        for buffer in (stock, ours):
            buffer.reset()
        for _ in range(16):
            row = (
                rng.random((8, 173), dtype=np.float32),
                rng.integers(0, 70, (8, 1)),
                rng.random(8, dtype=np.float32),
                rng.random(8) < 0.1,
                torch.from_numpy(rng.random((8, 1), dtype=np.float32)),
                torch.from_numpy(rng.random(8, dtype=np.float32)),
            )
            masks = rng.random((8, 70)) < 0.3
            for buffer in (stock, ours):
                buffer.add(*row, action_masks=masks)
        last = torch.from_numpy(rng.random((8, 1), dtype=np.float32))
        batches = []
        for buffer in (stock, ours):
            buffer.compute_returns_and_advantage(last, np.zeros(8, dtype=np.bool_))
            (batch,) = buffer.get()
            order = batch.observations[:, 0].argsort()
            batches.append(
                [column[order].flatten(1) if column.dim() > 1 else column[order] for column in batch]
            )
        for expected, got in zip(*batches):
            torch.testing.assert_close(got.to(expected.dtype), expected)


def test_the_stock_maskable_ppo_trains_on_the_vec_env():
    model = make("MlpPolicy")
    model.learn(256)
    assert model.num_timesteps == 256


@pytest.mark.parametrize("kind", KINDS)
def test_the_speed_of_training_is_measured(kind):
    threads = torch.get_num_threads()
    speed = measure_ppo_speed(kind, 8, 64, n_steps=16, n_epochs=1, rollouts=2, repeats=2)
    assert 100 < speed < 1e7
    assert torch.get_num_threads() == threads

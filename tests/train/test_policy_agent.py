"""A trained policy as an agent."""

import numpy as np
import pytest
import torch

from agents.measure.evaluation import evaluate
from agents.measure.protocols import protocol_seeds
from onirim_env import MaskedSampler
from onirim_env.batch import GameBatch
from onirim_env.rules import RuleSet
from onirim_env.vector import OnirimVectorEnv
from train.policy_agent import PolicyAgent
from train.ppo import make_model

SEEDS = protocol_seeds("solo-v1", 40)


@pytest.fixture(scope="module")
def model():
    from train.config_reading import make_config

    # Untrained, with larger logits than it would start with: its choices are varied and decided.
    model = make_model(
        make_config({"num_envs": 4, "n_steps": 16, "batch_size": 64, "hidden_layers": [48, 32]})
    )
    with torch.no_grad():
        model.policy.action_net.weight.mul_(300)
    return model


def test_it_never_acts_illegally_in_evaluation(model):
    """Evaluation raises at the first illegal action; 100,000 decisions, drawn ones too."""
    decisions = 0
    for deterministic in (True, False):
        agent = PolicyAgent(model, deterministic)
        result = evaluate(agent, seeds=protocol_seeds("solo-v1", 1500), progress=False)
        assert result.games == 1500
        decisions += result.decisions.sum()
    assert decisions > 100_000


def test_it_takes_what_the_model_predicts(model):
    agent = PolicyAgent(model)
    env = OnirimVectorEnv(32)
    sampler = MaskedSampler(seed=0)
    observations, infos = env.reset(seed=0)
    for _ in range(30):
        masks = infos["action_mask"]
        expected, _ = model.predict(observations, deterministic=True, action_masks=masks.astype(bool))
        np.testing.assert_array_equal(agent.act(observations, masks), expected)
        observations, *_, infos = env.step(sampler(masks))


def test_evaluation_is_equal_for_every_batch_size(model):
    """A function of the checkpoint and the seeds, greedily and drawn."""
    for deterministic in (True, False):
        results = [
            evaluate(PolicyAgent(model, deterministic), seeds=SEEDS, batch_size=size, progress=False)
            for size in (1, 7, 64)
        ]
        for name in ("won", "doors", "cards_left", "turns", "decisions"):
            for other in results[1:]:
                np.testing.assert_array_equal(getattr(other, name), getattr(results[0], name))


def test_it_refuses_to_act_without_masks(model):
    """No silent unmasked actions."""
    games = GameBatch(3, RuleSet())
    games.deal(np.arange(3, dtype=np.uint64))
    observations, masks = games.view()
    agent = PolicyAgent(model)
    with pytest.raises(ValueError, match="needs the masks"):
        agent.act(observations)
    masks[1] = 0
    with pytest.raises(ValueError, match="row 1"):
        agent.act(observations, masks)


def test_it_refuses_rules_of_other_sizes_and_names_both(model):
    with pytest.raises(ValueError, match=r"173 numbers and 70 actions.*190"):
        PolicyAgent(model, rules=RuleSet(prophecy_actions="permutation"))


def test_training_on_does_not_change_an_agent_made_before(model):
    agent = PolicyAgent(model)
    before = [value.clone() for value in agent._network.parameters()]
    with torch.no_grad():
        model.policy.action_net.bias.add_(1.0)
    assert all(torch.equal(value, old) for value, old in zip(agent._network.parameters(), before))

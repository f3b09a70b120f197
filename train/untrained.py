"""Networks of a configuration before they learn anything: what checkpoints put their weights into."""

from __future__ import annotations

from typing import Any

from onirim_env.spaces import action_space, observation_space
from train.config import TrainConfig
from train.fast_policy import MaskedPolicy, SharedTrunk
from train.torch_ppo import ACTIVATIONS, Network, make_network


def untrained_policy(config: TrainConfig) -> MaskedPolicy | Network:
    """Return the module whose state dictionary a checkpoint of the configuration's trainer holds."""
    if config.trainer == "torch":
        return make_network(config)
    rules = config.rule_set()
    return MaskedPolicy(
        observation_space(rules), action_space(rules), lambda left: 0.0, **policy_arguments(config)
    )


def policy_arguments(config: TrainConfig) -> dict[str, Any]:
    """Return the arguments of the policy for the network of a configuration."""
    activation = ACTIVATIONS[config.activation]
    if not config.shared_trunk:
        return {"net_arch": list(config.hidden_layers), "activation_fn": activation}
    return {
        "net_arch": [],
        "features_extractor_class": SharedTrunk,
        "features_extractor_kwargs": {"layers": config.hidden_layers, "activation": activation},
    }

"""PolicyAgent: a trained network as an agent, evaluated and watched like any other."""

from __future__ import annotations

import copy

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from agents.base import Agent
from onirim_env.actions import action_table
from onirim_env.keywords import layout_rules
from onirim_env.observation import observation_size
from onirim_env.rules import RuleSet
from train.devices import find_device
from train.symmetric_network import SymmetricPolicy


class PolicyAgent(Agent):
    """Plays by a trained policy, the most probable legal action unless told to draw.

    The network runs in double precision: in single precision the last bits of a logit depend on how
    many games are played side by side, which decides a near tie now and then.

    Parameters
    ----------
    model
        A trained ``MaskablePPO``, or a network that gives logits.
    deterministic
        Whether to take the most probable action instead of drawing one.
    rules, talk
        As for every agent.
    layout
        Of the observations and actions that the model knows: ``"own"``, those of the rules, or
        ``"full"``, those of all expansions.
    device
        What the network computes on. One of Apple (``mps``) has no double precision, and takes single.

    Raises
    ------
    ValueError
        For a model of other observations or actions than the rules have.
    """

    name = "policy"

    def __init__(
        self,
        model: MaskablePPO | nn.Module,
        deterministic: bool = True,
        rules: RuleSet | None = None,
        talk: str = "open",
        layout: str = "own",
        device: str = "cpu",
    ) -> None:
        super().__init__(rules, talk)
        self.layout = layout
        self._device = find_device(device)
        precision = torch.float32 if self._device.type == "mps" else torch.float64
        network = policy_network(model.policy) if isinstance(model, MaskablePPO) else model
        self._network = copy.deepcopy(network).to(self._device, precision).eval()
        self._precision = precision
        self._deterministic = deterministic
        self._random = np.zeros(0, dtype=np.uint64)
        has = network_size(self._network)
        tables = layout_rules(self.rules, layout)
        needs = (observation_size(tables), len(action_table(tables)))
        if has != needs:
            raise ValueError(
                f"the model is for observations of {has[0]} numbers and {has[1]} actions; "
                f"{self.rules} has {needs[0]} and {needs[1]}"
            )

    def start(self, rows: np.ndarray, seeds: np.ndarray) -> None:
        """Seed the random numbers of each row."""
        lacking = int(rows.max(initial=-1)) + 1 - len(self._random)
        if lacking > 0:
            self._random = np.append(self._random, np.zeros(lacking, dtype=np.uint64))
        self._random[rows] = seeds.astype(np.uint64)

    def act(self, observations: np.ndarray, masks: np.ndarray | None = None) -> np.ndarray:
        """Choose a legal action for each row.

        Raises
        ------
        ValueError
            Without masks, and for a row in which nothing is legal: the network has learned nothing
            about illegal actions, and would take them.
        """
        if masks is None:
            raise ValueError("a trained policy needs the masks of the legal actions")
        legal = masks.astype(np.bool_)
        if not legal.any(axis=1).all():
            raise ValueError(f"no action is legal in row {legal.any(axis=1).argmin()}")
        with torch.inference_mode():
            seen = torch.from_numpy(observations).to(self._device, self._precision)
            logits = self._network(seen).double().cpu().numpy()
        logits[~legal] = -np.inf
        if self._deterministic:
            actions: np.ndarray = logits.argmax(axis=1)
            return actions
        return self._draw(logits)

    def _draw(self, logits: np.ndarray) -> np.ndarray:
        """Draw from the softmax of logits, each row with its own random numbers."""
        cumulated = np.exp(logits - logits.max(axis=1, keepdims=True)).cumsum(axis=1)
        shares = _next_shares(self._random[: len(logits)])
        actions: np.ndarray = (cumulated <= shares[:, None] * cumulated[:, -1:]).sum(axis=1)
        return actions


def _next_shares(states: np.ndarray) -> np.ndarray:
    """Advance one splitmix64 generator for each row; return numbers from 0 to below 1: float64."""
    states += np.uint64(0x9E3779B97F4A7C15)
    mixed = (states ^ (states >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    shares: np.ndarray = ((mixed ^ (mixed >> np.uint64(31))) >> np.uint64(11)) * 2.0**-53
    return shares


def policy_network(policy: MaskableActorCriticPolicy) -> nn.Module:
    """Return the layers of a policy that lead from observations to logits."""
    return nn.Sequential(policy.pi_features_extractor, policy.mlp_extractor.policy_net, policy.action_net)


def network_size(network: nn.Module) -> tuple[int, int]:
    """Return how many numbers a network takes and gives."""
    if isinstance(network, SymmetricPolicy):
        return network.size
    layers = [module for module in network.modules() if isinstance(module, nn.Linear)]
    return layers[0].in_features, layers[-1].out_features

"""Distillation: a network learns from what playouts say of each action (``agents/compiled/lessons.py``).

The target of a lesson is the policy that is best for the values found, at a price for leaving the
network's own policy: each action's own probability times exp(value / temperature). Source: Abdolmaleki
et al., Maximum a Posteriori Policy Optimisation, 2018, where this is the step that improves a policy.
Values are unbiased, so their errors average out over lessons instead of being learned.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional

from train.torch_ppo import ADAM_EPSILON, Network, masked_log_probabilities

ROWS = 8192
"""Rows of a pass without gradients."""
HELD_BACK = 0.05
"""The share of the lessons that is not learned from, but measured with."""


class Targets(NamedTuple):
    """What a network is to put out for the lessons.

    Attributes
    ----------
    masks
        bool, shape (n, actions): the legal actions.
    policies
        float32, shape (n, actions): probabilities.
    values
        float32, shape (n,): the network's own values; they stay.
    regrets
        float32, shape (n, actions): how much less an action is worth than the best one.
    """

    masks: torch.Tensor
    policies: torch.Tensor
    values: torch.Tensor
    regrets: torch.Tensor


class Pass(NamedTuple):
    """How a pass over the lessons went.

    Attributes
    ----------
    number
        From 1 on.
    loss
        Mean loss of its minibatches.
    loss_held_back
        Mean loss of the policy on the lessons that were held back.
    regret_held_back
        What the greedy choice there loses to the best one, as a chance to win.
    """

    number: int
    loss: float
    loss_held_back: float
    regret_held_back: float


def targets_of(
    network: Network, observations: torch.Tensor, values: torch.Tensor, temperature: float
) -> Targets:
    """Return the targets of lessons; the arguments are those of :func:`distil`."""
    device = device_of(network)
    masks = ~torch.isnan(values)
    policies, own_values, regrets = [], [], []
    with torch.inference_mode():
        for rows in torch.split(torch.arange(len(values)), ROWS):
            legal = masks[rows].to(device)
            logits, own = network(observations[rows].to(device).float())
            found = torch.where(legal, values[rows].to(device).float(), -torch.inf)
            regret = torch.where(legal, found.max(dim=1, keepdim=True).values - found, 0.0)
            logits = masked_log_probabilities(logits, legal) - regret / temperature
            policies.append(functional.softmax(logits, dim=1).cpu())
            own_values.append(own.cpu())
            regrets.append(regret.cpu())
    return Targets(masks, torch.cat(policies), torch.cat(own_values), torch.cat(regrets))


def distil(
    network: Network,
    observations: torch.Tensor,
    values: torch.Tensor,
    *,
    temperature: float,
    passes: int,
    batch_size: int,
    learning_rate: float,
    generator: torch.Generator,
) -> Iterator[Pass]:
    """Teach a network; yield after each pass over the lessons.

    Parameters
    ----------
    network
        The one whose games the lessons are of; it is changed.
    observations, values
        float16, shapes (n, observation size) and (n, actions); NaN where an action is not legal.
    temperature
        The difference in value that makes an action e times as probable.
    passes, batch_size, learning_rate
        Of Adam; the learning rate falls to 0.
    generator
        Orders the lessons.
    """
    targets = targets_of(network, observations, values, temperature)
    learned = int(len(values) * (1.0 - HELD_BACK))
    optimizer = torch.optim.Adam(network.parameters(), learning_rate, eps=ADAM_EPSILON, fused=True)
    steps = passes * max(1, learned // batch_size)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=steps)
    for number in range(1, passes + 1):
        total = 0.0
        minibatches = torch.split(torch.randperm(learned, generator=generator), batch_size)
        minibatches = minibatches[: max(1, learned // batch_size)]
        for rows in minibatches:
            policy_loss, value_loss = _losses(network, observations, targets, rows)
            loss = policy_loss + 0.5 * value_loss
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        yield Pass(number, total / len(minibatches), *_measure(network, observations, targets, learned))


def _losses(
    network: Network, observations: torch.Tensor, targets: Targets, rows: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the mean losses of policy and value in some rows."""
    device = device_of(network)
    logits, values = network(observations[rows].to(device).float())
    log_probabilities = masked_log_probabilities(logits, targets.masks[rows].to(device))
    policy_loss = -(targets.policies[rows].to(device) * log_probabilities).sum(dim=1).mean()
    return policy_loss, functional.mse_loss(values, targets.values[rows].to(device))


def _measure(
    network: Network, observations: torch.Tensor, targets: Targets, first: int
) -> tuple[float, float]:
    """Return the loss of the policy and the regret of its greedy choice from a row on."""
    device = device_of(network)
    losses, regrets = [], []
    with torch.inference_mode():
        for rows in torch.split(torch.arange(first, len(observations)), ROWS):
            losses.append(_losses(network, observations, targets, rows)[0] * len(rows))
            logits = network(observations[rows].to(device).float())[0].cpu()
            chosen = masked_log_probabilities(logits, targets.masks[rows]).argmax(dim=1, keepdim=True)
            regrets.append(targets.regrets[rows].gather(1, chosen).sum())
    n = max(1, len(observations) - first)
    return float(sum(losses)) / n, float(sum(regrets)) / n


def device_of(network: nn.Module) -> torch.device:
    """Return where the weights of a network are."""
    return next(network.parameters()).device

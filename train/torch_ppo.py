"""Proximal policy optimisation in plain torch, whole in this file: ``trainer: torch``.

The second trainer beside sb3-contrib's ``MaskablePPO`` (``train/ppo.py``): the same loss, the same
settings, the same run folder. It steps the batch of games itself and may multiply in bfloat16, with
weights, optimizer and losses in float32. Read it from the bottom: :func:`train` is the loop.

Source of the method: Schulman et al., Proximal Policy Optimization Algorithms, 2017; Huang et al.,
The 37 Implementation Details of Proximal Policy Optimization, 2022, for its order of things.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from onirim_env.actions import action_table
from onirim_env.observation import observation_layout, observation_size
from train.config import TrainConfig
from train.devices import find_device
from train.late_starts import LateStarts
from train.mixing import make_batch
from train.share import ALL, Share
from train.symmetric_network import SymmetricNetwork

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}
PRECISIONS = {"float32": torch.float32, "bfloat16": torch.bfloat16}
"""What layers can multiply in."""
ADAM_EPSILON = 1e-5
OnStep = Callable[[list[dict[str, Any]]], bool]
"""Is told how the games went that a step ended; False stops the training."""


class ActorCritic(nn.Module):
    """A network from observations to the logits of the actions and the value.

    Parameters
    ----------
    n_inputs, n_actions
        Size of an observation, number of actions.
    hidden_layers
        Width of each hidden layer.
    activation
        ``"relu"`` or ``"tanh"``.
    shared
        Whether policy and value share the hidden layers.
    """

    def __init__(
        self, n_inputs: int, n_actions: int, hidden_layers: Sequence[int], activation: str, shared: bool
    ) -> None:
        super().__init__()
        self.policy_trunk = _layers(n_inputs, hidden_layers, activation)
        self.value_trunk = None if shared else _layers(n_inputs, hidden_layers, activation)
        self.policy_head = _linear(hidden_layers[-1], n_actions, 0.01)
        self.value_head = _linear(hidden_layers[-1], 1, 1.0)

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits, float32 (n, n_actions), and values, float32 (n,)."""
        features = self.policy_trunk(observations)
        of_value = features if self.value_trunk is None else self.value_trunk(observations)
        return self.policy_head(features).float(), self.value_head(of_value).float()[:, 0]

    def policy(self) -> nn.Sequential:
        """Return the layers that lead from observations to logits."""
        return nn.Sequential(self.policy_trunk, self.policy_head)


def _layers(width: int, hidden_layers: Sequence[int], activation: str) -> nn.Sequential:
    modules: list[nn.Module] = []
    for layer in hidden_layers:
        modules += [_linear(width, layer, 2**0.5), ACTIVATIONS[activation]()]
        width = layer
    return nn.Sequential(*modules)


def _linear(n_inputs: int, n_outputs: int, gain: float) -> nn.Linear:
    layer = nn.Linear(n_inputs, n_outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


Network = ActorCritic | SymmetricNetwork
"""What can be trained here."""


def make_network(config: TrainConfig) -> Network:
    """Return an untrained network for a configuration."""
    rules = config.tables()
    if config.network == "symmetric":
        return SymmetricNetwork(rules, config.hidden_layers, config.activation, config.ignored_fields)
    network = ActorCritic(
        observation_size(rules),
        len(action_table(rules)),
        config.hidden_layers,
        config.activation,
        config.shared_trunk,
    )
    if config.ignored_fields:
        _ignore(network, config)
    return network


def _ignore(network: ActorCritic, config: TrainConfig) -> None:
    """Put the weights of the fields that the network is not to see to 0, for good."""
    fields = observation_layout(config.tables())
    seen = torch.cat(
        [torch.full((one.size,), float(one.name not in config.ignored_fields)) for one in fields]
    )
    for trunk in (network.policy_trunk, network.value_trunk):
        if trunk is not None:
            first: torch.Tensor = trunk[0].weight  # type: ignore[assignment]
            first.data *= seen
            first.register_hook(lambda gradient: gradient * seen)  # type: ignore[no-untyped-call]


def precision_of(config: TrainConfig, device: torch.device) -> torch.dtype:
    """Return what the layers multiply in."""
    if config.precision != "auto":
        return PRECISIONS[config.precision]
    if device.type == "cuda":
        return torch.bfloat16 if torch.cuda.is_bf16_supported() else torch.float32
    return faster_precision() if device.type == "cpu" else torch.float32


@cache
def faster_precision() -> torch.dtype:
    """Return in which of ``PRECISIONS`` this processor multiplies faster, as a few products show."""
    best: dict[torch.dtype, float] = {}
    for precision in PRECISIONS.values():
        factors = torch.ones(256, 256, dtype=precision)
        times = []
        for _ in range(5):
            started = time.thread_time()
            factors @ factors
            times.append(time.thread_time() - started)
        best[precision] = min(times)
    return min(best, key=best.__getitem__)


class Choices(torch.autograd.Function):
    """Log-probabilities of chosen actions, and entropies, of masked policies.

    ``Choices.apply(logits, masks, actions)`` returns both as float32 (n,), from float32
    (n, n_actions), bool (n, n_actions) with at least one True in each row, and int64 (n,). The
    gradient is written out: with p the probabilities, that of log p(a) is [a] - p, and that of the
    entropy H is -p (log p + H). That saves torch most of its passes over wide, mostly masked rows.
    """

    @staticmethod
    def forward(
        ctx: Any, logits: torch.Tensor, masks: torch.Tensor, actions: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return log-probabilities and entropies."""
        log_probabilities = masked_log_probabilities(logits, masks)
        # Not the exp of log-probabilities, which is several times slower where it underflows.
        probabilities = functional.softmax(log_probabilities, dim=1)
        log_probabilities *= masks
        entropies = -torch.einsum("ij,ij->i", probabilities, log_probabilities)
        chosen = actions[:, None]
        ctx.save_for_backward(probabilities, log_probabilities, entropies, chosen)
        return log_probabilities.gather(1, chosen)[:, 0], entropies

    @staticmethod
    def backward(ctx: Any, *gradients: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        """Return the gradient of the logits."""
        probabilities, log_probabilities, entropies, chosen = ctx.saved_tensors
        of_chosen, of_entropies = (gradient[:, None] for gradient in gradients)
        gradient = (log_probabilities + entropies[:, None]).mul_(of_entropies).add_(of_chosen)
        gradient = gradient.mul_(probabilities).neg_().scatter_add_(1, chosen, of_chosen)
        return gradient, None, None


def masked_log_probabilities(logits: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
    """Return log-probabilities of the legal actions: (n, n_actions), about -1e8 elsewhere."""
    return functional.log_softmax(torch.where(masks, logits, -1e8), dim=1)


def draw(log_probabilities: torch.Tensor, random: torch.Tensor) -> torch.Tensor:
    """Draw an action for each row from random numbers below 1: int64, shape (n,)."""
    cumulated = log_probabilities.exp().cumsum(dim=1)
    shares = random[:, None] * (1.0 - 1e-6)
    return (cumulated <= shares * cumulated[:, -1:]).sum(dim=1)


def advantages_of(
    rewards: torch.Tensor,
    values: torch.Tensor,
    ended: torch.Tensor,
    last_values: torch.Tensor,
    gamma: float,
    gae_lambda: float,
) -> torch.Tensor:
    """Return generalised advantage estimates (Schulman et al., 2016): float32, shape (steps, games).

    Parameters
    ----------
    rewards, values
        float32, shape (steps, games): what each decision brought, and the value before it.
    ended
        bool, shape (steps, games): whether the decision ended its game. Nothing is carried back
        over an end: the next row belongs to another game.
    last_values
        float32, shape (games,): the values after the last decision.
    gamma, gae_lambda
        Discount, and weight of longer returns.
    """
    advantages = torch.zeros_like(rewards)
    carried = torch.zeros_like(last_values)
    following = last_values
    for step in range(len(rewards) - 1, -1, -1):
        goes_on = (~ended[step]).float()
        error = rewards[step] + gamma * goes_on * following - values[step]
        carried = error + gamma * gae_lambda * goes_on * carried
        advantages[step] = carried
        following = values[step]
    return advantages


class Rollout:
    """What happened in ``config.n_steps`` decisions of each of some games, as tensors (steps, games, ...).

    What the network gave and got is on its device. ``rewards`` and ``ended`` are of the games, and go there
    all at once.
    """

    def __init__(self, config: TrainConfig, device: torch.device, games: Games) -> None:
        n_games, n_inputs = games.observations.shape
        n_actions = games.masks.shape[1]
        shape = (config.n_steps, n_games)
        precision = precision_of(config, device)
        self.observations = torch.zeros((*shape, n_inputs), dtype=precision, device=device)
        self.masks = torch.zeros((*shape, n_actions), dtype=torch.bool, device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_probabilities = torch.zeros(shape, device=device)
        self.values = torch.zeros(shape, device=device)
        self.rewards = torch.zeros(shape)
        self.ended = torch.zeros(shape, dtype=torch.bool)


class Games:
    """The batch of games under way; a game that ends is followed by the next one.

    Parameters
    ----------
    config
        The settings.
    seed
        The first game of row i is that of ``seed + i``.
    share
        Whose rows they are.
    """

    def __init__(self, config: TrainConfig, seed: int, share: Share = ALL) -> None:
        rows = share.rows(config.num_envs)
        n_games = rows.stop - rows.start
        self._batch = make_batch(config, seed + rows.start, n_games)
        self._batch.deal(np.arange(seed + rows.start, seed + rows.stop, dtype=np.uint64))
        self._late = LateStarts(config.late_starts, seed + rows.start, self._batch)
        self._lengths = np.zeros(n_games, dtype=np.int64)
        self._returns = np.zeros(n_games)
        observations, masks = self._batch.view()
        self.observations, self.masks = torch.from_numpy(observations), torch.from_numpy(masks).bool()

    def step(self, actions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, list[dict[str, Any]]]:
        """Take a decision in each game; return rewards, ends, and how games went that were whole."""
        observations, masks, rewards = self._batch.step(actions.numpy())
        ended = self._batch.ended.copy()
        self._lengths += 1
        self._returns += rewards
        self._late.note()
        finished = []
        if ended.any():
            rows = np.flatnonzero(ended)
            results = self._batch.results(rows)
            for index, row in enumerate(rows):
                if self._late.began_late[row]:
                    continue
                episode = {"r": float(self._returns[row]), "l": int(self._lengths[row])}
                finished.append({name: values[index].item() for name, values in results.items()})
                finished[-1]["episode"] = episode
            self._batch.deal_next(ended)
            self._late.place(rows)
            self._lengths[rows] = 0
            self._returns[rows] = 0.0
            observations[rows], masks[rows] = self._batch.view(rows)
        self.observations, self.masks = torch.from_numpy(observations), torch.from_numpy(masks).bool()
        return torch.from_numpy(rewards).float(), torch.from_numpy(ended), finished


@dataclass
class Learner:
    """What is trained: the network, its optimizer, and how far they are.

    ``forward`` is the network as it is called in learning: itself, or the code that torch made for it.
    ``generator`` is one of the CPU, so that every device draws the same.
    """

    config: TrainConfig
    device: torch.device
    network: Network
    forward: Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]
    optimizer: torch.optim.Adam
    generator: torch.Generator
    share: Share = ALL
    steps: int = 0
    updates: int = 0
    losses: dict[str, float] = field(default_factory=dict)

    def autocast(self) -> torch.autocast:
        """Return the context in which layers multiply in the precision of the configuration."""
        narrow = precision_of(self.config, self.device) is torch.bfloat16
        return torch.autocast(self.device.type, dtype=torch.bfloat16, enabled=narrow)

    def collect(self, games: Games, rollout: Rollout, finished: OnStep) -> bool:
        """Fill the rollout by playing; return whether ``finished`` never wished to stop, of any learner."""
        return self.share.all_agree(self._collect(games, rollout, finished), self.device)

    def _collect(self, games: Games, rollout: Rollout, finished: OnStep) -> bool:
        own = self.share.rows(self.config.num_envs)
        for step in range(self.config.n_steps):
            observations, masks = games.observations.to(self.device), games.masks.to(self.device)
            with torch.inference_mode(), self.autocast():
                logits, values = self.network(observations)
                log_probabilities = masked_log_probabilities(logits, masks)
                random = torch.rand(self.config.num_envs, generator=self.generator)[own]
                actions = draw(log_probabilities, random.to(self.device))
            rollout.observations[step] = observations
            rollout.masks[step] = masks
            rollout.actions[step] = actions
            rollout.log_probabilities[step] = log_probabilities.gather(1, actions[:, None])[:, 0]
            rollout.values[step] = values
            rollout.rewards[step], rollout.ended[step], ends = games.step(actions.cpu())
            self.steps += self.config.num_envs
            if not finished(ends):
                return False
        return True

    def learn(self, games: Games, rollout: Rollout) -> None:
        """Take ``config.n_epochs`` passes over the rollout."""
        config = self.config
        with torch.inference_mode(), self.autocast():
            last_values = self.network(games.observations.to(self.device))[1]
        rewards, ended = rollout.rewards.to(self.device), rollout.ended.to(self.device)
        advantages = advantages_of(
            rewards, rollout.values, ended, last_values, config.gamma, config.gae_lambda
        )
        returns = advantages + rollout.values
        rows = {
            "observations": rollout.observations, "masks": rollout.masks, "actions": rollout.actions,
            "old": rollout.log_probabilities, "returns": returns,
        }  # fmt: skip
        flat = {name: values.flatten(0, 1) for name, values in rows.items()}
        of_all = self.share.gather(advantages).flatten()
        parts = []
        for chosen in self.minibatches(len(of_all)):
            found = of_all[chosen.to(self.device)]
            found = (found - found.mean()) / (found.std() + 1e-8)
            mine, own = (part.to(self.device) for part in self.share.own_rows(chosen, config.num_envs))
            own_rows = {name: values[own] for name, values in flat.items()}
            parts.append(self.minibatch({**own_rows, "advantages": found[mine]}))
        means = {name: torch.stack([part[name] for part in parts]).mean() for name in parts[0]}
        self.losses = {name: self.share.mean(value).item() for name, value in means.items()}
        returns, values = self.share.gather(returns), self.share.gather(rollout.values)
        unexplained = (returns - values).var() / returns.var().clamp_min(1e-8)
        self.losses["explained_variance"] = 1.0 - float(unexplained)

    def minibatches(self, n: int) -> Iterator[torch.Tensor]:
        """Yield the rows of each minibatch, of all learners, all passes one after the other, on the CPU."""
        for _ in range(self.config.n_epochs):
            yield from torch.randperm(n, generator=self.generator).view(-1, self.config.batch_size)

    def minibatch(self, rows: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
        """Take one step of the optimizer; return the losses (no axes) by their column of the metrics.

        The rows are the own ones of a minibatch, with its normalised advantages. Losses are scaled such that
        their mean over the learners is the mean over the minibatch.
        """
        config = self.config
        scale = self.share.learners / config.batch_size
        with self.autocast():
            logits, values = self.forward(rows["observations"])
        chosen, entropies = Choices.apply(logits, rows["masks"], rows["actions"])  # type: ignore[no-untyped-call]
        difference = chosen - rows["old"]
        ratio = difference.exp()
        advantages = rows["advantages"]
        clipped = ratio.clamp(1.0 - config.clip_range, 1.0 + config.clip_range)
        policy_loss = -torch.minimum(advantages * ratio, advantages * clipped).sum() * scale
        value_loss = functional.mse_loss(values, rows["returns"], reduction="sum") * scale
        entropy = entropies.sum() * scale
        bonus = config.at(config.entropy, config.entropy_end, self.steps)
        loss = policy_loss + config.vf_coef * value_loss - bonus * entropy
        self.optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
        self.optimizer.step()
        with torch.inference_mode():
            return {
                "policy_loss": policy_loss.detach(),
                "value_loss": value_loss.detach(),
                "entropy": entropy.detach(),
                "approx_kl": (ratio - 1.0 - difference).sum() * scale,
                "clip_fraction": ((ratio - 1.0).abs() > config.clip_range).float().sum() * scale,
            }


def make_learner(config: TrainConfig, seed: int, share: Share = ALL) -> Learner:
    """Return an untrained learner; the seed decides the weights and the drawn actions."""
    torch.manual_seed(seed)
    device = find_device(config.device)
    network = make_network(config).to(device)
    forward: Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]] = network
    if share.learners > 1:
        forward = nn.parallel.DistributedDataParallel(network)
    if config.compile:
        forward = torch.compile(forward)
    optimizer = torch.optim.Adam(network.parameters(), config.learning_rate, eps=ADAM_EPSILON, fused=True)
    generator = torch.Generator().manual_seed(seed)
    return Learner(config, device, network, forward, optimizer, generator, share)


def train(
    learner: Learner,
    seed: int,
    on_step: OnStep,
    on_update: Callable[[], None],
) -> None:
    """Train to ``config.total_steps``.

    Parameters
    ----------
    learner
        From :func:`make_learner`; a training that goes on has its weights and steps.
    seed
        Decides the games.
    on_step
        Called after each step with how the ended games went; False stops the training, without
        the rollout under way, from which nothing has been learned.
    on_update
        Called after each rollout has been learned from.
    """
    config = learner.config
    network = learner.network
    games = Games(config, seed, learner.share)
    rollout = Rollout(config, learner.device, games)
    while learner.steps < config.total_steps:
        before = learner.steps
        if not learner.collect(games, rollout, on_step):
            learner.steps = before
            return
        for group in learner.optimizer.param_groups:
            group["lr"] = config.at(config.learning_rate, config.learning_rate_end, learner.steps)
        network.train()
        learner.learn(games, rollout)
        learner.updates += config.n_epochs
        on_update()

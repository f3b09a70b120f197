"""MaskedPolicy: sb3-contrib's masked policy with a cheaper distribution and an optional shared trunk.

The stock distribution normalises the logits three times, builds two torch ``Categorical`` objects
for each minibatch and draws with ``multinomial``. With 70 actions that costs more than the network.
Here the masked log-probabilities are computed once; values, log-probabilities, entropies and
gradients are the same, which a test compares with the stock policy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from torch import nn
from torch.nn import functional

MASKED_LOGIT = -1e8
"""What sb3-contrib puts in place of the logit of an illegal action."""

BELOW_ONE = 1.0 - 1e-6
"""Keeps a drawn share of the total under the total itself after rounding to float32."""


class MaskedCategorical(MaskableDistribution):
    """A categorical distribution over the legal actions.

    Parameters
    ----------
    n_actions
        Number of actions, legal or not.
    """

    def __init__(self, n_actions: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.n_actions = n_actions
        self._given = self._logits = torch.zeros(0, n_actions)
        self._log_probabilities: torch.Tensor | None = None

    def proba_distribution_net(self, latent_dim: int) -> nn.Module:
        """Return the layer that gives the logits."""
        return nn.Linear(latent_dim, self.n_actions)

    def proba_distribution(self, action_logits: torch.Tensor) -> MaskedCategorical:
        """Take the logits: float32, shape (n, n_actions). No action is masked yet."""
        self._given = self._logits = action_logits.view(-1, self.n_actions)
        self._log_probabilities = None
        return self

    def apply_masking(self, masks: torch.Tensor | np.ndarray | None) -> None:
        """Allow only the actions whose mask is not zero: shape (n, n_actions); None allows all."""
        self._log_probabilities = None
        self._logits = self._given
        if masks is not None:
            legal = torch.as_tensor(masks, dtype=torch.bool, device=self._given.device)
            self._logits = self._given.masked_fill(~legal.view(self._given.shape), MASKED_LOGIT)

    @property
    def log_probabilities(self) -> torch.Tensor:
        """Logarithms of the probabilities: float32, shape (n, n_actions)."""
        if self._log_probabilities is None:
            self._log_probabilities = functional.log_softmax(self._logits, dim=1)
        return self._log_probabilities

    @property
    def probabilities(self) -> torch.Tensor:
        """Probabilities: float32, shape (n, n_actions), exactly 0 where an action is masked."""
        # Not exp(log_probabilities), which is several times slower where it underflows.
        return functional.softmax(self._logits, dim=1)

    def log_prob(self, actions: torch.Tensor) -> torch.Tensor:
        """Return the log-probability of each row's action: float32, shape (n,)."""
        return self.log_probabilities.gather(1, actions.long().view(-1, 1)).squeeze(1)

    def entropy(self) -> torch.Tensor:
        """Return the entropy of each row in nats: float32, shape (n,)."""
        # An illegal action has probability 0 exactly, so its product is -0, not NaN.
        return -(self.probabilities * self.log_probabilities).sum(dim=1)

    def sample(self) -> torch.Tensor:
        """Draw one action for each row: int64, shape (n,)."""
        cumulated = self.probabilities.detach().cumsum(dim=1)
        share = torch.rand((len(cumulated), 1), device=cumulated.device) * BELOW_ONE
        return (cumulated <= share * cumulated[:, -1:]).sum(dim=1)

    def mode(self) -> torch.Tensor:
        """Return the most probable action of each row: int64, shape (n,)."""
        return self.log_probabilities.argmax(dim=1)

    def actions_from_params(self, action_logits: torch.Tensor, deterministic: bool = False) -> torch.Tensor:
        """Return actions for the given logits."""
        return self.proba_distribution(action_logits).get_actions(deterministic=deterministic)

    def log_prob_from_params(self, action_logits: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return drawn actions and their log-probabilities for the given logits."""
        actions = self.actions_from_params(action_logits)
        return actions, self.log_prob(actions)


class SharedTrunk(BaseFeaturesExtractor):
    """Hidden layers that the policy and the value share.

    Parameters
    ----------
    observation_space
        A flat ``Box``.
    layers
        Width of each hidden layer.
    activation
        Module class put after each layer.
    """

    def __init__(
        self, observation_space: spaces.Box, layers: tuple[int, ...], activation: type[nn.Module]
    ) -> None:
        super().__init__(observation_space, layers[-1])
        modules: list[nn.Module] = []
        width = observation_space.shape[0]
        for layer in layers:
            modules += [nn.Linear(width, layer), activation()]
            width = layer
        self.layers = nn.Sequential(*modules)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Map observations (n, size) to features (n, layers[-1])."""
        features: torch.Tensor = self.layers(observations)
        return features


class MaskedPolicy(MaskableActorCriticPolicy):
    """``MaskableActorCriticPolicy`` with :class:`MaskedCategorical`; parameters have the same names."""

    def _build(self, lr_schedule: Any) -> None:
        assert isinstance(self.action_space, spaces.Discrete)
        self.action_dist = MaskedCategorical(int(self.action_space.n))
        super()._build(lr_schedule)


class MaskedRolloutBuffer(MaskableRolloutBuffer):
    """``MaskableRolloutBuffer`` that keeps its memory between rollouts, and masks as bool.

    Rows are kept in the order in which they came instead of game by game; minibatches are drawn at
    random from all of them either way.
    """

    def reset(self) -> None:
        """Forget the rollout; the arrays are written over by the next one."""
        if getattr(self, "_arrays", None) is None:
            super().reset()
            self.action_masks = np.ones(self.action_masks.shape, dtype=np.bool_)
            names = ("observations", "actions", "rewards", "returns", "episode_starts", "values",
                     "log_probs", "advantages", "action_masks")  # fmt: skip
            self._arrays = {name: getattr(self, name) for name in names}
        self.__dict__.update(self._arrays)
        self.pos = 0
        self.full = False
        self.generator_ready = False

    @staticmethod
    def swap_and_flatten(arr: np.ndarray) -> np.ndarray:
        """Join the axes of steps and games without copying: (steps, games, ...) to (steps * games, ...)."""
        return arr.reshape(-1, *arr.shape[2:]) if arr.ndim > 2 else arr.reshape(-1, 1)

    def _get_samples(  # type: ignore[override]
        self, batch_inds: np.ndarray, env: Any = None
    ) -> MaskableRolloutBufferSamples:
        def flat(array: np.ndarray) -> torch.Tensor:
            return self._tensor(array[batch_inds, 0])

        return MaskableRolloutBufferSamples(
            observations=self._tensor(self.observations[batch_inds]),
            actions=self._tensor(self.actions[batch_inds]),
            old_values=flat(self.values),
            old_log_prob=flat(self.log_probs),
            advantages=flat(self.advantages),
            returns=flat(self.returns),
            action_masks=self._tensor(self.action_masks[batch_inds]),
        )

    def _tensor(self, array: np.ndarray) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

"""Environments that do nothing, in the spaces of Onirim: what the interfaces alone cost."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from onirim_env.rules import RuleSet
from onirim_env.spaces import action_space, observation_space

GAME_LENGTH = 50
"""Steps of an idle game, about as many as a random game of Onirim has."""


class IdleEnv(gym.Env[np.ndarray, np.integer]):
    """Returns new arrays and a mask of ones, and ends after :data:`GAME_LENGTH` steps."""

    metadata = {"render_modes": []}

    def __init__(self) -> None:
        self.action_space = action_space(RuleSet())
        self.observation_space = observation_space(RuleSet())
        self._size = self.observation_space.shape[0]
        self._n_actions = int(self.action_space.n)
        self._elapsed = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin again."""
        super().reset(seed=seed)
        self._elapsed = 0
        return self._observation(), {"action_mask": np.ones(self._n_actions, dtype=np.int8)}

    def step(self, action: Any) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Count a step."""
        self._elapsed += 1
        info = {"action_mask": np.ones(self._n_actions, dtype=np.int8)}
        return self._observation(), 0.0, self._elapsed >= GAME_LENGTH, False, info

    def _observation(self) -> np.ndarray:
        return np.zeros(self._size, dtype=np.float32)


class IdleVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """A batch that returns new arrays and masks of ones, and never ends."""

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, num_envs: int = 1) -> None:
        self.num_envs = num_envs
        self.single_action_space = action_space(RuleSet())
        self.single_observation_space = observation_space(RuleSet())
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._shapes = (
            (num_envs, self.single_observation_space.shape[0]),
            (num_envs, int(self.single_action_space.n)),
        )

    def reset(
        self, *, seed: Any = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin again."""
        return np.zeros(self._shapes[0], dtype=np.float32), self._infos()

    def step(self, actions: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Return new arrays."""
        observations = np.zeros(self._shapes[0], dtype=np.float32)
        never = np.zeros(self.num_envs, dtype=np.bool_)
        return observations, np.zeros(self.num_envs), never, never.copy(), self._infos()

    def _infos(self) -> dict[str, Any]:
        present = np.ones(self.num_envs, dtype=np.bool_)
        return {"action_mask": np.ones(self._shapes[1], dtype=np.int8), "_action_mask": present}

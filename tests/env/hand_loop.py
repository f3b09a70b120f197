"""The loop that a vector environment replaces: single environments, stepped and reset one by one."""

from typing import Any, NamedTuple

import numpy as np

from onirim_env.env import OnirimEnv

FINAL = ("final_obs", "_final_obs", "final_info", "_final_info")
"""What SAME_STEP adds to the infos of a step in which a game ended."""


class Row(NamedTuple):
    """What one game returns at a step; ``final`` is the last observation and info of an ended game."""

    observation: np.ndarray
    reward: float
    terminated: bool
    truncated: bool
    info: dict[str, Any]
    final: tuple[np.ndarray, dict[str, Any]] | None = None


class HandLoop:
    """One single environment a row, with the three ways to go on after the end of a game."""

    def __init__(self, num_envs, mode, max_episode_steps=None, **options):
        self.envs = [OnirimEnv(**options) for _ in range(num_envs)]
        self.mode = mode
        self.limit = max_episode_steps or np.inf
        self.elapsed = [0] * num_envs
        self.done = [False] * num_envs

    def reset_row(self, index, seed=None):
        self.elapsed[index] = 0
        self.done[index] = False
        return self.envs[index].reset(seed=seed)

    def reset(self, seed):
        return [self.reset_row(index, seed + index) for index in range(len(self.envs))]

    def step(self, actions):
        return [self._step_row(index, int(action)) for index, action in enumerate(actions)]

    def _step_row(self, index, action):
        if self.done[index]:
            assert self.mode == "NextStep"
            observation, info = self.reset_row(index)
            return Row(observation, 0.0, False, False, info)
        observation, reward, terminated, truncated, info = self.envs[index].step(action)
        assert not truncated
        self.elapsed[index] += 1
        truncated = self.elapsed[index] >= self.limit
        self.done[index] = terminated or truncated
        if self.done[index] and self.mode == "SameStep":
            final = observation, info
            observation, info = self.reset_row(index)
            return Row(observation, reward, terminated, truncated, info, final)
        return Row(observation, reward, terminated, truncated, info)


def assert_row_info(infos, index, info, where="info"):
    """Fail unless row ``index`` of a vector environment's infos says what one game's info says."""
    for key, value in info.items():
        assert infos[f"_{key}"][index], f"{where}: row {index} lacks {key}"
        np.testing.assert_array_equal(infos[key][index], value, err_msg=f"{where}[{key!r}] of row {index}")
    for key in infos:
        if not key.startswith("_") and key not in info:
            assert not infos[f"_{key}"][index], f"{where}: row {index} has {key}"
            empty = infos[key][index]
            assert empty is None or not np.any(empty), f"{where}: row {index} has {key} {empty!r}"


def assert_row_final(final, index, expected):
    """Fail unless the ``FINAL`` entries of a step hold, for row ``index``, what its game ended with."""
    if expected is not None:
        observation, info = expected
        assert final["_final_obs"][index] and final["_final_info"][index]
        np.testing.assert_array_equal(final["final_obs"][index], observation)
        assert_row_info(final["final_info"], index, info, "final_info")
    elif final:
        assert final["final_obs"][index] is None
        assert not final["_final_obs"][index] and not final["_final_info"][index]

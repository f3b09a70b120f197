"""Masks inside observations, for libraries that look for them there, under the names that they know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import gymnasium as gym
import numpy as np
from gymnasium import spaces
from gymnasium.vector import VectorEnv, VectorWrapper
from gymnasium.vector.utils import batch_space

from onirim_env.errors import quoted

if TYPE_CHECKING:
    _VectorWrapper = VectorWrapper[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, np.ndarray]
else:  # how many parameters it has differs between versions of Gymnasium
    _VectorWrapper = VectorWrapper

KEYS = ("observation", "action_mask")
"""The names of an observation and of its mask, where none are given."""


class MaskInObservation(gym.Wrapper[Any, Any, Any, Any], gym.utils.RecordConstructorArgs):
    """A single environment whose observations are dictionaries with their mask.

    Parameters
    ----------
    env
        ``Onirim-v0`` or ``OnirimCoop-v0``, itself or in wrappers that leave observations and infos as they
        are.
    observation_key, mask_key
        The names in the dictionary: ``"observations"`` and ``"action_mask"`` for RLlib's masking expansion,
        ``"obs"`` and ``"mask"`` for Tianshou.
    mask_dtype
        The dtype of masks, or its name: ``"float32"`` for RLlib, ``"bool"`` for Tianshou.

    Raises
    ------
    ValueError
        For names that are no two different texts.
    TypeError
        For what is no dtype of numbers or truth values.

    Notes
    -----
    ``info["action_mask"]`` stays as it is. The mask of an ended game is all ones, as there.
    """

    def __init__(
        self,
        env: gym.Env[Any, Any],
        observation_key: str = KEYS[0],
        mask_key: str = KEYS[1],
        mask_dtype: Any = "int8",
    ) -> None:
        names = {"observation_key": observation_key, "mask_key": mask_key, "mask_dtype": mask_dtype}
        gym.utils.RecordConstructorArgs.__init__(self, **names)
        super().__init__(env)
        self._keys = check_keys(observation_key, mask_key)
        self._dtype = check_mask_dtype(mask_dtype)
        n_actions = n_of(env.action_space)
        self.observation_space = masked_space(env.observation_space, n_actions, *self._keys, self._dtype)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Deal a game, as the environment does."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._joined(observation, info), info

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], Any, bool, bool, dict[str, Any]]:
        """Take one decision, as the environment does."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._joined(observation, info), reward, terminated, truncated, info

    def action_masks(self) -> np.ndarray:
        """Return the legal actions: bool, shape (n_actions,), a new array."""
        masks: np.ndarray = self.env.get_wrapper_attr("action_masks")()
        return masks

    def _joined(self, observation: np.ndarray, info: dict[str, Any]) -> dict[str, np.ndarray]:
        return {self._keys[0]: observation, self._keys[1]: info["action_mask"].astype(self._dtype)}


class VectorMaskInObservation(_VectorWrapper, gym.utils.RecordConstructorArgs):
    """A batch whose observations are dictionaries with their masks, in every autoreset mode.

    Parameters
    ----------
    env
        What ``gym.make_vec`` returns, of the native batch or of ``vectorization_mode="sync"``.
    observation_key, mask_key, mask_dtype
        As of :class:`MaskInObservation`.

    Raises
    ------
    ValueError, TypeError
        As :class:`MaskInObservation`.

    Notes
    -----
    In ``SAME_STEP`` the entries of ``infos["final_obs"]`` are such dictionaries, too.
    """

    def __init__(
        self,
        env: VectorEnv[Any, Any, Any],
        observation_key: str = KEYS[0],
        mask_key: str = KEYS[1],
        mask_dtype: Any = "int8",
    ) -> None:
        names = {"observation_key": observation_key, "mask_key": mask_key, "mask_dtype": mask_dtype}
        gym.utils.RecordConstructorArgs.__init__(self, **names)
        super().__init__(env)
        self._keys = check_keys(observation_key, mask_key)
        self._dtype = check_mask_dtype(mask_dtype)
        self.single_observation_space = masked_space(
            env.single_observation_space, n_of(env.single_action_space), *self._keys, self._dtype
        )
        self.observation_space = batch_space(self.single_observation_space, env.num_envs)

    @property
    def autoreset_mode(self) -> Any:
        """The ``AutoresetMode`` of the batch."""
        return self.env.metadata["autoreset_mode"]

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Deal games, as the batch does."""
        observations, infos = self.env.reset(seed=seed, options=options)  # type: ignore[arg-type]
        return self._joined(observations, infos["action_mask"]), infos

    def step(
        self, actions: Any
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take one decision in every game, as the batch does."""
        observations, rewards, terminations, truncations, infos = self.env.step(actions)
        if "final_obs" in infos:
            infos = {**infos, "final_obs": self._final(infos)}
        joined = self._joined(observations, infos["action_mask"])
        return joined, rewards, terminations, truncations, infos

    def call(self, name: str, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Call a method of every row, as the batch does."""
        answers: tuple[Any, ...] = self.env.call(name, *args, **kwargs)  # type: ignore[attr-defined]
        return answers

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Return an attribute of every row, as the batch does; its observation space is that of here."""
        if name == "observation_space":
            return (self.single_observation_space,) * self.num_envs
        values: tuple[Any, ...] = self.env.get_attr(name)  # type: ignore[attr-defined]
        return values

    def set_attr(self, name: str, values: Any) -> None:
        """Give every row an attribute, as the batch does."""
        self.env.set_attr(name, values)  # type: ignore[attr-defined]

    def _joined(self, observations: np.ndarray, masks: np.ndarray) -> dict[str, np.ndarray]:
        return {self._keys[0]: observations, self._keys[1]: masks.astype(self._dtype)}

    def _final(self, infos: dict[str, Any]) -> np.ndarray:
        """Return the last observations of ended games with their masks."""
        final = np.full(self.num_envs, None, dtype=object)
        for row in np.flatnonzero(infos["_final_obs"]):
            final[row] = self._joined(infos["final_obs"][row], infos["final_info"]["action_mask"][row])
        return final


def check_keys(observation_key: Any, mask_key: Any) -> tuple[str, str]:
    """Return the names of an observation and of its mask; raise a ValueError unless they are two texts."""
    for name, key in (("observation_key", observation_key), ("mask_key", mask_key)):
        if not isinstance(key, str) or not key:
            raise ValueError(f"{name} must be a text such as 'obs', not {quoted(key)}")
    if observation_key == mask_key:
        raise ValueError(f"observation_key and mask_key must differ; both are {quoted(mask_key)}")
    return observation_key, mask_key


def check_mask_dtype(dtype: Any) -> np.dtype[Any]:
    """Return the dtype of masks; raise a TypeError for what is none of numbers or truth values."""
    try:
        found = np.dtype(dtype) if dtype is not None else np.dtype(object)
    except TypeError:
        found = np.dtype(object)
    if found.kind not in "biuf":
        raise TypeError(f"mask_dtype must be a dtype such as 'int8' or 'float32', not {quoted(dtype)}")
    return found


def n_of(space: Any) -> int:
    """Return the number of actions of a space."""
    if not isinstance(space, spaces.Discrete):
        raise ValueError(f"masks are for a Discrete action space, not {quoted(space)}")
    return int(space.n)


def masked_space(
    space: spaces.Space[Any], n_actions: int, observation_key: str, mask_key: str, dtype: np.dtype[Any]
) -> spaces.Dict:
    """Return the space of observations with their masks."""
    mask = spaces.Box(0, 1, (n_actions,), dtype=dtype.type)
    return spaces.Dict({observation_key: space, mask_key: mask})

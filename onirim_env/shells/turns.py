"""One game of several players as a PettingZoo AEC environment: each decision in turn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from onirim_env.buffers import own_arrays
from onirim_env.shells.single import SingleShell

_NO_OPTIONS = ("options",)
"""PettingZoo's own tests reset every environment with ``{"options": 1}``, which says nothing."""


class TurnsShell(AECEnv):  # type: ignore[misc,type-arg]
    """A single environment as one of turns; the game's own class says what it plays.

    Parameters
    ----------
    env
        The game.
    agents
        The names of its players, in their order.
    """

    def __init__(self, env: SingleShell, agents: Sequence[str]) -> None:
        super().__init__()
        self._env = env
        self.render_mode = env.render_mode
        self.possible_agents = list(agents)
        self.agents: list[str] = []
        observation_space, action_space = self._env.observation_space, self._env.action_space
        n_actions = int(action_space.n)  # type: ignore[attr-defined]
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(observation_space.low, observation_space.high),  # type: ignore[attr-defined]
                    "action_mask": spaces.Box(0, 1, (n_actions,), dtype=np.int8),
                }
            )
            for agent in agents
        }
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in agents}
        low, high = (np.tile(bound, len(agents)) for bound in (observation_space.low, observation_space.high))  # type: ignore[attr-defined]
        self.state_space = spaces.Box(low, high, dtype=np.float32)
        self._no_action = np.zeros(n_actions, dtype=np.int8)
        self._mask = self._no_action
        self._seen: np.ndarray | None = None

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of an agent, the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent, the same object at every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game, or set up ``options["position"]``; see ``SingleShell.reset``."""
        if isinstance(options, Mapping):
            options = {name: value for name, value in options.items() if name not in _NO_OPTIONS}
        observation, info = self._env.reset(seed=seed, options=options)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.possible_agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.possible_agents, 0.0)
        self.terminations = dict.fromkeys(self.possible_agents, False)
        self.truncations = dict.fromkeys(self.possible_agents, False)
        self._skip_agent_selection = None
        self._take_turn(observation, info)

    def step(self, action: int | None) -> None:
        """Take a decision of the agent to move; the only action of an ended game is None."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # type: ignore[arg-type]
            return
        self._go_on(*self._env.step(action))

    def forfeit(self, action: int, why: str) -> None:
        """Lose the game for all, for what somebody did beside it; see ``SingleShell.forfeit``."""
        self._go_on(*self._env.forfeit(action, why))

    def _go_on(
        self,
        observation: np.ndarray,
        reward: float | np.ndarray,
        terminated: bool,
        _: bool,
        info: dict[str, Any],
    ) -> None:
        """Note what a decision of the agent to move brought."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        if isinstance(reward, np.ndarray):  # one for each agent
            rewards = reward.tolist()
            self.rewards = dict(zip(self.possible_agents, rewards))
            if any(rewards):
                self._accumulate_rewards()
        else:
            if reward != self.rewards[agent]:
                self.rewards = dict.fromkeys(self.possible_agents, reward)
            if reward:
                self._accumulate_rewards()
        if terminated:
            self.terminations = dict.fromkeys(self.possible_agents, True)
        self._take_turn(observation, info)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))

    def _take_turn(self, observation: np.ndarray, info: dict[str, Any]) -> None:
        """Note who is to decide, and what that agent sees and may do."""
        player = info.pop("player")
        self.agent_selection = mover = self.possible_agents[player]
        self._seen, self._mask = observation, info.pop("action_mask")
        if self.terminations[mover]:
            self._mask = self._no_action
        self.infos = {
            agent: {"action_mask": (self._mask if agent == mover else self._no_action).copy(), **info}
            for agent in self.possible_agents
        }

    def action_mask(self, agent: str) -> np.ndarray:
        """Return the legal actions of an agent: int8, shape (n_actions,), a new array."""
        return (self._mask if agent == self.agent_selection else self._no_action).copy()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent may know, and its mask, in new arrays."""
        if agent == self.agent_selection and self._seen is not None:
            observation = self._seen.copy()
        else:
            observation = self._env.observe(self.possible_agents.index(agent))
        return {"observation": observation, "action_mask": self.action_mask(agent)}

    def state(self) -> np.ndarray:
        """Return what all players know together, for centralised training.

        Returns
        -------
        numpy.ndarray
            float32, shape (players * observation size,): the observation of each player, in order.
        """
        return np.concatenate([self._env.observe(player) for player in range(len(self.possible_agents))])

    @property
    def game(self) -> Any:
        """A copy of the game as it stands, with its record."""
        return self._env.game

    def render(self) -> Any:
        """Show the game as the agent to move sees it; see ``SingleShell.render``."""
        return self._env.render()

    def close(self) -> None:
        """Close the window of mode ``"human"``."""
        self._env.close()

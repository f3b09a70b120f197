"""The two-player co-op game as a PettingZoo parallel environment: whoever is not to move waits."""

from __future__ import annotations

from collections.abc import Mapping
from operator import index
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import InvalidAction
from pettingzoo import ParallelEnv

from onirim_env.coop import AGENTS, raw_env
from onirim_env.env import RENDER_MODES
from onirim_env.errors import quoted
from onirim_env.keywords import read_rules
from onirim_env.wrappers import KEYS, check_keys, check_mask_dtype, masked_space

if TYPE_CHECKING:
    from onirim_env.game import Game


class parallel_env(ParallelEnv):  # type: ignore[misc,type-arg]  # noqa: N801  PettingZoo names it so
    """Two players who escape together; at every step both act, and one of the actions is ``wait``.

    For libraries that know parallel environments only. The game is that of :class:`~onirim_env.coop.raw_env`,
    step for step: the action of the player to move is carried out. The other one has a single legal action,
    :attr:`wait`, the last id of the action space. When the game has ended, both have it alone.

    Observations are ``{"observation": float32, "action_mask": int8}``, under the names of
    ``observation_key`` and ``mask_key``; ``infos[agent]["action_mask"]`` (int8) has the mask, too, and at the
    end also ``won``, ``is_success``, ``doors``, ``cards_left`` and ``turns``. Both get every reward, and both
    end together.

    Parameters
    ----------
    talk, render_mode, reward, illegal_action, layout, partner_action, **rule_options
        As for :class:`~onirim_env.coop.raw_env`. To wait when it is one's turn, and to do anything else when
        it is not, are illegal actions.
    observation_key, mask_key, mask_dtype
        As for :class:`~onirim_env.wrappers.MaskInObservation`.

    Attributes
    ----------
    wait : int
        The id of waiting: the number of actions of the game.
    """

    metadata = {"name": "onirim_coop_v0", "render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        talk: str = "open",
        render_mode: str | None = None,
        reward: str = "win",
        illegal_action: str = "lose",
        layout: str = "own",
        partner_action: bool = False,
        observation_key: str = KEYS[0],
        mask_key: str = KEYS[1],
        mask_dtype: Any = "int8",
        **rule_options: Any,
    ) -> None:
        self._keys = check_keys(observation_key, mask_key)
        self._dtype = check_mask_dtype(mask_dtype)
        options = {"players": len(AGENTS), **rule_options}
        read_rules(parallel_env, options)
        self._turns = raw_env(
            talk=talk,
            render_mode=render_mode,
            reward=reward,
            illegal_action=illegal_action,
            layout=layout,
            partner_action=partner_action,
            **options,
        )
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.wait = int(self._turns.action_space(AGENTS[0]).n)
        seen = {agent: self._turns.observation_space(agent)["observation"] for agent in AGENTS}
        self.observation_spaces = {
            agent: masked_space(seen[agent], self.wait + 1, *self._keys, self._dtype) for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(self.wait + 1) for agent in AGENTS}
        self.state_space = self._turns.state_space

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the observation space of an agent, the same object at every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the action space of an agent, the same object at every call."""
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, dict[str, np.ndarray]], dict[str, dict[str, Any]]]:
        """Deal a game, or set up ``options["position"]``.

        Returns
        -------
        observations, infos : dict
            Of each agent.
        """
        self._turns.reset(seed=seed, options=options)
        self.agents = list(AGENTS)
        return self._seen()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[
        dict[str, dict[str, np.ndarray]],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Take the decision of the player to move, while the other one waits.

        Parameters
        ----------
        actions
            An id for each agent. After the end there are no agents, and it is empty.

        Returns
        -------
        observations, rewards, terminations, truncations, infos : dict
            Of each agent.

        Raises
        ------
        ValueError
            When the action of an agent is missing.
        gymnasium.error.InvalidAction
            For an action outside the space.
        IllegalAction
            For one that is not legal, with ``illegal_action="raise"``.
        """
        if not self.agents:
            return {}, {}, {}, {}, {}
        chosen = {agent: self._action(actions, agent) for agent in AGENTS}
        mover = self._turns.agent_selection
        waiting = AGENTS[1 - AGENTS.index(mover)]
        if chosen[waiting] != self.wait:
            why = f"{waiting} is not to move and can only wait (action {self.wait}), not {chosen[waiting]}"
            self._turns.forfeit(chosen[waiting], why)
        elif chosen[mover] == self.wait:
            self._turns.forfeit(self.wait, f"{mover} is to move and cannot wait (action {self.wait})")
        else:
            self._turns.step(chosen[mover])
        observations, infos = self._seen()
        rewards = dict(self._turns.rewards)
        terminations, truncations = dict(self._turns.terminations), dict(self._turns.truncations)
        if all(terminations.values()):
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _action(self, actions: Mapping[str, Any], agent: str) -> int:
        """Return the action of an agent as an id of the space."""
        if agent not in actions:
            raise ValueError(f"actions must have one for each of {', '.join(AGENTS)}, not {quoted(actions)}")
        try:
            number = index(actions[agent])
        except TypeError:
            number = -1
        if not 0 <= number <= self.wait:
            raise InvalidAction(
                f"action {quoted(actions[agent])} of {agent} is outside the space; ids are 0 to {self.wait}"
            )
        return number

    def _seen(self) -> tuple[dict[str, dict[str, np.ndarray]], dict[str, dict[str, Any]]]:
        """Return what each agent sees, and its info."""
        observations, infos = {}, {}
        over = any(self._turns.terminations.values())
        for agent in AGENTS:
            seen = self._turns.observe(agent)
            waits = over or agent != self._turns.agent_selection
            mask = np.append(seen["action_mask"], np.int8(waits))
            observations[agent] = {
                self._keys[0]: seen["observation"],
                self._keys[1]: mask.astype(self._dtype),
            }
            infos[agent] = {**self._turns.infos[agent], "action_mask": mask}
        return observations, infos

    def state(self) -> np.ndarray:
        """Return what both players know together; see ``raw_env.state``."""
        return self._turns.state()

    @property
    def game(self) -> Game:
        """A copy of the game as it stands, with its record."""
        return self._turns.game

    def render(self) -> Any:
        """Show the game as the agent to move sees it; see ``OnirimEnv.render``."""
        return self._turns.render()

    def close(self) -> None:
        """Close the window of mode ``"human"``."""
        self._turns.close()

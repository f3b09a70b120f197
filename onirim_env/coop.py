"""The two-player co-op game as a PettingZoo AEC environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from onirim_env.buffers import own_arrays
from onirim_env.env import RENDER_MODES, OnirimEnv
from onirim_env.keywords import read_rules

if TYPE_CHECKING:
    from onirim_env.game import Game

AGENTS = ("player_0", "player_1")
_NO_OPTIONS = ("options",)
"""PettingZoo's own tests reset every environment with ``{"options": 1}``, which says nothing."""


def env(**options: Any) -> Any:
    """Return the environment in PettingZoo's own wrappers: illegal moves, bounds, order of calls.

    An illegal action then ends the game for both, the offender with reward -1.

    Parameters
    ----------
    **options
        As for :class:`raw_env`.
    """
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):  # type: ignore[misc,type-arg]  # noqa: N801  PettingZoo names it so
    """Two players who escape together, each decision in turn, without wrappers.

    Agents are ``player_0``, who begins, and ``player_1``. Every decision of the player to move
    (draft, play, discard, swap, Prophecy, Door, Nightmare) is one step of that agent, so an agent
    may have several steps in a row. Both get every reward, and both end together.

    ``observe(agent)`` works for either agent at any time: ``{"observation": float32 of
    observation_layout(rules), "action_mask": int8}``. The mask is the true one for the agent to
    move and zeros for the other; ``infos[agent]`` has it too. At the end ``infos`` also has
    ``won``, ``is_success``, ``doors``, ``cards_left`` and ``turns``.

    Parameters
    ----------
    talk
        ``"open"``: each player sees the partner's hand and what the partner saw of the deck.
        ``"closed"``: neither; only cards that were drafted, swapped in or known before are shown.
    render_mode
        As for :class:`~onirim_env.env.OnirimEnv`: ``"human"``, ``"rgb_array"``, ``"ansi"`` or None.
        All show what the agent to move may know: in closed talk the partner's hidden cards by
        their backs.
    reward, illegal_action, layout, partner_action, **rule_options
        As for :class:`~onirim_env.env.OnirimEnv`. Under ``illegal_action="lose"`` both get -1.
    """

    metadata = {
        "name": "onirim_coop_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        talk: str = "open",
        render_mode: str | None = None,
        reward: str = "win",
        illegal_action: str = "lose",
        layout: str = "own",
        partner_action: bool = False,
        **rule_options: Any,
    ) -> None:
        super().__init__()
        options = {"players": len(AGENTS), **rule_options}
        read_rules(raw_env, options)  # so that a keyword is refused with those of this class
        self._env = OnirimEnv(
            render_mode=render_mode,
            reward=reward,
            illegal_action=illegal_action,
            talk=talk,
            layout=layout,
            partner_action=partner_action,
            **options,
        )
        if self._env.rules.players != len(AGENTS):
            raise ValueError(
                f"players cannot be {self._env.rules.players}; this is the game for {len(AGENTS)}"
            )
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
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
            for agent in AGENTS
        }
        self.action_spaces = {agent: spaces.Discrete(n_actions) for agent in AGENTS}
        low, high = (np.tile(bound, len(AGENTS)) for bound in (observation_space.low, observation_space.high))  # type: ignore[attr-defined]
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
        """Deal a game, or set up ``options["position"]``; see ``OnirimEnv.reset``."""
        if isinstance(options, Mapping):
            options = {name: value for name, value in options.items() if name not in _NO_OPTIONS}
        observation, info = self._env.reset(seed=seed, options=options)
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
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
        """Lose the game for both, for what somebody did beside it; see ``OnirimEnv.forfeit``."""
        self._go_on(*self._env.forfeit(action, why))

    def _go_on(
        self, observation: np.ndarray, reward: float, terminated: bool, _: bool, info: dict[str, Any]
    ) -> None:
        """Note what a decision of the agent to move brought."""
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        if reward != self.rewards[agent]:
            self.rewards = dict.fromkeys(AGENTS, reward)
        if reward:
            self._accumulate_rewards()
        if terminated:
            self.terminations = dict.fromkeys(AGENTS, True)
        self._take_turn(observation, info)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(own_arrays(state))

    def _take_turn(self, observation: np.ndarray, info: dict[str, Any]) -> None:
        """Note who is to decide, and what that agent sees and may do."""
        player = info.pop("player")
        self.agent_selection = AGENTS[player]
        self._seen, self._mask = observation, info.pop("action_mask")
        if self.terminations[self.agent_selection]:
            self._mask = self._no_action
        masks = self._mask.copy(), self._no_action.copy()
        self.infos = {
            AGENTS[player]: {"action_mask": masks[0], **info},
            AGENTS[1 - player]: {"action_mask": masks[1], **info},
        }

    def action_mask(self, agent: str) -> np.ndarray:
        """Return the legal actions of an agent: int8, shape (n_actions,), a new array."""
        return (self._mask if agent == self.agent_selection else self._no_action).copy()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Return what an agent may know, and its mask, in new arrays."""
        if agent == self.agent_selection and self._seen is not None:
            observation = self._seen.copy()
        else:
            observation = self._env.observe(AGENTS.index(agent))
        return {"observation": observation, "action_mask": self.action_mask(agent)}

    def state(self) -> np.ndarray:
        """Return what both players know together, for centralised training.

        Returns
        -------
        numpy.ndarray
            float32, shape (2 * observation size,): the observation of each player, in order.
        """
        return np.concatenate([self._env.observe(player) for player in range(len(AGENTS))])

    @property
    def game(self) -> Game:
        """A copy of the game as it stands, with its record."""
        return self._env.game

    def render(self) -> Any:
        """Show the game as the agent to move sees it; see ``OnirimEnv.render``."""
        return self._env.render()

    def close(self) -> None:
        """Close the window of mode ``"human"``."""
        self._env.close()

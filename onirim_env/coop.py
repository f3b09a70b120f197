"""The two-player co-op game as a PettingZoo AEC environment."""

from __future__ import annotations

from typing import Any

from pettingzoo.utils import wrappers

from onirim_env.env import RENDER_MODES, OnirimEnv
from onirim_env.game import Game
from onirim_env.keywords import read_rules
from onirim_env.shells.turns import TurnsShell

AGENTS = ("player_0", "player_1")


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


class raw_env(TurnsShell):  # noqa: N801  PettingZoo names it so
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
        options = {"players": len(AGENTS), **rule_options}
        read_rules(raw_env, options)  # so that a keyword is refused with those of this class
        env = OnirimEnv(
            render_mode=render_mode,
            reward=reward,
            illegal_action=illegal_action,
            talk=talk,
            layout=layout,
            partner_action=partner_action,
            **options,
        )
        if env.rules.players != len(AGENTS):
            raise ValueError(f"players cannot be {env.rules.players}; this is the game for {len(AGENTS)}")
        super().__init__(env, AGENTS)

    @property
    def game(self) -> Game:
        """A copy of the game as it stands, with its record."""
        game: Game = super().game
        return game

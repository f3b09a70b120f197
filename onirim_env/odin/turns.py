"""Odin as a PettingZoo environment: each decision in turn."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo.utils import wrappers

from onirim_env.odin.batch import OdinBatch
from onirim_env.odin.game import Game
from onirim_env.odin.render import RENDER_MODES, render_game
from onirim_env.odin.rules import RuleSet
from onirim_env.shells.keywords import read_rules
from onirim_env.shells.single import SingleShell
from onirim_env.shells.turns import TurnsShell


class _Table(SingleShell):
    """One game with the rewards of all seats."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    _render_game = staticmethod(render_game)

    def _add_end(self, info: dict[str, Any], action: int) -> None:
        super()._add_end(info, action)
        info["winners"] = np.flatnonzero(info["winners"]).tolist()


def env(**options: Any) -> Any:
    """Return the environment in PettingZoo's own wrappers: illegal moves, bounds, order of calls.

    An illegal action then ends the game for all, the offender with reward -1.

    Parameters
    ----------
    **options
        As for :class:`raw_env`.
    """
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(**options), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(TurnsShell):  # noqa: N801  PettingZoo names it so
    """Two to six players, each decision in turn, without wrappers.

    Agents are ``player_0`` to ``player_5``, as many as ``players``. Every decision (a lead, a play, a pass,
    each card of a play, the card to take) is one step of the agent to move, so an agent may have several
    steps in a row. All agents end together.

    ``observe(agent)`` works for every agent at any time: ``{"observation": float32 (673,), "action_mask":
    int8}``, the mask zeros for who is not to move. ``infos[agent]`` has it too, ``hand_points`` (int64, shape
    (players,)) after a step that ended a hand, and at the end ``winners`` (seats), ``points`` and ``hands``.

    Parameters
    ----------
    render_mode
        ``"ansi"`` or None: what the agent to move may know.
    reward, illegal_action
        As for :class:`~onirim_env.odin.env.OdinEnv`, for each agent.
    **rule_options
        Keywords of :class:`~onirim_env.odin.RuleSet`, such as ``players=4``.
    """

    metadata = {
        "name": "odin_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(
        self,
        render_mode: str | None = None,
        reward: str = "win",
        illegal_action: str = "lose",
        **rule_options: Any,
    ) -> None:
        rules = read_rules(raw_env, RuleSet, rule_options)
        table = _Table(OdinBatch(1, rules, reward, illegal_action), render_mode)
        super().__init__(table, [f"player_{seat}" for seat in range(rules.players)])

    @property
    def game(self) -> Game:
        """A copy of the game as it stands, with its record."""
        game: Game = super().game
        return game

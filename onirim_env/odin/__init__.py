"""Odin, a climbing and shedding game for two to six players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onirim_env.errors import IllegalAction, PositionError
from onirim_env.odin.actions import ActionTable
from onirim_env.odin.observation import observation_layout
from onirim_env.odin.rewards import final_rewards, hand_rewards
from onirim_env.odin.rules import RuleSet

if TYPE_CHECKING:
    from onirim_env.odin.game import Game

__all__ = [
    "ActionTable", "Game", "IllegalAction", "PositionError", "RuleSet", "final_rewards", "hand_rewards",
    "observation_layout",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import what needs the compiled engine only when it is asked for."""
    if name == "Game":
        from onirim_env.odin.game import Game

        return Game
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

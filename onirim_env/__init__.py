"""onirim_env: the card game Onirim for reinforcement learning.

``import onirim_env`` registers the environments with Gymnasium; numba is imported with the first
game or environment, not before.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from onirim_env.actions import ActionTable
from onirim_env.errors import IllegalAction, PositionError
from onirim_env.games import register_environments
from onirim_env.observation import observation_layout
from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from onirim_env.game import Game
    from onirim_env.game_length import max_decisions
    from onirim_env.sampling import MaskedSampler
    from onirim_env.warmup import warm_up

__version__ = "0.1.0"

__all__ = [
    "ActionTable",
    "Game",
    "IllegalAction",
    "MaskedSampler",
    "PositionError",
    "RuleSet",
    "max_decisions",
    "observation_layout",
    "warm_up",
]

register_environments()

_LAZY = {
    "Game": "game",
    "MaskedSampler": "sampling",
    "max_decisions": "game_length",
    "warm_up": "warmup",
}


# Type checkers read the imports above: they would believe this function that every name exists.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        if name in _LAZY:
            from importlib import import_module

            return getattr(import_module(f"onirim_env.{_LAZY[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])

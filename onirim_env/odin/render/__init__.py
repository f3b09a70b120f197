"""Showing a game of Odin: as text (``text.py``)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from onirim_env.odin.game import Game

RENDER_MODES = ("ansi",)


def render_game(game: Game, mode: str, last_action: str | None = None) -> Any:
    """Return a game as the player to move sees it.

    Parameters
    ----------
    game
        The game.
    mode
        ``"ansi"`` for a text.
    last_action
        Text of the action before.
    """
    from onirim_env.odin.render.text import render_text

    return render_text(game, last_action=last_action)

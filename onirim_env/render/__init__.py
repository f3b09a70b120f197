"""Showing a game: as text (``text.py``), as an image (``image.py``) and in a window (``window.py``)."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from gymnasium.error import DependencyNotInstalled

if TYPE_CHECKING:
    from onirim_env.game import Game


def require_pygame() -> None:
    """Raise Gymnasium's DependencyNotInstalled, which says what to install, where pygame is missing."""
    try:
        found = find_spec("pygame") is not None
    except ValueError:  # None in sys.modules
        found = False
    if not found:
        raise DependencyNotInstalled('pygame is not installed, run `pip install "onirim-env[render]"`')


def render_game(game: Game, mode: str, last_action: str | None = None) -> Any:
    """Return a game as the player to move sees it.

    Parameters
    ----------
    game
        The game.
    mode
        ``"rgb_array"`` for an image (uint8, shape (600, 800, 3)), ``"ansi"`` for a text.
    last_action
        Text of the action before, for the image.
    """
    if mode == "ansi":
        from onirim_env.render.text import render_text

        return render_text(game)
    require_pygame()
    from onirim_env.render.image import render_image

    return render_image(game, last_action=last_action)

"""Why an action cannot be taken, told to somebody who has typed its text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onirim_env.game import Game


def why_refused(game: Game, text: str) -> str:
    """Return in a few words why an action of the game's table is not legal now.

    Parameters
    ----------
    game
        The game.
    text
        The action's text.
    """
    return game.why_not(text) or "it is none of the choices"

"""The seven expansions of the plain model, each a class that hooks into the game at named points."""

from tests.model.expansions.book_of_steps import BookOfSteps
from tests.model.expansions.crossroads import Crossroads
from tests.model.expansions.dreamcatchers import Dreamcatchers
from tests.model.expansions.glyphs import Glyphs
from tests.model.expansions.looking import Looking
from tests.model.expansions.oniverse import Oniverse
from tests.model.expansions.premonitions import Premonitions
from tests.model.expansions.towers import Towers

#: The expansions in their fixed order.
EXPANSION_CLASSES = (BookOfSteps, Glyphs, Dreamcatchers, Towers, Premonitions, Crossroads, Oniverse)


def expansions_of(game, position):
    """The expansions that a game is played with, and what they need to look at the deck."""
    played = [
        expansion for expansion in EXPANSION_CLASSES if expansion.name in game.rules.get("expansions", [])
    ]
    return [expansion(game, position) for expansion in ([Looking, *played] if played else [])]

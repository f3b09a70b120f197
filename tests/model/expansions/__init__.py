"""The seven expansions of the plain model, each a module that hooks into the game at named points."""

from tests.model.expansions.book_of_steps import BookOfSteps
from tests.model.expansions.crossroads import Crossroads
from tests.model.expansions.dreamcatchers import Dreamcatchers
from tests.model.expansions.glyphs import Glyphs
from tests.model.expansions.looking import Looking
from tests.model.expansions.oniverse import Oniverse
from tests.model.expansions.premonitions import Premonitions
from tests.model.expansions.towers import Towers

#: The modules in their fixed order.
MODULES = (BookOfSteps, Glyphs, Dreamcatchers, Towers, Premonitions, Crossroads, Oniverse)


def modules_of(game, position):
    """The modules that a game is played with, and what they need to look at the deck."""
    played = [module for module in MODULES if module.name in game.rules.get("expansions", [])]
    return [module(game, position) for module in ([Looking, *played] if played else [])]

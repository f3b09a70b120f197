"""The seven expansions of the plain model, each a module that hooks into the game at named points."""

from tests.plain_modules.book_of_steps import BookOfSteps
from tests.plain_modules.crossroads import Crossroads
from tests.plain_modules.dreamcatchers import Dreamcatchers
from tests.plain_modules.glyphs import Glyphs
from tests.plain_modules.looking import Looking
from tests.plain_modules.oniverse import Oniverse
from tests.plain_modules.premonitions import Premonitions
from tests.plain_modules.towers import Towers

#: The modules in their fixed order.
MODULES = (BookOfSteps, Glyphs, Dreamcatchers, Towers, Premonitions, Crossroads, Oniverse)


def modules_of(game, position):
    """The modules that a game is played with, and what they need to look at the deck."""
    played = [module for module in MODULES if module.name in game.rules.get("expansions", [])]
    return [module(game, position) for module in ([Looking, *played] if played else [])]

"""What of the modules comes in at which point of the base rules.

A function here replaces the base rule of the same name that is marked ``@point``
(``onirim_env/engine/points.py``) in games with modules, or carries out what ``declared.py`` declares.
"""

from __future__ import annotations

from onirim_env.engine.modules.asking import asks  # noqa: F401
from onirim_env.engine.modules.cards import (
    COLOUR_OF,
    DOOR_KINDS,
    HAND_KINDS,
    LOCATION_KINDS,
    SYMBOL_OF,
    is_in,
)
from onirim_env.engine.modules.deck import forget_bottom, pool_start, take_over_bottom  # noqa: F401
from onirim_env.engine.modules.doors import (  # noqa: F401
    all_doors,
    can_keep,
    check_victory,
    gain_door,
    is_accepted,
    lose_door,
    progress,
    return_door,
)
from onirim_env.engine.modules.flow import nightmare_paid, pay_hand, refill  # noqa: F401
from onirim_env.engine.modules.hiding import add_hidden, sees_deck, take_hidden, take_removed  # noqa: F401
from onirim_env.engine.modules.observe import card_entry, known_places, knows_deck, observe_more, observe_row  # noqa: F401
from onirim_env.engine.modules.phases import (  # noqa: F401
    after_discard,
    after_swap,
    apply_more,
    discard,
    list_more,
    play,
)
from onirim_env.engine.modules.series import (  # noqa: F401
    append,
    finish_search,
    list_series,
    playable_kinds,
    put_in_row,
    row_kinds,
    shuffle_after_search,
)
from onirim_env.engine.modules.setup import clear_modules, fill_deck  # noqa: F401


def colour_of(state, kind):
    """Return the colour of a card; Crossroads have one of their own."""
    return COLOUR_OF[kind]


def symbol_of(state, kind):
    """Return the symbol of a card."""
    return SYMBOL_OF[kind]


def joins_hand(state, kind):
    """Whether a drawn card joins a hand (F-2, TW-1, X-3)."""
    return is_in(kind, HAND_KINDS)


def is_location(state, kind):
    """Whether a revealed card is discarded as a Location; Dead Ends are not (X-5)."""
    return is_in(kind, LOCATION_KINDS)


def is_door(state, kind):
    """Whether a card is a Door."""
    return is_in(kind, DOOR_KINDS)


def door_kinds(state):
    """Return the set of kinds of Doors."""
    return DOOR_KINDS


def is_offered(state, action):
    """Whether an id is one of the action table."""
    return action >= 0

"""Rules that the files of expansions call, and that call expansions in turn.

They are only declared here, as points (``onirim_env/engine/points.py``), so that an expansion's file imports
no file that imports it; ``points.py`` says where each of them stands. For the same reason an expansion's file
takes what the base game has (``refill``, ``gain_door``, ``nightmare_paid``) from there.
"""

from __future__ import annotations

from onirim_env.engine.points import point

NOT_MINE, DONE, GO_ON = range(3)
"""What ``apply`` of an expansion's file returns: the action is none of the expansion's; nothing is left to
do, since the player is asked, the game is over, or a rule has been called that goes on; the turn goes on with
``refill``."""


@point
def is_accepted(state, door):
    """Whether a Door, if obtained now, is put in play (B-2)."""


@point
def lose_door(state, player, door):
    """Put a Door in play into Limbo (N-2, B-3)."""


@point
def check_victory(state):
    """End the game as won where every condition of victory holds; return whether that is so (W-1)."""


@point
def row_kinds(state, player):
    """Return the set of cards that may be put in a row at all, whatever its last card's symbol (X-7)."""


@point
def put_in_row(state, kind):
    """Put a card at the end of the own row, and go on."""


@point
def after_discard(state, kind):
    """Go on after a card has been discarded in phase 1."""


@point
def finish_search(state):
    """End a search, and go on."""


@point
def shuffle_after_search(state):
    """Shuffle the deck after a search, and go on."""

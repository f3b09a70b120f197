"""Crossroads and Dead Ends: series with a card of any colour."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import N_COLOURS, SERIES_LENGTH
from onirim_env.compiling.compile import rule
from onirim_env.engine.expansions.cards import ANY_COLOUR, COLOUR_OF, CROSSROAD_KEY, CROSSROAD_KINDS, is_in
from onirim_env.engine.expansions.codes import family, first_of
from onirim_env.engine.expansions.declared import DONE, GO_ON, NOT_MINE
from onirim_env.engine.expansions.effects import take_new_hand
from onirim_env.engine.expansions.state import HARD_CROSSROADS, SERIES_RESTART
from onirim_env.engine.hand import discard_from, kinds_in
from onirim_env.engine.listing import list_code
from onirim_env.engine.nightmare import nightmare_paid
from onirim_env.engine.row import row_place
from onirim_env.engine.state import SHARED
from onirim_env.observation import MORE_STARTS

ESCAPE = family("ESCAPE")
NIGHTMARE_KEY, NIGHTMARE_KEY_SHARED = family("NIGHTMARE_KEY"), family("NIGHTMARE_KEY_SHARED")
OPEN_WITH, OPEN_WITH_SHARED = family("OPEN_WITH"), family("OPEN_WITH_SHARED")
PENDING, PARTNER_PENDING = MORE_STARTS["pending"], MORE_STARTS["partner_pending"]


@rule
def clear(state):
    """Empty the zones of this expansion."""
    state.used[:] = 0


@rule
def colour_at(state, player, index):
    """Return the colour of a card of a row."""
    return COLOUR_OF[state.row[row_place(state, player, index)]]


@rule
def may_be_series(state, player, first, last):
    """Whether the cards of a row from ``first`` to before ``last`` can belong to one series (X-1)."""
    colour, crossroads = ANY_COLOUR, 0
    for index in range(first, last):
        own = colour_at(state, player, index)
        if own == ANY_COLOUR:
            crossroads += 1
        elif colour == ANY_COLOUR:
            colour = own
        elif own != colour:
            return False
    return crossroads <= 1


@rule
def restarts(state):
    """Whether a colour conflict begins a new series: by O-37, or since a Crossroad counts for one (X-7)."""
    return state.rules & (SERIES_RESTART | HARD_CROSSROADS) != 0


@rule
def note_card(state, player):
    """Count the card just put in a row (O-37, X-7); return whether it completes a series."""
    size = np.int64(state.row_size[player])
    if restarts(state) and not may_be_series(state, player, np.int64(state.used[player]), size):
        state.used[player] = size - 1
        return False
    if size - state.used[player] >= SERIES_LENGTH and may_be_series(
        state, player, size - SERIES_LENGTH, size
    ):
        state.used[player] = size
        return True
    return False


@rule
def may_play_crossroad(state, player):
    """Whether a Crossroad may be put in a row: hard, as the second card of a series only (X-7, O-38)."""
    if state.rules & HARD_CROSSROADS == 0:
        return True
    size = np.int64(state.row_size[player])
    return size - state.used[player] == 1 and colour_at(state, player, size - 1) != ANY_COLOUR


@rule
def shorten(state, player):
    """Note that cards have left the end of a row."""
    state.used[player] = min(state.used[player], state.row_size[player])


@rule
def barred_kinds(state, player):
    """Return the set of cards of this expansion that may not be put in a row now (X-7)."""
    return 0 if may_play_crossroad(state, player) else CROSSROAD_KINDS


@rule
def list_escape(state, legal):
    """List the escape of phase 1 (X-4)."""
    list_code(ESCAPE, legal)


@rule
def list_nightmare(state, player, legal):
    """List the Crossroad Keys that resolve a Nightmare (N-1)."""
    list_key(state, player, NIGHTMARE_KEY, legal)
    list_key(state, SHARED, NIGHTMARE_KEY_SHARED, legal)


@rule
def list_door(state, player, legal):
    """List the Crossroad Keys that open a drawn Door (X-2)."""
    list_key(state, player, OPEN_WITH, legal)
    list_key(state, SHARED, OPEN_WITH_SHARED, legal)


@rule
def list_key(state, hand, first, legal):
    """List ``first`` + the kind of the Crossroad Key where a hand holds one."""
    if is_in(CROSSROAD_KEY, kinds_in(state, hand)):
        list_code(first + CROSSROAD_KEY, legal)


@rule
def apply(state, code):
    """Carry out an action of this expansion; return what follows (``declared.py``)."""
    verb = first_of(code)
    if verb == ESCAPE:
        state.acted = 1
        return GO_ON if take_new_hand(state) else DONE
    if verb == NIGHTMARE_KEY or verb == NIGHTMARE_KEY_SHARED:
        hand = SHARED if verb == NIGHTMARE_KEY_SHARED else np.int64(state.player)
        discard_from(state, hand, CROSSROAD_KEY)
        nightmare_paid(state)
        return DONE
    return NOT_MINE


@rule
def observe_row(state, player, own, out, row):
    """Write the colours of the last two cards of a row that serve in no series yet."""
    first = PENDING if own else PARTNER_PENDING
    for back in range(2):
        index = np.int64(state.row_size[player]) - 1 - back
        if index >= state.used[player]:
            out[row, first + back * (N_COLOURS + 1) + colour_at(state, player, index)] = 1.0

"""What several expansions, or the files that they share, do in the same way."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, NIGHTMARE, NO_CARD
from onirim_env.compiling.compile import rule
from onirim_env.engine.doors import can_keep, gain_door
from onirim_env.engine.expansions.cards import door_of, kind_of_door
from onirim_env.engine.expansions.deck import take_out
from onirim_env.engine.expansions.declared import DONE, GO_ON, finish_search, is_accepted
from onirim_env.engine.hand import discard_all, discard_from
from onirim_env.engine.state import SHARED
from onirim_env.engine.turn import end_turn, redraw


@rule
def open_with(state, hand, key):
    """Spend another Key on the drawn Door; return what follows."""
    door = door_of(np.int64(state.drawn))
    state.drawn = NO_CARD
    discard_from(state, hand, key)
    return DONE if gain_door(state, door) else GO_ON


@rule
def end_nightmare(state, to_limbo):
    """Lay the Nightmare aside."""
    if to_limbo:
        state.limbo[NIGHTMARE - FIRST_DOOR] += 1
    else:
        state.discard[NIGHTMARE] += 1
    state.drawn = NO_CARD


@rule
def take_new_hand(state):
    """Discard the whole hand and draw a new one as at set-up (N-4, X-4); return False where that loses."""
    discard_all(state, np.int64(state.player))
    discard_all(state, SHARED)
    return redraw(state)


@rule
def finish_turn(state):
    """End the turn; nothing is done in the next one yet (O-41, O-42)."""
    state.acted = 0
    state.begun = 0
    end_turn(state)


@rule
def is_found(state, door):
    """Whether a search finds a Door that is then put in play."""
    return state.deck_count[kind_of_door(door)] > 0 and can_keep(state, door) and is_accepted(state, door)


@rule
def search_for(state, door):
    """Search the deck for a Door, and end the search, found or not (P-2, O-6)."""
    kind = np.int64(kind_of_door(door))
    if state.deck_count[kind] > 0:
        take_out(state, kind)
        gain_from_search(state, door)
    else:
        finish_search(state)


@rule
def gain_from_search(state, door):
    """Gain a Door that a search has found, and end the search."""
    if not gain_door(state, door):
        finish_search(state)

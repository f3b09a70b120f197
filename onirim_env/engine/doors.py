"""Doors: gaining them by series and Keys, losing them, and the victory (P-2, F-3, C-8, W-1)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import (
    DOORS_PER_COLOUR,
    FIRST_DOOR,
    KEY,
    MAX_PLAYERS,
    N_COLOURS,
    N_DOORS,
    N_SYMBOLS,
    NO_CARD,
)
from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import take_from_deck
from onirim_env.engine.hand import discard_from, find
from onirim_env.engine.points import point
from onirim_env.engine.row import last_card
from onirim_env.engine.state import AUTOMATIC_KEY, DUPLICATE_KEPT, PHASE_DOOR, PHASE_WON, SHARED, TWO_PLAYERS


@rule
def key_of(colour):
    """Return the kind of the Key of a colour."""
    return colour * N_SYMBOLS + KEY


@point
def all_doors(state):
    """Whether the Doors in play win: all eight alone (W-1), one of each colour for each of two (C-8)."""
    for colour in range(N_COLOURS):
        if state.rules & TWO_PLAYERS:
            if state.doors[0, colour] == 0 or state.doors[1, colour] == 0:
                return False
        elif state.doors[0, colour] < DOORS_PER_COLOUR:
            return False
    return True


@point
def progress(state):
    """Return the share of what victory needs that is in place (W-1, C-8)."""
    doors = 0
    for player in range(MAX_PLAYERS):
        for colour in range(N_COLOURS):
            doors += state.doors[player, colour]
    return doors / N_DOORS


@point
def can_keep(state, door):
    """Whether the player to move gains anything from a Door (O-20)."""
    if state.rules & TWO_PLAYERS and state.rules & DUPLICATE_KEPT == 0:
        return state.doors[state.player, door] == 0
    return True


@point
def gain_door(state, door):
    """Put a Door in play before the player to move; return whether that wins (W-1)."""
    state.doors[state.player, door] += 1
    if all_doors(state):
        state.phase = PHASE_WON
        return True
    return False


@rule
def series_colour(state):
    """Return the colour of the last card in the row of the player to move."""
    return last_card(state, state.player) // N_SYMBOLS


@rule
def search_door(state, colour):
    """Search the deck for a Door of a colour, gain it, shuffle (P-2); return whether that wins.

    The deck must hold such a Door.
    """
    take_from_deck(state, FIRST_DOOR + colour)
    return gain_door(state, colour)


@rule
def meet_door(state, kind):
    """Deal with a drawn Door (F-3); return whether the refill has to stop for it.

    It stops for a decision of the player, and for a victory.
    """
    colour = kind - FIRST_DOOR
    key = key_of(colour)
    personal = find(state, state.player, key) >= 0
    shared = find(state, SHARED, key) >= 0
    if not (personal or shared) or not can_keep(state, colour):
        state.limbo[colour] += 1
        return False
    state.drawn = kind
    if state.rules & AUTOMATIC_KEY:
        return open_door(state, np.int64(state.player) if personal else SHARED)
    state.phase = PHASE_DOOR
    return True


@rule
def open_door(state, hand):
    """Spend a Key of a hand on the drawn Door (F-3, F-6); return whether that wins."""
    colour = state.drawn - FIRST_DOOR
    discard_from(state, hand, key_of(colour))
    state.drawn = NO_CARD
    return gain_door(state, colour)


@rule
def refuse_door(state):
    """Leave the drawn Door in Limbo (F-3)."""
    state.limbo[state.drawn - FIRST_DOOR] += 1
    state.drawn = NO_CARD


@point
def return_door(state, door):
    """Put an own Door in play into Limbo (N-2, C-13)."""
    state.doors[state.player, door] -= 1
    state.limbo[door] += 1

"""Doors in games with expansions: gaining, losing, keeping them, and the victory."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, KEY, MAX_PLAYERS, N_COLOURS, N_SYMBOLS
from onirim_env.compiling.compile import rule
from onirim_env.engine.expansions import book_of_steps, dreamcatchers, towers
from onirim_env.engine.expansions.cards import kind_of_door
from onirim_env.engine.expansions.glyphs import doors_of_colour
from onirim_env.engine.expansions.state import BOOK, CATCHING, ONIVERSE, ONIVERSE_DOOR, TOWERS
from onirim_env.engine.state import DUPLICATE_KEPT, PHASE_WON, TWO_PLAYERS
from onirim_env.expansions.dreamcatchers import LOST_DREAMS


@rule
def all_doors(state):
    """Whether all Doors are in play, in co-op with each colour before both players (G-2, O-46, O-D2)."""
    number = 0
    for player in range(MAX_PLAYERS if state.rules & TWO_PLAYERS else 1):
        for colour in range(N_COLOURS):
            if state.doors[player, colour] == 0:
                return False
            number += state.doors[player, colour]
        number += state.doors[player, ONIVERSE_DOOR]
    wanted = N_COLOURS * doors_of_colour(state)
    return number == wanted + (1 if state.rules & ONIVERSE else 0)


@rule
def check_victory(state):
    """End the game as won where every condition of victory holds; return whether that is so (W-1)."""
    if not all_doors(state) or not allow_victory(state):
        return False
    state.phase = PHASE_WON
    return True


@rule
def allow_victory(state):
    """Whether each expansion's own condition of victory holds."""
    if state.rules & CATCHING and not dreamcatchers.allows_victory(state):
        return False
    return state.rules & TOWERS == 0 or towers.allows_victory(state)


@rule
def progress(state):
    """Return the share of what victory needs that is in place: Doors, Towers in line, Lost Dreams."""
    wanted = N_COLOURS * doors_of_colour(state) + (1 if state.rules & ONIVERSE else 0)
    has = 0
    for player in range(MAX_PLAYERS):
        for door in range(state.doors.shape[1]):
            has += state.doors[player, door]
    if state.rules & CATCHING:
        wanted += LOST_DREAMS
        has += min(LOST_DREAMS, dreamcatchers.caught_dreams(state))
    if state.rules & TOWERS:
        wanted += towers.ALIGNED
        has += towers.longest_line(state)
    return has / wanted


@rule
def can_keep(state, door):
    """Whether a Door is of use to the player to move (O-20, O-46)."""
    if state.rules & TWO_PLAYERS == 0 or state.rules & DUPLICATE_KEPT:
        return True
    useful = 1 if door == ONIVERSE_DOOR else doors_of_colour(state) - 1
    return state.doors[state.player, door] < useful


@rule
def is_accepted(state, door):
    """Whether a Door, if obtained now, is put in play (B-2)."""
    return state.rules & BOOK == 0 or book_of_steps.accepts(state, door)


@rule
def gain_door(state, door):
    """Put a Door in play, or in Limbo where its turn has not come (B-2); return whether that wins."""
    if not is_accepted(state, door):
        state.limbo[kind_of_door(door) - FIRST_DOOR] += 1
        return False
    state.doors[state.player, door] += 1
    if state.rules & BOOK:
        book_of_steps.close_goal(state)
    return check_victory(state)


@rule
def lose_door(state, player, door):
    """Put a Door in play into Limbo (N-2, B-3)."""
    state.doors[player, door] -= 1
    state.limbo[kind_of_door(door) - FIRST_DOOR] += 1
    if state.rules & BOOK:
        book_of_steps.open_goal(state, door)


@rule
def return_door(state, door):
    """Put an own Door in play into Limbo (N-2, C-13)."""
    lose_door(state, np.int64(state.player), door)


@rule
def key_of_door(door):
    """Return the kind of the Key of a Door's colour, or -1 for the Oniverse Door."""
    return -1 if door == ONIVERSE_DOOR else door * N_SYMBOLS + KEY

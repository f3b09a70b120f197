"""The simple policy: of all turns the one that leaves the best hand."""

from __future__ import annotations

import numpy as np

from agents.odin.compiled.hands import list_plays
from onirim_env.compiling.bits import count_ones, lowest_one
from onirim_env.compiling.compile import kernel, rule
from onirim_env.compiling.rng import GAMMA, mix
from onirim_env.odin.actions import END, FIRST_TAKE, PASS, PLAY_GOAT, TAKE_GOAT, first_whole
from onirim_env.odin.cards import GOAT
from onirim_env.odin.engine.sets import first_in_order
from onirim_env.odin.engine.state import NO_CARDS, PHASE_TAKE, WHOLE_PLAYS, WITH_GOAT

_FIRST_WHOLE = first_whole(False)
_FIRST_WHOLE_WITH_GOAT = first_whole(True)
_EQUAL = 1e-9


@rule
def best_play(room, n, number):
    """Return the place of the turn that costs least, one of the best by a 64-bit random number."""
    best = room.plays[0].cost
    for index in range(1, n):
        best = min(best, room.plays[index].cost)
    n_best = 0
    for index in range(n):
        n_best += room.plays[index].cost <= best + _EQUAL
    left = np.int64(((number >> np.uint64(32)) * np.uint64(n_best)) >> np.uint64(32))
    for index in range(n):
        if room.plays[index].cost <= best + _EQUAL:
            if left == 0:
                return index
            left -= 1
    return 0


@rule
def action_of(state, play, wholes):
    """Return the next action with which a turn is carried out."""
    if state.phase == PHASE_TAKE:
        card = lowest_one(play.taken)
        return TAKE_GOAT if card == GOAT else FIRST_TAKE + card
    if play.cards == NO_CARDS:
        return PASS
    if state.options & WHOLE_PLAYS and count_ones(play.cards) > 1:
        first = _FIRST_WHOLE_WITH_GOAT if state.options & WITH_GOAT else _FIRST_WHOLE
        for index in range(wholes.shape[0]):
            if wholes[index] == play.cards:
                return first + index
    left = play.cards & ~state.chosen
    if left == NO_CARDS:
        return END
    card = lowest_one(first_in_order(left if state.chosen != NO_CARDS else play.cards))
    return PLAY_GOAT if card == GOAT else card


@rule
def simple_action(state, wholes, room, number):
    """Return what the simple policy does in a game, ties by a 64-bit random number."""
    n = list_plays(state, room)
    return np.int64(action_of(state, room.plays[best_play(room, n, number)], wholes))


@kernel
def simple_actions(states, wholes, room, randoms, actions):
    """Decide in each game.

    Parameters
    ----------
    room
        One record of :data:`agents.odin.compiled.hands.ROOM`, shape (1,).
    randoms
        uint64, shape (n,): the state of a generator for each game, advanced.
    actions
        int64, shape (n,), written.
    """
    for i in range(states.shape[0]):
        randoms[i] = randoms[i] + GAMMA
        actions[i] = simple_action(states[i], wholes, room[0], mix(randoms[i]))

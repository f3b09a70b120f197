"""Flat Monte Carlo: the best turns of the simple policy, each followed by playouts to the end of the hand."""

from __future__ import annotations

import numpy as np

from agents.odin.compiled.hands import list_plays
from agents.odin.compiled.simple import action_of, simple_action
from onirim_env.compiling.compile import kernel, rule
from onirim_env.compiling.rng import GAMMA, mix
from onirim_env.odin.engine.hidden import determinize
from onirim_env.odin.engine.state import PHASE_ADD, PHASE_TAKE
from onirim_env.odin.engine.step import apply


@rule
def bring_forward(room, n, most):
    """Put the turns that cost least first, so many of them; return how many there are."""
    kept = min(n, most)
    for place in range(kept):
        best = place
        for index in range(place + 1, n):
            if room.plays[index].cost < room.plays[best].cost:
                best = index
        cards, taken, cost = room.plays[place].cards, room.plays[place].taken, room.plays[place].cost
        room.plays[place].cards = room.plays[best].cards
        room.plays[place].taken = room.plays[best].taken
        room.plays[place].cost = room.plays[best].cost
        room.plays[best].cards = cards
        room.plays[best].taken = taken
        room.plays[best].cost = cost
    return kept


@rule
def carry_out(state, play, wholes):
    """Carry out a whole turn of the player to move."""
    player = state.player
    apply(state, action_of(state, play, wholes), wholes)
    while not state.hand_ended and state.player == player and (
        state.phase == PHASE_ADD or state.phase == PHASE_TAKE
    ):  # fmt: skip
        apply(state, action_of(state, play, wholes), wholes)


@rule
def play_out(state, wholes, room, number):
    """Let the simple policy play for all until the hand ends."""
    while not state.hand_ended:
        number = number + GAMMA
        apply(state, simple_action(state, wholes, room, mix(number)), wholes)


@rule
def gain(state, player):
    """Return the mean points of the others in the hand that has ended, less the player's own."""
    others = 0
    for other in range(state.players):
        if other != player:
            others += state.hand_points[other]
    return others / (state.players - 1) - state.hand_points[player]


@rule
def search_action(states, i, wholes, rooms, work, gains, playouts, candidates, number):
    """Return what the search does in game i of some states."""
    room = rooms[0]
    n = bring_forward(room, list_plays(states[i], room), candidates)
    player = np.int64(states[i].player)
    for index in range(n):
        gains[index] = 0.0
    for _ in range(playouts if n > 1 else 0):
        number = number + GAMMA
        work[0] = states[i]
        determinize(work[0], player, mix(number))
        for index in range(n):
            work[1] = work[0]
            carry_out(work[1], room.plays[index], wholes)
            play_out(work[1], wholes, rooms[1], number)
            gains[index] += gain(work[1], player)
    best = 0
    for index in range(1, n):
        if gains[index] > gains[best]:
            best = index
    return np.int64(action_of(states[i], room.plays[best], wholes))


@kernel
def search_actions(states, wholes, rooms, work, gains, playouts, candidates, randoms, actions):
    """Decide in each game.

    Parameters
    ----------
    rooms, work
        Two records of :data:`agents.odin.compiled.hands.ROOM` and two of a game, written.
    gains
        float64, shape (candidates,), written.
    playouts, candidates
        Playouts after each turn that is tried, and how many are.
    randoms
        uint64, shape (n,): the state of a generator for each game, advanced.
    actions
        int64, shape (n,), written.
    """
    for i in range(states.shape[0]):
        randoms[i] = randoms[i] + GAMMA
        number = mix(randoms[i])
        actions[i] = search_action(states, i, wholes, rooms, work, gains, playouts, candidates, number)

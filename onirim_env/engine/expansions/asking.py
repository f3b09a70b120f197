"""Whether a game that was not dealt could stand where it does: what the engine itself would have asked.

A game stops only where there is something to decide. Here the places at which it stops are asked the other
way round, for positions that are read.
"""

from __future__ import annotations

import numpy as np

from onirim_env.cards import SERIES_LENGTH
from onirim_env.compiling.compile import kernel, rule
from onirim_env.engine.doors import all_doors, can_keep
from onirim_env.engine.expansions import (
    book_of_steps,
    crossroads,
    denizens,
    dreamcatchers,
    glyphs,
    looking,
    oniverse,
    premonitions,
    towers,
)
from onirim_env.engine.expansions.cards import door_of
from onirim_env.engine.expansions.declared import is_accepted
from onirim_env.engine.expansions.doors import allow_victory, key_of_door
from onirim_env.engine.expansions.flow import can_open
from onirim_env.engine.expansions.series import finds_door, list_ways
from onirim_env.engine.expansions.state import CROSSROADS, HARD_TOWERS, ONE_IS_EMPTIED
from onirim_env.engine.listing import LEGAL
from onirim_env.engine.prophecy import kinds_to_place
from onirim_env.engine.state import (
    AUTOMATIC_KEY,
    CHOICE_OF_SEARCH,
    PHASE_DOOR,
    PHASE_PROPHECY_DISCARD,
    PHASE_PROPHECY_ORDER,
    PHASE_SERIES,
)


@rule
def has_choice(kinds):
    """Whether a set has two kinds or more."""
    return kinds & (kinds - 1) != 0


@rule
def ends_with_series(state, player):
    """Whether the last card of a row may have completed a series (P-2, X-1)."""
    size = np.int64(state.row_size[player])
    if size < SERIES_LENGTH:
        return False
    if state.rules & CROSSROADS:
        whole = crossroads.may_be_series(state, player, size - SERIES_LENGTH, size)
        return whole and state.used[player] == size
    return state.series[player] == SERIES_LENGTH


@rule
def asks_series(state):
    """Whether a series asks how it searches (O-6, D-7, O-D2)."""
    player = np.int64(state.player)
    if not ends_with_series(state, player):
        return False
    room = np.empty(1, LEGAL)
    ways = room[0]
    ways.n = 0
    list_ways(state, ways)
    if ways.n != 1 or state.rules & CHOICE_OF_SEARCH:
        return ways.n > 0
    return not finds_door(state, np.int64(ways.codes[0]))


@rule
def asks_door(state):
    """Whether a drawn Door asks for a Key (F-3, B-2, O-5, O-20)."""
    door = door_of(np.int64(state.drawn))
    if not can_keep(state, door) or not is_accepted(state, door) or not can_open(state, door):
        return False
    key = key_of_door(door)
    if state.rules & AUTOMATIC_KEY == 0 or key < 0:
        return True
    return denizens.whole_hand(state) >> key & 1 == 0


@rule
def asks_payment(state):
    """Whether a spell is being paid that does something, and there is a choice of cards (B-4)."""
    kinds, cards = book_of_steps.discarded_kinds(state)
    if state.to_pay < 1 or state.to_pay > book_of_steps.cost_of(state, state.spell):
        return False
    if cards <= state.to_pay or not has_choice(kinds):
        return False
    if state.spell == book_of_steps.PARADOXICAL_PROPHECY:
        return state.deck_size > 0
    return state.spell != book_of_steps.PARALLEL_PLANNING or n_movable(state) > 1


@rule
def n_movable(state):
    """Return how many Goals Parallel Planning may move (O-30)."""
    movable = 0
    for goal in range(state.n_goals):
        movable += 1 if book_of_steps.may_move(state, goal) else 0
    return movable


@rule
def asks_planning(state):
    """Whether there are Goals to change places: from the first one on that was chosen, if one was."""
    first = np.int64(state.swapped_goal)
    return n_movable(state) > 1 and (first < 0 or book_of_steps.may_move(state, first))


@rule
def asks_overload(state):
    """Whether Limbo asks for a Dreamcatcher to be given up (D-4, O-32)."""
    for catcher in range(state.n_catchers):
        if not dreamcatchers.is_occupied(state, catcher):
            return False
    return state.rules & ONE_IS_EMPTIED != 0 and dreamcatchers.n_offered(state) > 1


@rule
def asks_keys(state):
    """Whether there is a choice of Keys to discard from the deck (blue2)."""
    kinds, number = premonitions.keys_in_deck(state)
    met = premonitions.is_met(state, premonitions.BLUE2)
    return met and number > state.premonition_keys and has_choice(kinds)


@rule
def asks_looking(state):
    """Whether there is a choice among the cards that lie revealed; True for phases without them."""
    phase = state.phase
    if phase == PHASE_PROPHECY_DISCARD:
        return state.revealed > 0
    if phase == PHASE_PROPHECY_ORDER:
        return has_choice(kinds_to_place(state))
    if phase == looking.LOOK_ORDER or phase == looking.BOTTOM_ORDER:
        return has_choice(looking.looked_kinds(state))
    if phase == looking.LOOK_DISCARD or phase == book_of_steps.PARADOX:
        return state.looked_size > 0
    if phase == glyphs.INCANTATION:
        return glyphs.useful_doors(state) != 0
    return True


@rule
def asks_of_expansions(state):
    """Whether there is something to decide in a phase of one expansion; True for other phases."""
    phase = state.phase
    player = np.int64(state.player)
    if phase == book_of_steps.PAYMENT:
        return asks_payment(state)
    if phase == book_of_steps.PLANNING:
        return asks_planning(state)
    if phase == dreamcatchers.FREEING:
        return dreamcatchers.n_offered(state) > 0
    if phase == dreamcatchers.OVERLOAD:
        return asks_overload(state)
    if phase == towers.TOWER_LOSS:
        return state.n_towers > 0 and (state.rules & HARD_TOWERS != 0 or not towers.are_aligned(state, -1))
    if phase == premonitions.CHOICE:
        return has_choice(premonitions.met(state))
    if phase == premonitions.KEYS:
        return asks_keys(state)
    if phase == premonitions.DOOR:
        return premonitions.is_met(state, np.int64(state.premonition) - 1)
    if phase == premonitions.HAPPY_SEARCH:
        return state.deck_size > 0
    if phase == oniverse.DENIZEN:
        return denizens.whole_hand(state) & denizens.WITHOUT_DEAD_ENDS != 0
    if phase == denizens.ARCHITECT:
        return denizens.is_able(state, player, denizens.ARCHITECT_OF)
    if phase == denizens.GIVING or phase == denizens.TAKING:
        return denizens.is_able(state, player, denizens.CYCLOBOT)
    if phase == denizens.STORING:
        return denizens.has(state, denizens.TREASURE_KEEPER) and denizens.is_able(
            state, player, denizens.TREASURE_KEEPER
        )
    return True


@rule
def asks(state):
    """Whether the game would have stopped where it stands."""
    if state.phase == PHASE_SERIES:
        return asks_series(state)
    if state.phase == PHASE_DOOR:
        return asks_door(state)
    return asks_looking(state) and asks_of_expansions(state)


@kernel
def question_of(states):
    """Return whether a game (shape (1,)) would have stopped where it stands, and whether it is won."""
    state = states[0]
    return asks(state), all_doors(state) and allow_victory(state)

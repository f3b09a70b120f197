"""The Dreamcatchers: groups of cards from Limbo, the oldest first."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR
from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import shuffle
from onirim_env.engine.doors import can_keep
from onirim_env.engine.expansions.cards import LOST_DREAM, kind_of_door
from onirim_env.engine.expansions.codes import argument_of, family, first_of
from onirim_env.engine.expansions.deck import shuffle_in
from onirim_env.engine.expansions.declared import DONE, GO_ON, NOT_MINE, is_accepted, shuffle_after_search
from onirim_env.engine.expansions.denizens import CHROMATIC_CHAOS, has_chaos, use
from onirim_env.engine.expansions.effects import finish_turn, gain_from_search
from onirim_env.engine.expansions.state import (
    HARD_CATCHING,
    N_ALL_DOORS,
    ONE_IS_EMPTIED,
    ONIVERSE_DOOR,
    PHASE,
)
from onirim_env.engine.listing import list_code
from onirim_env.engine.state import PHASE_LOST
from onirim_env.expansions import N_ALL_KINDS
from onirim_env.expansions.dreamcatchers import BOOKS, CATCHERS, CHAOS_HALF, DOORS_OF_CATCHER, LOST_DREAMS
from onirim_env.observation import MORE_STARTS

FREEING, OVERLOAD = PHASE["free"], PHASE["overload"]
FREE, FAILSAFE, GIVE_UP = family("FREE"), family("FAILSAFE"), family("GIVE_UP")
FREE_NONE = FREE
TAKE_FROM = family("TAKE_FROM")
# Where its fields of an observation begin.
CATCHERS_AT, N_CATCHERS_AT = MORE_STARTS["catchers"], MORE_STARTS["n_catchers"]
BOOKS_AT, KEPT_AT = MORE_STARTS["books"], MORE_STARTS["kept"]


@rule
def clear(state):
    """Empty the zones of this expansion."""
    state.catchers[:] = 0
    state.n_catchers = 0
    state.books = 0
    state.kept = 0
    state.begun = 0


@rule
def set_catchers(state):
    """Lay out the Dreamcatchers and the Failsafe Books (D-1, D-10)."""
    state.n_catchers = CATCHERS
    state.books = 0 if state.rules & HARD_CATCHING else BOOKS


@rule
def is_occupied(state, catcher):
    """Whether cards lie under a Dreamcatcher."""
    for index in range(state.limbo.shape[0]):
        if state.catchers[catcher, index] > 0:
            return True
    return False


@rule
def are_equal(state, first, second):
    """Whether the same cards lie under two Dreamcatchers."""
    for index in range(state.limbo.shape[0]):
        if state.catchers[first, index] != state.catchers[second, index]:
            return False
    return True


@rule
def is_offered(state, catcher):
    """Whether a Dreamcatcher is one to choose: occupied, not kept, the first of those with equal cards."""
    if not is_occupied(state, catcher) or catcher + 1 == state.kept:
        return False
    for other in range(catcher):
        if other + 1 != state.kept and are_equal(state, other, catcher):
            return False
    return True


@rule
def n_offered(state):
    """Return how many Dreamcatchers there are to choose."""
    number = 0
    for catcher in range(state.n_catchers):
        number += is_offered(state, catcher)
    return number


@rule
def list_offered(state, first, legal):
    """List ``first`` + number for each Dreamcatcher to choose."""
    for catcher in range(state.n_catchers):
        if is_offered(state, catcher):
            list_code(first + catcher + 1, legal)


@rule
def caught_dreams(state):
    """Return how many Lost Dreams lie under Dreamcatchers (D-9)."""
    dreams = 0
    for catcher in range(state.n_catchers):
        dreams += state.catchers[catcher, LOST_DREAM - FIRST_DOOR]
    return dreams


@rule
def allows_victory(state):
    """Whether enough Lost Dreams are caught to win the game (D-9)."""
    return caught_dreams(state) >= LOST_DREAMS


@rule
def meets(state, kind):
    """Deal with a drawn Dream if it is a Lost Dream (D-2); return whether the player is asked."""
    if kind == LOST_DREAM:
        state.limbo[kind - FIRST_DOOR] += 1
    return False


@rule
def close_gap(state, catcher):
    """Move an empty Dreamcatcher behind the occupied ones."""
    for place in range(catcher, state.n_catchers - 1):
        for index in range(state.limbo.shape[0]):
            state.catchers[place, index] = state.catchers[place + 1, index]
            state.catchers[place + 1, index] = 0


@rule
def free(state, catcher):
    """Shuffle the cards under a Dreamcatcher into the deck (D-6, D-8)."""
    shuffle_in(state, state.catchers[catcher])
    close_gap(state, catcher)


@rule
def take_from(state, catcher, kind):
    """Take a Door from under a Dreamcatcher (D-7), which this search does not free then."""
    state.catchers[catcher, kind - FIRST_DOOR] -= 1
    state.kept = 0
    if is_occupied(state, catcher):
        state.kept = catcher + 1
    else:
        close_gap(state, catcher)


@rule
def asks_to_free(state):
    """Ask which Dreamcatcher to free before the shuffle after a search (D-6); return whether there is one."""
    if n_offered(state) == 0:
        state.kept = 0
        return False
    state.phase = FREEING
    return True


@rule
def give_up(state, catcher):
    """Lose a Dreamcatcher; it, or all, are emptied with Limbo (D-4, O-32). The last one is the game (D-5)."""
    one = state.rules & ONE_IS_EMPTIED != 0
    shuffle(state)
    for other in range(state.n_catchers):
        if other == catcher or not one:
            shuffle_in(state, state.catchers[other])
    if one:
        close_gap(state, catcher)
    shuffle_in(state, state.limbo)
    state.n_catchers -= 1
    if state.n_catchers == 0:
        state.phase = PHASE_LOST


@rule
def catch_limbo(state):
    """Phase 3 (D-3, D-4): Limbo goes under an empty Dreamcatcher, or there are too many groups.

    Return whether the player is asked, or the game has been lost.
    """
    waiting = False
    for index in range(state.limbo.shape[0]):
        waiting = waiting or state.limbo[index] > 0
    if not waiting:
        return False
    for catcher in range(state.n_catchers):
        if not is_occupied(state, catcher):
            for index in range(state.limbo.shape[0]):
                state.catchers[catcher, index] = state.limbo[index]
                state.limbo[index] = 0
            return False
    if state.rules & ONE_IS_EMPTIED and n_offered(state) > 1:
        state.phase = OVERLOAD
        return True
    give_up(state, 0)
    return state.phase == PHASE_LOST


@rule
def note_begin(state, code):
    """Note that a turn begins with an action of phase 1, unless that is the use of a Failsafe Book (O-41)."""
    if first_of(code) != FAILSAFE:
        state.begun = 1


@rule
def list_books(state, legal):
    """List the uses of a Failsafe Book, before anything else is done in the turn (D-8, O-41)."""
    if state.books > 0 and not state.begun:
        list_offered(state, FAILSAFE, legal)


@rule
def may_take(state, catcher, door, colour):
    """Whether a series of a colour may take a Door from under a Dreamcatcher (D-7).

    As from the deck: the Door of the colour also where it goes to Limbo (edge 53), another one where it is
    put in play.
    """
    if state.catchers[catcher, kind_of_door(door) - FIRST_DOOR] == 0 or not can_keep(state, door):
        return False
    if door == colour:
        return True
    return (door == ONIVERSE_DOOR or has_chaos(state)) and is_accepted(state, door)


@rule
def list_ways(state, colour, legal):
    """List the Doors under Dreamcatchers that a series of a colour can take (D-7)."""
    for catcher in range(state.n_catchers):
        if is_offered(state, catcher):
            for door in range(N_ALL_DOORS):
                if may_take(state, catcher, door, colour):
                    fits = door == colour or door == ONIVERSE_DOOR
                    argument = catcher * DOORS_OF_CATCHER + door
                    list_code(TAKE_FROM + argument + (0 if fits else CHAOS_HALF), legal)


@rule
def list_phase(state, legal):
    """List the actions of the phases of this expansion."""
    if state.phase == FREEING:
        list_offered(state, FREE, legal)
        list_code(FREE_NONE, legal)
    elif state.phase == OVERLOAD:
        list_offered(state, GIVE_UP, legal)


@rule
def apply_way(state, code):
    """Gain a Door from under a Dreamcatcher by a series (D-7); return whether that is the action."""
    if first_of(code) != TAKE_FROM:
        return False
    argument = argument_of(code)
    if argument >= CHAOS_HALF:
        use(state, np.int64(state.player), CHROMATIC_CHAOS)
    argument %= CHAOS_HALF
    door = argument % DOORS_OF_CATCHER
    take_from(state, argument // DOORS_OF_CATCHER, kind_of_door(door))
    gain_from_search(state, door)
    return True


@rule
def apply(state, code):
    """Carry out an action of this expansion; return what follows (``declared.py``)."""
    verb, argument = first_of(code), argument_of(code)
    if verb == FAILSAFE:
        state.books -= 1
        free(state, argument - 1)
        return GO_ON
    if verb == FREE:
        apply_freeing(state, code)
        return DONE
    if verb == GIVE_UP:
        apply_overload(state, argument - 1)
        return DONE
    return NOT_MINE


@rule
def apply_freeing(state, code):
    """Free a Dreamcatcher, or none, before the shuffle after a search (D-6)."""
    state.kept = 0
    if code != FREE_NONE:
        free(state, argument_of(code) - 1)
    shuffle_after_search(state)


@rule
def apply_overload(state, catcher):
    """Give up a Dreamcatcher, and end the turn (D-4)."""
    give_up(state, catcher)
    if state.phase != PHASE_LOST:
        finish_turn(state)


@rule
def observe(state, out, row):
    """Write the Dreamcatchers and the Failsafe Books."""
    for catcher in range(state.n_catchers):
        for index in range(state.limbo.shape[0]):
            entry = CATCHERS_AT + catcher * N_ALL_KINDS + FIRST_DOOR + index
            out[row, entry] = state.catchers[catcher, index]
    out[row, N_CATCHERS_AT] = state.n_catchers
    out[row, BOOKS_AT] = state.books
    if state.kept > 0:
        out[row, KEPT_AT + state.kept - 1] = 1.0

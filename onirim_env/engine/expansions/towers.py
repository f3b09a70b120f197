"""The Towers: a second row, with two ends."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import N_COLOURS
from onirim_env.compiling.compile import rule
from onirim_env.engine.expansions.cards import COLOUR_OF, FIRST_TOWER, N_TOWER_KINDS, TOWER_KINDS
from onirim_env.engine.expansions.codes import argument_of, family, first_of
from onirim_env.engine.expansions.declared import DONE, GO_ON, NOT_MINE, check_victory
from onirim_env.engine.expansions.denizens import give_up_stored, stored_kinds
from onirim_env.engine.expansions.effects import end_nightmare
from onirim_env.engine.expansions.looking import look
from onirim_env.engine.expansions.state import FORCED_DESTRUCTION_ONLY, HARD_TOWERS, PHASE
from onirim_env.engine.hand import kinds_in, remove
from onirim_env.engine.listing import list_code
from onirim_env.engine.state import SHARED
from onirim_env.expansions.towers import ALIGNED, EDGES, VALUES
from onirim_env.observation import MORE_STARTS

TOWER_LOSS = PHASE["tower_loss"]
LOSE_TOWER, FALSE_DESTRUCTION = family("LOSE_TOWER"), family("FALSE_DESTRUCTION")
PLACE_LEFT, PLACE_RIGHT = family("PLACE_LEFT"), family("PLACE_RIGHT")
PLACE_SHARED_LEFT, PLACE_SHARED_RIGHT = family("PLACE_SHARED_LEFT"), family("PLACE_SHARED_RIGHT")
PLACE_STORED_LEFT, PLACE_STORED_RIGHT = family("PLACE_STORED_LEFT"), family("PLACE_STORED_RIGHT")
SIDES = np.array(EDGES, dtype=np.int64)
LEFT, RIGHT = range(2)
# Where its fields of an observation begin.
ROW_AT, RIGHTMOST_AT = MORE_STARTS["towers"], MORE_STARTS["rightmost_tower"]
LOOKS_AT = MORE_STARTS["follows"] + 1


@rule
def clear(state):
    """Empty the zones of this expansion."""
    state.towers[:] = 0
    state.n_towers = 0


@rule
def is_tower(kind):
    """Whether a kind is a Tower."""
    return TOWER_KINDS >> kind & 1 != 0


@rule
def tower_value(kind):
    """Return the value of a Tower (TW-3)."""
    return VALUES[0] + (kind - FIRST_TOWER) % len(VALUES)


@rule
def note_discard(state, kind):
    """Note that a look at the deck follows a discarded Tower (TW-3)."""
    if is_tower(kind):
        state.follows = tower_value(kind)


@rule
def asks_after_discard(state, follows):
    """Look at the top cards where that follows (TW-3); return whether the player is asked."""
    return follows >= VALUES[0] and look(state, follows)


@rule
def may_touch(left, right):
    """Whether a Tower may stand to the left of another one (TW-2)."""
    return SIDES[left - FIRST_TOWER, RIGHT] & SIDES[right - FIRST_TOWER, LEFT] == 0


@rule
def tower_at(state, place, without):
    """Return the Tower at a place of the row from which the one at ``without`` (-1: none) is taken."""
    return np.int64(state.towers[place + 1 if 0 <= without <= place else place])


@rule
def are_aligned(state, without):
    """Whether four adjacent Towers are of four colours (TW-6)."""
    size = state.n_towers - (1 if without >= 0 else 0)
    for first in range(size - ALIGNED + 1):
        colours = 0
        for place in range(first, first + ALIGNED):
            colours |= 1 << COLOUR_OF[tower_at(state, place, without)]
        if colours == (1 << N_COLOURS) - 1:
            return True
    return False


@rule
def longest_line(state):
    """Return of how many adjacent Towers no two are of one colour, at most."""
    best = 0
    for first in range(state.n_towers):
        colours, length = 0, 0
        for place in range(first, state.n_towers):
            colour = 1 << COLOUR_OF[np.int64(state.towers[place])]
            if colours & colour:
                break
            colours |= colour
            length += 1
        best = max(best, length)
    return best


@rule
def allows_victory(state):
    """Whether the Towers let the game be won (TW-6)."""
    return are_aligned(state, -1)


@rule
def may_lose(state, place):
    """Whether the row stays legal without a Tower (TW-4)."""
    if place == 0 or place == state.n_towers - 1:
        return True
    return may_touch(np.int64(state.towers[place - 1]), np.int64(state.towers[place + 1]))


@rule
def asks_for_tower(state):
    """After a Nightmare's penalty: ask which Tower is lost (TW-4, TW-7); return whether one has to be."""
    if state.n_towers == 0 or (are_aligned(state, -1) and state.rules & HARD_TOWERS == 0):
        return False
    state.phase = TOWER_LOSS
    return True


@rule
def list_phase(state, legal):
    """List the actions of the phase of this expansion."""
    if state.phase == TOWER_LOSS:
        list_losses(state, legal)


@rule
def list_losses(state, legal):
    """List what may be lost, and False Destruction (TW-5, O-34)."""
    losses = 0
    for place in range(state.n_towers):
        if may_lose(state, place):
            list_code(LOSE_TOWER + np.int64(state.towers[place]), legal)
            losses += 1
    if losses == 0 or state.rules & FORCED_DESTRUCTION_ONLY == 0:
        list_code(FALSE_DESTRUCTION, legal)


@rule
def lose_tower(state, kind):
    """Discard a Tower of the row."""
    place = 0
    while state.towers[place] != kind:
        place += 1
    state.n_towers -= 1
    for index in range(place, state.n_towers):
        state.towers[index] = state.towers[index + 1]
    state.discard[kind] += 1


@rule
def list_places(state, kinds, left, right, legal):
    """List where Towers of a set of kinds may be placed; in an empty row both ends are the same (TW-2)."""
    for kind in range(FIRST_TOWER, FIRST_TOWER + N_TOWER_KINDS):
        if kinds >> kind & 1:
            if state.n_towers > 0 and may_touch(kind, np.int64(state.towers[0])):
                list_code(left + kind, legal)
            if state.n_towers == 0 or may_touch(np.int64(state.towers[state.n_towers - 1]), kind):
                list_code(right + kind, legal)


@rule
def list_towers(state, player, legal):
    """List where the Towers of the hands, and stored ones, may be placed."""
    list_places(state, kinds_in(state, player), PLACE_LEFT, PLACE_RIGHT, legal)
    list_places(state, kinds_in(state, SHARED), PLACE_SHARED_LEFT, PLACE_SHARED_RIGHT, legal)
    list_places(state, stored_kinds(state), PLACE_STORED_LEFT, PLACE_STORED_RIGHT, legal)


@rule
def place_tower(state, kind, left):
    """Add a Tower to an end of the row (TW-2)."""
    if left:
        for place in range(state.n_towers, 0, -1):
            state.towers[place] = state.towers[place - 1]
        state.towers[0] = kind
    else:
        state.towers[state.n_towers] = kind
    state.n_towers += 1


@rule
def apply(state, code):
    """Carry out an action of this expansion; return what follows (``declared.py``)."""
    if state.phase == TOWER_LOSS:
        if code != FALSE_DESTRUCTION:
            lose_tower(state, argument_of(code))
        end_nightmare(state, code == FALSE_DESTRUCTION)
        return DONE if check_victory(state) else GO_ON
    return apply_placing(state, first_of(code), argument_of(code))


@rule
def apply_placing(state, verb, kind):
    """Add a Tower to its row (TW-2), if that is the action; return what follows."""
    if verb == PLACE_LEFT or verb == PLACE_RIGHT:
        remove(state, np.int64(state.player), kind)
    elif verb == PLACE_SHARED_LEFT or verb == PLACE_SHARED_RIGHT:
        remove(state, SHARED, kind)
    elif verb == PLACE_STORED_LEFT or verb == PLACE_STORED_RIGHT:
        give_up_stored(state, kind)
    else:
        return NOT_MINE
    left = verb == PLACE_LEFT or verb == PLACE_SHARED_LEFT or verb == PLACE_STORED_LEFT
    place_tower(state, kind, left)
    state.acted = 1
    return DONE if check_victory(state) else GO_ON


@rule
def observe(state, out, row):
    """Write the row of Towers, and a look at the deck that follows."""
    for place in range(state.n_towers):
        tower = np.int64(state.towers[place]) - FIRST_TOWER
        out[row, ROW_AT + place * N_TOWER_KINDS + tower] = 1.0
        if place == state.n_towers - 1:
            out[row, RIGHTMOST_AT + tower] = 1.0
    if state.follows >= VALUES[0]:
        out[row, LOOKS_AT + state.follows - VALUES[0]] = 1.0

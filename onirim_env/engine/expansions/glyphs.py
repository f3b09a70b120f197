"""Glyphs: a fourth symbol, Incantations, and a third Door of each colour."""

from __future__ import annotations

from onirim_env.cards import DOORS_PER_COLOUR, N_COLOURS
from onirim_env.compiling.compile import rule
from onirim_env.engine.doors import can_keep, gain_door
from onirim_env.engine.expansions.cards import DOOR_KINDS, FIRST_GLYPH, ONIVERSE_KIND, door_of, is_in
from onirim_env.engine.expansions.codes import argument_of, family, list_kinds
from onirim_env.engine.expansions.declared import DONE, GO_ON, NOT_MINE
from onirim_env.engine.expansions.looking import BOTTOM_ORDER, ask_order, looked_kinds, reveal, take_looked
from onirim_env.engine.expansions.state import GLYPHS, INCANTATION_FOLLOWS, INCANTATION_FORCED, PHASE
from onirim_env.engine.listing import list_code
from onirim_env.expansions.glyphs import INCANTATION_SIZE
from onirim_env.observation import MORE_STARTS

INCANTATION = PHASE["incantation"]
TAKE_REVEALED, TAKE_NOTHING = family("INCANTATION"), family("INCANTATION_NOTHING")
FOLLOWS, LAST_GLYPH = MORE_STARTS["follows"], MORE_STARTS["last_glyph"]
THIRD_DOORS, PARTNER_THIRD_DOORS = MORE_STARTS["third_doors"], MORE_STARTS["partner_third_doors"]
END_OF_DOORS = ONIVERSE_KIND + 1


@rule
def doors_of_colour(state):
    """Return how many Doors of each colour the game has (G-2)."""
    return DOORS_PER_COLOUR + (1 if state.rules & GLYPHS else 0)


@rule
def note_discard(state, kind):
    """Note that an Incantation follows a discarded Glyph (G-3)."""
    if FIRST_GLYPH <= kind < FIRST_GLYPH + N_COLOURS:
        state.follows = INCANTATION_FOLLOWS


@rule
def asks_after_discard(state, follows):
    """Reveal the top cards where an Incantation follows (G-3); return whether the player is asked."""
    if follows != INCANTATION_FOLLOWS:
        return False
    reveal(state, INCANTATION_SIZE)
    state.phase = INCANTATION
    return useful_doors(state) != 0 or ask_order(state, BOTTOM_ORDER)


@rule
def useful_doors(state):
    """Return the set of kinds of revealed Doors that are of use (G-3, G-4, O-31)."""
    kinds = 0
    for kind in range(END_OF_DOORS):
        if is_in(kind, looked_kinds(state) & DOOR_KINDS) and can_keep(state, door_of(kind)):
            kinds |= 1 << kind
    return kinds


@rule
def list_phase(state, legal):
    """List the actions of the phase of this expansion."""
    if state.phase == INCANTATION:
        list_kinds(useful_doors(state), TAKE_REVEALED, legal)
        if state.rules & INCANTATION_FORCED == 0:
            list_code(TAKE_NOTHING, legal)


@rule
def apply(state, code):
    """Take a revealed Door, or none, if that is the action; return what follows (``declared.py``)."""
    if state.phase != INCANTATION:
        return NOT_MINE
    if code != TAKE_NOTHING:
        kind = argument_of(code)
        take_looked(state, kind)
        if gain_door(state, door_of(kind)):
            return DONE
    return DONE if ask_order(state, BOTTOM_ORDER) else GO_ON


@rule
def observe(state, observer, out, row):
    """Write third Doors, and an Incantation that follows."""
    partner = 1 - observer
    for colour in range(N_COLOURS):
        if state.doors[observer, colour] > DOORS_PER_COLOUR:
            out[row, THIRD_DOORS + colour] = 1.0
        if state.doors[partner, colour] > DOORS_PER_COLOUR:
            out[row, PARTNER_THIRD_DOORS + colour] = 1.0
    if state.follows == INCANTATION_FOLLOWS:
        out[row, FOLLOWS] = 1.0


@rule
def observe_last(own, out, row):
    """Write that the last card of the own row, or of the partner's, bears a glyph."""
    out[row, LAST_GLYPH + (0 if own else 1)] = 1.0

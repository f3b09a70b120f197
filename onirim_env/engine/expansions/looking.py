"""Looking at cards of the deck and putting them back, at the top or at the bottom, in any order.

The cards lie beside the deck meanwhile: those that are placed first, in their order.
"""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import decide_top, draw
from onirim_env.engine.expansions.codes import argument_of, family, list_kinds
from onirim_env.engine.expansions.deck import put_at_bottom, put_on_top, take_bottom
from onirim_env.engine.expansions.declared import DONE, GO_ON, NOT_MINE
from onirim_env.engine.expansions.state import PHASE
from onirim_env.engine.hand import seen_bit
from onirim_env.engine.kinds import is_door
from onirim_env.engine.listing import list_code
from onirim_env.engine.state import KIND_BITS, PHASE_LOST, SEEN_BY_ALL, STOP_WHEN_UNWINNABLE

LOOK_DISCARD, LOOK_ORDER, BOTTOM_ORDER = PHASE["look_discard"], PHASE["look_order"], PHASE["bottom_order"]
ON_TOP, AT_BOTTOM = family("ON_TOP"), family("AT_BOTTOM")
DISCARD_LOOKED, LOOK_DONE = family("LOOK_DISCARD"), family("LOOK_DONE")


@rule
def looked_kind(state, place):
    """Return the kind of a card beside the deck."""
    return np.int64(state.looked[place] & KIND_BITS)


@rule
def looked_kinds(state):
    """Return the set of kinds beside the deck that are not placed yet."""
    kinds = 0
    for place in range(state.looked_placed, state.looked_size):
        kinds |= 1 << looked_kind(state, place)
    return kinds


@rule
def lift(state, number, seen):
    """Take the top cards, or all, off the deck; those of the ``seen`` bits look at them."""
    state.looked_size = 0
    state.looked_placed = 0
    for _ in range(min(number, np.int64(state.deck_size))):
        state.looked[state.looked_size] = draw(state) | seen
        state.looked_size += 1


@rule
def reveal(state, number):
    """Show the top cards, or all, to everybody."""
    lift(state, number, SEEN_BY_ALL)


@rule
def lift_bottom(state, number):
    """Let the player look at the bottom cards, or all; the upmost of them comes first."""
    number = min(number, np.int64(state.deck_size))
    decide_top(state, np.int64(state.deck_size))
    for place in range(number - 1, -1, -1):
        state.looked[place] = take_bottom(state) | seen_bit(state.player)
    state.looked_size = number
    state.looked_placed = 0
    if number > 1:
        forget_others(state)


@rule
def forget_others(state):
    """Note that the partner does not see in which order more than one card is put back."""
    for place in range(state.looked_size):
        state.looked[place] = looked_kind(state, place) | seen_bit(state.player)


@rule
def take_looked(state, kind):
    """Take a card beside the deck away: of two copies the one that the partner knows; return it."""
    found = -1
    for place in range(state.looked_placed, state.looked_size):
        known = state.looked[place] & seen_bit(1 - state.player)
        if looked_kind(state, place) == kind and (found < 0 or known):
            found = place
    card = state.looked[found]
    state.looked_size -= 1
    for place in range(found, state.looked_size):
        state.looked[place] = state.looked[place + 1]
    return card


@rule
def look(state, number):
    """Let the player look at the top cards and put them back in any order; return whether that asks."""
    lift(state, number, seen_bit(state.player))
    return ask_order(state, LOOK_ORDER)


@rule
def ask_order(state, phase):
    """Begin to put the cards back; return whether the player is asked.

    What everybody has seen (an Incantation, a Harpoon Hunter) goes to the bottom, and stays in sight until it
    is there.
    """
    if state.looked_size > 1 and phase != BOTTOM_ORDER:
        forget_others(state)
    state.phase = phase
    return not end_if_alike(state)


@rule
def end_if_alike(state):
    """Put cards back that are all of one kind, or none; return whether that is so."""
    kinds = looked_kinds(state)
    if kinds & (kinds - 1):
        return False
    put_back(state)
    return True


@rule
def put_back(state):
    """Put the cards beside the deck back: the first one is drawn first."""
    if state.phase == BOTTOM_ORDER:
        if state.looked_size > 1:
            forget_others(state)
        for place in range(state.looked_size):
            put_at_bottom(state, state.looked[place])
    else:
        for place in range(state.looked_size - 1, -1, -1):
            put_on_top(state, state.looked[place])
    state.looked_size = 0
    state.looked_placed = 0


@rule
def place_looked(state, kind):
    """Place a card behind those that are placed; return whether the player is asked again."""
    place = np.int64(state.looked_placed)
    while looked_kind(state, place) != kind:
        place += 1
    card = state.looked[place]
    state.looked[place] = state.looked[state.looked_placed]
    state.looked[state.looked_placed] = card
    state.looked_placed += 1
    return not end_if_alike(state)


@rule
def list_phase(state, legal):
    """List the actions of the phases of this file."""
    if state.phase == LOOK_DISCARD:
        list_kinds(looked_kinds(state), DISCARD_LOOKED, legal)
        list_code(LOOK_DONE, legal)
    elif state.phase == LOOK_ORDER:
        list_kinds(looked_kinds(state), ON_TOP, legal)
    elif state.phase == BOTTOM_ORDER:
        list_kinds(looked_kinds(state), AT_BOTTOM, legal)


@rule
def apply(state, code):
    """Carry one out; return what follows (``declared.py``)."""
    phase = state.phase
    if phase != LOOK_DISCARD and phase != LOOK_ORDER and phase != BOTTOM_ORDER:
        return NOT_MINE
    return DONE if apply_looking(state, code) else GO_ON


@rule
def apply_looking(state, code):
    """Discard or place a card; return whether the player is asked again, or the game is lost."""
    if state.phase != LOOK_DISCARD:
        return place_looked(state, argument_of(code))
    if code == LOOK_DONE:
        return ask_order(state, LOOK_ORDER)
    kind = argument_of(code)
    take_looked(state, kind)
    state.discard[kind] += 1
    if is_door(state, kind) and state.rules & STOP_WHEN_UNWINNABLE:
        put_back(state)
        state.phase = PHASE_LOST  # O-10
        return True
    return state.looked_size > 0

"""What a card is: colour, symbol, and whether it joins a hand."""

from __future__ import annotations

from onirim_env.cards import FIRST_DOOR, N_LOCATION_KINDS, N_SYMBOLS, NIGHTMARE
from onirim_env.engine.points import point


@point
def colour_of(state, kind):
    """Return the colour of a Location."""
    return kind // N_SYMBOLS


@point
def symbol_of(state, kind):
    """Return the symbol of a Location."""
    return kind % N_SYMBOLS


@point
def joins_hand(state, kind):
    """Whether a drawn card joins a hand (F-2)."""
    return kind < N_LOCATION_KINDS


@point
def is_location(state, kind):
    """Whether a revealed card is discarded as a Location (N-3)."""
    return kind < N_LOCATION_KINDS


@point
def is_door(state, kind):
    """Whether a card is a Door."""
    return FIRST_DOOR <= kind < NIGHTMARE


@point
def door_kinds(state):
    """Return the set of kinds of Doors: bit k stands for kind k."""
    return (1 << NIGHTMARE) - (1 << FIRST_DOOR)

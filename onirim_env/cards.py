"""The 76 cards of the base game: colours, symbols, kinds and their numbers; and its phases.

A *kind* is a number: Locations are ``colour * 3 + symbol`` (0 to 11), then one Door of each
colour (12 to 15), then the Nightmare (16). docs/rules.md has the table.
"""

from __future__ import annotations

COLOURS = ("red", "blue", "green", "brown")
SYMBOLS = ("sun", "moon", "key")
N_COLOURS = len(COLOURS)
N_SYMBOLS = len(SYMBOLS)
SUN, MOON, KEY = range(N_SYMBOLS)

LOCATION_NAMES = tuple(f"{colour} {symbol}" for colour in COLOURS for symbol in SYMBOLS)
DOOR_NAMES = tuple(f"{colour} door" for colour in COLOURS)
KIND_NAMES = (*LOCATION_NAMES, *DOOR_NAMES, "nightmare")
KIND_OF_NAME = {name: kind for kind, name in enumerate(KIND_NAMES)}

N_LOCATION_KINDS = len(LOCATION_NAMES)
N_KINDS = len(KIND_NAMES)
FIRST_DOOR = N_LOCATION_KINDS
NIGHTMARE = FIRST_DOOR + N_COLOURS
NO_CARD = 0x3F
"""Stands for no card where records have one: more than the kinds of all expansions."""
N_LIMBO_KINDS = N_KINDS - FIRST_DOOR
"""Kinds that can lie in Limbo: everything from the first Door on."""

SUNS = (9, 8, 7, 6)
MOONS = 4
KEYS = 3
DOORS_PER_COLOUR = 2
NIGHTMARES = 10
KIND_COUNTS = (
    *(number for suns in SUNS for number in (suns, MOONS, KEYS)),
    *(DOORS_PER_COLOUR,) * N_COLOURS,
    NIGHTMARES,
)
"""How many cards of each kind there are."""

N_CARDS = sum(KIND_COUNTS)
N_LOCATIONS = sum(KIND_COUNTS[:N_LOCATION_KINDS])
N_DOORS = DOORS_PER_COLOUR * N_COLOURS

MAX_PLAYERS = 2
SOLO_HAND = 5
"""Cards in the hand of a solo player (S-2)."""
PERSONAL_HAND = 3
SHARED_HAND = 2
"""Personal and shared cards in co-op (C-1)."""
FACE_UP = MAX_PLAYERS * PERSONAL_HAND + SHARED_HAND
"""Locations turned up for the draft (C-1)."""
SERIES_LENGTH = 3
"""Consecutive cards of one colour that complete a series (P-2)."""
PROPHECY_SIZE = 5
"""Cards that a Prophecy looks at (P-8)."""
REVEAL_SIZE = 5
"""Cards that a Nightmare reveals (N-3)."""
TOP_PLACES = PROPHECY_SIZE
"""How many places of the deck's top an observation shows."""

SOLO_PHASES = (
    "action",
    "prophecy_discard",
    "prophecy_order",
    "series",
    "door",
    "nightmare",
    "won",
    "lost",
)
CO_OP_PHASES = ("draft", "swap", "swap_in")
"""Phases that co-op has in addition."""

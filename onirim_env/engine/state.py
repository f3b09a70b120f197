"""The state of a game: one record of a structured dtype, and the constants that read it."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import (
    CO_OP_PHASES,
    FACE_UP,
    MAX_PLAYERS,
    N_CARDS,
    N_COLOURS,
    N_KINDS,
    N_LIMBO_KINDS,
    N_LOCATIONS,
    NO_CARD,
    SOLO_PHASES,
)
from onirim_env.rules import flag_of

PHASES = (*SOLO_PHASES, *CO_OP_PHASES)
"""Names of the phases by number: those of every game first, then those of co-op."""

(
    PHASE_ACTION,
    PHASE_PROPHECY_DISCARD,
    PHASE_PROPHECY_ORDER,
    PHASE_SERIES,
    PHASE_DOOR,
    PHASE_NIGHTMARE,
    PHASE_WON,
    PHASE_LOST,
    PHASE_DRAFT,
    PHASE_SWAP,
    PHASE_SWAP_IN,
) = range(len(PHASES))

# A card in the deck or in a hand is one byte: its kind in the low six bits, and above them one bit
# for each player who has seen it although it is hidden.
KIND_BITS = NO_CARD
SEEN_BY_0 = 0x40
SEEN_BY_1 = 0x80
SEEN_BY_ALL = SEEN_BY_0 | SEEN_BY_1

# Hands are numbered by player; the shared cards of co-op are one more.
SHARED = MAX_PLAYERS
N_HANDS = MAX_PLAYERS + 1

TWO_PLAYERS = flag_of("players")
PROPHECY_OPTIONAL = flag_of("prophecy_discard")
PROPHECY_PROTECTS_DOORS = flag_of("prophecy_door")
NO_SHORT_REVEAL = flag_of("reveal_short_deck")
AUTOMATIC_KEY = flag_of("door_key")
CHOICE_OF_SEARCH = flag_of("series_search")
STOP_WHEN_UNWINNABLE = flag_of("stop_when_unwinnable")
NO_RETURN_DOOR = flag_of("nightmare_return_door")
DUPLICATE_KEPT = flag_of("duplicate_door")
SHARED_TO_LIMBO = flag_of("shared_refill")
DEALT_DRAFT = flag_of("draft")
WHOLE_PROPHECIES = flag_of("prophecy_actions")

STATE = np.dtype(
    [
        ("rng", np.uint64),  # state of the game's own random numbers
        ("seed", np.uint64),  # what this game was dealt from; the next one's seed follows from it
        ("rules", np.uint16),  # RuleSet.flags
        ("phase", np.int8),
        ("player", np.int8),  # whose decision it is
        ("turns", np.int8),  # completed turns
        ("drawn", np.int8),  # the Door or Nightmare being decided, or NO_CARD
        ("swapping", np.int8),  # the personal card put up for a swap, or NO_CARD
        ("prophecy_follows", np.int8),  # 1 when a Key was discarded and the swap comes first
        ("revealed", np.int8),  # Prophecy: cards of the deck's top under way, placed ones included
        ("placed", np.int8),  # Prophecy: how many of them are already placed
        ("deck_size", np.int8),
        ("top_size", np.int8),  # how many of the deck's top cards are decided
        ("hand_size", np.int8, (N_HANDS,)),
        ("row_size", np.int8, (MAX_PLAYERS,)),
        ("series", np.int8, (MAX_PLAYERS,)),  # cards of the running series
        ("doors", np.int8, (MAX_PLAYERS, N_COLOURS)),
        ("limbo", np.int8, (N_LIMBO_KINDS,)),  # by kind, from the first Door on
        ("discard", np.int8, (N_KINDS,)),  # by kind
        ("deck_count", np.int8, (N_KINDS,)),  # by kind
        ("hand", np.uint8, (N_HANDS, FACE_UP)),
        ("row", np.uint8, (N_LOCATIONS,)),  # player 0's from the left, player 1's from the right
        ("deck", np.uint8, (N_CARDS,)),  # the next card last: pool first, then the decided top
    ],
    align=True,
)
"""One game. Copying a record copies the game, random numbers included."""

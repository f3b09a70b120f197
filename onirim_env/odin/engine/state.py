"""The state of a game of Odin: one record of a structured dtype, and the constants that read it."""

from __future__ import annotations

import numpy as np

from onirim_env.odin.cards import GOAT, MAX_PLAYERS, N_PLAIN
from onirim_env.odin.observation import PHASES

PHASE_LEAD, PHASE_FOLLOW, PHASE_ADD, PHASE_TAKE, PHASE_OVER = range(len(PHASES))

NOBODY = -1
"""The owner of no play; the player to move at the end."""

PLAIN_CARDS = np.uint64((1 << N_PLAIN) - 1)
GOAT_BIT = np.uint64(1 << GOAT)
NO_CARDS = np.uint64(0)
ONE = np.uint64(1)

ONE_HAND, PLAYER_0_LEADS, FORCED, WITH_GOAT, WHOLE_PLAYS = (1 << bit for bit in range(5))
"""Bits of ``options``."""

# Cards are sets of bits: bit c stands for card c.
STATE = np.dtype(
    [
        ("rng", np.uint64),  # state of the game's own random numbers
        ("seed", np.uint64),  # what this game was dealt from; the next one's seed follows from it
        ("hand", np.uint64, (MAX_PLAYERS,)),
        ("public", np.uint64, (MAX_PLAYERS,)),  # those of the hand that all others know
        ("table", np.uint64),  # the play to be beaten
        ("beaten", np.uint64),  # what it has beaten, while one of them is chosen
        ("chosen", np.uint64),  # cards of a play under way; they are still in the hand
        ("legal", np.uint64),  # the cards that may be played or taken now: see legal.list_legal
        ("discard", np.uint64),
        ("undealt", np.uint64),
        ("points", np.int16, (MAX_PLAYERS,)),
        ("hands_played", np.int16),
        ("hand_points", np.int8, (MAX_PLAYERS,)),  # of the hand that ended last
        ("may_end", np.int8),  # 1 when the chosen cards may be laid as they are
        ("hand_ended", np.int8),  # 1 when the last action ended a hand
        ("players", np.int8),
        ("limit", np.int8),
        ("options", np.uint8),
        ("phase", np.int8),
        ("player", np.int8),  # whose decision it is
        ("offender", np.int8),  # who ended the game with an illegal action
        ("leader", np.int8),
        ("owner", np.int8),  # whose play the table is
        ("hand_leader", np.int8),
        ("passed", np.uint8),  # a bit for each player
    ],
    align=True,
)
"""One game. Copying a record copies the game, random numbers included."""

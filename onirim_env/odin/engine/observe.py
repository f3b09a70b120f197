"""What a player may know of a game, as a vector (layout: ``onirim_env/odin/observation.py``)."""

from __future__ import annotations

from onirim_env.compiling.bits import count_ones, lowest_one
from onirim_env.compiling.compile import rule
from onirim_env.odin.cards import HAND_SIZE, N_CARDS
from onirim_env.odin.engine.state import (
    FORCED,
    NO_CARDS,
    NOBODY,
    ONE,
    ONE_HAND,
    PHASE_ADD,
    PHASE_FOLLOW,
    PHASE_LEAD,
    WITH_GOAT,
)
from onirim_env.odin.observation import RULE_LABELS, SIZE, START

HAND = START["hand"]
CHOSEN = START["chosen"]
TABLE = START["table"]
BEATEN = START["beaten"]
DISCARD = START["discard"]
PUBLIC = START["public"]
KNOWN = START["known"]
HAND_SIZES = START["hand_size"]
POINTS = START["points"]
SEATS = START["seats"]
TO_MOVE = START["to_move"]
OWNER = START["owner"]
LEADER = START["leader"]
HAND_LEADER = START["hand_leader"]
PASSED = START["passed"]
TABLE_SIZE = START["table_size"]
PHASE = START["phase"]
RULES = START["rules"]
LIMITS = tuple(int(label.removeprefix("limit ")) for label in RULE_LABELS[:3])
"""The entries of ``rules`` that come first."""


@rule
def write_cards(cards, first, out, row):
    """Write ones for a set of cards, from an entry on."""
    while cards != NO_CARDS:
        out[row, first + lowest_one(cards)] = 1.0
        cards &= cards - ONE


@rule
def write_seat(state, player, observer, first, out, row):
    """Write a one for a player, from an entry on; seats are counted from the observer (OD-B1)."""
    if player != NOBODY:
        out[row, first + (player - observer + state.players) % state.players] = 1.0


@rule
def phase_seen(state, observer):
    """Return the phase as a player sees it: a play under way is its player's own business (OD-B4)."""
    if state.phase != PHASE_ADD or state.player == observer:
        return state.phase
    return PHASE_LEAD if state.table == NO_CARDS else PHASE_FOLLOW


@rule
def observe(state, observer, out, row):
    """Write what a player sees into a row of ``out``; at the end, with nobody to move, of player 0's seat."""
    for entry in range(SIZE):
        out[row, entry] = 0.0
    write_cards(state.hand[observer], HAND, out, row)
    write_cards(state.table, TABLE, out, row)
    write_cards(state.beaten, BEATEN, out, row)
    write_cards(state.discard, DISCARD, out, row)
    write_cards(state.public[observer], PUBLIC, out, row)
    if state.player == observer:
        write_cards(state.chosen, CHOSEN, out, row)
    for seat in range(state.players):
        player = (observer + seat) % state.players
        if seat > 0:
            write_cards(state.public[player], KNOWN + (seat - 1) * N_CARDS, out, row)
        out[row, HAND_SIZES + seat] = count_ones(state.hand[player]) / HAND_SIZE
        out[row, POINTS + seat] = state.points[player] / state.limit
        out[row, SEATS + seat] = 1.0
        out[row, PASSED + seat] = state.passed >> player & 1
    write_seat(state, state.player, observer, TO_MOVE, out, row)
    write_seat(state, state.owner, observer, OWNER, out, row)
    write_seat(state, state.leader, observer, LEADER, out, row)
    write_seat(state, state.hand_leader, observer, HAND_LEADER, out, row)
    if state.table != NO_CARDS:
        out[row, TABLE_SIZE + count_ones(state.table) - 1] = 1.0
    out[row, PHASE + phase_seen(state, observer)] = 1.0
    for index in range(len(LIMITS)):
        out[row, RULES + index] = state.limit == LIMITS[index]
    out[row, RULES + len(LIMITS)] = state.options & ONE_HAND != 0
    out[row, RULES + len(LIMITS) + 1] = state.options & FORCED != 0
    out[row, RULES + len(LIMITS) + 2] = state.options & WITH_GOAT != 0

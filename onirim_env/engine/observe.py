"""What a player may know of a game, as a vector (layout: ``onirim_env/observation.py``)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import (
    DOORS_PER_COLOUR,
    FIRST_DOOR,
    N_COLOURS,
    N_KINDS,
    N_LIMBO_KINDS,
    N_SYMBOLS,
    NO_CARD,
    SERIES_LENGTH,
    TOP_PLACES,
)
from onirim_env.compiling.compile import border, rule
from onirim_env.engine.fields import (
    CO_OP_PHASE,
    DECK_SIZE,
    DOORS,
    DRAWN,
    HAND,
    LAST_SYMBOL,
    LIMBO,
    PARTNER_DOORS,
    PARTNER_HAND,
    PARTNER_HIDDEN,
    PARTNER_LAST_SYMBOL,
    PARTNER_SERIES,
    PARTNER_TOP,
    PHASE,
    PROPHECY_FOLLOWS,
    PUBLIC,
    REVEALED,
    SERIES,
    SHARED_CARDS,
    SWAPPING,
    TO_MOVE,
    TOP,
    UNSEEN,
)
from onirim_env.engine.hand import kind_at, seen_bit
from onirim_env.engine.points import point
from onirim_env.engine.row import last_card
from onirim_env.engine.state import (
    KIND_BITS,
    PHASE_DRAFT,
    PHASE_SERIES,
    PHASES,
    SEEN_BY_ALL,
    SHARED,
    TWO_PLAYERS,
    WHOLE_PROPHECIES,
)
from onirim_env.observation import field_units

N_BASE_PHASES = len(PHASES)
UNSEEN_UNITS = field_units("unseen")
LIMBO_UNITS = field_units("limbo")
DECK_UNIT = field_units("deck_size")[0]


@point
def card_entry(state, field, place, kind):
    """Return the entry that counts a kind in a field (for the field ``top``: at a place)."""
    if field == TOP:
        return TOP + place * N_KINDS + kind
    return field + kind - (FIRST_DOOR if field == DRAWN else 0)


@point
def observe_more(state, observer, closed, out, row):
    """Write what expansions add."""


@rule
def knows_hand(state, observer, hand, place, closed):
    """Whether a player knows a card of a hand: own, shared, shown, or told in open talk (C-11)."""
    if hand == observer or hand == SHARED or not closed:
        return True
    return state.hand[hand, place] & seen_bit(observer) != 0


@point
def knows_deck(state, observer, place, closed):
    """Whether a player knows the card at a place of the deck, 0 being the top."""
    if place >= state.top_size:
        return False
    seen = seen_bit(observer) if closed else SEEN_BY_ALL
    return state.deck[state.deck_size - 1 - place] & seen != 0


@point
def known_places(state):
    """Return how many places from the top on may be known."""
    return np.int64(state.top_size)


@rule
def sees_prophecy(state, observer, closed):
    """Whether a player sees the cards of the Prophecy under way."""
    return state.revealed > 0 and (observer == state.player or not closed)


@border
def observe(state, observer, closed, out, row):
    """Write what a player knows into a row of ``out``, float32, shape (n, observation size)."""
    for index in range(out.shape[1]):  # a loop compiles better than a slice
        out[row, index] = 0.0
    observe_common(state, observer, closed, out, row)
    if state.rules & TWO_PLAYERS:
        observe_co_op(state, observer, closed, out, row)
    observe_more(state, observer, closed, out, row)
    # Unseen cards are counted in whole numbers until here: sums of shares would round differently
    # for different hidden cards, and so tell them apart.
    for kind in range(N_KINDS):
        out[row, UNSEEN + kind] *= UNSEEN_UNITS[kind]


@rule
def observe_common(state, observer, closed, out, row):
    """Write the fields of every game."""
    for place in range(state.hand_size[observer]):
        out[row, card_entry(state, HAND, 0, kind_at(state, observer, place))] += 1.0
    for kind in range(state.deck_count.shape[0]):
        out[row, card_entry(state, UNSEEN, 0, kind)] = state.deck_count[kind]
    observe_top(state, observer, closed, out, row)
    observe_row(state, observer, LAST_SYMBOL, SERIES, out, row)
    observe_doors(state, observer, DOORS, out, row)
    for index in range(N_LIMBO_KINDS):
        out[row, LIMBO + index] = state.limbo[index] * LIMBO_UNITS[index]
    if state.drawn != NO_CARD:
        out[row, card_entry(state, DRAWN, 0, np.int64(state.drawn))] = 1.0
    if state.phase < PHASE_DRAFT:
        out[row, PHASE + state.phase] = 1.0
    out[row, DECK_SIZE] = state.deck_size * DECK_UNIT


@rule
def observe_top(state, observer, closed, out, row):
    """Write the known top of the deck and the Prophecy under way; neither is unseen any more."""
    sees = sees_prophecy(state, observer, closed)
    by_place = state.rules & WHOLE_PROPHECIES != 0
    for place in range(min(TOP_PLACES, known_places(state))):
        kind = np.int64(state.deck[state.deck_size - 1 - place] & KIND_BITS)
        known = knows_deck(state, observer, place, closed)
        if sees and state.placed <= place < state.revealed:
            out[row, card_entry(state, REVEALED, 0, kind)] += 1.0
            out[row, card_entry(state, UNSEEN, 0, kind)] -= 1.0
            known = by_place
        elif known:
            out[row, card_entry(state, UNSEEN, 0, kind)] -= 1.0
        if known:
            out[row, card_entry(state, TOP, place, kind)] = 1.0


@point
def observe_row(state, player, last_symbol, series, out, row):
    """Write the last symbol and the running series of a player's row."""
    last = last_card(state, player)
    if last < 0:
        return
    out[row, last_symbol + last % N_SYMBOLS] = 1.0
    length = np.int64(state.series[player])
    asked = state.phase == PHASE_SERIES and player == state.player
    if length < SERIES_LENGTH or asked:
        out[row, series + last // N_SYMBOLS * SERIES_LENGTH + length - 1] = 1.0


@rule
def observe_doors(state, player, doors, out, row):
    """Write a player's Doors in play."""
    for colour in range(N_COLOURS):
        for number in range(min(DOORS_PER_COLOUR, np.int64(state.doors[player, colour]))):
            out[row, doors + colour * DOORS_PER_COLOUR + number] = 1.0


@rule
def observe_co_op(state, observer, closed, out, row):
    """Write the fields of co-op."""
    partner = 1 - observer
    if PHASE_DRAFT <= state.phase < N_BASE_PHASES:
        out[row, CO_OP_PHASE + state.phase - PHASE_DRAFT] = 1.0
    if state.player == observer:
        out[row, TO_MOVE] = 1.0
    for place in range(state.hand_size[SHARED]):
        out[row, card_entry(state, SHARED_CARDS, 0, kind_at(state, SHARED, place))] += 1.0
    if state.swapping != NO_CARD:
        out[row, card_entry(state, SWAPPING, 0, np.int64(state.swapping))] = 1.0
    out[row, PROPHECY_FOLLOWS] = state.prophecy_follows
    for place in range(state.hand_size[observer]):
        if knows_hand(state, partner, observer, place, closed):
            out[row, card_entry(state, PUBLIC, 0, kind_at(state, observer, place))] += 1.0
    for place in range(state.hand_size[partner]):
        kind = kind_at(state, partner, place)
        if knows_hand(state, observer, partner, place, closed):
            out[row, card_entry(state, PARTNER_HAND, 0, kind)] += 1.0
        else:
            out[row, PARTNER_HIDDEN] += 1.0
            out[row, card_entry(state, UNSEEN, 0, kind)] += 1.0
    observe_row(state, partner, PARTNER_LAST_SYMBOL, PARTNER_SERIES, out, row)
    observe_doors(state, partner, PARTNER_DOORS, out, row)
    for place in range(TOP_PLACES):
        if knows_deck(state, partner, place, closed):
            out[row, PARTNER_TOP + place] = 1.0

"""What a player may know of the zones of expansions (layout: ``onirim_env/expansions/layout.py``)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, N_KINDS, N_SYMBOLS, SERIES_LENGTH
from onirim_env.compiling.compile import rule
from onirim_env.engine.expansions import (
    book_of_steps,
    crossroads,
    dreamcatchers,
    glyphs,
    oniverse,
    premonitions,
    towers,
)
from onirim_env.engine.expansions.cards import COLOUR_OF, GLYPH, SYMBOL_OF
from onirim_env.engine.expansions.state import (
    BOOK,
    CATCHING,
    CROSSROADS,
    GLYPHS,
    ONIVERSE,
    PREMONITION,
    TOWERS,
)
from onirim_env.engine.hand import seen_bit
from onirim_env.engine.row import last_card
from onirim_env.engine.state import KIND_BITS, PHASE_SERIES, PHASES, SEEN_BY_ALL
from onirim_env.expansions import N_ALL_KINDS, NEW_KINDS
from onirim_env.expansions.shared import BOTTOM_PLACES
from onirim_env.observation import MORE_STARTS, field_start
from onirim_env.rules import CAN_BE_HARD, EXPANSION_BIT, EXPANSIONS, HARD_BIT

N_NEW = len(NEW_KINDS)
N_BASE_PHASES = len(PHASES)

TOP, DRAWN = field_start("top"), field_start("drawn")
UNSEEN = field_start("unseen")
NEW_OF = np.zeros(1024, dtype=np.int64)
"""The field for cards of expansions that belongs to a field of the base game, by their first entries."""
for _name in (
    "hand",
    "unseen",
    "top",
    "revealed",
    "drawn",
    "limbo",
    "shared",
    "swapping",
    "public",
    "partner_hand",
):
    NEW_OF[field_start(_name)] = MORE_STARTS[f"new_{_name}"]
NEW_LIMBO, DISCARDED, BOTTOM = MORE_STARTS["new_limbo"], MORE_STARTS["discarded"], MORE_STARTS["bottom"]
LOOKED, PLACED = MORE_STARTS["looked"], MORE_STARTS["placed"]
EXPANSION_PHASE, ACTED = MORE_STARTS["module_phase"], MORE_STARTS["acted"]
IN_GAME, HARD = MORE_STARTS["expansions"], MORE_STARTS["hard"]
N_EXPANSIONS = len(EXPANSIONS)
HARD_BITS = np.array([HARD_BIT << EXPANSIONS.index(keyword) for keyword in CAN_BE_HARD], dtype=np.int64)
SERIES = field_start("series")


@rule
def card_entry(state, field, place, kind):
    """Return the entry that counts a kind in a field (for the field ``top``: at a place)."""
    if kind >= N_KINDS:
        return NEW_OF[field] + place * N_NEW + kind - N_KINDS
    if field == TOP:
        return TOP + place * N_KINDS + kind
    return field + kind - (FIRST_DOOR if field == DRAWN else 0)


@rule
def knows_deck(state, observer, place, closed):
    """Whether a player knows the card at a place of the deck, 0 being the top."""
    seen = seen_bit(observer) if closed else SEEN_BY_ALL
    return state.deck[state.deck_size - 1 - place] & seen != 0


@rule
def known_places(state):
    """Return how many places from the top on may be known: the bottom may be, too."""
    return np.int64(state.deck_size)


@rule
def observe_row(state, player, last_symbol, series, out, row):
    """Write the last symbol of a row, and its running series, or what Crossroads make of it."""
    last = last_card(state, player)
    if last < 0:
        return
    own = series == SERIES
    if SYMBOL_OF[last] == GLYPH:
        glyphs.observe_last(own, out, row)
    elif SYMBOL_OF[last] < N_SYMBOLS:
        out[row, last_symbol + SYMBOL_OF[last]] = 1.0
    if state.rules & CROSSROADS:
        crossroads.observe_row(state, player, own, out, row)
        return
    length = np.int64(state.series[player])
    asked = state.phase == PHASE_SERIES and player == state.player
    if length < SERIES_LENGTH or asked:
        out[row, series + COLOUR_OF[last] * SERIES_LENGTH + length - 1] = 1.0


@rule
def observe_more(state, observer, closed, out, row):
    """Write what expansions add."""
    for expansion in range(N_EXPANSIONS):
        if state.rules & (EXPANSION_BIT << expansion):
            out[row, IN_GAME + expansion] = 1.0
    for index in range(HARD_BITS.shape[0]):
        if state.rules & HARD_BITS[index]:
            out[row, HARD + index] = 1.0
    observe_deck(state, observer, closed, out, row)
    for kind in range(N_ALL_KINDS):
        out[row, DISCARDED + kind] = state.discard[kind]
        if kind >= N_KINDS:
            out[row, NEW_LIMBO + kind - N_KINDS] = state.limbo[kind - FIRST_DOOR]
    if state.phase >= N_BASE_PHASES:
        out[row, EXPANSION_PHASE + state.phase - N_BASE_PHASES] = 1.0
    out[row, ACTED] = state.acted
    observe_expansions(state, observer, closed, out, row)


@rule
def observe_expansions(state, observer, closed, out, row):
    """Write what each expansion has of its own."""
    if state.rules & BOOK:
        book_of_steps.observe(state, out, row)
    if state.rules & GLYPHS:
        glyphs.observe(state, observer, out, row)
    if state.rules & CATCHING:
        dreamcatchers.observe(state, out, row)
    if state.rules & TOWERS:
        towers.observe(state, out, row)
    if state.rules & PREMONITION:
        premonitions.observe(state, observer, closed, out, row)
    if state.rules & ONIVERSE:
        oniverse.observe(state, observer, out, row)


@rule
def observe_deck(state, observer, closed, out, row):
    """Write the known bottom, and the cards beside the deck.

    In closed talk the partner sees which cards they are where everybody has seen them, but not the order in
    which they are placed.
    """
    for place in range(min(BOTTOM_PLACES, np.int64(state.deck_size))):
        from_top = state.deck_size - 1 - place
        if knows_deck(state, observer, from_top, closed):
            kind = np.int64(state.deck[place] & KIND_BITS)
            out[row, BOTTOM + place * N_ALL_KINDS + kind] = 1.0
    seen = seen_bit(observer) if closed else SEEN_BY_ALL
    for place in range(state.looked_size):
        kind = np.int64(state.looked[place] & KIND_BITS)
        if state.looked[place] & seen == 0:
            out[row, card_entry(state, UNSEEN, 0, kind)] += 1.0
        elif place < state.looked_placed and (not closed or observer == state.player):
            out[row, PLACED + kind] += 1.0
        else:
            out[row, LOOKED + kind] += 1.0

"""What a player may know of the zones of modules (layout: ``onirim_env/modules/layout.py``)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import DOORS_PER_COLOUR, FIRST_DOOR, N_COLOURS, N_KINDS, N_SYMBOLS, SERIES_LENGTH
from onirim_env.engine.compile import rule
from onirim_env.engine.hand import seen_bit
from onirim_env.engine.modules.cards import COLOUR_OF, FIRST_DENIZEN, GLYPH, SYMBOL_OF
from onirim_env.engine.modules.crossroads import colour_at
from onirim_env.engine.modules.oniverse import N_DENIZENS
from onirim_env.engine.modules.premonitions import N_PREMONITIONS
from onirim_env.engine.modules.state import (
    BOOK,
    CATCHING,
    CROSSROADS,
    INCANTATION_FOLLOWS,
    N_ALL_DOORS,
    NO_GOAL,
    NOTHING_FOLLOWS,
    ONIVERSE_DOOR,
)
from onirim_env.engine.row import last_card
from onirim_env.engine.state import KIND_BITS, NO_CARD, PHASE_SERIES, PHASES, SEEN_BY_ALL, TWO_PLAYERS
from onirim_env.modules import N_ALL_KINDS
from onirim_env.modules.layout import BOTTOM_PLACES, CAN_BE_HARD, MORE_STARTS, NEW_KINDS
from onirim_env.modules.towers import VALUES
from onirim_env.observation import field_start
from onirim_env.rules import EXPANSION_BIT, EXPANSIONS, HARD_BIT

N_NEW = len(NEW_KINDS)
N_BASE_PHASES = len(PHASES)

TOP, DRAWN = field_start("top"), field_start("drawn")
UNSEEN = field_start("unseen")
NEW_OF = np.zeros(1024, dtype=np.int64)
"""The field for cards of modules that belongs to a field of the base game, by their first entries."""
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
NEW_UNSEEN, NEW_LIMBO = MORE_STARTS["new_unseen"], MORE_STARTS["new_limbo"]
DISCARDED, BOTTOM = MORE_STARTS["discarded"], MORE_STARTS["bottom"]
LOOKED, PLACED = MORE_STARTS["looked"], MORE_STARTS["placed"]
MODULE_PHASE, ACTED, FOLLOWS = MORE_STARTS["module_phase"], MORE_STARTS["acted"], MORE_STARTS["follows"]
THIRD_DOORS, PARTNER_THIRD_DOORS = MORE_STARTS["third_doors"], MORE_STARTS["partner_third_doors"]
ONIVERSE, LAST_GLYPH = MORE_STARTS["oniverse_door"], MORE_STARTS["last_glyph"]
GOALS, GOALS_MET, SPELL = MORE_STARTS["goals"], MORE_STARTS["goals_met"], MORE_STARTS["spell"]
TO_PAY, SWAPPED_GOAL, REMOVED = MORE_STARTS["to_pay"], MORE_STARTS["swapped_goal"], MORE_STARTS["removed"]
CATCHERS, N_CATCHERS = MORE_STARTS["catchers"], MORE_STARTS["n_catchers"]
BOOKS, KEPT = MORE_STARTS["books"], MORE_STARTS["kept"]
TOWERS, RIGHTMOST = MORE_STARTS["towers"], MORE_STARTS["rightmost_tower"]
PREMONITIONS, RESERVE = MORE_STARTS["premonitions"], MORE_STARTS["reserve"]
PREMONITION, KEYS_LEFT = MORE_STARTS["premonition"], MORE_STARTS["premonition_keys"]
FETCHED, PENDING, PARTNER_PENDING = (
    MORE_STARTS["fetched"],
    MORE_STARTS["pending"],
    MORE_STARTS["partner_pending"],
)
DENIZENS, PARTNER_DENIZENS = MORE_STARTS["denizens"], MORE_STARTS["partner_denizens"]
STORED, PARTNER_STORED = MORE_STARTS["stored"], MORE_STARTS["partner_stored"]
GIVEN, GIVEN_SHARED = MORE_STARTS["given"], MORE_STARTS["given_shared"]
IN_GAME, HARD = MORE_STARTS["expansions"], MORE_STARTS["hard"]
N_MODULES = len(EXPANSIONS)
HARD_BITS = np.array([HARD_BIT << EXPANSIONS.index(keyword) for keyword in CAN_BE_HARD], dtype=np.int64)
FIRST_TOWER_KIND = N_KINDS + NEW_KINDS.index("red tower 3")
N_TOWER_KINDS = N_COLOURS * len(VALUES)
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
        out[row, LAST_GLYPH + (0 if own else 1)] = 1.0
    elif SYMBOL_OF[last] < N_SYMBOLS:
        out[row, last_symbol + SYMBOL_OF[last]] = 1.0
    size = np.int64(state.row_size[player])
    if state.rules & CROSSROADS:
        first = PENDING if own else PARTNER_PENDING
        for back in range(2):
            index = size - 1 - back
            if index >= state.used[player]:
                out[row, first + back * (N_COLOURS + 1) + colour_at(state, player, index)] = 1.0
        return
    length = np.int64(state.series[player])
    asked = state.phase == PHASE_SERIES and player == state.player
    if length < SERIES_LENGTH or asked:
        out[row, series + COLOUR_OF[last] * SERIES_LENGTH + length - 1] = 1.0


@rule
def observe_more(state, observer, closed, out, row):
    """Write what modules add."""
    partner = 1 - observer
    for module in range(N_MODULES):
        if state.rules & (EXPANSION_BIT << module):
            out[row, IN_GAME + module] = 1.0
    for index in range(HARD_BITS.shape[0]):
        if state.rules & HARD_BITS[index]:
            out[row, HARD + index] = 1.0
    observe_deck(state, observer, closed, out, row)
    for kind in range(N_ALL_KINDS):
        out[row, DISCARDED + kind] = state.discard[kind]
        out[row, REMOVED + kind] = state.removed[kind]
        if kind >= N_KINDS:
            out[row, NEW_LIMBO + kind - N_KINDS] = state.limbo[kind - FIRST_DOOR]
    if state.phase >= N_BASE_PHASES:
        out[row, MODULE_PHASE + state.phase - N_BASE_PHASES] = 1.0
    out[row, ACTED] = state.acted
    if state.follows == INCANTATION_FOLLOWS:
        out[row, FOLLOWS] = 1.0
    elif state.follows != NOTHING_FOLLOWS:
        out[row, FOLLOWS + 1 + state.follows - VALUES[0]] = 1.0
    for colour in range(N_COLOURS):
        if state.doors[observer, colour] > DOORS_PER_COLOUR:
            out[row, THIRD_DOORS + colour] = 1.0
        if state.doors[partner, colour] > DOORS_PER_COLOUR:
            out[row, PARTNER_THIRD_DOORS + colour] = 1.0
    out[row, ONIVERSE] = state.doors[observer, ONIVERSE_DOOR]
    out[row, ONIVERSE + 1] = state.doors[partner, ONIVERSE_DOOR]
    if state.rules & BOOK:
        observe_book(state, out, row)
    if state.rules & CATCHING:
        observe_catchers(state, out, row)
    observe_rest(state, observer, out, row)


@rule
def observe_deck(state, observer, closed, out, row):
    """Write the known bottom, the cards beside the deck, and the Denizens that were removed unseen."""
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
        elif place < state.looked_placed:
            out[row, PLACED + kind] += 1.0
        else:
            out[row, LOOKED + kind] += 1.0
    for denizen in range(N_DENIZENS):
        out[row, NEW_UNSEEN + FIRST_DENIZEN + denizen - N_KINDS] += state.unused[denizen]


@rule
def observe_book(state, out, row):
    """Write the Goals and the spell under way."""
    for goal in range(state.n_goals):
        out[row, GOALS + goal * N_ALL_DOORS + state.goals[goal]] = 1.0
        if state.goals_met >> goal & 1:
            out[row, GOALS_MET + goal] = 1.0
    if state.spell > 0:
        out[row, SPELL + state.spell - 1] = 1.0
    out[row, TO_PAY] = state.to_pay
    if state.swapped_goal != NO_GOAL:
        out[row, SWAPPED_GOAL + state.swapped_goal] = 1.0


@rule
def observe_catchers(state, out, row):
    """Write the Dreamcatchers and the Failsafe Books."""
    for catcher in range(state.n_catchers):
        for index in range(state.limbo.shape[0]):
            out[row, CATCHERS + catcher * N_ALL_KINDS + FIRST_DOOR + index] = state.catchers[catcher, index]
    out[row, N_CATCHERS] = state.n_catchers
    out[row, BOOKS] = state.books
    if state.kept > 0:
        out[row, KEPT + state.kept - 1] = 1.0


@rule
def observe_rest(state, observer, out, row):
    """Write Towers, Premonitions and Denizens."""
    partner = 1 - observer
    for place in range(state.n_towers):
        tower = np.int64(state.towers[place]) - FIRST_TOWER_KIND
        out[row, TOWERS + place * N_TOWER_KINDS + tower] = 1.0
        if place == state.n_towers - 1:
            out[row, RIGHTMOST + tower] = 1.0
    for premonition in range(N_PREMONITIONS):
        out[row, PREMONITIONS + premonition] = state.premonitions >> premonition & 1
    for place in range(state.n_reserve):
        out[row, RESERVE + state.reserve[place]] = 1.0
    if state.premonition > 0:
        out[row, PREMONITION + state.premonition - 1] = 1.0
    out[row, KEYS_LEFT] = state.premonition_keys
    if state.fetched != NO_CARD:
        out[row, FETCHED + state.fetched] = 1.0
    if state.given != NO_CARD:
        out[row, GIVEN + state.given] = 1.0
    out[row, GIVEN_SHARED] = state.given_shared
    for denizen in range(N_DENIZENS):
        out[row, DENIZENS + denizen] = state.denizens[observer, denizen]
        out[row, PARTNER_DENIZENS + denizen] = state.denizens[partner, denizen]
    for place in range(state.n_stored[observer]):
        out[row, STORED + state.stored[observer, place]] += 1.0
    if state.rules & TWO_PLAYERS:
        for place in range(state.n_stored[partner]):
            out[row, PARTNER_STORED + state.stored[partner, place]] += 1.0

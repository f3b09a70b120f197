"""Playing into the row, and what a series finds, in games with modules."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, N_COLOURS, SERIES_LENGTH
from onirim_env.engine.compile import rule
from onirim_env.engine.hand import remove
from onirim_env.engine.legal import LEGAL, PASS, SEARCH, list_code
from onirim_env.engine.modules.cards import (
    ANY_COLOUR,
    COLOUR_OF,
    CROSSROAD_KINDS,
    ONIVERSE_KIND,
    ROW_KINDS,
    SYMBOL_KINDS,
    SYMBOL_OF,
    kind_of_door,
)
from onirim_env.engine.modules.codes import argument_of, family, first_of
from onirim_env.engine.modules.crossroads import may_play_crossroad, note_card
from onirim_env.engine.modules.deck import take_out
from onirim_env.engine.modules.doors import can_keep, is_accepted
from onirim_env.engine.modules.dreamcatchers import is_offered, n_offered, take_from
from onirim_env.engine.modules.flow import finish_search, gain_from_search, refill
from onirim_env.engine.modules.oniverse import (
    CHAOS_SEARCH,
    CHROMATIC_CHAOS,
    SEARCH_ONIVERSE,
    give_up_stored,
    has,
    use,
)
from onirim_env.engine.modules.state import CATCHING, CROSSROADS, N_ALL_DOORS, ONIVERSE, ONIVERSE_DOOR
from onirim_env.engine.row import last_card, row_place
from onirim_env.engine.state import CHOICE_OF_SEARCH, PHASE_SERIES
from onirim_env.modules.verbs import DOORS_OF_CATCHER, STRIDE

TAKE_FROM = family("TAKE_FROM")
SEARCH_HERE, PASS_HERE = family("SEARCH"), family("SEARCH") + 1
WITH_CHAOS = STRIDE // 2


@rule
def playable_kinds(state, player):
    """Return the set of cards that may follow the last one of a row (P-1, G-1, X-7)."""
    kinds = ROW_KINDS
    last = last_card(state, player)
    if last >= 0:
        kinds &= ~SYMBOL_KINDS[SYMBOL_OF[last]]
    if state.rules & CROSSROADS and not may_play_crossroad(state, player):
        kinds &= ~CROSSROAD_KINDS
    return kinds


@rule
def architect_kinds(state, player):
    """Return the set of cards that an Architect may put in a row: of the last card's symbol."""
    last = last_card(state, player)
    if last < 0:
        return 0
    kinds = SYMBOL_KINDS[SYMBOL_OF[last]]
    if state.rules & CROSSROADS and not may_play_crossroad(state, player):
        kinds &= ~CROSSROAD_KINDS
    return kinds


@rule
def append(state, player, kind):
    """Put a card at the end of a row; return whether that completes a series (P-2 to P-6, X-1)."""
    last = last_card(state, player)
    goes_on = last >= 0 and COLOUR_OF[last] == COLOUR_OF[kind]
    # Without Crossroads this counts; the Hammer Bird may have shortened the row to a run of any length.
    if goes_on and state.series[player] < SERIES_LENGTH:
        state.series[player] += 1
    else:
        state.series[player] = 1
    state.row[row_place(state, player, state.row_size[player])] = kind
    state.row_size[player] += 1
    if state.rules & CROSSROADS:
        return note_card(state, player)
    return state.series[player] == SERIES_LENGTH


@rule
def series_colour(state):
    """Return the colour of the series that the row ends with: that of its last card but a Crossroad."""
    player = np.int64(state.player)
    index = state.row_size[player] - 1
    while COLOUR_OF[state.row[row_place(state, player, index)]] == ANY_COLOUR:
        index -= 1
    return COLOUR_OF[state.row[row_place(state, player, index)]]


@rule
def list_series(state, legal):
    """List what may be done after a series: searches (P-2, O-6), caught Doors (D-7), nothing."""
    list_ways(state, legal)
    list_code(PASS if state.rules & CHOICE_OF_SEARCH else PASS_HERE, legal)


@rule
def list_ways(state, legal):
    """List the ways to gain by the series just completed."""
    colour = series_colour(state)
    chosen = state.rules & CHOICE_OF_SEARCH != 0
    frees = state.rules & CATCHING and n_offered(state) > 0
    if can_keep(state, colour) and (chosen or frees or state.deck_count[FIRST_DOOR + colour] > 0):
        list_code(SEARCH if chosen else SEARCH_HERE, legal)
    if state.rules & CATCHING:
        list_caught_doors(state, colour, legal)
    if state.rules & ONIVERSE:
        if is_found(state, ONIVERSE_DOOR):
            list_code(SEARCH_ONIVERSE, legal)
        if has(state, CHROMATIC_CHAOS):
            for other in range(N_COLOURS):
                if other != colour and is_found(state, other):
                    list_code(CHAOS_SEARCH + FIRST_DOOR + other, legal)


@rule
def is_found(state, door):
    """Whether a search finds a Door that is then put in play."""
    return state.deck_count[kind_of_door(door)] > 0 and can_keep(state, door) and is_accepted(state, door)


@rule
def list_caught_doors(state, colour, legal):
    """List the Doors under Dreamcatchers that the series can gain."""
    chaos = state.rules & ONIVERSE and has(state, CHROMATIC_CHAOS)
    for catcher in range(state.n_catchers):
        if is_offered(state, catcher):
            for door in range(N_ALL_DOORS):
                fits = door == colour or door == ONIVERSE_DOOR
                there = state.catchers[catcher, kind_of_door(door) - FIRST_DOOR] > 0
                if there and (fits or chaos) and can_keep(state, door) and is_accepted(state, door):
                    argument = catcher * DOORS_OF_CATCHER + door
                    list_code(TAKE_FROM + argument + (0 if fits else WITH_CHAOS), legal)


@rule
def play(state, hand, kind):
    """Put a card of a hand at the end of the own row."""
    remove(state, hand, kind)
    put_in_row(state, kind)


@rule
def play_stored(state, kind):
    """Put a stored card at the end of the own row."""
    give_up_stored(state, kind)
    put_in_row(state, kind)


@rule
def put_in_row(state, kind):
    """Put a card at the end of the own row; a series searches by itself where nothing is to be decided."""
    state.acted = 1
    if not append(state, np.int64(state.player), kind):
        refill(state)
        return
    room = np.empty(1, LEGAL)
    ways = room[0]
    ways.n = 0
    list_ways(state, ways)
    if ways.n == 0:
        refill(state)
    elif state.rules & CHOICE_OF_SEARCH or ways.n > 1 or not finds_door(state, np.int64(ways.codes[0])):
        state.phase = PHASE_SERIES
    else:
        apply_series(state, np.int64(ways.codes[0]))


@rule
def finds_door(state, code):
    """Whether a way is a search of the deck that puts a Door in play, at no cost."""
    if code == SEARCH_ONIVERSE:
        return True
    if code != SEARCH and code != SEARCH_HERE:
        return False
    colour = series_colour(state)
    return state.deck_count[FIRST_DOOR + colour] > 0 and is_accepted(state, colour)


@rule
def apply_series(state, code):
    """Carry out what is done after a series."""
    if code == PASS or code == PASS_HERE:
        refill(state)
        return
    if first_of(code) == TAKE_FROM:
        argument = argument_of(code)
        if argument >= WITH_CHAOS:
            use(state, np.int64(state.player), CHROMATIC_CHAOS)
        argument %= WITH_CHAOS
        door = argument % DOORS_OF_CATCHER
        take_from(state, argument // DOORS_OF_CATCHER, kind_of_door(door))
        gain_from_search(state, door)
        return
    kind = FIRST_DOOR + series_colour(state)
    if code == SEARCH_ONIVERSE:
        kind = np.int64(ONIVERSE_KIND)
    elif first_of(code) == CHAOS_SEARCH:
        use(state, np.int64(state.player), CHROMATIC_CHAOS)
        kind = argument_of(code)
    if state.deck_count[kind] > 0:
        take_out(state, kind)
        gain_from_search(state, ONIVERSE_DOOR if kind == ONIVERSE_KIND else kind - FIRST_DOOR)
    else:
        finish_search(state)

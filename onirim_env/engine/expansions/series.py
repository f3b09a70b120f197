"""Playing into the row, and what a series finds, in games with expansions."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, SERIES_LENGTH
from onirim_env.compiling.compile import rule
from onirim_env.engine.codes import PASS, SEARCH
from onirim_env.engine.deck import shuffle
from onirim_env.engine.doors import can_keep
from onirim_env.engine.expansions import crossroads, dreamcatchers, oniverse, premonitions
from onirim_env.engine.expansions.cards import ANY_COLOUR, COLOUR_OF, ROW_KINDS, SYMBOL_KINDS, SYMBOL_OF
from onirim_env.engine.expansions.codes import family
from onirim_env.engine.expansions.declared import is_accepted
from onirim_env.engine.expansions.effects import search_for
from onirim_env.engine.expansions.state import CATCHING, CROSSROADS, ONIVERSE
from onirim_env.engine.listing import LEGAL, list_code
from onirim_env.engine.row import last_card, row_place
from onirim_env.engine.state import CHOICE_OF_SEARCH, PHASE_SERIES
from onirim_env.engine.turn import refill

SEARCH_HERE, PASS_HERE = family("SEARCH"), family("SEARCH") + 1


@rule
def row_kinds(state, player):
    """Return the set of cards that may be put in a row at all, whatever its last card's symbol (X-7)."""
    kinds = ROW_KINDS
    if state.rules & CROSSROADS:
        kinds &= ~crossroads.barred_kinds(state, player)
    return kinds


@rule
def playable_kinds(state, player):
    """Return the set of cards that may follow the last one of a row (P-1, G-1, X-7)."""
    kinds = row_kinds(state, player)
    last = last_card(state, player)
    return kinds & ~SYMBOL_KINDS[SYMBOL_OF[last]] if last >= 0 else kinds


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
        return crossroads.note_card(state, player)
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
    frees = state.rules & CATCHING and dreamcatchers.n_offered(state) > 0
    if can_keep(state, colour) and (chosen or frees or state.deck_count[FIRST_DOOR + colour] > 0):
        list_code(SEARCH if chosen else SEARCH_HERE, legal)
    if state.rules & CATCHING:
        dreamcatchers.list_ways(state, colour, legal)
    if state.rules & ONIVERSE:
        oniverse.list_ways(state, colour, legal)


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
    if code == oniverse.SEARCH_ONIVERSE:
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
    elif code == SEARCH or code == SEARCH_HERE:
        search_for(state, series_colour(state))
    elif not dreamcatchers.apply_way(state, code):
        oniverse.apply_way(state, code)


@rule
def finish_search(state):
    """End a search: a Dreamcatcher may be freed, then the deck is shuffled (P-2, D-6)."""
    if state.rules & CATCHING and dreamcatchers.asks_to_free(state):
        return
    shuffle_after_search(state)


@rule
def shuffle_after_search(state):
    """Shuffle the deck; a card that a Happy Dream has found goes on top (HP-4)."""
    shuffle(state)
    premonitions.put_fetched(state)
    refill(state)

"""The Denizens of the Oniverse: who has them, and what their powers do."""

from __future__ import annotations

import numpy as np

from onirim_env.actions import FIRST_EXPANSION_CODE
from onirim_env.cards import NIGHTMARE, NO_CARD, SERIES_LENGTH
from onirim_env.compiling.compile import rule
from onirim_env.engine.action import play
from onirim_env.engine.codes import PLAY, PLAY_SHARED
from onirim_env.engine.expansions.cards import (
    ANY_COLOUR,
    COLOUR_OF,
    DEAD_END,
    FIRST_DENIZEN,
    LOCATION_KINDS,
    SYMBOL_KINDS,
    SYMBOL_OF,
)
from onirim_env.engine.expansions.codes import argument_of, family, first_of, list_kinds, list_mixed
from onirim_env.engine.expansions.crossroads import shorten
from onirim_env.engine.expansions.declared import DONE, GO_ON, NOT_MINE, after_discard, put_in_row, row_kinds
from onirim_env.engine.expansions.effects import end_nightmare
from onirim_env.engine.expansions.looking import BOTTOM_ORDER, ask_order, look, looked_kind, reveal
from onirim_env.engine.expansions.state import CROSSROADS, ONIVERSE, PHASE
from onirim_env.engine.hand import add, find, kinds_in, remove, seen_bit
from onirim_env.engine.listing import list_code
from onirim_env.engine.row import last_card, playable_kinds, row_place
from onirim_env.engine.state import SEEN_BY_ALL, SHARED, TWO_PLAYERS
from onirim_env.expansions import N_ALL_KINDS
from onirim_env.expansions.oniverse import DENIZENS, HUNTER_SIZE, SPIES_SIZE

(
    ARCHITECT_OF,
    CYCLOBOT,
    SQUIRREL_SPIES,
    HARPOON_HUNTER,
    HAMMER_BIRD,
    CHROMATIC_CHAOS,
    MIRROR,
    TREASURE_KEEPER,
) = range(len(DENIZENS))
N_DENIZENS = len(DENIZENS)
ARCHITECT = PHASE["architect"]
GIVING, TAKING, STORING = PHASE["cyclobot_give"], PHASE["cyclobot_take"], PHASE["keeper_store"]
POWER = family("POWER")
STORE, STORE_SHARED = family("STORE"), family("STORE_SHARED")
PLAY_NEW, PLAY_SHARED_NEW = family("PLAY"), family("PLAY_SHARED")
PLAY_STORED, DISCARD_STORED = family("PLAY_STORED"), family("DISCARD_STORED")
GIVE, GIVE_SHARED, TAKE_DISCARDED = (
    family("CYCLOBOT_GIVE"),
    family("CYCLOBOT_GIVE_SHARED"),
    family("CYCLOBOT_TAKE"),
)
WITHOUT_DEAD_ENDS = ~(1 << DEAD_END)


@rule
def has(state, denizen):
    """Whether the player to move has rallied a Denizen."""
    return state.denizens[state.player, denizen] > 0


@rule
def has_chaos(state):
    """Whether the player to move has Chromatic Chaos, which makes a Key or a series one of any colour."""
    return state.rules & ONIVERSE != 0 and has(state, CHROMATIC_CHAOS)


@rule
def use(state, player, denizen):
    """Discard a rallied Denizen (O-D4)."""
    state.denizens[player, denizen] -= 1
    state.discard[FIRST_DENIZEN + denizen] += 1


@rule
def whole_hand(state):
    """Return the set of kinds among the own and the shared cards."""
    return kinds_in(state, np.int64(state.player)) | kinds_in(state, SHARED)


@rule
def stored_kinds(state):
    """Return the set of kinds stored under the player's Treasure Keepers."""
    kinds = 0
    for place in range(state.n_stored[state.player]):
        kinds |= 1 << np.int64(state.stored[state.player, place])
    return kinds


@rule
def discarded_locations(state):
    """Return the set of kinds of Locations on the discard pile."""
    kinds = 0
    for kind in range(N_ALL_KINDS):
        if state.discard[kind] > 0:
            kinds |= 1 << kind
    return kinds & LOCATION_KINDS


@rule
def architect_kinds(state, player):
    """Return the set of cards that an Architect may put in a row: of the last card's symbol."""
    last = last_card(state, player)
    if last < 0:
        return 0
    return SYMBOL_KINDS[SYMBOL_OF[last]] & row_kinds(state, player)


@rule
def list_stored(state, player, legal):
    """List what may be done with stored cards in phase 1."""
    stored = stored_kinds(state)
    if stored:
        list_kinds(stored & playable_kinds(state, player), PLAY_STORED, legal)
        list_kinds(stored & WITHOUT_DEAD_ENDS, DISCARD_STORED, legal)


@rule
def list_powers(state, player, legal):
    """List the powers of phase 1 that do something."""
    for denizen in range(N_DENIZENS):
        if has(state, denizen) and is_able(state, player, denizen):
            list_code(POWER + denizen, legal)


@rule
def is_able(state, player, denizen):
    """Whether a power does something in phase 1."""
    if denizen == ARCHITECT_OF:
        return (whole_hand(state) | stored_kinds(state)) & architect_kinds(state, player) != 0
    if denizen == CYCLOBOT:
        return whole_hand(state) & LOCATION_KINDS != 0 and discarded_locations(state) != 0
    if denizen == SQUIRREL_SPIES or denizen == HARPOON_HUNTER:
        return state.deck_size > 0
    if denizen == HAMMER_BIRD:
        return state.row_size[player] > 0
    if denizen == TREASURE_KEEPER:
        keepers = np.int64(state.denizens[player, TREASURE_KEEPER]) - state.n_stored[player]
        return keepers > 0 and whole_hand(state) != 0
    return False


@rule
def list_powers_used(state, legal):
    """List the actions of the phases in which a power is carried out."""
    player = np.int64(state.player)
    own, shared = kinds_in(state, player), kinds_in(state, SHARED)
    if state.phase == ARCHITECT:
        kinds = architect_kinds(state, player)
        list_mixed(own & kinds, PLAY, PLAY_NEW, legal)
        list_mixed(shared & kinds, PLAY_SHARED, PLAY_SHARED_NEW, legal)
        list_kinds(stored_kinds(state) & kinds, PLAY_STORED, legal)
    elif state.phase == GIVING:
        list_kinds(own & LOCATION_KINDS, GIVE, legal)
        list_kinds(shared & LOCATION_KINDS, GIVE_SHARED, legal)
    elif state.phase == TAKING:
        list_kinds(discarded_locations(state), TAKE_DISCARDED, legal)
    elif state.phase == STORING:
        list_kinds(own, STORE, legal)
        list_kinds(shared, STORE_SHARED, legal)


@rule
def apply_denizens(state, code):
    """Carry out an action of Denizens that have been rallied; return what follows (``declared.py``)."""
    verb, argument = first_of(code), argument_of(code)
    if state.phase == ARCHITECT:
        apply_architect(state, code)
    elif verb == PLAY_STORED:
        play_stored(state, argument)
    elif verb == DISCARD_STORED:
        give_up_stored(state, argument)
        state.discard[argument] += 1
        after_discard(state, argument)
    elif verb == POWER:
        return apply_power(state, argument)
    elif verb == GIVE or verb == GIVE_SHARED:
        give(state, verb == GIVE_SHARED, argument)
    elif verb == TAKE_DISCARDED:
        apply_taking(state, argument)
        return GO_ON
    elif verb == STORE or verb == STORE_SHARED:
        store(state, SHARED if verb == STORE_SHARED else np.int64(state.player), argument)
        return GO_ON
    else:
        return NOT_MINE
    return DONE


@rule
def apply_power(state, denizen):
    """Use the power of a Denizen (O-D4); return what follows."""
    player = np.int64(state.player)
    if denizen != TREASURE_KEEPER:
        use(state, player, denizen)
    if denizen == MIRROR:
        end_nightmare(state, True)
        return GO_ON
    asks = True
    if denizen == ARCHITECT_OF:
        state.phase = ARCHITECT
    elif denizen == CYCLOBOT:
        state.phase = GIVING
    elif denizen == TREASURE_KEEPER:
        state.phase = STORING
    elif denizen == SQUIRREL_SPIES:
        asks = look(state, SPIES_SIZE)
    elif denizen == HARPOON_HUNTER:
        asks = hunt(state)
    else:
        hammer(state)
        asks = False
    return DONE if asks else GO_ON


@rule
def apply_architect(state, code):
    """Put a Location of the last card's symbol in the row."""
    player = np.int64(state.player)
    if code < FIRST_EXPANSION_CODE:
        if code >= PLAY_SHARED:
            play(state, SHARED, code - PLAY_SHARED)
        else:
            play(state, player, code - PLAY)
        return
    kind = argument_of(code)
    if first_of(code) == PLAY_STORED:
        play_stored(state, kind)
    else:
        play(state, SHARED if first_of(code) == PLAY_SHARED_NEW else player, kind)


@rule
def play_stored(state, kind):
    """Put a stored card at the end of the own row."""
    give_up_stored(state, kind)
    put_in_row(state, kind)


@rule
def give(state, shared, kind):
    """Put up a Location of the hand for a Cyclobot; it lies open, so the partner knows it."""
    state.given = kind
    state.given_shared = shared
    state.phase = TAKING
    if state.rules & TWO_PLAYERS and not shared:
        state.hand[state.player, find(state, np.int64(state.player), kind)] |= seen_bit(1 - state.player)


@rule
def apply_taking(state, taken):
    """Exchange a Location of the hand with one of the discard pile; everybody has seen that one."""
    given = np.int64(state.given)
    hand = SHARED if state.given_shared else np.int64(state.player)
    state.given = NO_CARD
    state.given_shared = 0
    state.discard[taken] -= 1
    remove(state, hand, given)
    state.discard[given] += 1
    add(state, hand, taken | SEEN_BY_ALL)


@rule
def store(state, hand, kind):
    """Put a card of a hand under the Treasure Keeper."""
    remove(state, hand, kind)
    state.stored[state.player, state.n_stored[state.player]] = kind
    state.n_stored[state.player] += 1


@rule
def give_up_stored(state, kind):
    """Take a stored card; its Keeper goes (O-D4)."""
    place = 0
    while state.stored[state.player, place] != kind:
        place += 1
    state.n_stored[state.player] -= 1
    for index in range(place, state.n_stored[state.player]):
        state.stored[state.player, index] = state.stored[state.player, index + 1]
    use(state, np.int64(state.player), TREASURE_KEEPER)


@rule
def hunt(state):
    """Discard the Nightmares among the top cards, the others go to the bottom; return whether it asks."""
    reveal(state, HUNTER_SIZE)
    size = 0
    for place in range(state.looked_size):
        if looked_kind(state, place) == NIGHTMARE:
            state.discard[NIGHTMARE] += 1
        else:
            state.looked[size] = state.looked[place]
            size += 1
    state.looked_size = size
    return ask_order(state, BOTTOM_ORDER)


@rule
def hammer(state):
    """Discard the end of the row: its last card and the run of its colour (O-43: a Crossroad alone)."""
    player = np.int64(state.player)
    colour = -1
    while state.row_size[player] > 0:
        place = row_place(state, player, state.row_size[player] - 1)
        kind = np.int64(state.row[place])
        if colour >= 0 and (COLOUR_OF[kind] != colour or colour == ANY_COLOUR):
            break
        colour = COLOUR_OF[kind]
        state.row_size[player] -= 1
        state.row[place] = 0
        state.discard[kind] += 1
    count_series(state, player)
    if state.rules & CROSSROADS:
        shorten(state, player)


@rule
def count_series(state, player):
    """Count the running series of a row anew: every third card of a run ends one."""
    run = 0
    for index in range(state.row_size[player] - 1, -1, -1):
        colour = COLOUR_OF[state.row[row_place(state, player, index)]]
        if colour != COLOUR_OF[state.row[row_place(state, player, state.row_size[player] - 1)]]:
            break
        run += 1
    state.series[player] = (run - 1) % SERIES_LENGTH + 1 if run > 0 else 0

"""The Door to the Oniverse (4.7): Denizens and what they do."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import KEY, N_COLOURS, N_SYMBOLS, NIGHTMARE, SERIES_LENGTH
from onirim_env.engine.compile import rule
from onirim_env.engine.deck import add_to_pool
from onirim_env.engine.hand import add, kinds_in, remove
from onirim_env.engine.legal import list_code
from onirim_env.engine.modules.cards import (
    ANY_COLOUR,
    COLOUR_OF,
    DEAD_END,
    FIRST_DENIZEN,
    LOCATION_KINDS,
)
from onirim_env.engine.modules.codes import argument_of, family, list_kinds
from onirim_env.engine.modules.crossroads import shorten
from onirim_env.engine.modules.looking import BOTTOM_ORDER, ask_order, looked_kind, reveal
from onirim_env.engine.modules.state import ALL_DENIZENS, CROSSROADS, ONIVERSE_DOOR, PHASE
from onirim_env.engine.rng import random_below
from onirim_env.engine.row import row_place
from onirim_env.engine.state import NO_CARD, SEEN_BY_ALL, SHARED, TWO_PLAYERS
from onirim_env.modules import N_ALL_KINDS
from onirim_env.modules.oniverse import DENIZENS, DENIZENS_OF_A_KIND, HUNTER_SIZE

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
USED_DENIZENS = 8
DENIZEN, ARCHITECT = PHASE["denizen"], PHASE["architect"]
GIVING, TAKING, STORING = PHASE["cyclobot_give"], PHASE["cyclobot_take"], PHASE["keeper_store"]
POWER, REFUSE_DENIZEN = family("POWER"), family("REFUSE_DENIZEN")
RALLY, RALLY_SHARED = family("RALLY_0"), family("RALLY_SHARED_0")
STORE, STORE_SHARED = family("STORE"), family("STORE_SHARED")
GIVE, GIVE_SHARED, TAKE_DISCARDED = (
    family("CYCLOBOT_GIVE"),
    family("CYCLOBOT_GIVE_SHARED"),
    family("CYCLOBOT_TAKE"),
)
OPEN_WITH, OPEN_WITH_SHARED = family("OPEN_WITH"), family("OPEN_WITH_SHARED")
CHAOS_OPEN, CHAOS_OPEN_SHARED = family("CHAOS_OPEN"), family("CHAOS_OPEN_SHARED")
CHAOS_SEARCH, SEARCH_ONIVERSE = family("CHAOS_SEARCH"), family("SEARCH_ONIVERSE")
WITHOUT_DEAD_ENDS = ~(1 << DEAD_END)


@rule
def remove_denizens(state):
    """Remove eight of the sixteen Denizens unseen from the deck (O-D1, O-36)."""
    left = N_DENIZENS * DENIZENS_OF_A_KIND
    wanted = 0 if state.rules & ALL_DENIZENS else left - USED_DENIZENS
    for denizen in range(N_DENIZENS):
        for _ in range(DENIZENS_OF_A_KIND):
            if random_below(state, left) < wanted:
                state.unused[denizen] += 1
                wanted -= 1
            else:
                add_to_pool(state, FIRST_DENIZEN + denizen)
            left -= 1


@rule
def has(state, denizen):
    """Whether the player to move has rallied a Denizen."""
    return state.denizens[state.player, denizen] > 0


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
def meets_denizen(state, kind):
    """Deal with a drawn Denizen (O-D3); return whether the player is asked."""
    if whole_hand(state) & WITHOUT_DEAD_ENDS:
        state.drawn = kind
        state.phase = DENIZEN
        return True
    state.discard[kind] += 1
    return False


@rule
def list_powers(state, architect, legal):
    """List the powers of phase 1 that do something; ``architect`` is the set of kinds that one may play."""
    locations = whole_hand(state) & LOCATION_KINDS
    row = state.row_size[state.player] > 0
    keepers = np.int64(state.denizens[state.player, TREASURE_KEEPER]) - state.n_stored[state.player]
    for denizen in range(N_DENIZENS):
        able = False
        if denizen == ARCHITECT_OF:
            able = row and architect != 0
        elif denizen == CYCLOBOT:
            able = locations != 0 and discarded_locations(state) != 0
        elif denizen == SQUIRREL_SPIES or denizen == HARPOON_HUNTER:
            able = state.deck_size > 0
        elif denizen == HAMMER_BIRD:
            able = row
        elif denizen == TREASURE_KEEPER:
            able = keepers > 0 and whole_hand(state) != 0
        if able and has(state, denizen):
            list_code(POWER + denizen, legal)


@rule
def list_oniverse(state, legal):
    """List the actions of the phases of this module, but for that of the Architect."""
    player = np.int64(state.player)
    if state.phase == DENIZEN:
        offset = (np.int64(state.drawn) - FIRST_DENIZEN) * (RALLY_SHARED - RALLY) // N_DENIZENS
        list_kinds(kinds_in(state, player) & WITHOUT_DEAD_ENDS, RALLY + offset, legal)
        list_kinds(kinds_in(state, SHARED) & WITHOUT_DEAD_ENDS, RALLY_SHARED + offset, legal)
        list_code(REFUSE_DENIZEN, legal)
    elif state.phase == GIVING:
        list_kinds(kinds_in(state, player) & LOCATION_KINDS, GIVE, legal)
        list_kinds(kinds_in(state, SHARED) & LOCATION_KINDS, GIVE_SHARED, legal)
    elif state.phase == TAKING:
        list_kinds(discarded_locations(state), TAKE_DISCARDED, legal)
    elif state.phase == STORING:
        list_kinds(kinds_in(state, player), STORE, legal)
        list_kinds(kinds_in(state, SHARED), STORE_SHARED, legal)


@rule
def apply_denizen(state, code):
    """Rally the drawn Denizen, or discard it."""
    drawn = np.int64(state.drawn)
    state.drawn = NO_CARD
    if code == REFUSE_DENIZEN:
        state.discard[drawn] += 1
        return
    kind = argument_of(code)
    remove(state, SHARED if code >= RALLY_SHARED else np.int64(state.player), kind)
    state.discard[kind] += 1
    state.denizens[state.player, drawn - FIRST_DENIZEN] += 1


@rule
def apply_taking(state, code):
    """Exchange a Location of the hand with one of the discard pile; everybody has seen that one."""
    taken, given = argument_of(code), np.int64(state.given)
    hand = SHARED if state.given_shared else np.int64(state.player)
    state.given = NO_CARD
    state.given_shared = 0
    state.discard[taken] -= 1
    remove(state, hand, given)
    state.discard[given] += 1
    add(state, hand, taken | SEEN_BY_ALL)


@rule
def store(state, code):
    """Put a card under the Treasure Keeper."""
    kind = argument_of(code)
    remove(state, SHARED if code >= STORE_SHARED else np.int64(state.player), kind)
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


@rule
def mirror_holder(state):
    """Return the player whose Mirror is used, the one to move first, or -1 (4.10)."""
    player = np.int64(state.player)
    if state.denizens[player, MIRROR] > 0:
        return player
    if state.rules & TWO_PLAYERS and state.denizens[1 - player, MIRROR] > 0:
        return 1 - player
    return -1


@rule
def list_more_keys(state, door, any_key, legal):
    """List Keys of other colours that open a drawn Door (O-D2, Chromatic Chaos)."""
    own = kinds_in(state, np.int64(state.player))
    shared = kinds_in(state, SHARED)
    if not any_key and not has(state, CHROMATIC_CHAOS):
        return
    for colour in range(N_COLOURS):
        key = colour * N_SYMBOLS + KEY
        if colour != door:
            if own >> key & 1:
                list_code((OPEN_WITH if any_key else CHAOS_OPEN) + key, legal)
            if shared >> key & 1:
                list_code((OPEN_WITH_SHARED if any_key else CHAOS_OPEN_SHARED) + key, legal)


@rule
def is_any_colour(door):
    """Whether a Door is the Oniverse Door, which a Key of any colour opens."""
    return door == ONIVERSE_DOOR

"""The Door to the Oniverse: its Door, and how Denizens are met.

What Denizens do stands in ``denizens.py``.
"""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, KEY, N_COLOURS, N_KINDS, N_SYMBOLS, NO_CARD
from onirim_env.compiling.compile import rule
from onirim_env.compiling.rng import random_below
from onirim_env.engine.deck import add_to_pool
from onirim_env.engine.doors import return_door
from onirim_env.engine.expansions.cards import FIRST_DENIZEN, ONIVERSE_KIND, is_in
from onirim_env.engine.expansions.codes import argument_of, family, first_of, list_kinds
from onirim_env.engine.expansions.declared import DONE, GO_ON
from onirim_env.engine.expansions.denizens import (
    CHROMATIC_CHAOS,
    MIRROR,
    N_DENIZENS,
    POWER,
    WITHOUT_DEAD_ENDS,
    apply_denizens,
    has,
    has_chaos,
    list_powers_used,
    use,
    whole_hand,
)
from onirim_env.engine.expansions.effects import is_found, open_with, search_for
from onirim_env.engine.expansions.state import ALL_DENIZENS, ONIVERSE_DOOR, PHASE
from onirim_env.engine.hand import kinds_in, remove
from onirim_env.engine.listing import list_code
from onirim_env.engine.nightmare import nightmare_paid
from onirim_env.engine.state import NO_RETURN_DOOR, SHARED, TWO_PLAYERS
from onirim_env.expansions.oniverse import DENIZENS_OF_A_KIND
from onirim_env.observation import MORE_STARTS

USED_DENIZENS = 8
DENIZEN = PHASE["denizen"]
REFUSE_DENIZEN = family("REFUSE_DENIZEN")
RALLY, RALLY_SHARED = family("RALLY_0"), family("RALLY_SHARED_0")
RETURN_ONIVERSE = family("NIGHTMARE_DOOR")
OPEN_WITH, OPEN_WITH_SHARED = family("OPEN_WITH"), family("OPEN_WITH_SHARED")
CHAOS_OPEN, CHAOS_OPEN_SHARED = family("CHAOS_OPEN"), family("CHAOS_OPEN_SHARED")
CHAOS_SEARCH, SEARCH_ONIVERSE = family("CHAOS_SEARCH"), family("SEARCH_ONIVERSE")
KEYS_OF_COLOURS = sum(1 << colour * N_SYMBOLS + KEY for colour in range(N_COLOURS))
# Where its fields of an observation begin.
DOOR_AT, UNSEEN_AT = MORE_STARTS["oniverse_door"], MORE_STARTS["new_unseen"] + FIRST_DENIZEN - N_KINDS
DENIZENS_AT, PARTNERS_AT = MORE_STARTS["denizens"], MORE_STARTS["partner_denizens"]
STORED_AT, PARTNER_STORED_AT = MORE_STARTS["stored"], MORE_STARTS["partner_stored"]
GIVEN_AT, GIVEN_SHARED_AT = MORE_STARTS["given"], MORE_STARTS["given_shared"]


@rule
def clear(state):
    """Empty the zones of this expansion."""
    state.denizens[:] = 0
    state.stored[:] = 0
    state.n_stored[:] = 0
    state.unused[:] = 0
    state.given = NO_CARD
    state.given_shared = 0


@rule
def is_denizen(kind):
    """Whether a card is a Denizen."""
    return FIRST_DENIZEN <= kind < FIRST_DENIZEN + N_DENIZENS


@rule
def add_denizens(state):
    """Put the Denizens into the deck, but for eight of the sixteen, removed unseen (O-D1, O-36)."""
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
def meets(state, kind):
    """Deal with a drawn Dream if it is a Denizen (O-D3); return whether the player is asked."""
    if not is_denizen(kind):
        return False
    if whole_hand(state) & WITHOUT_DEAD_ENDS:
        state.drawn = kind
        state.phase = DENIZEN
        return True
    state.discard[kind] += 1
    return False


@rule
def is_any_colour(door):
    """Whether a Door is the Oniverse Door, which a Key of any colour opens."""
    return door == ONIVERSE_DOOR


@rule
def more_keys(state, door):
    """Return the set of further Keys that open a drawn Door (O-D2, Chromatic Chaos)."""
    return KEYS_OF_COLOURS if is_any_colour(door) or has_chaos(state) else 0


@rule
def list_door(state, player, door, legal):
    """List Keys of other colours that open a drawn Door (O-D2, Chromatic Chaos)."""
    own, shared = kinds_in(state, player), kinds_in(state, SHARED)
    any_key = is_any_colour(door)
    keys = more_keys(state, door)
    for colour in range(N_COLOURS):
        key = colour * N_SYMBOLS + KEY
        if colour != door:
            if is_in(key, own & keys):
                list_code((OPEN_WITH if any_key else CHAOS_OPEN) + key, legal)
            if is_in(key, shared & keys):
                list_code((OPEN_WITH_SHARED if any_key else CHAOS_OPEN_SHARED) + key, legal)


@rule
def list_return(state, player, legal):
    """List the Oniverse Door where it may pay for the Nightmare (N-2, O-13)."""
    if state.rules & NO_RETURN_DOOR == 0 and state.doors[player, ONIVERSE_DOOR] > 0:
        list_code(RETURN_ONIVERSE + ONIVERSE_KIND, legal)


@rule
def list_mirror(state, legal):
    """List the power that answers a Nightmare: that of an own Denizen (4.10)."""
    if has(state, MIRROR):
        list_code(POWER + MIRROR, legal)


@rule
def list_ways(state, colour, legal):
    """List what else a series of a colour may search for (O-D2, Chromatic Chaos)."""
    if is_found(state, ONIVERSE_DOOR):
        list_code(SEARCH_ONIVERSE, legal)
    if has_chaos(state):
        for other in range(N_COLOURS):
            if other != colour and is_found(state, other):
                list_code(CHAOS_SEARCH + FIRST_DOOR + other, legal)


@rule
def list_phase(state, legal):
    """List the actions of the phases of this expansion."""
    if state.phase == DENIZEN:
        offset = (np.int64(state.drawn) - FIRST_DENIZEN) * (RALLY_SHARED - RALLY) // N_DENIZENS
        own, shared = kinds_in(state, np.int64(state.player)), kinds_in(state, SHARED)
        list_kinds(own & WITHOUT_DEAD_ENDS, RALLY + offset, legal)
        list_kinds(shared & WITHOUT_DEAD_ENDS, RALLY_SHARED + offset, legal)
        list_code(REFUSE_DENIZEN, legal)
    else:
        list_powers_used(state, legal)


@rule
def apply_way(state, code):
    """Search for what else a series may find; return whether that is the action."""
    if code == SEARCH_ONIVERSE:
        search_for(state, ONIVERSE_DOOR)
    elif first_of(code) == CHAOS_SEARCH:
        use(state, np.int64(state.player), CHROMATIC_CHAOS)
        search_for(state, argument_of(code) - FIRST_DOOR)
    else:
        return False
    return True


@rule
def apply(state, code):
    """Carry out an action of this expansion; return what follows (``declared.py``)."""
    verb = first_of(code)
    if state.phase == DENIZEN:
        apply_denizen(state, code)
        return GO_ON
    if verb == RETURN_ONIVERSE:
        return_door(state, ONIVERSE_DOOR)
        nightmare_paid(state)
        return DONE
    if verb == CHAOS_OPEN or verb == CHAOS_OPEN_SHARED:
        player = np.int64(state.player)
        use(state, player, CHROMATIC_CHAOS)
        return open_with(state, SHARED if verb == CHAOS_OPEN_SHARED else player, argument_of(code))
    return apply_denizens(state, code)


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
def observe(state, observer, out, row):
    """Write the Oniverse Door, the Denizens, what lies under them, and those removed unseen."""
    partner = 1 - observer
    out[row, DOOR_AT] = state.doors[observer, ONIVERSE_DOOR]
    out[row, DOOR_AT + 1] = state.doors[partner, ONIVERSE_DOOR]
    for denizen in range(N_DENIZENS):
        out[row, UNSEEN_AT + denizen] += state.unused[denizen]
        out[row, DENIZENS_AT + denizen] = state.denizens[observer, denizen]
        out[row, PARTNERS_AT + denizen] = state.denizens[partner, denizen]
    for place in range(state.n_stored[observer]):
        out[row, STORED_AT + state.stored[observer, place]] += 1.0
    if state.rules & TWO_PLAYERS:
        for place in range(state.n_stored[partner]):
            out[row, PARTNER_STORED_AT + state.stored[partner, place]] += 1.0
    if state.given != NO_CARD:
        out[row, GIVEN_AT + state.given] = 1.0
    out[row, GIVEN_SHARED_AT] = state.given_shared


@rule
def add_hidden(state, hidden, n):
    """Add the Denizens that were removed unseen to ``n`` hidden cards; return how many there are then."""
    for denizen in range(N_DENIZENS):
        for _ in range(state.unused[denizen]):
            hidden[n] = FIRST_DENIZEN + denizen
            n += 1
    return n


@rule
def take_hidden(state, hidden):
    """Remove as many Denizens as before, from a list of hidden cards in random order; return how many."""
    n = 0
    for denizen in range(N_DENIZENS):
        n += state.unused[denizen]
    removed = n
    state.unused[:] = 0
    place = 0
    while n > 0:
        if is_denizen(hidden[place]):
            state.unused[hidden[place] - FIRST_DENIZEN] += 1
            n -= 1
            for index in range(place, hidden.shape[0] - 1):
                hidden[index] = hidden[index + 1]
        else:
            place += 1
    return removed

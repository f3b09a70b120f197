"""Happy Dreams and Dark Premonitions."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import FIRST_DOOR, N_COLOURS, NIGHTMARE, NO_CARD
from onirim_env.compiling.compile import rule
from onirim_env.engine.deck import shuffle
from onirim_env.engine.expansions.cards import COLOUR_OF, HAPPY_DREAM, KEY_KINDS, LOCATION_KINDS, is_in
from onirim_env.engine.expansions.codes import argument_of, family, first_of, list_kinds
from onirim_env.engine.expansions.deck import mix_cards, put_on_top, take_out
from onirim_env.engine.expansions.declared import DONE, GO_ON, NOT_MINE, finish_search, lose_door
from onirim_env.engine.expansions.dreamcatchers import asks_to_free
from onirim_env.engine.expansions.effects import take_new_hand
from onirim_env.engine.expansions.looking import LOOK_DISCARD, ON_TOP, lift
from onirim_env.engine.expansions.state import (
    CATCHING,
    HARD_PREMONITION,
    N_ALL_DOORS,
    PHASE,
    SIX_PREMONITIONS,
)
from onirim_env.engine.fields import UNSEEN
from onirim_env.engine.hand import seen_bit
from onirim_env.engine.listing import list_code
from onirim_env.engine.observe import card_entry
from onirim_env.engine.state import TWO_PLAYERS
from onirim_env.expansions import N_ALL_KINDS
from onirim_env.expansions.premonitions import FACE_UP_AT_FIRST, HAPPY_LOOK_SIZE, KEYS_LOST
from onirim_env.expansions.premonitions import PREMONITIONS as NAMES
from onirim_env.observation import MORE_STARTS

RED2, BLUE2, GREEN2, BROWN2, PAIR2, DOORS3, DOORS5, RAINBOW4 = range(len(NAMES))
N_PREMONITIONS = len(NAMES)
CHOICE, KEYS, DOOR = PHASE["premonition"], PHASE["premonition_keys"], PHASE["premonition_door"]
HAPPY, HAPPY_SEARCH = PHASE["happy_dream"], PHASE["happy_search"]
PREMONITION, REMOVE = family("PREMONITION"), family("REMOVE_PREMONITION")
RETURN, RETURN_PARTNER = family("PREMONITION_RETURN"), family("PREMONITION_RETURN_PARTNER")
DISCARD_KEY = family("PREMONITION_KEY")
HAPPY_LOOK = family("HAPPY")
FIND = HAPPY_LOOK + 1
# Where its fields of an observation begin.
FACE_UP_AT, RESERVE_AT, FETCHED_AT = (MORE_STARTS[name] for name in ("premonitions", "reserve", "fetched"))
PREMONITION_AT, KEYS_AT = MORE_STARTS["premonition"], MORE_STARTS["premonition_keys"]


@rule
def clear(state):
    """Empty the zones of this expansion."""
    state.premonitions = 0
    state.reserve[:] = 0
    state.n_reserve = 0
    state.premonition = 0
    state.premonition_keys = 0
    state.fetched = NO_CARD


@rule
def face_up_at_first(state):
    """Return how many Premonitions lie face up after the set-up (HP-1)."""
    if state.rules & SIX_PREMONITIONS:
        return FACE_UP_AT_FIRST[2]
    return FACE_UP_AT_FIRST[1] if state.rules & HARD_PREMONITION else FACE_UP_AT_FIRST[0]


@rule
def set_premonitions(state):
    """Shuffle the Premonitions and turn some up (HP-1)."""
    order = np.arange(N_PREMONITIONS)
    mix_cards(state, order)
    face_up = face_up_at_first(state)
    for place in range(N_PREMONITIONS):
        if place < face_up:
            state.premonitions |= 1 << order[place]
        else:
            state.reserve[place - face_up] = order[place]
    state.n_reserve = N_PREMONITIONS - face_up


@rule
def turn_up(state, number):
    """Turn further Premonitions up."""
    for _ in range(min(number, np.int64(state.n_reserve))):
        state.premonitions |= 1 << np.int64(state.reserve[0])
        state.n_reserve -= 1
        for place in range(state.n_reserve):
            state.reserve[place] = state.reserve[place + 1]


@rule
def doors_of(state, door):
    """Return how many of a Door are in play, before both players."""
    return np.int64(state.doors[0, door]) + state.doors[1, door]


@rule
def is_met(state, premonition):
    """Whether the condition of a Premonition holds (HP-2, O-44)."""
    doors, colours, pairs = 0, 0, 0
    for door in range(N_ALL_DOORS):
        doors += doors_of(state, door)
        if door < N_COLOURS:
            colours += doors_of(state, door) > 0
            pairs += doors_of(state, door) > 1
    if premonition <= BROWN2:
        return doors_of(state, premonition) > 1
    if premonition == PAIR2:
        return pairs > 0
    if premonition == RAINBOW4:
        return colours == N_COLOURS
    return doors >= (3 if premonition == DOORS3 else 5)


@rule
def met(state):
    """Return the set of face-up Premonitions whose conditions hold."""
    result = 0
    for premonition in range(N_PREMONITIONS):
        if state.premonitions >> premonition & 1 and is_met(state, premonition):
            result |= 1 << premonition
    return result


@rule
def premonitions_due(state):
    """Carry out what is met, one after the other (HP-2).

    Return whether the player is asked, or the game has been lost.
    """
    while True:
        due = met(state)
        if due == 0:
            return False
        if due & (due - 1):
            state.phase = CHOICE
            return True
        premonition = 0
        while due >> premonition & 1 == 0:
            premonition += 1
        if carry_out(state, premonition):
            return True


@rule
def carry_out(state, premonition):
    """Remove a Premonition and carry it out; return whether the player is asked, or the game is lost."""
    state.premonitions &= ~(1 << premonition)
    if premonition == RED2 or premonition == RAINBOW4:
        return discard_from_deck(state, premonition)
    if premonition == BLUE2:
        state.premonition_keys = KEYS_LOST
        return keys_asked(state)
    if premonition == GREEN2:
        if state.discard[NIGHTMARE] > 0:
            state.discard[NIGHTMARE] -= 1
            state.limbo[NIGHTMARE - FIRST_DOOR] += 1
    elif premonition == BROWN2 or premonition == PAIR2:
        state.premonition = premonition + 1
        state.phase = DOOR
        return True
    elif premonition == DOORS3:
        if not take_new_hand(state):
            return True
        turn_up(state, 1)
    else:
        turn_up(state, 2)
    return False


@rule
def meets(state, kind):
    """Deal with a drawn Dream if it is a Happy Dream (HP-4); return whether the player is asked."""
    if kind != HAPPY_DREAM:
        return False
    state.drawn = kind
    state.phase = HAPPY
    return True


@rule
def put_fetched(state):
    """Put the card that a Happy Dream has found on top of the deck, once that is shuffled (HP-4)."""
    if state.fetched != NO_CARD:
        put_on_top(state, np.uint8(state.fetched) | seen_bit(state.player))
        state.fetched = NO_CARD


@rule
def asks_after_look(state):
    """End a look through the deck as a search (O-35, D-6); return whether a Dreamcatcher may be freed."""
    if state.rules & CATCHING and asks_to_free(state):
        return True
    shuffle(state)
    return False


@rule
def discard_from_deck(state, premonition):
    """Discard every red Location, or every Happy Dream, of the deck (O-43); return whether it asks."""
    for kind in range(N_ALL_KINDS):
        red = is_in(kind, LOCATION_KINDS) and COLOUR_OF[kind] == 0
        if red if premonition == RED2 else kind == HAPPY_DREAM:
            while state.deck_count[kind] > 0:
                take_out(state, kind)
                state.discard[kind] += 1
    return asks_after_look(state)


@rule
def keys_in_deck(state):
    """Return the set of kinds of Keys in the deck, and how many Keys there are."""
    kinds, number = 0, 0
    for kind in range(N_ALL_KINDS):
        if is_in(kind, KEY_KINDS) and state.deck_count[kind] > 0:
            kinds |= 1 << kind
            number += state.deck_count[kind]
    return kinds, number


@rule
def keys_asked(state):
    """Ask which Keys are discarded from the deck (blue2), or discard them; return whether it asks."""
    kinds, number = keys_in_deck(state)
    if number > state.premonition_keys and kinds & (kinds - 1):
        state.phase = KEYS
        return True
    for kind in range(N_ALL_KINDS):
        while is_in(kind, KEY_KINDS) and state.premonition_keys > 0 and state.deck_count[kind] > 0:
            discard_key(state, kind)
    state.premonition_keys = 0
    return asks_after_look(state)


@rule
def discard_key(state, kind):
    """Discard a Key from the deck."""
    take_out(state, kind)
    state.discard[kind] += 1
    state.premonition_keys -= 1


@rule
def list_returns(state, player, first, legal):
    """List the Doors of a player that a Premonition may take; for pair2 those of a pair (O-45)."""
    least = 2 if state.premonition - 1 == PAIR2 else 1
    for door in range(N_ALL_DOORS):
        if state.doors[player, door] > 0 and doors_of(state, door) >= least:
            list_code(first + door, legal)


@rule
def list_phase(state, legal):
    """List the actions of the phases of this expansion."""
    if state.phase == CHOICE:
        due = met(state)
        for premonition in range(N_PREMONITIONS):
            if due >> premonition & 1:
                list_code(PREMONITION + premonition, legal)
    elif state.phase == KEYS:
        list_kinds(keys_in_deck(state)[0], DISCARD_KEY, legal)
    elif state.phase == DOOR:
        list_returns(state, state.player, RETURN, legal)
        if state.rules & TWO_PLAYERS:
            list_returns(state, 1 - state.player, RETURN_PARTNER, legal)
    elif state.phase == HAPPY:
        for premonition in range(N_PREMONITIONS):
            if state.premonitions >> premonition & 1:
                list_code(REMOVE + premonition, legal)
        list_code(HAPPY_LOOK, legal)
        list_code(FIND, legal)
    elif state.phase == HAPPY_SEARCH:
        kinds = 0
        for kind in range(N_ALL_KINDS):
            if state.deck_count[kind] > 0:
                kinds |= 1 << kind
        list_kinds(kinds, ON_TOP, legal)


@rule
def apply(state, code):
    """Carry out an action of this expansion; return what follows (``declared.py``)."""
    verb, argument = first_of(code), argument_of(code)
    if verb == PREMONITION:
        return DONE if carry_out(state, argument) else GO_ON
    if verb == DISCARD_KEY:
        return DONE if apply_keys(state, argument) else GO_ON
    if verb == RETURN or verb == RETURN_PARTNER:
        apply_return(state, code)
        return GO_ON
    if state.phase == HAPPY:
        return apply_happy(state, code)
    if state.phase == HAPPY_SEARCH:
        state.fetched = argument
        take_out(state, argument)
        finish_search(state)
        return DONE
    return NOT_MINE


@rule
def apply_keys(state, kind):
    """Discard a Key from the deck (blue2); return whether the player is asked again."""
    discard_key(state, kind)
    return asks_after_look(state) if state.premonition_keys == 0 else keys_asked(state)


@rule
def apply_return(state, code):
    """Put the Door that a Premonition takes into Limbo."""
    state.premonition = 0
    partners = code >= RETURN_PARTNER
    player = np.int64(state.player)
    lose_door(state, 1 - player if partners else player, argument_of(code))


@rule
def apply_happy(state, code):
    """Choose what a Happy Dream brings (HP-4); return what follows."""
    state.discard[HAPPY_DREAM] += 1
    state.drawn = NO_CARD
    if code == HAPPY_LOOK:
        lift(state, HAPPY_LOOK_SIZE, seen_bit(state.player))
        state.phase = LOOK_DISCARD
        return DONE if state.looked_size > 0 else GO_ON
    if code == FIND:
        state.phase = HAPPY_SEARCH
        if state.deck_size == 0:
            finish_search(state)
        return DONE
    state.premonitions &= ~(1 << argument_of(code))
    return GO_ON


@rule
def observe(state, observer, closed, out, row):
    """Write the Premonitions, and what one of them or a Happy Dream is about to do."""
    for premonition in range(N_PREMONITIONS):
        out[row, FACE_UP_AT + premonition] = state.premonitions >> premonition & 1
    for place in range(state.n_reserve):
        out[row, RESERVE_AT + state.reserve[place]] = 1.0
    if state.premonition > 0:
        out[row, PREMONITION_AT + state.premonition - 1] = 1.0
    out[row, KEYS_AT] = state.premonition_keys
    if hides_fetched(state, observer, closed):
        out[row, card_entry(state, UNSEEN, 0, np.int64(state.fetched))] += 1.0
    elif state.fetched != NO_CARD:
        out[row, FETCHED_AT + state.fetched] = 1.0


@rule
def hides_fetched(state, observer, closed):
    """Whether a Happy Dream has found a card that only the partner has seen (HP-4, C-11)."""
    return state.fetched != NO_CARD and closed and observer != state.player


@rule
def shows_deck(state):
    """Whether the player is looking through the deck (blue2, HP-4), and so knows what else is hidden."""
    return state.phase == HAPPY_SEARCH or state.phase == KEYS


@rule
def take_hidden(state):
    """Deal the reserve, whose order is hidden, anew."""
    reserve = state.reserve[: state.n_reserve]
    reserve.sort()  # what is dealt must not depend on how they really lie
    mix_cards(state, reserve)

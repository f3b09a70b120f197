"""What is legal (OD-15 to OD-23, OD-A3 to OD-A5)."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.bits import count_ones, lowest_one
from onirim_env.compiling.compile import rule
from onirim_env.odin.actions import END, FIRST_TAKE, PASS, PLAY_GOAT, TAKE_GOAT, first_whole
from onirim_env.odin.cards import N_NUMBERS
from onirim_env.odin.engine.sets import OF_NUMBER, after, best_value, first_in_order, is_set, numbers_of
from onirim_env.odin.engine.state import (
    FORCED,
    GOAT_BIT,
    NO_CARDS,
    ONE,
    PHASE_ADD,
    PHASE_FOLLOW,
    PHASE_LEAD,
    PHASE_OVER,
    PHASE_TAKE,
    PLAIN_CARDS,
    WHOLE_PLAYS,
    WITH_GOAT,
)

_FIRST_WHOLE = first_whole(False)
_FIRST_WHOLE_WITH_GOAT = first_whole(True)


@rule
def value_of(cards):
    """Return the value of a set (OD-11)."""
    return best_value(cards, cards, count_ones(cards))


@rule
def beats(cards, size, value):
    """Whether a set beats a table of a size and a value: as many cards, or one more, and a higher value."""
    n = count_ones(cards)
    return (n == size or n == size + 1) and value_of(cards) > value


@rule
def goes_all_out(state):
    """Whether the hand of the player to move, several cards, may be led at once (OD-16)."""
    hand = state.hand[state.player]
    return count_ones(hand) > 1 and is_set(hand)


@rule
def continuing(hand, chosen):
    """Return the cards of a hand that may stand behind the chosen ones in a set."""
    plain = chosen & PLAIN_CARDS
    if plain != chosen or plain == NO_CARDS:
        return NO_CARDS
    first = lowest_one(plain)
    colour = first // N_NUMBERS
    numbers = numbers_of(plain, colour)
    n_plain = count_ones(plain)
    found = NO_CARDS
    if count_ones(np.uint64(numbers)) == n_plain:
        lower = numbers_of(hand, colour) & ((numbers & -numbers) - 1)
        found |= np.uint64(lower) << np.uint64(N_NUMBERS * colour) | (hand & GOAT_BIT)
    alike = OF_NUMBER[first % N_NUMBERS]
    if plain & alike == plain:
        found |= after(plain, hand & alike)
    return found


@rule
def that_can_beat(hand, chosen, cards, size, value):
    """Return those of some cards with which the chosen ones begin a play that beats a table (OD-A4)."""
    found = NO_CARDS
    while cards != NO_CARDS:
        card = cards & (~cards + ONE)
        cards ^= card
        begun = chosen | card
        if best_value(hand, begun, size) > value or best_value(hand, begun, size + 1) > value:
            found |= card
    return found


@rule
def playable(state):
    """Return the cards that may be played now, one by one: in ``lead``, ``follow`` and ``add``."""
    hand = state.hand[state.player]
    whole = state.options & WHOLE_PLAYS != 0
    if state.phase == PHASE_LEAD:
        if state.options & FORCED and goes_all_out(state):
            return NO_CARDS if whole else first_in_order(hand)
        return hand
    if state.phase == PHASE_FOLLOW:
        size, value = count_ones(state.table), value_of(state.table)
        return single_plays(hand, size, value) if whole else that_can_beat(hand, NO_CARDS, hand, size, value)
    if state.phase != PHASE_ADD:
        return NO_CARDS
    if state.table == NO_CARDS:  # an all-out lead goes on
        return first_in_order(hand & ~state.chosen)
    cards = continuing(hand, state.chosen)
    return that_can_beat(hand, state.chosen, cards, count_ones(state.table), value_of(state.table))


@rule
def single_plays(hand, size, value):
    """Return the cards of a hand that beat a table alone."""
    found = NO_CARDS
    if size > 1:
        return found
    cards = hand
    while cards != NO_CARDS:
        card = cards & (~cards + ONE)
        cards ^= card
        if value_of(card) > value:
            found |= card
    return found


@rule
def may_end(state):
    """Whether the chosen cards may be laid as they are."""
    if state.phase != PHASE_ADD:
        return False
    if state.table == NO_CARDS:
        alone = count_ones(state.chosen) == 1 and not state.options & FORCED
        return alone or state.chosen == state.hand[state.player]
    return beats(state.chosen, count_ones(state.table), value_of(state.table))


@rule
def may_pass(state):
    """Whether the player to move may pass (OD-17, OD-18)."""
    return state.phase == PHASE_FOLLOW


@rule
def may_lay(state, cards, all_out):
    """Whether several cards may be laid as one action, with whole plays; ``all_out`` says the hand may be."""
    hand = state.hand[state.player]
    if state.phase == PHASE_LEAD:
        return all_out and cards == hand
    return (
        state.phase == PHASE_FOLLOW
        and cards & ~hand == NO_CARDS
        and beats(cards, count_ones(state.table), value_of(state.table))
    )


@rule
def list_legal(state):
    """Note what is legal now in the record: the cards to play or to take, and whether a play may end.

    Each decision asks for it several times. Plays of several cards as one action are not noted.
    """
    if state.phase == PHASE_TAKE:  # OD-24
        state.legal = state.beaten
        state.may_end = 0
    else:
        state.legal = playable(state)
        state.may_end = may_end(state)


@rule
def write_cards(cards, first, of_goat, masks, row):
    """Write ones at the ids of some cards, from ``first`` on, and at that of the goat."""
    plain = cards & PLAIN_CARDS
    while plain != NO_CARDS:
        masks[row, first + lowest_one(plain)] = 1
        plain &= plain - ONE
    if cards & GOAT_BIT != NO_CARDS:
        masks[row, of_goat] = 1


@rule
def write_mask(state, wholes, masks, row):
    """Write the legal actions of a game as ones into a row of ``masks``; at the end all are ones.

    ``wholes`` are the whole plays of its action table.
    """
    over = state.phase == PHASE_OVER
    for action in range(masks.shape[1]):
        masks[row, action] = over
    if state.phase == PHASE_TAKE:
        write_cards(state.legal, FIRST_TAKE, TAKE_GOAT, masks, row)
    else:
        write_cards(state.legal, 0, PLAY_GOAT, masks, row)
    masks[row, END] |= state.may_end
    if may_pass(state):
        masks[row, PASS] = 1
    if state.options & WHOLE_PLAYS:
        write_wholes(state, wholes, masks, row)


@rule
def write_wholes(state, wholes, masks, row):
    """Write ones at the ids of the legal plays of several cards."""
    first = _FIRST_WHOLE_WITH_GOAT if state.options & WITH_GOAT else _FIRST_WHOLE
    if state.phase == PHASE_LEAD:
        all_out = goes_all_out(state)
        for index in range(wholes.shape[0] if all_out else 0):
            masks[row, first + index] = wholes[index] == state.hand[state.player]
    elif state.phase == PHASE_FOLLOW:
        hand, size, value = state.hand[state.player], count_ones(state.table), value_of(state.table)
        for index in range(wholes.shape[0]):
            if wholes[index] & ~hand == NO_CARDS and beats(wholes[index], size, value):
                masks[row, first + index] = 1


@rule
def card_of(action):
    """Return the card that an action plays or takes, as a bit; none for other actions."""
    if action == PLAY_GOAT or action == TAKE_GOAT:
        return GOAT_BIT
    if action < END:
        return ONE << np.uint64(action)
    if FIRST_TAKE <= action < PLAY_GOAT:
        return ONE << np.uint64(action - FIRST_TAKE)
    return NO_CARDS


@rule
def is_whole(state, action):
    """Whether an action is a whole play of several cards."""
    return state.options & WHOLE_PLAYS != 0 and action >= (
        _FIRST_WHOLE_WITH_GOAT if state.options & WITH_GOAT else _FIRST_WHOLE
    )


@rule
def whole_of(state, action, wholes):
    """Return the cards of a whole play, as bits."""
    return wholes[action - (_FIRST_WHOLE_WITH_GOAT if state.options & WITH_GOAT else _FIRST_WHOLE)]


@rule
def is_take(action):
    """Whether an action takes a card."""
    return FIRST_TAKE <= action < PLAY_GOAT or action == TAKE_GOAT


@rule
def is_legal(state, action, wholes):
    """Whether an action of the table is legal now."""
    if state.phase == PHASE_OVER:
        return False
    if is_whole(state, action):
        return may_lay(state, whole_of(state, action, wholes), goes_all_out(state))
    if action == END:
        return state.may_end != 0
    if action == PASS:
        return may_pass(state)
    return is_take(action) == (state.phase == PHASE_TAKE) and card_of(action) & state.legal != NO_CARDS

"""How good a hand is to keep, and which plays there are: what the simple policy and the search look at."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.bits import count_ones, lowest_one
from onirim_env.compiling.compile import rule
from onirim_env.odin.cards import N_COLOURS, N_NUMBERS
from onirim_env.odin.engine.legal import beats, continuing, goes_all_out, value_of
from onirim_env.odin.engine.sets import OF_NUMBER, numbers_of
from onirim_env.odin.engine.state import (
    FORCED,
    GOAT_BIT,
    NO_CARDS,
    ONE,
    PHASE_ADD,
    PHASE_FOLLOW,
    PHASE_TAKE,
    PLAIN_CARDS,
)

OF_SET = 2.0
OF_LOW_NUMBER = 0.05
OF_PASSING = 0.3
"""What sets, low numbers and passing cost in the simple policy, in cards."""
GONE_OUT = -1.0
"""The cost of an empty hand: less than that of any other."""


PLAY = np.dtype([("cards", np.uint64), ("taken", np.uint64), ("cost", np.float64)], align=True)
"""A turn: the cards laid (none: a pass), the card taken (none without a choice), and what it costs."""
MOST_PLAYS = 1280
"""How many turns there is room for: at most 210 plays of five and six cards take one of five each."""
ROOM = np.dtype(
    [
        ("numbers", np.int64, (1 << N_COLOURS,)),  # of some colours together
        ("plays", PLAY, (MOST_PLAYS,)),
    ],
    align=True,
)
"""Where rules write what they find; the array that holds it must stay alive while it is used."""


@rule
def fewest_sets(hand, room):
    """Return the least number of sets that hold all cards of a hand.

    Each card lies in the set of its colour or in that of its number. So for each choice of colours, the cards
    of the others lie in sets of numbers.
    """
    plain = hand & PLAIN_CARDS
    goat = 1 if hand & GOAT_BIT != NO_CARDS else 0
    if plain == NO_CARDS:
        return goat
    n_colours = 0
    n_choices = 1
    room.numbers[0] = 0
    for colour in range(N_COLOURS):
        held = numbers_of(plain, colour)
        if held != 0:
            for choice in range(n_choices):
                room.numbers[n_choices + choice] = room.numbers[choice] | held
            n_choices *= 2
            n_colours += 1
    best = n_colours  # all in sets of colours; the goat joins one of them
    for choice in range(1, n_choices):
        by_number = count_ones(np.uint64(room.numbers[choice]))
        by_colour = n_colours - count_ones(np.uint64(choice))
        alone = goat if by_colour == 0 else 0
        best = min(best, by_number + by_colour + alone)
    return best


@rule
def cost_of_hand(hand, room):
    """Return how bad a hand is to keep: cards, sets, and low numbers."""
    if hand == NO_CARDS:
        return GONE_OUT
    low = 0
    cards = hand & PLAIN_CARDS
    while cards != NO_CARDS:
        low += N_NUMBERS - 1 - lowest_one(cards) % N_NUMBERS
        cards &= cards - ONE
    if hand & GOAT_BIT != NO_CARDS:
        low += N_NUMBERS
    return count_ones(hand) + OF_SET * fewest_sets(hand, room) + OF_LOW_NUMBER * low


@rule
def note(room, n, cards, taken, cost):
    """Note a turn at a place of the list; return the next place."""
    play = room.plays[n]
    play.cards = cards
    play.taken = taken
    play.cost = cost
    return n + 1


@rule
def note_takes(room, n, left, cards, beaten):
    """Note a play with each of the beaten cards that it can take."""
    while beaten != NO_CARDS and n < MOST_PLAYS:
        taken = beaten & (~beaten + ONE)
        beaten ^= taken
        n = note(room, n, cards, taken, cost_of_hand(left | taken, room))
    return n


@rule
def list_plays(state, room):
    """List what the player to move can do in this turn, with costs; return how many there are.

    A play under way is continued: only plays that begin with the chosen cards are listed.
    """
    hand = state.hand[state.player]
    if state.phase == PHASE_TAKE:
        return note_takes(room, 0, hand, NO_CARDS, state.beaten)
    if state.table == NO_CARDS:
        return list_leads(state, hand, room)
    return list_follows(state, hand, room)


@rule
def list_leads(state, hand, room):
    """List the leads: one card each, or the whole hand (OD-15, OD-16)."""
    n = 0
    all_out = goes_all_out(state)
    if all_out:
        n = note(room, n, hand, NO_CARDS, GONE_OUT)
        if state.options & FORCED:
            return n
    cards = state.chosen if state.phase == PHASE_ADD else hand
    while cards != NO_CARDS:
        card = cards & (~cards + ONE)
        cards ^= card
        n = note(room, n, card, NO_CARDS, cost_of_hand(hand & ~card, room))
    return n


@rule
def list_follows(state, hand, room):
    """List the plays that beat the table, and the pass."""
    size, value = count_ones(state.table), value_of(state.table)
    n = 0
    if state.phase == PHASE_FOLLOW:
        n = note(room, n, NO_CARDS, NO_CARDS, cost_of_hand(hand, room) + OF_PASSING)
    goat = hand & GOAT_BIT
    for colour in range(N_COLOURS):
        held = numbers_of(hand, colour)
        some = held
        while some != 0:
            n_some = count_ones(np.uint64(some))
            cards = np.uint64(some) << np.uint64(N_NUMBERS * colour)
            if size <= n_some <= size + 1:
                n = note_if_beats(state, room, n, hand, cards, size, value)
            if goat != NO_CARDS and size <= n_some + 1 <= size + 1:
                n = note_if_beats(state, room, n, hand, cards | goat, size, value)
            some = (some - 1) & held
    for number in range(N_NUMBERS):
        cards = hand & OF_NUMBER[number]
        some = cards
        while some != NO_CARDS:
            n_some = count_ones(some)
            if n_some > 1 and size <= n_some <= size + 1:  # single cards are sets of a colour, too
                n = note_if_beats(state, room, n, hand, some, size, value)
            some = (some - ONE) & cards
    return n


@rule
def note_if_beats(state, room, n, hand, cards, size, value):
    """Note a play of the right size if it beats the table and goes on with the chosen cards."""
    if not beats(cards, size, value):
        return n
    if state.phase == PHASE_ADD:
        others = cards & ~state.chosen
        if state.chosen & ~cards != NO_CARDS or others & ~continuing(hand, state.chosen) != NO_CARDS:
            return n
    left = hand & ~cards
    if left == NO_CARDS:
        return note(room, n, cards, NO_CARDS, GONE_OUT)
    return note_takes(room, n, left, cards, state.table)

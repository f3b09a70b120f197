"""Sets of cards and their values (OD-10 to OD-12, OD-41)."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.bits import count_ones, lowest_one
from onirim_env.compiling.compile import rule
from onirim_env.odin.cards import N_COLOURS, N_NUMBERS
from onirim_env.odin.engine.state import GOAT_BIT, NO_CARDS, ONE, PLAIN_CARDS

_NUMBERS = np.uint64((1 << N_NUMBERS) - 1)


def _value(numbers: int) -> int:
    digits = [number for number in range(N_NUMBERS, 0, -1) if numbers >> (number - 1) & 1]
    return int("".join(map(str, digits)) or "0")


def _highest(numbers: int, size: int) -> int:
    kept = [bit for bit in range(N_NUMBERS - 1, -1, -1) if numbers >> bit & 1][:size]
    return sum(1 << bit for bit in kept)


VALUES = np.array([_value(numbers) for numbers in range(1 << N_NUMBERS)])
"""The value of a set of one colour, by the bits of its numbers."""
HIGHEST = np.array(
    [[_highest(numbers, size) for size in range(N_NUMBERS + 1)] for numbers in range(1 << N_NUMBERS)]
)
"""The bits of the highest so many of some numbers."""
REPEATED = np.array([int("1" * size or "0") for size in range(N_COLOURS + 1)])
"""What a number is multiplied with to be the value of so many cards of it."""
OF_NUMBER = np.array(
    [sum(1 << colour * N_NUMBERS + number for colour in range(N_COLOURS)) for number in range(N_NUMBERS)],
    dtype=np.uint64,
)
"""All cards of a number, less one."""

CANNOT = -1
"""The value of a play that cannot be made."""


@rule
def numbers_of(cards, colour):
    """Return the bits of the numbers that some cards of a colour have."""
    return np.int64(cards >> np.uint64(N_NUMBERS * colour) & _NUMBERS)


@rule
def after(chosen, cards):
    """Return those of some cards that come behind all chosen ones of the same number (OD-12)."""
    last = chosen
    while last & (last - ONE) != NO_CARDS:
        last &= last - ONE
    return cards & ~(last | (last - ONE))


@rule
def best_value(hand, chosen, size):
    """Return the highest value of a set of a size that begins with the chosen cards, which are a set.

    ``CANNOT`` when the hand has none.
    """
    n_chosen = count_ones(chosen)
    if size < n_chosen:
        return CANNOT
    plain = chosen & PLAIN_CARDS
    n_plain = count_ones(plain)
    if n_plain == 0:  # the goat alone
        return 0 if size == 1 else CANNOT
    first = lowest_one(plain)
    best = CANNOT
    colour = first // N_NUMBERS
    numbers = numbers_of(plain, colour)
    if count_ones(np.uint64(numbers)) == n_plain:
        if n_chosen > n_plain:  # nothing comes behind the goat
            return VALUES[numbers] * 10 if size == n_chosen else CANNOT
        lower = numbers_of(hand, colour) & ((numbers & -numbers) - 1)
        n_lower = count_ones(np.uint64(lower))
        if size - n_chosen <= n_lower:
            best = VALUES[numbers | HIGHEST[lower, size - n_chosen]]
        elif size - n_chosen == n_lower + 1 and hand & GOAT_BIT != NO_CARDS:
            best = VALUES[numbers | lower] * 10
    number = first % N_NUMBERS
    alike = OF_NUMBER[number]
    is_plain = n_chosen == n_plain and plain & ~alike == NO_CARDS
    if size <= N_COLOURS and is_plain and size - n_chosen <= count_ones(after(plain, hand & alike)):
        best = max(best, (number + 1) * REPEATED[size])
    return best


@rule
def is_set(cards):
    """Whether some cards may be laid together (OD-10, OD-41)."""
    return cards != NO_CARDS and best_value(cards, cards, count_ones(cards)) != CANNOT


@rule
def first_in_order(cards):
    """Return the card of a set, not empty, that comes first in the order of OD-12, as a bit."""
    plain = cards & PLAIN_CARDS
    if plain == NO_CARDS:
        return cards
    first = plain & (~plain + ONE)
    if plain & OF_NUMBER[lowest_one(plain) % N_NUMBERS] == plain:
        return first
    while plain & (plain - ONE) != NO_CARDS:
        plain &= plain - ONE
    return plain

"""The cards of Odin and their words (rules: OD-1, OD-12, OD-40)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

COLOURS = ("red", "blue", "green", "brown", "orange", "pink")
N_COLOURS = len(COLOURS)
N_NUMBERS = 9
HAND_SIZE = 9
MAX_PLAYERS = 6

N_PLAIN = N_COLOURS * N_NUMBERS
GOAT = N_PLAIN
N_CARDS = N_PLAIN + 1
"""The goat is the last card; without its option it is not there."""

CARD_NAMES = (*(f"{colour} {number}" for colour in COLOURS for number in range(1, N_NUMBERS + 1)), "goat")
"""A card is its place in this list: colour * 9 + number - 1, or the goat."""
CARD_OF_NAME = {name: card for card, name in enumerate(CARD_NAMES)}

GOAT_POINTS = 5
"""What the goat costs in a hand at its end (OD-43); any other card costs 1."""


def number_of(card: int) -> int:
    """Return the number of a card; the goat's is 0."""
    return 0 if card == GOAT else card % N_NUMBERS + 1


BUILDING_ORDER = tuple(sorted(range(N_CARDS), key=lambda card: (-number_of(card), card)))
"""The order in which a play is written and built: higher numbers first, equal ones by colour (OD-12)."""
_RANK = {card: rank for rank, card in enumerate(BUILDING_ORDER)}


def in_order(cards: Iterable[int]) -> list[int]:
    """Return cards in the order of OD-12."""
    return sorted(cards, key=_RANK.__getitem__)


def cards_in(bits: int) -> list[int]:
    """Return the cards of a set of bits, in the order of OD-12; bit c stands for card c."""
    return in_order(card for card in range(N_CARDS) if int(bits) >> card & 1)


def bits_of(cards: Iterable[int]) -> int:
    """Return a set of cards as bits."""
    bits = 0
    for card in cards:
        bits |= 1 << card
    return bits


def names_of(bits: int) -> list[str]:
    """Return the words of a set of cards, in the order of OD-12."""
    return [CARD_NAMES[card] for card in cards_in(bits)]


def sets_of_several(goat: bool) -> list[list[int]]:
    """Return every set of two and more cards that a hand can hold: by size, then card by card (OD-A3).

    Parameters
    ----------
    goat
        Whether the goat is played with.
    """
    found = []
    for colour in range(N_COLOURS):
        of_colour = [colour * N_NUMBERS + number for number in range(N_NUMBERS)] + [GOAT] * goat
        found += [list(some) for size in range(2, HAND_SIZE + 1) for some in combinations(of_colour, size)]
    for number in range(N_NUMBERS):
        of_number = range(number, N_PLAIN, N_NUMBERS)
        found += [list(some) for size in range(2, N_COLOURS + 1) for some in combinations(of_number, size)]
    return sorted(map(in_order, found), key=lambda cards: (len(cards), [_RANK[card] for card in cards]))

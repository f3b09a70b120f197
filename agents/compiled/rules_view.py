"""What the rules agent reads off an observation: the numbers of a player, by name.

Compiled code is cached, and the cache notices a change of this file and of the package
``onirim_env`` only. So this kernel, and the one that decides, each stand in a file of their own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from onirim_env.cards import (
    CO_OP_PHASES,
    DOORS_PER_COLOUR,
    FIRST_DOOR,
    KIND_COUNTS,
    N_CARDS,
    N_COLOURS,
    N_KINDS,
    N_LOCATION_KINDS,
    N_SYMBOLS,
    NIGHTMARE,
    SERIES_LENGTH,
    TOP_PLACES,
)
from onirim_env.compiling.compile import kernel, rule
from onirim_env.engine.fields import (
    CO_OP_PHASE,
    DECK_SIZE,
    DOORS,
    DRAWN,
    HAND,
    LAST_SYMBOL,
    LIMBO,
    PARTNER_DOORS,
    PARTNER_LAST_SYMBOL,
    PARTNER_SERIES,
    REVEALED,
    SERIES,
    TOP,
    UNSEEN,
)
from onirim_env.engine.fields import SHARED_CARDS as SHARED

IN_DRAFT = CO_OP_PHASE + CO_OP_PHASES.index("draft")

COUNTS = np.array(KIND_COUNTS, dtype=np.float64)
UNKNOWN = -1
"""A card, symbol or colour that is not there or not known."""

VIEW = np.dtype(
    [
        ("hand", np.int64, (N_LOCATION_KINDS,)),  # own cards, in co-op the shared ones too
        ("hand_size", np.int64),
        ("deck", np.int64, (N_KINDS,)),  # cards that may still be drawn, by kind
        ("deck_size", np.int64),
        ("wanted", np.int64, (N_COLOURS,)),  # Doors that the player still lacks
        ("limbo", np.int64, (N_COLOURS,)),  # Doors in Limbo
        ("last", np.int64),  # symbol of the row's last card
        ("colour", np.int64),  # colour of the running series
        ("length", np.int64),  # its cards
        ("locations", np.int64),  # Locations that may still be drawn: the turns left
        ("top", np.int64, (TOP_PLACES,)),  # kinds at the first places of the deck, where known
        ("known_cards", np.int64),  # how many of these are known
        ("known_nightmares", np.int64),  # how many of them are Nightmares
        ("first_is_placed", np.bool_),  # a Prophecy under way has put back its first card
        ("drawn", np.int64),  # colour of the drawn Door
        ("fits_partner", np.int64, (N_LOCATION_KINDS,)),  # 1: may be next in the partner's series
    ]
)
"""What the policy reads off an observation."""


@rule
def read_view(observation: np.ndarray, doors_to_win: int, whole_prophecies: bool, view: Any) -> None:
    """Fill a view from an observation (float32, shape (size,))."""
    co_op = observation.shape[0] > SHARED
    adds_shared = co_op and observation[IN_DRAFT] == 0.0  # a draft's face-up cards are nobody's yet
    view.hand_size = 0
    for kind in range(N_LOCATION_KINDS):
        view.hand[kind] = np.int64(observation[HAND + kind])
        if adds_shared:
            view.hand[kind] += np.int64(observation[SHARED + kind])
        view.hand_size += view.hand[kind]
    read_deck(observation, whole_prophecies, view)
    for colour in range(N_COLOURS):
        owned = 0
        for number in range(DOORS_PER_COLOUR):
            owned += observation[DOORS + colour * DOORS_PER_COLOUR + number] != 0.0
        view.wanted[colour] = max(0, doors_to_win - owned)
        view.limbo[colour] = np.int64(observation[LIMBO + colour] * COUNTS[FIRST_DOOR + colour] + 0.5)
    view.last = index_of_one(observation, LAST_SYMBOL, N_SYMBOLS)
    series = index_of_one(observation, SERIES, N_COLOURS * SERIES_LENGTH)
    view.colour = UNKNOWN if series == UNKNOWN else series // SERIES_LENGTH
    view.length = 0 if series == UNKNOWN else series % SERIES_LENGTH + 1
    view.drawn = index_of_one(observation, DRAWN, N_COLOURS)
    view.fits_partner[:] = 0
    if co_op:
        read_partner(observation, view)


@rule
def read_deck(observation: np.ndarray, whole_prophecies: bool, view: Any) -> None:
    """Fill in what may still be drawn, and what is known of it."""
    for kind in range(N_KINDS):
        view.deck[kind] = np.int64(observation[UNSEEN + kind] * COUNTS[kind] + 0.5)
        if not whole_prophecies:  # there, the known top shows the revealed cards as well
            view.deck[kind] += np.int64(observation[REVEALED + kind])
    view.known_cards = 0
    view.known_nightmares = 0
    for place in range(TOP_PLACES):
        kind = index_of_one(observation, TOP + place * N_KINDS, N_KINDS)
        view.top[place] = kind
        if kind != UNKNOWN:
            view.deck[kind] += 1
            view.known_cards += 1
            view.known_nightmares += kind == NIGHTMARE
    view.locations = 0
    for kind in range(N_LOCATION_KINDS):
        view.locations += view.deck[kind]
    view.first_is_placed = view.known_cards > 0 and not whole_prophecies
    view.deck_size = np.int64(observation[DECK_SIZE] * N_CARDS + 0.5)


@rule
def read_partner(observation: np.ndarray, view: Any) -> None:
    """Fill in which cards the partner's series waits for (C-4)."""
    last = index_of_one(observation, PARTNER_LAST_SYMBOL, N_SYMBOLS)
    series = index_of_one(observation, PARTNER_SERIES, N_COLOURS * SERIES_LENGTH)
    colour = series // SERIES_LENGTH
    if series != UNKNOWN and observation[PARTNER_DOORS + colour * DOORS_PER_COLOUR] == 0.0:
        for symbol in range(N_SYMBOLS):
            view.fits_partner[colour * N_SYMBOLS + symbol] = symbol != last


@rule
def index_of_one(observation: np.ndarray, start: int, size: int) -> int:
    """Return which of ``size`` entries is set, or ``UNKNOWN``."""
    for index in range(size):
        if observation[start + index] != 0.0:
            return index
    return UNKNOWN


@kernel
def read_views(
    observations: np.ndarray, doors_to_win: int, whole_prophecies: bool, views: np.ndarray
) -> None:
    """Fill ``views`` (``VIEW``, shape (n,)) from observations (float32, shape (n, size)).

    ``doors_to_win`` is the number of Doors that a player needs of each colour; ``whole_prophecies``
    tells that a Prophecy is one decision.
    """
    for i in range(observations.shape[0]):
        read_view(observations[i], doors_to_win, whole_prophecies, views[i])

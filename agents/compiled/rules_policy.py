"""How the rules agent scores a decision, compiled.

It reads a view (``rules_view.py``), which is what the player sees and nothing else. The worth of a
hand before a row (:func:`worth`) is the heart of it: a play or a discard is scored by the worth of
what it leaves, a payment by the worth of what it takes, and so on. The weights say how much each
thing counts (``rules_weights.py`` has them by name).

All functions of this kernel stand in this file; ``rules_view.py`` says why.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.compiled.rules_view import UNKNOWN
from onirim_env.actions import ORDERS
from onirim_env.cards import (
    FIRST_DOOR,
    KEY,
    N_CARDS,
    N_COLOURS,
    N_LOCATION_KINDS,
    N_SYMBOLS,
    NIGHTMARE,
    PROPHECY_SIZE,
    REVEAL_SIZE,
    SERIES_LENGTH,
    SOLO_HAND,
    SUN,
    TOP_PLACES,
)
from onirim_env.compiling.compile import kernel, rule
from onirim_env.engine.codes import (
    DISCARD,
    NIGHTMARE_DOOR,
    NIGHTMARE_HAND,
    NIGHTMARE_KEY,
    NIGHTMARE_KEY_SHARED,
    NIGHTMARE_REVEAL,
    NO_SWAP,
    OPEN_DOOR,
    OPEN_DOOR_SHARED,
    PLAY,
    PLAY_SHARED,
    PROPHECY_DISCARD,
    PROPHECY_ORDER,
    PROPHECY_PLACE,
    REFUSE_DOOR,
    SEARCH,
    SWAP_IN,
    SWAP_OUT,
    TAKE,
)

ORDER_PLACES = np.array(ORDERS, dtype=np.int64)
NEVER = -1000.0
"""Score of what loses the game."""


@rule
def key_of(colour: int) -> int:
    """Return the kind of the Key of a colour."""
    return colour * N_SYMBOLS + KEY


@rule
def share_of_deck(view: Any, number: int) -> float:
    """Return a number of cards as a share of the deck."""
    return number / max(1, view.deck_size)


@rule
def doors_to_come(view: Any, colour: int) -> int:
    """Return how many Doors of a colour the player lacks and can still gain."""
    return min(view.wanted[colour], view.deck[FIRST_DOOR + colour] + view.limbo[colour])


@rule
def supply(view: Any, colour: int, need: int, n_symbols: int) -> int:
    """Return how many of ``need`` cards of a colour the hand could play one after the other.

    ``n_symbols`` leaves the Keys out when it is ``KEY``.
    """
    first_kind = colour * N_SYMBOLS
    most = 0
    for first in range(n_symbols):
        if first == view.last or view.hand[first_kind + first] <= 0:
            continue
        most = max(most, 1)
        for second in range(n_symbols):
            if need < 2 or second == first or view.hand[first_kind + second] <= 0:
                continue
            most = max(most, 2)
            for third in range(n_symbols):
                held = view.hand[first_kind + third] - (1 if third == first else 0)
                if need > 2 and third != second and held > 0:
                    return 3
    return most


@rule
def series_worth(weights: Any, view: Any, colour: int) -> float:
    """Return the worth of a series: running, or still to be begun from the hand."""
    length = view.length if colour == view.colour else 0
    need = SERIES_LENGTH - length
    supplied = supply(view, colour, need, N_SYMBOLS)
    without_keys = supply(view, colour, need, KEY)
    cards = without_keys + weights.series_key * (supplied - without_keys)
    ready = 1.0 if supplied == need else 0.0
    fitting = 0
    for symbol in range(N_SYMBOLS):
        if symbol != view.last:
            fitting += view.deck[colour * N_SYMBOLS + symbol]
    lacking = share_of_deck(view, fitting) * (need - supplied)
    if length == 0:
        value = weights.fresh_card * cards + weights.fresh_ready * ready + weights.fresh_draw * lacking
        return value if view.length == 0 else value * weights.fresh_beside
    if length == 1:
        value = weights.one_played + weights.one_card * cards
        return value + weights.one_ready * ready + weights.one_draw * lacking
    return weights.two_played + weights.two_ready * ready + weights.two_draw * lacking


@rule
def keys_worth(weights: Any, view: Any) -> float:
    """Return the worth of the Keys of the hand, for Doors, Nightmares and Prophecies."""
    value, keys = 0.0, 0
    for colour in range(N_COLOURS):
        held = view.hand[key_of(colour)]
        keys += held
        doors = min(held, doors_to_come(view, colour))
        if doors > 0:
            value += weights.key_fits * doors
            value += weights.key_door * share_of_deck(view, view.deck[FIRST_DOOR + colour])
    if keys > 0:
        value += weights.key_first + weights.key_more * (keys - 1)
    return value


@rule
def shape_worth(weights: Any, view: Any) -> float:
    """Return the worth of what can be played next, and of cards that no series needs."""
    stuck = True
    useless, suns = 0, 0
    for kind in range(N_LOCATION_KINDS):
        held = view.hand[kind]
        symbol = kind % N_SYMBOLS
        if held > 0 and symbol != view.last:
            stuck = False
        if symbol == SUN:
            suns += held
        if symbol != KEY and doors_to_come(view, kind // N_SYMBOLS) == 0:
            useless += held
    value = weights.useless * useless + weights.suns * max(0, suns - 2)
    return value + weights.stuck if stuck else value


@rule
def worth(weights: Any, view: Any) -> float:
    """Return the worth of the hand before the row."""
    value = keys_worth(weights, view) + shape_worth(weights, view)
    for colour in range(N_COLOURS):
        if doors_to_come(view, colour) > 0:
            value += series_worth(weights, view, colour)
    return value


@rule
def worth_with(weights: Any, view: Any, kind: int, number: int) -> float:
    """Return the worth with some cards of a kind more, or fewer, in the hand."""
    view.hand[kind] += number
    value = worth(weights, view)
    view.hand[kind] -= number
    return value


@rule
def worth_with_next(weights: Any, view: Any) -> float:
    """Return the worth when the next card of the deck, if it is a known Location, has been drawn."""
    card = view.top[0]
    if card == UNKNOWN or card >= N_LOCATION_KINDS:
        return worth(weights, view)
    return worth_with(weights, view, card, 1)


@rule
def score_play(weights: Any, view: Any, kind: int) -> float:
    """Score a play by what it gains and what it leaves (P-1 to P-6)."""
    last, colour, length = view.last, view.colour, view.length
    view.last, view.colour = kind % N_SYMBOLS, kind // N_SYMBOLS
    view.length = length + 1 if view.colour == colour else 1
    door = FIRST_DOOR + view.colour
    view.hand[kind] -= 1
    finds = view.length == SERIES_LENGTH and view.wanted[view.colour] > 0 and view.deck[door] > 0
    view.length %= SERIES_LENGTH
    if finds:
        view.wanted[view.colour] -= 1
        view.deck[door] -= 1
        value = weights.find_door + worth(weights, view)
        value += weights.flee_nightmare * view.known_nightmares  # a search shuffles
        view.wanted[view.colour] += 1
        view.deck[door] += 1
    else:
        value = worth_with_next(weights, view)
    view.hand[kind] += 1
    view.last, view.colour, view.length = last, colour, length
    return value


@rule
def score_discard(weights: Any, view: Any, kind: int) -> float:
    """Score a discard; a Key gives a Prophecy (P-7, P-8)."""
    view.hand[kind] -= 1
    if kind % N_SYMBOLS == KEY:
        value = weights.prophecy + weights.prophecy_known * view.known_cards + worth(weights, view)
        value += weights.prophecy_nightmare * share_of_deck(view, view.deck[NIGHTMARE])
        if view.top[0] == NIGHTMARE:
            value += weights.flee_nightmare
    else:
        value = worth_with_next(weights, view)
    view.hand[kind] += 1
    return value


@rule
def score_prophecy_discard(weights: Any, view: Any, kind: int) -> float:
    """Score what a Prophecy discards; 0 is the score of discarding nothing (O-1)."""
    if kind == NIGHTMARE:
        return weights.drop_nightmare
    if kind >= FIRST_DOOR:
        return NEVER
    return weights.drop_location - worth_with(weights, view, kind, 1) + worth(weights, view)


@rule
def score_prophecy_place(weights: Any, view: Any, kind: int) -> float:
    """Score a card as the next to be drawn."""
    if kind == NIGHTMARE:
        return weights.place_nightmare
    if kind < N_LOCATION_KINDS:
        first = view.top[0]
        drawn_before = view.first_is_placed and first < N_LOCATION_KINDS
        if drawn_before:
            view.hand[first] += 1
        value = worth_with(weights, view, kind, 1) - worth(weights, view)
        if drawn_before:
            view.hand[first] -= 1
        return value
    colour = kind - FIRST_DOOR
    if view.wanted[colour] > 0 and view.hand[key_of(colour)] > 0:
        return weights.place_door
    return weights.place_closed_door


@rule
def score_order(weights: Any, view: Any, order: int) -> float:
    """Score a whole Prophecy: the discard decides, then the order of the others."""
    discarded = view.top[ORDER_PLACES[order, 0]]
    value = score_prophecy_discard(weights, view, discarded)
    for index in range(1, PROPHECY_SIZE):
        place = ORDER_PLACES[order, index]
        if view.top[place] != UNKNOWN:
            nearness = (PROPHECY_SIZE - index) / N_CARDS
            value += nearness * score_prophecy_place(weights, view, view.top[place])
    return value


@rule
def score_open(weights: Any, view: Any) -> float:
    """Score the spending of a Key on the drawn Door (F-3)."""
    if view.wanted[view.drawn] == 0:
        return NEVER
    view.wanted[view.drawn] -= 1
    value = weights.open_door + worth_with(weights, view, key_of(view.drawn), -1)
    view.wanted[view.drawn] += 1
    return value


@rule
def score_return(weights: Any, view: Any, colour: int) -> float:
    """Score a Door in play as the price of a Nightmare (N-2)."""
    view.wanted[colour] += 1
    view.limbo[colour] += 1
    lost = weights.pay_door + weights.pay_door_late / max(1, view.locations)
    value = lost + worth(weights, view)
    view.wanted[colour] -= 1
    view.limbo[colour] -= 1
    return value


@rule
def price_of_cards(weights: Any, view: Any, lost: float) -> float:
    """Return the (negative) worth of Locations that are lost: each is a turn less."""
    return weights.pay_card * lost + weights.pay_card_late * lost / max(1, view.locations)


@rule
def score_reveal(weights: Any, view: Any) -> float:
    """Score the next five cards as the price of a Nightmare (N-3)."""
    if view.deck_size <= REVEAL_SIZE:
        return NEVER  # nothing is left to fill the hand with
    lost = 0.0
    for place in range(TOP_PLACES):
        if view.top[place] == UNKNOWN:
            lost += share_of_deck(view, view.locations)
        elif view.top[place] < N_LOCATION_KINDS:
            lost += 1.0
    return price_of_cards(weights, view, lost) + worth(weights, view)


@rule
def score_new_hand(weights: Any, view: Any) -> float:
    """Score the whole hand as the price of a Nightmare (N-4)."""
    if view.locations < SOLO_HAND:
        return NEVER  # a new hand cannot be filled
    held = view.hand.copy()
    view.hand[:] = 0
    value = weights.pay_hand + price_of_cards(weights, view, view.hand_size) + worth(weights, view)
    view.hand[:] = held
    return value


@rule
def score_shared(weights: Any, view: Any, kind: int) -> float:
    """Score that a card is one of the shared ones, which the partner could use as well (C-3)."""
    return weights.shared_card + (weights.shared_fits if view.fits_partner[kind] == 1 else 0.0)


@rule
def score(weights: Any, view: Any, code: int) -> float:
    """Score an action, given by its code (``onirim_env/actions.py``)."""
    if PLAY_SHARED <= code < OPEN_DOOR_SHARED:
        own = code + PLAY - PLAY_SHARED  # discards follow on plays, here and there
        return score_own(weights, view, own) + score_shared(weights, view, own % N_LOCATION_KINDS)
    if code == OPEN_DOOR_SHARED:
        return score_own(weights, view, OPEN_DOOR) + score_shared(weights, view, key_of(view.drawn))
    if NIGHTMARE_KEY_SHARED <= code < NO_SWAP:
        colour = code - NIGHTMARE_KEY_SHARED
        return score_own(weights, view, NIGHTMARE_KEY + colour) + score_shared(weights, view, key_of(colour))
    if SWAP_OUT <= code < SWAP_IN:
        return weights.swap_fits if view.fits_partner[code - SWAP_OUT] == 1 else NEVER
    if SWAP_IN <= code < TAKE:
        return NEVER if view.fits_partner[code - SWAP_IN] == 1 else 0.0
    if TAKE <= code < PROPHECY_ORDER:
        return worth_with(weights, view, code - TAKE, 1)
    if code >= PROPHECY_ORDER:
        return score_order(weights, view, code - PROPHECY_ORDER)
    return score_own(weights, view, code)


@rule
def score_own(weights: Any, view: Any, code: int) -> float:
    """Score an action of the solo game."""
    if code < DISCARD:
        return score_play(weights, view, code - PLAY)
    if code < PROPHECY_DISCARD:
        return score_discard(weights, view, code - DISCARD)
    if code < PROPHECY_PLACE:
        return score_prophecy_discard(weights, view, code - PROPHECY_DISCARD)
    if code < OPEN_DOOR:
        return score_prophecy_place(weights, view, code - PROPHECY_PLACE)
    if code == OPEN_DOOR:
        return score_open(weights, view)
    if code == REFUSE_DOOR:
        return worth(weights, view)
    if code < NIGHTMARE_DOOR:
        return weights.pay_key + worth_with(weights, view, key_of(code - NIGHTMARE_KEY), -1)
    if code < NIGHTMARE_REVEAL:
        return score_return(weights, view, code - NIGHTMARE_DOOR)
    if code == NIGHTMARE_REVEAL:
        return score_reveal(weights, view)
    if code == NIGHTMARE_HAND:
        return score_new_hand(weights, view)
    if code == SEARCH:
        return 1.0 if view.deck[FIRST_DOOR + view.colour] > 0 else -1.0
    return 0.0  # to pass, to discard nothing, not to swap


@kernel
def choose(
    weights: Any, views: np.ndarray, masks: np.ndarray, codes: np.ndarray, actions: np.ndarray
) -> None:
    """Write the best scored legal action of each view into ``actions``.

    Parameters
    ----------
    weights
        A record of ``rules_weights.py``.
    views
        ``VIEW``, shape (n,); used as scratch paper, and left as they were.
    masks
        int8, shape (n, n_actions).
    codes
        int16, shape (n_actions,): the codes of the action table.
    actions
        int64, shape (n,), written.
    """
    for i in range(masks.shape[0]):
        actions[i] = 0
        if masks[i].all():
            continue  # a row without a game
        best = -np.inf
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                value = score(weights, views[i], np.int64(codes[action]))
                if value > best:
                    best = value
                    actions[i] = action

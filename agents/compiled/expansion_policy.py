"""How the rules agent scores a decision of a game with expansions, compiled.

Actions of the base game are scored as there (``rules_policy.py``), from a view that knows what expansions
change (``expansion_view.py``); each group of families of actions has a line in :func:`score_more`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.compiled.expansion_families import (
    DROP,
    ESCAPE,
    FAILSAFE,
    FREE,
    GAIN,
    GIVE,
    GIVE_UP,
    GROUP,
    HAPPY,
    KEY_LOST,
    LEAVE,
    LEFT,
    LOSE_TOWER,
    NEXT,
    OPEN,
    PAY,
    PAY_DOOR,
    PAY_KEY,
    POWER,
    RALLIED,
    RALLY,
    REFUSE,
    REMOVE,
    RIGHT,
    ROW,
    ROW_STORED,
    SEARCH_VALUE,
    SEARCHES,
    SPARE,
    SPELL,
    SWAP,
    TAKE_DOOR,
    TAKE_FROM,
)
from agents.compiled.expansion_scores import (
    ALIGNED_GAIN,
    ALL_FULL,
    CARD_LOST,
    CAUGHT_DOOR,
    CAUGHT_DREAM,
    DROP_VALUE,
    EDGE_SYMBOL,
    FIRST,
    HAND_VALUE,
    HAPPY_DOOR,
    HAPPY_LOOK,
    HAPPY_SEARCH,
    INCANTATION,
    LOOK_GAIN,
    NEVER,
    NEXT_VALUE,
    NIGHTMARE_KEPT,
    PAY_VALUE,
    PREMONITION_VALUE,
    RUN_GAIN,
    SPARED_CARDS,
    TOWER_LOST,
)
from agents.compiled.expansion_view import (
    CROSSROAD,
    N_DOORS,
    N_TOWERS,
    ONIVERSE_KIND,
    PENDING,
    longest_run,
    read_expansion_view,
)
from agents.compiled.rules_policy import (
    doors_to_come,
    key_of,
    score,
    score_discard,
    score_new_hand,
    score_play,
    score_prophecy_discard,
    score_prophecy_place,
    score_return,
    share_of_deck,
    worth,
    worth_with,
)
from agents.compiled.rules_view import UNKNOWN, index_of_one
from onirim_env.actions import FIRST_EXPANSION_CODE, STRIDE
from onirim_env.cards import (
    FIRST_DOOR,
    N_COLOURS,
    N_KINDS,
    N_LOCATION_KINDS,
    N_SYMBOLS,
    NIGHTMARE,
    SERIES_LENGTH,
)
from onirim_env.compiling.compile import kernel, rule
from onirim_env.engine.codes import SEARCH
from onirim_env.expansions import ALL_KIND_OF_NAME, N_ALL_KINDS, NEW_KINDS
from onirim_env.expansions.oniverse import DENIZENS
from onirim_env.expansions.towers import ALIGNED, EDGES
from onirim_env.observation import MORE_STARTS

ONIVERSE_DOOR = N_COLOURS
GLYPH_SYMBOL = N_SYMBOLS
FIRST_GLYPH = ALL_KIND_OF_NAME["red glyph"]
FIRST_TOWER = ALL_KIND_OF_NAME["red tower 3"]
CROSSROAD_KEY = ALL_KIND_OF_NAME["crossroad key"]
FIRST_CROSSROAD = ALL_KIND_OF_NAME["crossroad sun"]
LOST_DREAM = ALL_KIND_OF_NAME["lost dream"]
INCANTATION_SIZE = 5

NEW_TOP, DISCARDED = MORE_STARTS["new_top"], MORE_STARTS["discarded"]
CATCHERS, N_CATCHERS = MORE_STARTS["catchers"], MORE_STARTS["n_catchers"]
EDGE_SYMBOLS = np.array([[bin(edge).count("1") for edge in edges] for edges in EDGES], dtype=np.float64)

CYCLOBOT, SPIES, HUNTER, MIRROR, ARCHITECT = (
    DENIZENS.index(name) for name in ("cyclobot", "squirrel spies", "harpoon hunter", "mirror", "architect")
)


@rule
def worth_without(weights: Any, view: Any, kind: int) -> float:
    """Return the worth with a card less in the hand."""
    if kind < N_LOCATION_KINDS:
        return worth_with(weights, view, kind, -1)
    return worth(weights, view) - HAND_VALUE[kind]


@rule
def score_row(weights: Any, view: Any, seen: np.ndarray, kind: int) -> float:
    """Score the play of a Glyph or a Crossroad: as a card of a series whose symbol nothing else has."""
    last, colour, length = view.last, view.colour, view.length
    if kind >= FIRST_CROSSROAD:
        view.last = kind - FIRST_CROSSROAD
        used = seen[PENDING + CROSSROAD] != 0.0 or seen[PENDING + N_DOORS + CROSSROAD] != 0.0
        fits = view.colour != UNKNOWN and view.length > 0 and not used
        view.length = view.length + 1 if fits else 0
    else:
        view.last, view.colour = GLYPH_SYMBOL, kind - FIRST_GLYPH
        view.length = length + 1 if view.colour == colour else 1
    finds = False
    if view.length == SERIES_LENGTH:
        finds = view.wanted[view.colour] > 0 and view.deck[FIRST_DOOR + view.colour] > 0
    view.length %= SERIES_LENGTH
    value = worth(weights, view) - HAND_VALUE[kind]
    if finds:
        value += weights.find_door
    view.last, view.colour, view.length = last, colour, length
    return value


@rule
def score_leave(weights: Any, view: Any, seen: np.ndarray, kind: int) -> float:
    """Score the discard of a card of an expansion: Incantation, look, Prophecy."""
    value = worth(weights, view) - HAND_VALUE[kind]
    if kind < FIRST_GLYPH + N_COLOURS:
        doors = 0
        for colour in range(N_COLOURS):
            if view.wanted[colour] > 0:
                doors += view.deck[FIRST_DOOR + colour]
        return value + INCANTATION * min(1.0, INCANTATION_SIZE * share_of_deck(view, doors))
    if FIRST_TOWER <= kind < FIRST_TOWER + N_TOWERS:
        aligned = longest_run(seen, UNKNOWN, UNKNOWN, UNKNOWN) >= ALIGNED
        return value + LOOK_GAIN + (HAND_VALUE[kind] if aligned else 0.0)
    if kind == CROSSROAD_KEY:
        value += weights.prophecy + weights.prophecy_known * view.known_cards
        value += weights.prophecy_nightmare * share_of_deck(view, view.deck[NIGHTMARE])
    return value


@rule
def score_next(weights: Any, view: Any, kind: int) -> float:
    """Score a card as the next to be drawn."""
    if kind < N_KINDS:
        return score_prophecy_place(weights, view, kind)
    if kind == ONIVERSE_KIND:
        for colour in range(N_COLOURS):
            if view.hand[key_of(colour)] > 0:
                return weights.place_door
        return weights.place_closed_door
    return NEXT_VALUE[kind]


@rule
def score_tower(weights: Any, view: Any, seen: np.ndarray, tower: int, side: int) -> float:
    """Score a Tower at the left (side 0) or the right end of its row."""
    before = longest_run(seen, UNKNOWN, UNKNOWN, UNKNOWN)
    value = worth(weights, view) - HAND_VALUE[FIRST_TOWER + tower] + EDGE_SYMBOL * EDGE_SYMBOLS[tower, side]
    if before >= ALIGNED:
        return value
    after = longest_run(seen, tower if side == 0 else UNKNOWN, tower if side == 1 else UNKNOWN, UNKNOWN)
    if after > before:
        value += RUN_GAIN * after
    return value + ALIGNED_GAIN if after >= ALIGNED else value


@rule
def score_free(view: Any, seen: np.ndarray, number: int) -> float:
    """Score that a Dreamcatcher (from 1 on) is emptied into the deck."""
    full, dreams, value = True, 0.0, 0.0
    for catcher in range(np.int64(seen[N_CATCHERS])):
        first = CATCHERS + catcher * N_ALL_KINDS
        cards = 0.0
        for kind in range(N_ALL_KINDS):
            cards += seen[first + kind]
        full = full and cards > 0.0
        dreams += seen[first + LOST_DREAM]
        if catcher == number - 1:
            value += CAUGHT_DREAM * seen[first + LOST_DREAM] + CAUGHT_DOOR * seen[first + ONIVERSE_KIND]
            for colour in range(N_COLOURS):
                doors = min(np.float64(view.wanted[colour]), np.float64(seen[first + FIRST_DOOR + colour]))
                value += CAUGHT_DOOR * doors
    return value + ALL_FULL if full and dreams < 4.0 else value


@rule
def score_search(view: Any, family: int, argument: int) -> float:
    """Score a search by a series; 0 is the score of leaving the deck as it is."""
    if SEARCH_VALUE[family] > 0.0:
        return SEARCH_VALUE[family]
    if argument == 1:
        return 0.0
    if view.colour == UNKNOWN:
        return 3.0
    return 3.0 if view.wanted[view.colour] > 0 and view.deck[FIRST_DOOR + view.colour] > 0 else -1.0


@rule
def score_happy(view: Any, argument: int) -> float:
    """Score the look (0) or the search (1) of a Happy Dream."""
    if argument == 0:
        return HAPPY_LOOK
    for colour in range(N_COLOURS):
        if view.hand[key_of(colour)] > 0 and view.wanted[colour] > 0 and view.deck[FIRST_DOOR + colour] > 0:
            return HAPPY_DOOR
    return HAPPY_SEARCH


@rule
def score_power(weights: Any, view: Any, denizen: int) -> float:
    """Score the power of a Denizen."""
    if denizen == MIRROR:
        return worth(weights, view) + NIGHTMARE_KEPT
    if denizen == CYCLOBOT:
        return FIRST
    if denizen == SPIES and view.known_cards == 0:
        return FIRST
    if denizen == HUNTER and view.known_cards == view.known_nightmares and view.deck[NIGHTMARE] > 0:
        return FIRST
    return worth(weights, view) - 1.0 if denizen == ARCHITECT else NEVER


@rule
def score_spell(weights: Any, view: Any, seen: np.ndarray, spell: int) -> float:
    """Score a spell: an answer to a Nightmare is cheap, and some discarded cards are kept for it."""
    if spell == 2:
        return worth(weights, view) - 1.0
    cards = 0.0
    for kind in range(N_ALL_KINDS):
        cards += seen[DISCARDED + kind]
    unknown = view.top[0] == UNKNOWN and index_of_one(seen, NEW_TOP, len(NEW_KINDS)) == UNKNOWN
    return FIRST if spell == 0 and unknown and cards >= SPARED_CARDS else NEVER


@rule
def score_more(weights: Any, view: Any, seen: np.ndarray, code: int) -> float:
    """Score an action of a game with expansions, given by its code."""
    if code < FIRST_EXPANSION_CODE:
        return score_search(view, 0, 0) if code == SEARCH else score(weights, view, code)
    family = (code - FIRST_EXPANSION_CODE) // STRIDE
    argument = (code - FIRST_EXPANSION_CODE) % STRIDE
    group = GROUP[family]
    if group <= PAY_DOOR:
        return score_card(weights, view, seen, group, argument)
    if group == OPEN:
        if view.drawn != UNKNOWN and view.wanted[view.drawn] == 0:
            return NEVER
        return weights.open_door + worth_without(weights, view, argument) + NIGHTMARE_KEPT
    if group == TAKE_DOOR:
        useful = argument == ONIVERSE_DOOR or view.wanted[min(argument, N_COLOURS - 1)] > 0
        return 10.0 if useful else -1.0
    if group == KEY_LOST:
        return -9.0 if argument == CROSSROAD_KEY else -float(doors_to_come(view, argument // N_SYMBOLS))
    if group == RALLY:
        return worth_without(weights, view, argument) + CARD_LOST + RALLIED[family]
    if group == TAKE_FROM:
        return 4.0 if argument < STRIDE // 2 else 2.0
    if group == FREE:
        return score_free(view, seen, argument) if argument > 0 else 0.0
    if group == FAILSAFE:
        value = score_free(view, seen, argument)
        return FIRST + value if value > 0.0 else NEVER
    if group == GIVE_UP:
        return score_free(view, seen, argument)
    if group == SEARCHES:
        return score_search(view, family, argument)
    if group == REMOVE:
        return PREMONITION_VALUE[argument]
    if group == HAPPY:
        return score_happy(view, argument)
    if group == POWER:
        return score_power(weights, view, argument)
    if group == SPELL:
        return score_spell(weights, view, seen, argument)
    if group == ESCAPE:
        return score_new_hand(weights, view)
    if group == REFUSE:
        return worth(weights, view)
    if group == SPARE:
        return NIGHTMARE_KEPT
    return NEVER if group == SWAP else 0.0


@rule
def score_card(weights: Any, view: Any, seen: np.ndarray, group: int, kind: int) -> float:
    """Score an action whose argument is a card, or a Door, by the group of its family."""
    if group == ROW_STORED and kind < N_LOCATION_KINDS:
        view.hand[kind] += 1
        value = score_play(weights, view, kind)
        view.hand[kind] -= 1
        return value
    if group == ROW or group == ROW_STORED:
        return score_row(weights, view, seen, kind)
    if group == LEAVE:
        if kind < N_LOCATION_KINDS:  # a stored card
            view.hand[kind] += 1
            value = score_discard(weights, view, kind)
            view.hand[kind] -= 1
            return value
        return score_leave(weights, view, seen, kind)
    if group == DROP:
        return score_prophecy_discard(weights, view, kind) if kind < N_KINDS else DROP_VALUE[kind]
    if group == NEXT:
        return score_next(weights, view, kind)
    if group == LEFT:
        return score_tower(weights, view, seen, kind - FIRST_TOWER, 0)
    if group == RIGHT:
        return score_tower(weights, view, seen, kind - FIRST_TOWER, 1)
    if group == LOSE_TOWER:
        left = longest_run(seen, UNKNOWN, UNKNOWN, kind - FIRST_TOWER)
        return TOWER_LOST * (longest_run(seen, UNKNOWN, UNKNOWN, UNKNOWN) - left)
    if group == GIVE:
        return worth_without(weights, view, kind)
    if group == GAIN:
        if kind < N_LOCATION_KINDS:
            return worth_with(weights, view, kind, 1)
        return worth(weights, view) + HAND_VALUE[kind]
    if group == PAY:
        return PAY_VALUE[kind]
    if group == PAY_KEY:
        return weights.pay_key + worth_without(weights, view, kind)
    if group == PAY_DOOR:
        if kind < N_COLOURS:
            return score_return(weights, view, kind)
        return weights.pay_door + weights.pay_door_late / max(1, view.locations) + worth(weights, view)
    return 0.0


@kernel
def write_expansion_scores(
    weights: Any,
    doors_wanted: int,
    whole_prophecies: bool,
    seen: np.ndarray,
    views: np.ndarray,
    masks: np.ndarray,
    codes: np.ndarray,
    scores: np.ndarray,
) -> None:
    """Write the score of each legal action into ``scores`` (float64, shape (n, n_actions)).

    Parameters
    ----------
    weights
        A record of ``rules_weights.py``.
    doors_wanted
        From :func:`agents.compiled.expansion_view.doors_to_win`.
    whole_prophecies
        Whether a Prophecy is one decision.
    seen
        float32, shape (n, whole size): observations as the engine writes them.
    views
        ``VIEW``, shape (1,): room.
    masks, codes
        As for ``rules_policy.choose``.
    scores
        Written where an action is legal; rows without a game are left out.
    """
    for i in range(masks.shape[0]):
        if masks[i].all():
            continue
        read_expansion_view(seen[i], doors_wanted, whole_prophecies, views[0])
        for action in range(masks.shape[1]):
            if masks[i, action] != 0:
                scores[i, action] = score_more(weights, views[0], seen[i], np.int64(codes[action]))

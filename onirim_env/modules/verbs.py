# ruff: noqa: E501  (the table of verbs has one line each)
"""The actions that modules bring, as families of texts.

Every family has room for ``STRIDE`` arguments, so that the engine finds verb and argument of a code by
division. Where the argument is a card, it is the kind. A rule set has the actions whose cards and
modules it has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from onirim_env.cards import COLOURS, DOOR_NAMES, LOCATION_NAMES
from onirim_env.modules import ALL_KIND_NAMES, ALL_KIND_OF_NAME, MODULES, kind_counts
from onirim_env.modules.book_of_steps import MAX_GOALS, SPELLS
from onirim_env.modules.dreamcatchers import CATCHERS
from onirim_env.modules.oniverse import DENIZENS
from onirim_env.modules.premonitions import PREMONITIONS
from onirim_env.rules import RuleSet

STRIDE = 64
DOORS = (*DOOR_NAMES, "oniverse door")
"""Doors by number: one of each colour, then the Oniverse Door."""
DOORS_OF_CATCHER = 8
"""Room for the Doors of one Dreamcatcher among the arguments of TAKE_FROM; the second half is for Chromatic Chaos."""
FREE_POWERS = tuple(denizen for denizen in DENIZENS if denizen not in ("chromatic chaos", "mirror"))

_CARDS = {module.keyword: tuple(name for name, _ in module.cards) for module in MODULES}
_GLYPHS, _TOWERS = _CARDS["glyphs"], _CARDS["towers"]
_CROSSROADS = _CARDS["crossroads"][:3]
_NEW = tuple(name for names in _CARDS.values() for name in names)
_NEW_ROW = (*_GLYPHS, *_CROSSROADS)
_NEW_HAND = (*_GLYPHS, *_TOWERS, *_CROSSROADS, "dead end")
ROW_CARDS = (*LOCATION_NAMES, *_NEW_ROW)
HAND_CARDS = (*LOCATION_NAMES, *_NEW_HAND)
LOCATIONS = (*LOCATION_NAMES, *_GLYPHS, *_TOWERS, *_CROSSROADS)
KEYS = (*(f"{colour} key" for colour in COLOURS), "crossroad key")
_ANY = ALL_KIND_NAMES


class Verb(NamedTuple):
    """A family of actions of modules.

    Attributes
    ----------
    name
        Its name in the engine.
    texts
        The text of each argument.
    modules
        It is there where one of these modules is.
    co_op
        Whether it is there with two players only.
    meaning
        One line for the documentation.
    """

    name: str
    texts: Mapping[int, str]
    modules: tuple[str, ...]
    co_op: bool
    meaning: str


def _cards(template: str, names: Iterable[str]) -> dict[int, str]:
    return {ALL_KIND_OF_NAME[name]: template.format(name) for name in names}


def _numbered(template: str, words: Iterable[object], first: int = 0) -> dict[int, str]:
    return {index: template.format(word) for index, word in enumerate(words, first)}


_ALL = tuple(module.keyword for module in MODULES)
_BOOK, _GLYPH, _CATCH, _TOWER, _PREMONITION, _CROSS, _ONIVERSE = ((keyword,) for keyword in _ALL)
_NUMBERS = range(1, CATCHERS + 1)
_TAKE_FROM = {
    half + (number - 1) * DOORS_OF_CATCHER + index: f"{chaos}take {door} from dreamcatcher {number}"
    for half, chaos in ((0, ""), (STRIDE // 2, "chaos "))
    for number in _NUMBERS
    for index, door in enumerate(DOORS)
}

VERBS: tuple[Verb, ...] = (
    Verb("PLAY", _cards("play {}", _NEW_ROW), _ALL, False, "put a card of the hand in the row (G-1, X-1)"),
    Verb("DISCARD", _cards("discard {}", _NEW_HAND[:-1]), _ALL, False, "discard a card of the hand: a Glyph gives an Incantation (G-3), a Tower a look at the deck (TW-3)"),
    Verb("PROPHECY_DISCARD", _cards("prophecy discard {}", _NEW), _ALL, False, "discard one of the revealed cards (P-8)"),
    Verb("PROPHECY_PLACE", _cards("prophecy place {}", _NEW), _ALL, False, "put the next revealed card back (P-8)"),
    Verb("PLAY_SHARED", _cards("play shared {}", _NEW_ROW), _ALL, True, "put a shared card in the own row (C-3)"),
    Verb("DISCARD_SHARED", _cards("discard shared {}", _NEW_HAND[:-1]), _ALL, True, "discard a shared card (C-3)"),
    Verb("SWAP_OUT", _cards("swap out {}", _NEW_HAND), _ALL, True, "put up a personal card for a swap (C-7)"),
    Verb("SWAP_IN", _cards("swap in {}", _NEW_HAND), _ALL, True, "take a shared card for it (C-7)"),
    Verb("TAKE", _cards("take {}", _NEW_HAND), _ALL, True, "pick a face-up card in the draft (C-1)"),
    Verb("NIGHTMARE_KEY", _cards("nightmare discard {}", ["crossroad key"]), _CROSS, False, "resolve a Nightmare with the Crossroad Key (N-1)"),
    Verb("NIGHTMARE_KEY_SHARED", _cards("nightmare discard shared {}", ["crossroad key"]), _CROSS, True, "resolve a Nightmare with a shared one (N-1)"),
    Verb("NIGHTMARE_DOOR", _cards("nightmare return {}", ["oniverse door"]), _ONIVERSE, False, "resolve a Nightmare with the Oniverse Door (N-2)"),
    Verb("ON_TOP", _cards("put {} on top", _ANY), (*_BOOK, *_TOWER, *_PREMONITION, *_ONIVERSE), False, "put a card on top of the deck; first put is drawn first"),
    Verb("AT_BOTTOM", _cards("put {} at the bottom", _ANY), (*_BOOK, *_GLYPH, *_ONIVERSE), False, "put a card at the bottom of the deck; first put is drawn first"),
    Verb("LOOK_DISCARD", _cards("look discard {}", _ANY), _PREMONITION, False, "discard a card that a Happy Dream shows (HP-4)"),
    Verb("PAY", _cards("pay {}", _ANY), _BOOK, False, "remove a discarded card from the game for a spell (B-4)"),
    Verb("INCANTATION", _cards("incantation take {}", DOORS), _GLYPH, False, "put a revealed Door in play (G-3)"),
    Verb("PREMONITION_KEY", _cards("premonition discard {}", KEYS), _PREMONITION, False, "discard a Key from the deck (blue2)"),
    Verb("STORE", _cards("store {}", HAND_CARDS), _ONIVERSE, False, "put a card under the Treasure Keeper"),
    Verb("STORE_SHARED", _cards("store shared {}", HAND_CARDS), _ONIVERSE, True, "put a shared card under the Treasure Keeper"),
    Verb("PLAY_STORED", _cards("play stored {}", ROW_CARDS), _ONIVERSE, False, "put the stored card in the row"),
    Verb("DISCARD_STORED", _cards("discard stored {}", HAND_CARDS[:-1]), _ONIVERSE, False, "discard the stored card"),
    Verb("PLACE_LEFT", _cards("place {} left", _TOWERS), _TOWER, False, "add a Tower to the left end of its row (TW-2)"),
    Verb("PLACE_RIGHT", _cards("place {} right", _TOWERS), _TOWER, False, "add a Tower to the right end (TW-2)"),
    Verb("PLACE_SHARED_LEFT", _cards("place shared {} left", _TOWERS), _TOWER, True, "the same with a shared one"),
    Verb("PLACE_SHARED_RIGHT", _cards("place shared {} right", _TOWERS), _TOWER, True, "the same with a shared one"),
    Verb("PLACE_STORED_LEFT", _cards("place stored {} left", _TOWERS), _ONIVERSE, False, "the same with the stored one"),
    Verb("PLACE_STORED_RIGHT", _cards("place stored {} right", _TOWERS), _ONIVERSE, False, "the same with the stored one"),
    Verb("LOSE_TOWER", _cards("lose {}", _TOWERS), _TOWER, False, "discard a Tower of the row after a Nightmare (TW-4)"),
    Verb("CYCLOBOT_GIVE", _cards("cyclobot give {}", LOCATIONS), _ONIVERSE, False, "the card that goes to the discard pile"),
    Verb("CYCLOBOT_GIVE_SHARED", _cards("cyclobot give shared {}", LOCATIONS), _ONIVERSE, True, "the shared card that goes there"),
    Verb("CYCLOBOT_TAKE", _cards("cyclobot take {}", LOCATIONS), _ONIVERSE, False, "the card that comes from there"),
    *(
        Verb(f"RALLY_{index}", _cards(f"rally {denizen} with {{}}", HAND_CARDS[:-1]), _ONIVERSE, False, "rally a drawn Denizen by discarding a card (O-D3)")
        for index, denizen in enumerate(DENIZENS)
    ),
    *(
        Verb(f"RALLY_SHARED_{index}", _cards(f"rally {denizen} with shared {{}}", HAND_CARDS[:-1]), _ONIVERSE, True, "rally a drawn Denizen by discarding a shared card (O-D3)")
        for index, denizen in enumerate(DENIZENS)
    ),
    Verb("OPEN_WITH", _cards("open door with {}", KEYS), (*_CROSS, *_ONIVERSE), False, "spend another Key than the one of the Door's colour (X-2, O-D2)"),
    Verb("OPEN_WITH_SHARED", _cards("open door with shared {}", KEYS), (*_CROSS, *_ONIVERSE), True, "spend a shared one (X-2, O-D2)"),
    Verb("CHAOS_OPEN", _cards("chaos open door with {}", KEYS[:-1]), _ONIVERSE, False, "spend a Key of another colour and Chromatic Chaos"),
    Verb("CHAOS_OPEN_SHARED", _cards("chaos open door with shared {}", KEYS[:-1]), _ONIVERSE, True, "spend a shared one and Chromatic Chaos"),
    Verb("CHAOS_SEARCH", _cards("chaos search {}", DOOR_NAMES), _ONIVERSE, False, "search for a Door of another colour with Chromatic Chaos"),
    Verb("TAKE_FROM", _TAKE_FROM, _CATCH, False, "gain a Door from under a Dreamcatcher by a series (D-7)"),
    Verb("SPELL", _numbered("spell {}", SPELLS), _BOOK, False, "cast a spell (B-4)"),
    Verb("GOAL", _numbered("swap goal {}", range(1, MAX_GOALS + 1)), _BOOK, False, "a Goal that Parallel Planning moves"),
    Verb("FREE", _numbered("free {}", ["none", *(f"dreamcatcher {number}" for number in _NUMBERS)]), _CATCH, False, "free a Dreamcatcher before the shuffle after a search (D-6)"),
    Verb("FAILSAFE", _numbered("failsafe dreamcatcher {}", _NUMBERS, 1), _CATCH, False, "spend a Failsafe Book (D-8)"),
    Verb("GIVE_UP", _numbered("give up dreamcatcher {}", _NUMBERS, 1), _CATCH, False, "the Dreamcatcher that is lost in an overload (D-4)"),
    Verb("PREMONITION", _numbered("premonition {}", PREMONITIONS), _PREMONITION, False, "which Premonition is carried out first (HP-2)"),
    Verb("REMOVE_PREMONITION", _numbered("remove premonition {}", PREMONITIONS), _PREMONITION, False, "a Happy Dream removes a Premonition (HP-4)"),
    Verb("PREMONITION_RETURN", _numbered("premonition return {}", DOORS), _PREMONITION, False, "the Door that a Premonition takes"),
    Verb("PREMONITION_RETURN_PARTNER", _numbered("premonition return partner {}", DOORS), _PREMONITION, True, "the partner's Door that it takes"),
    Verb("POWER", _numbered("{}", DENIZENS), _ONIVERSE, False, "use the power of a rallied Denizen (O-D4)"),
    Verb("SEARCH", {0: "search", 1: "pass"}, (*_BOOK, *_CATCH, *_ONIVERSE), False, "search by a series, or leave it, where there is something to decide"),
    Verb("SEARCH_ONIVERSE", {0: "search oniverse door"}, _ONIVERSE, False, "search for the Oniverse Door (O-D2)"),
    Verb("ESCAPE", {0: "escape"}, _CROSS, False, "discard the whole hand and draw a new one (X-4)"),
    Verb("LOOK_DONE", {0: "look done"}, _PREMONITION, False, "discard no more of the cards seen (HP-4)"),
    Verb("FALSE_DESTRUCTION", {0: "false destruction"}, _TOWER, False, "the Nightmare goes to Limbo, and no Tower is lost (TW-5)"),
    Verb("REFUSE_DENIZEN", {0: "refuse denizen"}, _ONIVERSE, False, "the drawn Denizen is discarded (O-D3)"),
    Verb("HAPPY", {0: "happy look", 1: "happy search"}, _PREMONITION, False, "look at the next seven cards, or search for one (HP-4)"),
    Verb("INCANTATION_NOTHING", {0: "incantation take nothing"}, _GLYPH, False, "put no Door in play (O-31)"),
)  # fmt: skip

VERB_INDEX = {verb.name: index for index, verb in enumerate(VERBS)}


@cache
def present_names(expansions: tuple[str, ...]) -> frozenset[str]:
    """Return the names of the kinds that a game with some modules has."""
    return frozenset(name for name, count in zip(ALL_KIND_NAMES, kind_counts(expansions)) if count)


def offered(rules: RuleSet) -> list[tuple[int, str]]:
    """Return index-and-argument codes (from 0 on) and texts of the actions that a rule set's modules bring."""
    from onirim_env.modules.offers import is_offered

    return [
        (index * STRIDE + argument, text)
        for index, verb in enumerate(VERBS)
        if any(keyword in rules.expansions for keyword in verb.modules)
        and (rules.players > 1 or not verb.co_op)
        for argument, text in verb.texts.items()
        if is_offered(verb, argument, text, rules)
    ]

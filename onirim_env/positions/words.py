"""What a position says: cards by zone, numbers and words of its plain fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from onirim_env.cards import (
    DOOR_NAMES,
    FIRST_DOOR,
    KIND_COUNTS,
    KIND_NAMES,
    LOCATION_NAMES,
    N_COLOURS,
    N_LOCATION_KINDS,
    N_SYMBOLS,
    SERIES_LENGTH,
)
from onirim_env.engine.records import phase_names
from onirim_env.engine.state import STATE
from onirim_env.errors import PositionError, quoted
from onirim_env.expansions import (
    ALL_KIND_NAMES,
    ALL_KIND_OF_NAME,
    EXPANSION_TABLES,
    HAND_CARDS,
    LOCATIONS,
    ROW_CARDS,
    expansion_of,
    kind_counts,
)
from onirim_env.expansions.form import DOORS
from onirim_env.expansions.shared import FOLLOWS
from onirim_env.json_kinds import CARDS, check_range
from onirim_env.positions.phases import is_acted, is_begun
from onirim_env.rules import RuleSet

_LIMBO_NAMES = KIND_NAMES[N_LOCATION_KINDS:]


class Cards(NamedTuple):
    """A position's cards by zone, as kinds; ``deck`` and ``revealed`` are top first."""

    rows: list[list[int]]
    hands: list[list[int]]
    doors: list[list[int]]
    public: list[list[int]]
    shared: list[int]
    limbo: list[int]
    discard: list[int]
    deck: list[int]
    revealed: list[int]
    placed: list[int]
    drawn: int | None
    swapping: int | None

    def doors_in_play(self) -> list[int]:
        """Return how many Doors of each number are in play."""
        counts = [0] * len(DOORS)
        for kind in (kind for one in self.doors for kind in one):
            counts[min(kind - FIRST_DOOR, N_COLOURS)] += 1
        return counts


class Described(NamedTuple):
    """A position as its words say it, before anything is checked that needs the rules of the game.

    Attributes
    ----------
    rules, phase, to_move, turns
        Those of the position.
    fields
        Its fields that are given, as plain values.
    players
        The same of each player.
    cards
        Its cards; those named nowhere are on the discard pile, if that is where they go.
    rest
        The kinds of the cards of the deck whose order is open.
    known, known_bottom
        For each player the places of the deck that are known, from the top and from the bottom.
    state
        Values of the fields of the state that expansions have, by name.
    """

    rules: RuleSet
    phase: str
    to_move: int
    turns: int
    fields: dict[str, Any]
    players: list[dict[str, Any]]
    cards: Cards
    rest: list[int]
    known: list[list[int]]
    known_bottom: list[list[int]]
    state: dict[str, Any]

    @property
    def deck_size(self) -> int:
        """How many cards the deck has, those that lie revealed not counted."""
        return len(self.rest) + len(self.cards.deck)

    def names(self, kinds: Iterable[int]) -> list[str]:
        """Return the names of cards."""
        return [ALL_KIND_NAMES[kind] for kind in kinds]


class Words(NamedTuple):
    """The names of the cards that may lie in a zone, and how many there are of each kind."""

    row: tuple[str, ...]
    hand: tuple[str, ...]
    doors: tuple[str, ...]
    limbo: tuple[str, ...]
    any: tuple[str, ...]
    locations: tuple[str, ...]
    counts: tuple[int, ...]


BASE_WORDS = Words(
    LOCATION_NAMES, LOCATION_NAMES, DOOR_NAMES, _LIMBO_NAMES, KIND_NAMES, LOCATION_NAMES, KIND_COUNTS
)


def words_of(rules: RuleSet) -> Words:
    """Return what may lie where in a game of a rule set."""
    if not rules.expansions:
        return BASE_WORDS
    counts = kind_counts(rules.expansions)
    there = {name for name, count in zip(ALL_KIND_NAMES, counts) if count}
    row, hand, doors = (
        tuple(name for name in names if name in there) for names in (ROW_CARDS, HAND_CARDS, DOORS)
    )
    every = tuple(name for name in ALL_KIND_NAMES if name in there)
    limbo = tuple(name for name in every if name not in LOCATIONS)
    return Words(row, hand, doors, limbo, every, LOCATIONS, counts)


class Reader:
    """Reads the fields of one plain position, and counts the cards that it names.

    The ``read`` of an expansion is given one (``onirim_env/expansions``).
    """

    def __init__(self, position: Mapping[str, Any], rules: RuleSet) -> None:
        self.position = {field: value for field, value in position.items() if value is not None}
        self.rules = rules
        self.words = words_of(rules)
        self.left = Counter(dict(enumerate(self.words.counts)))

    @property
    def n_limbo_kinds(self) -> int:
        """How many kinds can lie in Limbo, from the first Door on."""
        return len(ALL_KIND_NAMES) - FIRST_DOOR

    @property
    def begun(self) -> bool:
        """Whether something else than a Failsafe Book has been used in the turn (O-41)."""
        return is_begun(self.position)

    def number(self, field: str, low: int, high: int, default: int = 0) -> int:
        """Return a number, which must be within its bounds."""
        value: int = self.position.get(field, default)
        check_range(field, value, low, high)
        return value

    def kinds(self, field: str, words: tuple[str, ...], names: Sequence[str], take: bool = True) -> list[int]:
        """Return the kinds of a list of card words, and take the cards off those left."""
        return [self.kind(field, word, names, take) for word in words]

    def kind_of(self, name: str) -> int:
        """Return the kind of a card that has been counted already."""
        return ALL_KIND_OF_NAME[name]

    def kind(self, field: str, word: str, names: Sequence[str], take: bool = True) -> int:
        """Return the kind of a card, and take it off those left."""
        if word not in names:
            raise PositionError(f"{field}: {quoted(word)} cannot be here; cards are {', '.join(names)}")
        kind = ALL_KIND_OF_NAME[word]
        if take:
            if self.left[kind] == 0:
                raise PositionError(f"{field}: one {word!r} too many; the game has {self.words.counts[kind]}")
            self.left[kind] -= 1
        return kind

    def zone(self, field: str, names: Sequence[str]) -> list[int]:
        """Return the kinds of a field that is a list of cards."""
        return self.kinds(field, self.position.get(field, ()), names)

    def card(self, field: str, names: Sequence[str]) -> int | None:
        """Return the kind of a field that is one card, or None where it is not given."""
        word = self.position.get(field)
        return None if word is None else self.kind(field, word, names)

    def index(self, field: str, value: str, words: Sequence[str]) -> int:
        """Return which of some words a value is."""
        if value not in words:
            raise PositionError(f"{field}: {quoted(value)}; allowed are {', '.join(words)}")
        return words.index(value)

    def indices(self, field: str, words: Sequence[str]) -> list[int]:
        """Return which of some words the values of a field are."""
        return [self.index(field, value, words) for value in self.position.get(field, ())]

    def place(self, field: str, number: int, first: int = 0) -> int | None:
        """Return a place among so many, from 0 on; it is given from ``first`` on. None where it is not."""
        value: int | None = self.position.get(field)
        if value is None:
            return None
        check_range(field, value, first, first + number - 1)
        return value - first

    def players(self) -> list[dict[str, Any]]:
        """Return the fields of each player that are given."""
        number = self.rules.players
        players = self.position.get("players", [{}] * number)
        if len(players) != number:
            raise PositionError(f"players: a list of {number}, not {quoted(players)}")
        return [{field: value for field, value in player.items() if value is not None} for player in players]

    def cards(self) -> Cards:
        """Return the cards of the zones that every game has."""
        rows, hands, doors, public = [], [], [], []
        for index, player in enumerate(self.players()):
            at = f"players[{index}]"
            rows.append(self.kinds(f"{at}.row", player.get("row", ()), self.words.row))
            hands.append(self.kinds(f"{at}.hand", player.get("hand", ()), self.words.hand))
            doors.append(self.kinds(f"{at}.doors", player.get("doors", ()), self.words.doors))
            shown = self.kinds(f"{at}.public", player.get("public", ()), self.words.hand, take=False)
            missing = Counter(shown) - Counter(hands[-1])
            if missing:
                word = ALL_KIND_NAMES[next(iter(missing))]
                raise PositionError(f"{at}.public: {word!r} is not in that hand")
            public.append(shown)
        return Cards(
            rows, hands, doors, public,
            shared=self.zone("shared", self.words.hand),
            limbo=self.zone("limbo", self.words.limbo),
            discard=self.zone("discard", self.words.any),
            revealed=self.zone("revealed", self.words.any),
            placed=self.zone("placed", self.words.any),
            drawn=self.card("drawn", self.words.limbo),
            swapping=self.card("swapping", self.words.hand),
            deck=self.deck(),
        )  # fmt: skip

    def deck(self) -> list[int]:
        """Return the kinds of the deck, or of its top, whichever is given."""
        if "deck" not in self.position:
            return self.zone("deck_top", self.words.any)
        if "deck_top" in self.position:
            raise PositionError("deck_top: not together with deck, which gives the whole order")
        return self.zone("deck", self.words.any)

    def known(self, decided: int, field: str = "known") -> list[list[int]]:
        """Return the places of the deck's top (or bottom) that each player knows, 0 being the top."""
        value: Any = self.position.get(field, 0)
        number = self.rules.players
        if not isinstance(value, list):
            value = [value] * number
        if len(value) != number:
            raise PositionError(
                f"{field}: a number, or one for each of {number} players, not {quoted(value)}"
            )
        result = []
        for one in value:
            places = one if isinstance(one, list) else None
            for entry in [one] if places is None else places:
                check_range(field, entry, 0, decided if places is None else decided - 1)
            result.append(list(range(one)) if places is None else places)
        return result


def describe(position: Mapping[str, Any], rules: RuleSet) -> Described:
    """Return what a position says.

    Parameters
    ----------
    position
        Plain values (``fields.py``).
    rules
        Its rules.

    Raises
    ------
    PositionError
        For words that there are not, and for more cards than the game has; the message names the field.
    """
    reader = Reader(position, rules)
    phases = phase_names(rules)
    phase: str = reader.position.get("phase", "action")
    if phase not in phases:
        raise PositionError(f"phase: {quoted(phase)} is none of {', '.join(phases)}")
    to_move = reader.number("to_move", 0, rules.players - 1)
    cards = reader.cards()
    state = _expansions_state(reader, cards) if rules.expansions else {}
    decided = len(cards.deck)
    known = reader.known(decided)
    rest = list(reader.left.elements())
    if "deck" in reader.position:
        cards.discard.extend(rest)
        rest = []
    bottom = reader.known(0 if rest else decided, "known_bottom") if rules.expansions else []
    turns = reader.number("turns", 0, _most_turns(reader, cards))
    return Described(
        rules, phase, to_move, turns, reader.position, reader.players(), cards, rest, known, bottom, state
    )


def _expansions_state(reader: Reader, cards: Cards) -> dict[str, Any]:
    """Return the values of the fields of the state that expansions have, by name."""
    state: dict[str, Any]
    removed = [0] * len(ALL_KIND_NAMES)
    for kind in reader.zone("removed", reader.words.any):
        removed[kind] += 1
    follows = reader.position.get("follows")
    allowed: dict[str | None, int] = {None: 0, **FOLLOWS}
    if follows not in allowed:
        raise PositionError(f"follows: {quoted(follows)}; allowed are {', '.join(map(repr, allowed))}")
    state = {name: value for one in EXPANSION_TABLES for name, value in one.unset.items()}
    state.update(removed=removed, follows=allowed[follows], acted=is_acted(reader.position))
    for keyword in reader.rules.expansions:
        state.update(expansion_of(keyword).read(reader, cards))
    return state


def _most_turns(reader: Reader, cards: Cards) -> int:
    """Return how many turns may be completed, so that those to come can still be counted.

    Each of them puts a card of a hand away for good: in a row, on the discard pile, out of the game.
    """
    away = Counter(kind for zone in (*cards.rows, cards.discard) for kind in zone)
    own = {name: kind for one in reader.rules.expansions for name, kind in expansion_of(one).position.items()}
    for zone in ("removed", *(name for name, kind in own.items() if kind is CARDS)):
        away.update(ALL_KIND_OF_NAME[word] for word in reader.position.get(zone, ()))
    kinds = [ALL_KIND_OF_NAME[name] for name in reader.words.hand]
    to_come = sum(reader.words.counts[kind] - away[kind] for kind in kinds)
    return int(np.iinfo(STATE["turns"]).max) - to_come


def series_length(row: list[int], colours: Sequence[int] | None = None) -> int:
    """Return the length of the running series of a row of kinds: every third card ends one."""
    run = 0
    colours = [kind // N_SYMBOLS for kind in range(N_LOCATION_KINDS)] if colours is None else colours
    for kind in reversed(row):
        if colours[kind] != colours[row[-1]]:
            break
        run += 1
    return (run - 1) % SERIES_LENGTH + 1 if run else 0

"""Reading the fields of a position that say where cards lie."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from onirim_env.cards import DOOR_NAMES, KIND_COUNTS, KIND_NAMES, LOCATION_NAMES, N_LOCATION_KINDS
from onirim_env.errors import PositionError, quoted
from onirim_env.expansions import ALL_KIND_NAMES, ALL_KIND_OF_NAME, kind_counts
from onirim_env.position_fields import check_range
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


class Words(NamedTuple):
    """The names of the cards that may lie in a zone, and how many there are of each kind."""

    row: tuple[str, ...]
    hand: tuple[str, ...]
    doors: tuple[str, ...]
    limbo: tuple[str, ...]
    any: tuple[str, ...]
    counts: tuple[int, ...]


BASE_WORDS = Words(LOCATION_NAMES, LOCATION_NAMES, DOOR_NAMES, _LIMBO_NAMES, KIND_NAMES, KIND_COUNTS)


def words_of(rules: RuleSet) -> Words:
    """Return what may lie where in a game of a rule set."""
    if not rules.expansions:
        return BASE_WORDS
    from onirim_env.expansions import HAND_CARDS, LOCATIONS, ROW_CARDS
    from onirim_env.expansions.form import DOORS

    counts = kind_counts(rules.expansions)
    there = {name for name, count in zip(ALL_KIND_NAMES, counts) if count}
    row, hand, doors = (
        tuple(name for name in names if name in there) for names in (ROW_CARDS, HAND_CARDS, DOORS)
    )
    every = tuple(name for name in ALL_KIND_NAMES if name in there)
    limbo = tuple(name for name in every if name not in LOCATIONS)
    return Words(row, hand, doors, limbo, every, counts)


class Reader:
    """Reads the fields of one plain position, and counts the cards that it names."""

    def __init__(self, position: Mapping[str, Any], rules: RuleSet) -> None:
        self.position = {field: value for field, value in position.items() if value is not None}
        self.rules = rules
        self.words = words_of(rules)
        self.left = Counter(dict(enumerate(self.words.counts)))

    def number(self, field: str, low: int, high: int, default: int = 0) -> int:
        """Return a number, which must be within its bounds."""
        value: int = self.position.get(field, default)
        check_range(field, value, low, high)
        return value

    def kinds(self, field: str, words: tuple[str, ...], names: Sequence[str], take: bool = True) -> list[int]:
        """Return the kinds of a list of card words, and take the cards off those left."""
        return [self.kind(field, word, names, take) for word in words]

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

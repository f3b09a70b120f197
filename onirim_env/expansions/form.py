"""What an expansion brings: the form in which each of them is told."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any, NamedTuple, Union

from onirim_env.cards import DOOR_NAMES
from onirim_env.expansions import given
from onirim_env.json_kinds import Kind
from onirim_env.rules import RuleSet

DOORS = (*DOOR_NAMES, "oniverse door")
"""Doors by number: one of each colour, then the Oniverse Door."""


class Group(Enum):
    """Cards of all expansions together, those of the base game first; ``NEW`` ones are of expansions only."""

    ANY = "any"
    NEW = "new"
    HAND = "hand"
    NEW_HAND = "new hand"
    ROW = "row"
    NEW_ROW = "new row"
    LOCATIONS = "locations"
    NEW_LOCATIONS = "new locations"
    KEYS = "keys"


Cards = Union[Group, tuple[str, ...]]
"""Cards that an action or an entry of the observation can be about: a group, or names."""
IN_LIMBO, ALL_KINDS = "kinds in Limbo", "all kinds"
"""In the shape of a field of the state: as many as there are kinds that can lie in Limbo, or kinds at all."""


def always(rules: RuleSet, text: str) -> bool:
    """Take every action of a verb into the table."""
    return True


class Verb(NamedTuple):
    """A family of actions.

    Attributes
    ----------
    name
        Its name in the engine.
    text
        The text of an action, with ``{}`` for its argument.
    arguments
        The cards that it is about; or words by number.
    meaning
        One line for the documentation.
    co_op
        Whether it is there with two players only.
    when
        Tells of a rule set and the text of an action whether the action can ever be needed. That the
        cards it is about are in the game need not be asked.
    """

    name: str
    text: str
    arguments: Cards | Mapping[int, str]
    meaning: str
    co_op: bool = False
    when: Callable[[RuleSet, str], bool] = always


class Entries(NamedTuple):
    """Entries of an observation that are about cards, perhaps at several places.

    Attributes
    ----------
    cards
        The cards.
    places
        How many places there are; 0 where the entries are of no place.
    word
        What a place is called.
    """

    cards: Cards
    places: int = 0
    word: str = "place"


class SeenField(NamedTuple):
    """A field of an observation.

    Attributes
    ----------
    name
        Its name.
    entries
        Labels, or cards, each of which is a label; entries of cards that a rule set lacks are left out.
    highest
        The highest value of each entry.
    meaning
        One line for the documentation.
    co_op
        Whether it is there with two players only.
    """

    name: str
    entries: Entries | tuple[str, ...]
    highest: float
    meaning: str
    co_op: bool = False


StateField = tuple[str, str, tuple[Union[int, str], ...]]
"""Name, numpy type and shape of a field of the state; sizes may be ``IN_LIMBO`` or ``ALL_KINDS``."""


class Zone(NamedTuple):
    """What lies on the table in one zone of an expansion.

    Attributes
    ----------
    label
        What it is called.
    groups
        Its cards, group by group; None is a card that the viewer does not know.
    marked
        The places of the first group that are marked: Goals that are met.
    words
        What is to be said of it.
    player
        Whose it is, or None.
    """

    label: str
    groups: tuple[tuple[str | None, ...], ...] = ()
    marked: frozenset[int] = frozenset()
    words: str = ""
    player: int | None = None


Words = Union[str, "Callable[[given.Facts, re.Match[str]], str]"]
"""What an action does: a text with the groups of its pattern, or what makes one.

``{named}`` is the card of the groups ``source`` and ``card``: "the shared red key".
"""
Question = Union[str, "Callable[[given.Facts], str]"]
"""What is asked in a phase, and why."""
SOURCE = r"(?P<source>shared |stored )?"
"""In a pattern of texts: where a card is taken from, if not from the own hand."""


def _reads_nothing(reader: given.Reader, cards: given.Cards) -> dict[str, Any]:
    return {}


def _writes_nothing(writer: given.Writer, *player: int) -> dict[str, Any]:
    return {}


def _accepts(described: given.Described) -> None:
    """Refuse nothing."""


def _none(described: given.Described) -> int:
    return 0


def _lays_nothing(position: dict[str, Any]) -> list[Zone]:
    return []


@dataclass(frozen=True)
class Expansion:
    """An expansion: its tables, how positions tell of it, and its words.

    Its rules stand in ``engine/expansions``, its options in ``onirim_env.rules``.

    Attributes
    ----------
    keyword
        Its name in ``expansions`` and ``hard``.
    goal
        What it changes, in a line of the help.
    victory
        What has to be reached beside the Doors, in words; empty for nothing.
    cards
        Names and numbers of the cards that it shuffles into the deck, of kinds of its own.
    hand, row, locations, keys
        Those of them that fill a hand, are played in the row of the Labyrinth, count as Locations,
        serve as Keys.
    doors
        How many further Doors of each colour it shuffles in.
    phases
        Names of its decisions.
    uses
        Names of the actions and entries of :mod:`onirim_env.expansions.shared` that it needs.
    verbs, seen, state
        Its actions, its fields of an observation, its fields of the state.
    position, player_position
        Its fields of a position, and of each player in it, with their kinds.
    drawn
        Of its phases, those in which one of some cards is drawn.
    said_in, only_in
        Of fields of a position, the phases that they have to say something in, and no other; and
        those that they may say something in.
    missing
        Of its phases, what is missing where the phase would not have come about.
    lists
        Of its fields of the state that are lists, the field that says how much of the list counts.
    unset
        Of fields of the state, what they hold where nothing is said and where the expansion is not played, if
        not 0.
    read
        Returns the values of the fields of the state that a position gives, by name.
    write, write_player
        Return its fields of a position, and of a player in it.
    check, check_under_way
        Refuse what cannot lie so; the second where the game goes on.
    equal_symbols
        How many cards may lie beside one of their own symbol in a row.
    zones
        What lies on the table, from a position.
    words
        Patterns of its actions, with what they do in words: the first that fits.
    questions
        What is asked in its phases.
    """

    keyword: str
    goal: str
    victory: str = ""
    cards: tuple[tuple[str, int], ...] = ()
    hand: tuple[str, ...] = ()
    row: tuple[str, ...] = ()
    locations: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    doors: int = 0
    phases: tuple[str, ...] = ()
    uses: tuple[str, ...] = ()
    verbs: tuple[Verb, ...] = ()
    seen: tuple[SeenField, ...] = ()
    state: tuple[StateField, ...] = ()
    position: Mapping[str, Kind] = field(default_factory=dict)
    player_position: Mapping[str, Kind] = field(default_factory=dict)
    drawn: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    said_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    only_in: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    lists: Mapping[str, str] = field(default_factory=dict)
    unset: Mapping[str, int] = field(default_factory=dict)
    read: Callable[[given.Reader, given.Cards], dict[str, Any]] = _reads_nothing
    write: Callable[[given.Writer], dict[str, Any]] = _writes_nothing
    write_player: Callable[[given.Writer, int], dict[str, Any]] = _writes_nothing
    check: Callable[[given.Described], None] = _accepts
    check_under_way: Callable[[given.Described], None] = _accepts
    equal_symbols: Callable[[given.Described], int] = _none
    zones: Callable[[dict[str, Any]], list[Zone]] = _lays_nothing
    words: tuple[tuple[str, Words], ...] = ()
    questions: Mapping[str, Question] = field(default_factory=dict)

"""What an expansion brings: the form in which each of them is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import NamedTuple, Union

from onirim_env.cards import DOOR_NAMES
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


class Expansion(NamedTuple):
    """An expansion, as far as it is a list of things.

    Its rules stand in ``engine/expansions``, its options in ``onirim_env.rules``.

    Attributes
    ----------
    keyword
        Its name in ``expansions`` and ``hard``.
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
        Its fields of a position, and of each player in it (``expansion_positions.py``).
    """

    keyword: str
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
    position: tuple[str, ...] = ()
    player_position: tuple[str, ...] = ()

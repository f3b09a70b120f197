"""What the functions of an expansion are given: as much of it as they use.

What reads and writes positions (``onirim_env/positions``) and speaks of games (``onirim_env/play``) stands
above the expansions, and keeps to these protocols.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from onirim_env.rules import RuleSet


class Words(Protocol):
    """The names of the cards that may lie in a zone."""

    @property
    def hand(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def limbo(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def any(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def locations(self) -> tuple[str, ...]: ...  # noqa: D102


class Reader(Protocol):
    """Reads the fields of a position, and counts the cards that it names."""

    rules: RuleSet

    @property
    def position(self) -> Mapping[str, Any]: ...  # noqa: D102

    @property
    def words(self) -> Words: ...  # noqa: D102

    @property
    def n_limbo_kinds(self) -> int:
        """How many kinds can lie in Limbo, from the first Door on."""

    @property
    def begun(self) -> bool:
        """Whether something else than a Failsafe Book has been used in the turn (O-41)."""

    def number(self, field: str, low: int, high: int, default: int = 0) -> int:
        """Return a number, which must be within its bounds."""

    def kinds(self, field: str, words: tuple[str, ...], names: Sequence[str], take: bool = True) -> list[int]:
        """Return the kinds of a list of card words, and take the cards off those left."""

    def kind_of(self, name: str) -> int:
        """Return the kind of a card that has been counted already."""

    def zone(self, field: str, names: Sequence[str]) -> list[int]:
        """Return the kinds of a field that is a list of cards."""

    def card(self, field: str, names: Sequence[str]) -> int | None:
        """Return the kind of a field that is one card, or None where it is not given."""

    def index(self, field: str, value: str, words: Sequence[str]) -> int:
        """Return which of some words a value is."""

    def indices(self, field: str, words: Sequence[str]) -> list[int]:
        """Return which of some words the values of a field are."""

    def place(self, field: str, number: int, first: int = 0) -> int | None:
        """Return a place among so many, from 0 on; it is given from ``first`` on. None where it is not."""

    def players(self) -> list[dict[str, Any]]:
        """Return the fields of each player that are given."""


class Cards(Protocol):
    """A position's cards by zone, as kinds."""

    @property
    def hands(self) -> list[list[int]]: ...  # noqa: D102

    @property
    def shared(self) -> list[int]: ...  # noqa: D102

    @property
    def limbo(self) -> list[int]: ...  # noqa: D102

    @property
    def discard(self) -> list[int]: ...  # noqa: D102

    def doors_in_play(self) -> list[int]:
        """Return how many Doors of each number are in play."""


class Described(Protocol):
    """A position as its words say it."""

    @property
    def rules(self) -> RuleSet: ...  # noqa: D102

    @property
    def phase(self) -> str: ...  # noqa: D102

    @property
    def to_move(self) -> int: ...  # noqa: D102

    @property
    def fields(self) -> dict[str, Any]: ...  # noqa: D102

    @property
    def cards(self) -> Cards: ...  # noqa: D102

    def names(self, kinds: Iterable[int]) -> list[str]:
        """Return the names of cards."""


class Writer(Protocol):
    """Writes fields of a record in the words of positions."""

    record: Any

    def names(self, kinds: Iterable[Any]) -> list[str]:
        """Return the names of cards, of which players may have seen some."""

    def counted(self, counts: Iterable[int], names: Sequence[str]) -> list[str]:
        """Return each of some names as often as it is counted."""

    def counted_in_limbo(self, counts: Iterable[int]) -> list[str]:
        """Return the names of cards that are counted by kind, from the first Door on."""

    def card(self, field: str) -> str | None:
        """Return the name of the card of a field, or None where it has none."""


class Ruled(Protocol):
    """A game, as far as its rules are asked for."""

    rules: RuleSet


class Facts(Protocol):
    """A game and its position, with the questions that sentences ask of them."""

    position: dict[str, Any]

    @property
    def game(self) -> Ruled: ...  # noqa: D102

    @property
    def own(self) -> dict[str, Any]:
        """Row, hand and Doors of the player to move."""

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""

    @property
    def next_goal(self) -> str | None:
        """The Door of the first Goal that is not met; None without Goals (B-5)."""

    def listed(self, zone: str) -> str:
        """Return the cards of a zone in words."""

    def next_cards(self, number: int) -> str:
        """Return the next cards of the deck in words."""

    def named(self, match: re.Match[str]) -> str:
        """Return the card that a text names, with where it is taken from if that is not the own hand."""

"""The fields that expansions add to positions: reading and writing them (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from onirim_env.cards import FIRST_DOOR
from onirim_env.errors import PositionError, quoted
from onirim_env.expansion_phases import TAKING
from onirim_env.expansion_position_checks import (
    check_premonitions,
    check_second_places,
    is_acted,
    is_begun,
)
from onirim_env.expansions import ALL_KIND_NAMES, ALL_KIND_OF_NAME, EXPANSION_TABLES, LOCATIONS, expansion_of
from onirim_env.expansions.book_of_steps import COSTS, MAX_GOALS, SPELLS
from onirim_env.expansions.dreamcatchers import BOOKS, CATCHERS
from onirim_env.expansions.form import DOORS
from onirim_env.expansions.looks import PUBLIC_PHASES, may_be_public
from onirim_env.expansions.oniverse import DENIZENS, DENIZENS_OF_A_KIND
from onirim_env.expansions.premonitions import KEYS_LOST, PREMONITIONS
from onirim_env.expansions.towers import NAMES as TOWERS
from onirim_env.expansions.towers import VALUES
from onirim_env.position_checks import check_number
from onirim_env.position_fields import check_range
from onirim_env.position_reader import Reader
from onirim_env.rules import RuleSet, of_unplayed

COMMON_FIELDS = ("removed", "follows", "acted", "known_bottom", "revealed_public")
"""The fields that are there with any expansion."""


def fields_of(rules: RuleSet) -> tuple[str, ...]:
    """Return the fields that the expansions of a rule set add to a position."""
    own = tuple(field for name in rules.expansions for field in expansion_of(name).position)
    return (*COMMON_FIELDS, *own) if rules.expansions else ()


def player_fields_of(rules: RuleSet) -> tuple[str, ...]:
    """Return the fields that they add to each player."""
    return tuple(field for name in rules.expansions for field in expansion_of(name).player_position)


def check_played(given: Iterable[Any], rules: RuleSet, at: str = "") -> None:
    """Refuse fields of expansions that are not played.

    Parameters
    ----------
    given
        The names of the fields of a position, or of a player in it.
    rules
        The rules of the position.
    at
        Where they stand, for the message: ``"players[0]."``.

    Raises
    ------
    PositionError
        The message names the field and the expansion.
    """
    for field in given:
        if field in COMMON_FIELDS and not rules.expansions:
            raise PositionError(f"{at}{field}: belongs to games with expansions, of which this has none")
        for expansion in EXPANSION_TABLES:
            own = (*expansion.position, *expansion.player_position)
            if field in own and expansion.keyword not in rules.expansions:
                raise PositionError(f"{at}{field}: {of_unplayed(expansion.keyword, rules.expansions)}")


def write_expansions(record: np.void, rules: RuleSet, fields: dict[str, Any]) -> None:
    """Add the fields of expansions to a position, and to its players."""
    names = ALL_KIND_NAMES

    def counted(counts: Any, first: int = 0) -> list[str]:
        return [names[first + index] for index, n in enumerate(counts) for _ in range(n)]

    def card(kind: Any) -> str | None:
        return names[kind] if kind < len(names) else None

    follows = int(record["follows"])
    fields["removed"] = counted(record["removed"])
    fields["follows"] = {0: None, 1: "incantation"}.get(follows, f"look {follows}")
    fields["acted"] = bool(record["acted"])
    if rules.players > 1:
        fields["revealed_public"] = is_public(record, fields["phase"])
    if "book_of_steps" in rules.expansions:
        size, spell = int(record["n_goals"]), int(record["spell"])
        fields["goals"] = [DOORS[door] for door in record["goals"][:size]]
        fields["goals_met"] = [goal for goal in range(size) if record["goals_met"] >> goal & 1]
        fields["spell"] = f"spell {SPELLS[spell - 1]}" if spell else None
        fields["to_pay"] = int(record["to_pay"])
        goal = int(record["swapped_goal"])
        fields["swapped_goal"] = None if goal < 0 else goal
    if "dreamcatchers" in rules.expansions:
        catchers = record["catchers"][: record["n_catchers"]]
        fields["dreamcatchers"] = [counted(catcher, FIRST_DOOR) for catcher in catchers]
        fields["failsafe_books"] = int(record["books"])
        fields["kept_dreamcatcher"] = int(record["kept"]) or None
        fields["begun"] = bool(record["begun"])
    if "towers" in rules.expansions:
        fields["towers"] = [names[kind] for kind in record["towers"][: record["n_towers"]]]
    if "premonitions" in rules.expansions:
        face_up = int(record["premonitions"])
        fields["premonitions"] = [
            PREMONITIONS[index] for index in range(len(PREMONITIONS)) if face_up >> index & 1
        ]
        reserve = record["reserve"][: record["n_reserve"]]
        fields["premonition_reserve"] = [PREMONITIONS[index] for index in reserve]
        taking = int(record["premonition"])
        fields["premonition"] = PREMONITIONS[taking - 1] if taking else None
        fields["premonition_keys"] = int(record["premonition_keys"])
        fields["fetched"] = card(record["fetched"])
    if "oniverse" in rules.expansions:
        unused = record["unused"]
        fields["unused_denizens"] = [DENIZENS[index] for index, n in enumerate(unused) for _ in range(n)]
        given = card(record["given"])
        fields["given"] = f"shared {given}" if given and record["given_shared"] else given
    for player, entry in enumerate(fields["players"]):
        if "crossroads" in rules.expansions:
            entry["used"] = int(record["used"][player])
        if "oniverse" in rules.expansions:
            rallied = record["denizens"][player]
            entry["denizens"] = [DENIZENS[index] for index, n in enumerate(rallied) for _ in range(n)]
            stored = record["stored"][player, : record["n_stored"][player]]
            entry["stored"] = [names[kind] for kind in stored]


def is_public(record: np.void, phase: str) -> bool:
    """Return whether both players see the cards that lie beside the deck."""
    from onirim_env.engine.state import SEEN_BY_ALL

    cards = record["looked"][: record["looked_size"]]
    return phase in PUBLIC_PHASES and bool(len(cards)) and bool((cards & SEEN_BY_ALL == SEEN_BY_ALL).all())


class ExpansionReader:
    """Reads the fields of expansions from a position.

    Parameters
    ----------
    reader
        Reads cards and numbers of the position, and counts them.
    rules
        Its rules.
    """

    def __init__(self, reader: Reader, rules: RuleSet) -> None:
        self._reader = reader
        self._position = reader.position
        self._rules = rules

    def read(self, record: np.void) -> None:
        """Write the fields of expansions into a record."""
        get = self._position.get
        from onirim_env.engine.state import NO_CARD

        record["swapped_goal"] = -1
        record["fetched"] = record["given"] = NO_CARD
        for kind in self._reader.zone("removed", self._reader.words.any):
            record["removed"][kind] += 1
        record["follows"] = self._follows(get("follows"))
        record["acted"] = is_acted(self._position)
        readers: dict[str, Callable[[np.void], None]] = {
            "book_of_steps": self._book,
            "dreamcatchers": self._catchers,
            "towers": self._towers,
            "premonitions": self._premonitions,
            "crossroads": self._crossroads,
            "oniverse": self._oniverse,
        }
        for name in self._rules.expansions:
            if name in readers:
                readers[name](record)

    def _follows(self, value: str | None) -> int:
        allowed: dict[str | None, int] = {None: 0, "incantation": 1}
        allowed.update({f"look {number}": number for number in VALUES})
        if value not in allowed:
            raise PositionError(f"follows: {quoted(value)}; allowed are {', '.join(map(repr, allowed))}")
        return allowed[value]

    def _word(self, field: str, value: str, words: Sequence[str]) -> int:
        if value not in words:
            raise PositionError(f"{field}: {quoted(value)}; allowed are {', '.join(words)}")
        return words.index(value)

    def _words(self, field: str, words: Sequence[str]) -> list[int]:
        return [self._word(field, value, words) for value in self._position.get(field, ())]

    def _place(self, field: str, number: int, first: int = 0) -> int | None:
        """Return a place, counted from 0 on; it is given from ``first`` on."""
        value: int | None = self._position.get(field)
        if value is None:
            return None
        check_range(field, value, first, first + number - 1)
        return value - first

    def _book(self, record: np.void) -> None:
        goals = self._words("goals", DOORS)
        check_number("goals", goals, MAX_GOALS)
        record["goals"][: len(goals)] = goals
        record["n_goals"] = len(goals)
        met = self._position.get("goals_met")
        if met is None:
            met = _goals_met(goals, record["doors"].sum(axis=0).tolist())
        for place in met:
            check_range("goals_met", place, 0, len(goals) - 1)
        if len(set(met)) < len(met):
            raise PositionError(f"goals_met: {quoted(met)} names a place twice")
        record["goals_met"] = sum(1 << place for place in met)
        if "spell" in self._position:
            spells = [f"spell {name}" for name in SPELLS]
            record["spell"] = 1 + self._word("spell", self._position["spell"], spells)
        record["to_pay"] = self._reader.number("to_pay", 0, max(map(max, COSTS)))
        goal = self._place("swapped_goal", len(goals))
        record["swapped_goal"] = -1 if goal is None else goal

    def _catchers(self, record: np.void) -> None:
        groups = self._position.get("dreamcatchers", [[] for _ in range(CATCHERS)])
        if len(groups) > CATCHERS:
            raise PositionError(f"dreamcatchers: a list of at most {CATCHERS} groups, not {quoted(groups)}")
        in_order = sorted(range(len(groups)), key=lambda number: not groups[number])
        for catcher, number in enumerate(in_order):
            cards = self._reader.kinds(f"dreamcatchers[{number}]", groups[number], self._reader.words.limbo)
            for kind in cards:
                record["catchers"][catcher, kind - FIRST_DOOR] += 1
        record["n_catchers"] = len(groups)
        most = 0 if "dreamcatchers" in self._rules.hard else BOOKS
        record["books"] = self._reader.number("failsafe_books", 0, most, most)
        kept = self._place("kept_dreamcatcher", len(groups), first=1)
        record["kept"] = 0 if kept is None else 1 + in_order.index(kept)
        record["begun"] = is_begun(self._position)

    def _towers(self, record: np.void) -> None:
        kinds = self._reader.zone("towers", TOWERS)
        record["towers"][: len(kinds)] = kinds
        record["n_towers"] = len(kinds)

    def _premonitions(self, record: np.void) -> None:
        face_up = self._words("premonitions", PREMONITIONS)
        reserve = self._words("premonition_reserve", PREMONITIONS)
        check_premonitions(self._position)
        record["premonitions"] = sum(1 << premonition for premonition in face_up)
        record["reserve"][: len(reserve)] = reserve
        record["n_reserve"] = len(reserve)
        if "premonition" in self._position:
            self._word("premonition", self._position["premonition"], TAKING)
            record["premonition"] = 1 + PREMONITIONS.index(self._position["premonition"])
        record["premonition_keys"] = self._reader.number("premonition_keys", 0, KEYS_LOST)
        fetched = self._reader.card("fetched", self._reader.words.any)
        if fetched is not None:
            record["fetched"] = fetched

    def _crossroads(self, record: np.void) -> None:
        for player, entry in enumerate(self._reader.players()):
            size = len(entry.get("row", ()))
            check_range(f"players[{player}].used", entry.get("used", 0), 0, size)

    def _oniverse(self, record: np.void) -> None:
        unused = self._reader.zone("unused_denizens", DENIZENS)
        check_number("unused_denizens", unused, DENIZENS_OF_A_KIND * len(DENIZENS) - self._rules.denizens)
        for kind in unused:
            record["unused"][DENIZENS.index(ALL_KIND_NAMES[kind])] += 1
        given = self._position.get("given")
        if given is not None:
            if given.removeprefix("shared ") not in LOCATIONS:
                raise PositionError(f"given: {quoted(given)} is no Location of the hand")
            record["given_shared"] = given.startswith("shared ")
            record["given"] = ALL_KIND_OF_NAME[given.removeprefix("shared ")]
        for player, entry in enumerate(self._reader.players()):
            at = f"players[{player}]"
            for kind in self._reader.kinds(f"{at}.denizens", entry.get("denizens", ()), DENIZENS):
                record["denizens"][player, DENIZENS.index(ALL_KIND_NAMES[kind])] += 1
            stored = self._reader.kinds(f"{at}.stored", entry.get("stored", ()), self._reader.words.hand)
            check_number(f"{at}.stored", stored, entry.get("denizens", []).count("treasure keeper"))
            record["stored"][player, : len(stored)] = stored
            record["n_stored"][player] = len(stored)


def _goals_met(goals: list[int], doors: list[int]) -> list[int]:
    """Return for each Door in play (their numbers are given) the first Goal of its colour."""
    met = []
    for place, goal in enumerate(goals):
        if doors[goal] > 0:
            doors[goal] -= 1
            met.append(place)
    return met


def finish_expansions(
    record: np.void,
    rules: RuleSet,
    phase: str,
    known_bottom: list[list[int]],
    players: list[dict[str, Any]],
    revealed_public: bool | None = None,
) -> None:
    """Put the cards beside the deck apart, mark the known bottom, and note used cards of rows."""
    from onirim_env.engine.state import SEEN_BY_0, SEEN_BY_1

    if not phase.startswith("prophecy"):
        lay_revealed_aside(record)
        if revealed_public is None:
            revealed_public = may_be_public(phase, rules.expansions) == {True}
        if rules.players > 1 and revealed_public:
            record["looked"][: record["looked_size"]] |= SEEN_BY_0 | SEEN_BY_1
    for player, places in enumerate(known_bottom):
        for place in places:
            record["deck"][place] |= (SEEN_BY_0, SEEN_BY_1)[player]
    if "crossroads" in rules.expansions:
        _use_rows(record, rules, players)

    if rules.players > 1 and phase == "cyclobot_take" and not record["given_shared"]:
        _show_given(record)


def lay_revealed_aside(record: np.void) -> None:
    """Put the cards that lie revealed on top of the deck beside it, as for a look of an expansion."""
    from onirim_env.engine.state import KIND_BITS

    size, number = int(record["deck_size"]), int(record["revealed"])
    looked = record["deck"][size - number : size][::-1].copy()
    record["looked"][:number] = looked
    record["looked_size"], record["looked_placed"] = number, record["placed"]
    record["deck"][size - number : size] = 0
    record["deck_size"] -= number
    record["top_size"] -= number
    record["revealed"] = record["placed"] = 0
    for kind in looked & KIND_BITS:
        record["deck_count"][kind] -= 1


def _use_rows(record: np.void, rules: RuleSet, players: list[dict[str, Any]]) -> None:
    """Note how many cards of each row are used; only a Hammer Bird makes them others than the row tells."""
    from onirim_env.engine.expansions.counting import count_used

    if "crossroads" in rules.hard and "oniverse" not in rules.expansions:  # no Hammer Bird shortens a row
        for player, entry in enumerate(players):
            check_second_places(f"players[{player}].row", entry.get("row", ()))
    counted = count_used(record)
    record["used"] = counted
    for player, entry in enumerate(players):
        used = entry.get("used")
        if used is None:
            continue
        field = f"players[{player}].used"
        if "oniverse" not in rules.expansions and used != counted[player]:
            raise PositionError(f"{field}: {used}, but {counted[player]} cards of this row are used")
        record["used"][player] = used
        if count_used(record, begin=record["used"])[player] != used:
            raise PositionError(f"{field}: {used}, but a series lies behind them")


def _show_given(record: np.void) -> None:
    """Let the partner know the personal card that a Cyclobot takes: it lies open."""
    from onirim_env.engine.state import SEEN_BY_0, SEEN_BY_1

    player, given = int(record["player"]), int(record["given"])
    hand = record["hand"][player, : record["hand_size"][player]]
    seen_by_partner = (SEEN_BY_1, SEEN_BY_0)[player]
    if given | seen_by_partner not in hand:
        hand[np.flatnonzero(hand == given)[:1]] |= seen_by_partner

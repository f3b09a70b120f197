"""The fields that modules add to positions: reading and writing them (docs/positions.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from onirim_env.cards import FIRST_DOOR, MAX_PLAYERS
from onirim_env.errors import PositionError
from onirim_env.module_position_checks import check_number
from onirim_env.modules import ALL_KIND_NAMES, ALL_KIND_OF_NAME, module_of
from onirim_env.modules.book_of_steps import MAX_GOALS, SPELLS
from onirim_env.modules.dreamcatchers import BOOKS, CATCHERS
from onirim_env.modules.oniverse import DENIZENS, DENIZENS_OF_A_KIND
from onirim_env.modules.premonitions import PREMONITIONS
from onirim_env.modules.verbs import DOORS, HAND_CARDS, LOCATIONS
from onirim_env.rules import RuleSet

COMMON_FIELDS = ("removed", "follows", "redraw", "acted", "known_bottom")
"""The fields that are there with any module."""


def fields_of(rules: RuleSet) -> tuple[str, ...]:
    """Return the fields that the modules of a rule set add to a position."""
    own = tuple(field for name in rules.expansions for field in module_of(name).position)
    return (*COMMON_FIELDS, *own) if rules.expansions else ()


def player_fields_of(rules: RuleSet) -> tuple[str, ...]:
    """Return the fields that they add to each player."""
    return tuple(field for name in rules.expansions for field in module_of(name).player_position)


def write_modules(record: np.void, rules: RuleSet, fields: dict[str, Any]) -> None:
    """Add the fields of modules to a position, and to its players."""
    names = ALL_KIND_NAMES

    def counted(counts: Any, first: int = 0) -> list[str]:
        return [names[first + index] for index, n in enumerate(counts) for _ in range(n)]

    def card(kind: Any) -> str | None:
        return names[kind] if kind < len(names) else None

    follows = int(record["follows"])
    fields["removed"] = counted(record["removed"])
    fields["follows"] = {0: None, 1: "incantation"}.get(follows, f"look {follows}")
    fields["redraw"] = bool(record["redraw"])
    fields["acted"] = bool(record["acted"])
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


class ModuleReader:
    """Reads the fields of modules from a position.

    Parameters
    ----------
    reader
        Reads cards and numbers of the position (``position.py``), and counts them.
    rules
        Its rules.
    """

    def __init__(self, reader: Any, rules: RuleSet) -> None:
        self._reader = reader
        self._position = reader.position
        self._rules = rules

    def read(self, record: np.void) -> None:
        """Write the fields of modules into a record."""
        get = self._position.get
        from onirim_env.engine.state import NO_CARD

        record["swapped_goal"] = -1
        record["fetched"] = record["given"] = NO_CARD
        for kind in self._cards("removed", get("removed")):
            record["removed"][kind] += 1
        record["follows"] = self._follows(get("follows"))
        record["redraw"] = bool(get("redraw"))
        phase = get("phase", "action")
        record["acted"] = bool(get("acted", phase not in ("draft", "action")))
        readers: dict[str, Callable[[np.void], None]] = {
            "book_of_steps": self._book,
            "dreamcatchers": self._catchers,
            "towers": self._towers,
            "premonitions": self._premonitions,
            "oniverse": self._oniverse,
        }
        for name in self._rules.expansions:
            if name in readers:
                readers[name](record)

    def _cards(self, field: str, value: Any, words: tuple[str, ...] = ALL_KIND_NAMES) -> list[int]:
        kinds: list[int] = self._reader.kinds(field, value, words)
        return kinds

    def _follows(self, value: Any) -> int:
        allowed = {None: 0, "incantation": 1, "look 3": 3, "look 4": 4, "look 5": 5}
        if value not in allowed:
            raise PositionError(f"follows: {value!r}; allowed are {', '.join(map(repr, allowed))}")
        return allowed[value]

    def _word(self, field: str, value: Any, words: tuple[str, ...]) -> int:
        if value not in words:
            raise PositionError(f"{field}: {value!r}; allowed are {', '.join(words)}")
        return words.index(value)

    def _book(self, record: np.void) -> None:
        get = self._position.get
        goals = [self._word("goals", goal, DOORS) for goal in get("goals") or ()]
        check_number("goals", goals, MAX_GOALS)
        record["goals"][: len(goals)] = goals
        record["n_goals"] = len(goals)
        met = get("goals_met")
        if met is None:
            doors = [door for player in record["doors"] for door, n in enumerate(player) for _ in range(n)]
            met = []
            for place, goal in enumerate(goals):
                if goal in doors:
                    doors.remove(goal)
                    met.append(place)
        record["goals_met"] = sum(1 << _place("goals_met", place, len(goals)) for place in met)
        spell = get("spell")
        if spell is not None:
            record["spell"] = 1 + self._word("spell", spell, tuple(f"spell {name}" for name in SPELLS))
        record["to_pay"] = self._reader.number("to_pay", 0, 12)
        goal = get("swapped_goal")
        record["swapped_goal"] = -1 if goal is None else _place("swapped_goal", goal, len(goals))

    def _catchers(self, record: np.void) -> None:
        get = self._position.get
        groups = get("dreamcatchers", [[] for _ in range(CATCHERS)])
        if not isinstance(groups, (list, tuple)) or len(groups) > CATCHERS:
            raise PositionError(f"dreamcatchers: a list of at most {CATCHERS} groups, not {groups!r}")
        ordered = sorted(groups, key=lambda group: not group)
        for catcher, group in enumerate(ordered):
            for kind in self._cards(f"dreamcatchers[{catcher}]", group, self._reader.words.limbo):
                record["catchers"][catcher, kind - FIRST_DOOR] += 1
        record["n_catchers"] = len(groups)
        default = 0 if "dreamcatchers" in self._rules.hard else BOOKS
        record["books"] = self._reader.number("failsafe_books", 0, BOOKS, default)
        kept = get("kept_dreamcatcher")
        record["kept"] = 0 if kept is None else 1 + _place("kept_dreamcatcher", kept - 1, len(groups))

    def _towers(self, record: np.void) -> None:
        towers = tuple(name for name in ALL_KIND_NAMES if " tower " in name)
        kinds = self._cards("towers", self._position.get("towers"), towers)
        record["towers"][: len(kinds)] = kinds
        record["n_towers"] = len(kinds)

    def _premonitions(self, record: np.void) -> None:
        get = self._position.get
        for name in get("premonitions") or ():
            record["premonitions"] |= 1 << self._word("premonitions", name, PREMONITIONS)
        reserve = [
            self._word("premonition_reserve", name, PREMONITIONS) for name in get("premonition_reserve") or ()
        ]
        record["reserve"][: len(reserve)] = reserve
        record["n_reserve"] = len(reserve)
        if get("premonition") is not None:
            record["premonition"] = 1 + self._word("premonition", get("premonition"), PREMONITIONS)
        record["premonition_keys"] = self._reader.number("premonition_keys", 0, 2)
        if get("fetched") is not None:
            record["fetched"] = self._cards("fetched", [get("fetched")])[0]

    def _oniverse(self, record: np.void) -> None:
        get = self._position.get
        unused = self._cards("unused_denizens", get("unused_denizens"), DENIZENS)
        check_number("unused_denizens", unused, DENIZENS_OF_A_KIND * len(DENIZENS) - self._rules.denizens)
        for kind in unused:
            record["unused"][DENIZENS.index(ALL_KIND_NAMES[kind])] += 1
        given = get("given")
        if given is not None:
            if not isinstance(given, str) or given.removeprefix("shared ") not in LOCATIONS:
                raise PositionError(f"given: {given!r} is no Location of the hand")
            record["given_shared"] = given.startswith("shared ")
            record["given"] = ALL_KIND_OF_NAME[given.removeprefix("shared ")]
        players = self._position.get("players") or [{}] * MAX_PLAYERS
        for player, entry in enumerate(players):
            at = f"players[{player}]"
            for kind in self._cards(f"{at}.denizens", entry.get("denizens"), DENIZENS):
                record["denizens"][player, DENIZENS.index(ALL_KIND_NAMES[kind])] += 1
            stored = self._cards(f"{at}.stored", entry.get("stored"), HAND_CARDS)
            check_number(f"{at}.stored", stored, DENIZENS_OF_A_KIND)
            record["stored"][player, : len(stored)] = stored
            record["n_stored"][player] = len(stored)


def _place(field: str, value: Any, number: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 <= value < number:
        raise PositionError(f"{field}: {value!r} is not a number from 0 to {number - 1}")
    return int(value)


def finish_modules(
    record: np.void,
    cards: Any,
    rules: RuleSet,
    phase: str,
    known_bottom: list[list[int]],
    players: list[Mapping[str, Any]],
) -> None:
    """Put the cards beside the deck apart, mark the known bottom, and note used cards of rows."""
    from onirim_env.engine.state import SEEN_BY_0, SEEN_BY_1

    size = int(record["deck_size"])
    if not phase.startswith("prophecy"):
        number = int(record["revealed"])
        looked = record["deck"][size - number : size][::-1].copy()
        record["looked"][:number] = looked
        record["looked_size"], record["looked_placed"] = number, record["placed"]
        record["deck"][size - number : size] = 0
        record["deck_size"] -= number
        record["top_size"] -= number
        record["revealed"] = record["placed"] = 0
        for kind in cards.placed + cards.revealed:
            record["deck_count"][kind] -= 1
    for player, places in enumerate(known_bottom):
        for place in places:
            record["deck"][place] |= (SEEN_BY_0, SEEN_BY_1)[player]
    if "crossroads" in rules.expansions:
        from onirim_env.engine.modules.counting import count_used

        count_used(record)
        for player, entry in enumerate(players):
            used = entry.get("used")
            if used is not None:
                size = len(cards.rows[player])
                record["used"][player] = _place(f"players[{player}].used", used, size + 1)

"""The fields of positions and records, and of what kind each is (docs/positions.md).

This is the beginning of the street that a position goes: here it becomes a plain dict. ``words.py`` makes
cards of it, ``checks.py`` refuses what cannot be, ``records.py`` makes the engine's record, and goes the way
back; ``reading.py`` is the whole way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from onirim_env.errors import PositionError
from onirim_env.expansions import EXPANSION_TABLES, expansion_of
from onirim_env.json_kinds import (
    CARD,
    CARDS,
    FLAG,
    KNOWN,
    NUMBER,
    OBJECT,
    OPTIONS,
    PLAYERS,
    TEXT,
    TEXTS,
    Kind,
    checked,
    load_json,
)  # fmt: skip
from onirim_env.rules import RuleSet, of_unplayed

FIELDS: dict[str, Kind] = {
    "rules": OPTIONS,
    "phase": TEXT,
    "to_move": NUMBER,
    "turns": NUMBER,
    "players": PLAYERS,
    "shared": CARDS,
    "limbo": CARDS,
    "discard": CARDS,
    "deck": CARDS,
    "deck_top": CARDS,
    "known": KNOWN,
    "revealed": CARDS,
    "placed": CARDS,
    "drawn": CARD,
    "swapping": CARD,
    "prophecy_follows": FLAG,
}
"""Every field of a position of a base game."""
COMMON_FIELDS: dict[str, Kind] = {
    "removed": CARDS,
    "follows": TEXT,
    "acted": FLAG,
    "known_bottom": KNOWN,
    "revealed_public": FLAG,
}
"""The fields that are there with any expansion."""
PLAYER_FIELDS: dict[str, Kind] = {"row": CARDS, "hand": CARDS, "doors": CARDS, "public": CARDS}
"""Every field of a player in a position of a base game."""

KINDS: dict[str, Kind] = {
    **FIELDS,
    **COMMON_FIELDS,
    **{name: kind for expansion in EXPANSION_TABLES for name, kind in expansion.position.items()},
}
"""Every field of a position, of the base game and of every expansion."""
PLAYER_KINDS: dict[str, Kind] = {
    **PLAYER_FIELDS,
    **{name: kind for expansion in EXPANSION_TABLES for name, kind in expansion.player_position.items()},
}
"""The same of a player in it."""

_RESULT_KINDS: dict[str, Kind] = {"won": FLAG, "doors": NUMBER, "cards_left": NUMBER, "turns": NUMBER}


def _result(field: str, value: Any) -> dict[str, Any]:
    return checked(OBJECT.read(field, value), tuple(_RESULT_KINDS), _RESULT_KINDS, field)


RECORD_KINDS: dict[str, Kind] = {
    "rules": OPTIONS,
    "seed": Kind("number or text", lambda field, value: value),  # checked where games are dealt
    "position": OBJECT,
    "actions": TEXTS,
    "result": Kind("object", _result),
}
"""Every field of a record; a position in one is no path, which might lead anywhere."""


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


def plain_position(position: Any) -> dict[str, Any]:
    """Return a position with each field of its kind, as plain values that can be written as JSON.

    Parameters
    ----------
    position
        A mapping in the schema of docs/positions.md, or the path of a JSON file with one. It is not
        changed.

    Raises
    ------
    PositionError
        For a field that there is not, and a value of another kind; the message names the field.
    """
    position = load_json(position, "position")
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is a dict, not {type(position).__name__}")
    rules = read_rules(position.get("rules"))
    check_played(position, rules)
    plain = checked(position, (*FIELDS, *fields_of(rules)), KINDS)
    if plain.get("players") is not None:
        fields = (*PLAYER_FIELDS, *player_fields_of(rules))
        for number, player in enumerate(plain["players"]):
            check_played(player, rules, f"players[{number}].")
        plain["players"] = [
            checked(player, fields, PLAYER_KINDS, f"players[{number}]")
            for number, player in enumerate(plain["players"])
        ]
    return plain


def read_rules(options: Any) -> RuleSet:
    """Return the rule set of the options in a position or a record; None stands for the default ones.

    Raises
    ------
    PositionError
        For anything else than options of a rule set.
    """
    try:
        return RuleSet(**({} if options is None else KINDS["rules"].read("rules", options)))
    except PositionError:
        raise
    except (TypeError, ValueError) as error:
        raise PositionError(f"rules: {error}") from None

"""Happy Dreams and Dark Premonitions: effects that Doors in play bring about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

from onirim_env.cards import NO_CARD
from onirim_env.errors import PositionError
from onirim_env.expansions.form import DOORS, Entries, Expansion, Group, SeenField, Verb, Zone
from onirim_env.expansions.given import Cards, Facts, Reader, Writer
from onirim_env.json_kinds import CARD, NUMBER, TEXT, TEXTS
from onirim_env.rules import RuleSet

PREMONITIONS = ("red2", "blue2", "green2", "brown2", "pair2", "doors3", "doors5", "rainbow4")
FACE_UP_AT_FIRST = (4, 5, 6)
"""Premonitions face up after the set-up: normal, hard, and by the option of six (HP-1)."""
HAPPY_LOOK_SIZE = 7
KEYS_LOST = 2


def _can_be_there(rules: RuleSet, text: str) -> bool:
    return "oniverse" in rules.expansions or "oniverse" not in text


EFFECTS = {
    "red2": "at 2 red Doors, every red Location still in the deck is discarded",
    "blue2": "at 2 blue Doors, 2 Keys of the deck are discarded",
    "green2": "at 2 green Doors, a discarded Nightmare goes to Limbo",
    "brown2": "at 2 brown Doors, a Door goes to Limbo",
    "pair2": "at 2 Doors of a colour, one Door of a pair goes to Limbo",
    "doors3": "at 3 Doors, the hand is discarded and drawn anew, and one more Premonition is turned up",
    "doors5": "at 5 Doors, two more Premonitions are turned up",
    "rainbow4": "at a Door of each colour, every Happy Dream still in the deck is discarded",
}
"""When each Premonition is carried out, and what it does."""
_TAKING = ("brown2", "pair2")
"""Premonitions that take a Door."""


def _read(reader: Reader, cards: Cards) -> dict[str, Any]:
    face_up = reader.indices("premonitions", PREMONITIONS)
    reserve = reader.indices("premonition_reserve", PREMONITIONS)
    _check_twice(reader.position)
    taking = reader.position.get("premonition")
    if taking is not None:
        reader.index("premonition", taking, _TAKING)
    fetched = reader.card("fetched", reader.words.any)
    return {
        "premonitions": sum(1 << premonition for premonition in face_up),
        "reserve": reserve,
        "n_reserve": len(reserve),
        "premonition": 0 if taking is None else 1 + PREMONITIONS.index(taking),
        "premonition_keys": reader.number("premonition_keys", 0, KEYS_LOST),
        "fetched": NO_CARD if fetched is None else fetched,
    }


def _check_twice(position: Mapping[str, Any]) -> None:
    """Refuse a Premonition at two places: each is there once."""
    for field in ("premonitions", "premonition_reserve"):
        others = list(position.get("premonitions", ()))
        others += position.get("premonition_reserve", ()) if field != "premonitions" else ()
        for name, number in Counter(others).items():
            if number > 1:
                raise PositionError(f"{field}: {name!r} twice; each Premonition is there once")
    face_up = (*position.get("premonitions", ()), *position.get("premonition_reserve", ()))
    under_way = {position.get("premonition"), "blue2" if position.get("premonition_keys") else None}
    for name in face_up:
        if name in under_way:
            raise PositionError(f"premonitions: {name!r} is out of the game once it is carried out")


def _write(writer: Writer) -> dict[str, Any]:
    record = writer.record
    face_up, taking = int(record["premonitions"]), int(record["premonition"])
    return {
        "premonitions": [name for index, name in enumerate(PREMONITIONS) if face_up >> index & 1],
        "premonition_reserve": [PREMONITIONS[index] for index in record["reserve"][: record["n_reserve"]]],
        "premonition": PREMONITIONS[taking - 1] if taking else None,
        "premonition_keys": int(record["premonition_keys"]),
        "fetched": writer.card("fetched"),
    }


def _zones(position: dict[str, Any]) -> list[Zone]:
    zones = [Zone("premonitions", words=" ".join(position["premonitions"]) or "none")]
    if position["premonition_reserve"]:
        # The order in which they will be turned up is hidden.
        zones.append(Zone("face down", words=" ".join(sorted(position["premonition_reserve"]))))
    if position["premonition"] is not None:
        zones.append(Zone("carried out", words=position["premonition"]))
    return zones


def _first(table: Facts, match: re.Match[str]) -> str:
    return f"Carry out {match['name']} first: {EFFECTS[match['name']]}"


def _remove(table: Facts, match: re.Match[str]) -> str:
    return f"Remove Premonition {match['name']}: {EFFECTS[match['name']]}"


def _look_at(table: Facts) -> str:
    """Return which cards a Happy Dream lets the player see."""
    return f"look at {table.next_cards(min(HAPPY_LOOK_SIZE, table.deck_size))}"


def _look(table: Facts, match: re.Match[str]) -> str:
    return f"{_look_at(table).capitalize()}: discard any of them, put the others back in any order"


def _ask_keys(table: Facts) -> str:
    number = table.position["premonition_keys"]
    return f"A Premonition takes {number} Key{'s' * (number != 1)} of the deck. Which Key is discarded?"


def _ask_door(table: Facts) -> str:
    return f"Premonition {table.position['premonition']} takes a Door. Which one goes to Limbo?"


def _ask_dream(table: Facts) -> str:
    return f"A Happy Dream! Remove a Premonition, {_look_at(table)}, or search the deck for any card?"


def _ask_discard(table: Facts) -> str:
    return f"Happy Dream: you look at {table.listed('revealed')}. Which of them are discarded?"


EXPANSION = Expansion(
    "premonitions",
    goal="Doors fulfil Dark Premonitions; Happy Dreams help against them",
    cards=(("happy dream", 4),),
    phases=("premonition", "premonition_keys", "premonition_door", "happy_dream", "happy_search"),
    uses=("ON_TOP",),
    verbs=(
        Verb("LOOK_DISCARD", "look discard {}", Group.ANY, "discard a card that a Happy Dream shows (HP-4)"),
        Verb("PREMONITION_KEY", "premonition discard {}", Group.KEYS, "discard a Key from the deck (blue2)"),
        Verb(
            "PREMONITION", "premonition {}", dict(enumerate(PREMONITIONS)),
            "which Premonition is carried out first (HP-2)",
        ),
        Verb(
            "REMOVE_PREMONITION", "remove premonition {}", dict(enumerate(PREMONITIONS)),
            "a Happy Dream removes a Premonition (HP-4)",
        ),
        Verb(
            "PREMONITION_RETURN", "premonition return {}", dict(enumerate(DOORS)),
            "the Door that a Premonition takes", when=_can_be_there,
        ),
        Verb(
            "PREMONITION_RETURN_PARTNER", "premonition return partner {}", dict(enumerate(DOORS)),
            "the partner's Door that it takes", True, when=_can_be_there,
        ),
        Verb("LOOK_DONE", "{}", {0: "look done"}, "discard no more of the cards seen (HP-4)"),
        Verb(
            "HAPPY", "happy {}", {0: "look", 1: "search"},
            "look at the next seven cards, or search for one (HP-4)",
        ),
    ),
    seen=(
        SeenField("premonitions", PREMONITIONS, 1, "Premonitions face up"),
        SeenField("reserve", PREMONITIONS, 1, "Premonitions face down"),
        SeenField("premonition", PREMONITIONS, 1, "the Premonition that takes a Door"),
        SeenField("premonition_keys", ("keys",), KEYS_LOST, "Keys still to be discarded from the deck"),
        SeenField("fetched", Entries(Group.ANY), 1, "the card that a Happy Dream has found"),
    ),
    state=(
        ("premonitions", "int16", ()),  # bit i: Premonition i lies face up
        ("reserve", "int8", (len(PREMONITIONS),)),  # face down, in their order
        ("n_reserve", "int8", ()),
        ("premonition", "int8", ()),  # the one that takes a Door, from 1 on; 0 for none
        ("premonition_keys", "int8", ()),
        ("fetched", "int8", ()),  # the card that a Happy Dream has found, or NO_CARD
    ),
    position={
        "premonitions": TEXTS, "premonition_reserve": TEXTS, "premonition": TEXT,
        "premonition_keys": NUMBER, "fetched": CARD,
    },
    drawn={"happy_dream": ("happy dream",)},
    said_in={"premonition": ("premonition_door",), "premonition_keys": ("premonition_keys",)},
    only_in={"fetched": ("free",)},
    missing={
        "premonition": "premonitions: the conditions of at least two must hold",
        "premonition_keys": "deck: no choice of Keys, or the condition of 'blue2' does not hold",
        "premonition_door": "premonition: its condition does not hold",
        "happy_search": "deck: no card to search for",
    },
    lists={"reserve": "n_reserve"},
    unset={"fetched": NO_CARD},
    read=_read,
    write=_write,
    zones=_zones,
    words=(
        (r"look discard (?P<card>.+)", "Discard {card}"),
        ("look done", "Discard nothing more"),
        (r"premonition discard (?P<card>.+)", "Discard a {card} of the deck"),
        (r"premonition return partner (?P<card>.+)", "Your partner's {card} goes to Limbo"),
        (r"premonition return (?P<card>.+)", "Your {card} goes to Limbo"),
        (r"premonition (?P<name>\w+)", _first),
        (r"remove premonition (?P<name>\w+)", _remove),
        ("happy look", _look),
        ("happy search", "Search the deck for any card: it will be the next one"),
    ),
    questions={
        "premonition": "Several Premonitions are fulfilled. Which one is carried out first?",
        "premonition_keys": _ask_keys,
        "premonition_door": _ask_door,
        "happy_dream": _ask_dream,
        "happy_search": "Happy Dream: which card of the deck will be the next one? The deck is shuffled "
        "before.",
        "look_discard": _ask_discard,
    },
)  # fmt: skip

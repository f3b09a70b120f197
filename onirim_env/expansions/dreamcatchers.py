"""The Dreamcatchers: Limbo goes under them, and Lost Dreams have to be caught."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from onirim_env.cards import FIRST_DOOR
from onirim_env.errors import PositionError, quoted
from onirim_env.expansions.form import DOORS, IN_LIMBO, Entries, Expansion, Group, SeenField, Verb, Zone
from onirim_env.expansions.given import Cards, Described, Facts, Reader, Writer
from onirim_env.json_kinds import FLAG, GROUPS, NUMBER
from onirim_env.rules import RuleSet

CATCHERS = 4
BOOKS = 2
LOST_DREAMS = 4
DOORS_OF_CATCHER = 8
"""Room for the Doors of one Dreamcatcher among the arguments of TAKE_FROM."""
CHAOS_HALF = CATCHERS * DOORS_OF_CATCHER
"""From here on they are for Chromatic Chaos."""

_NUMBERS = tuple(range(1, CATCHERS + 1))
_TAKE_FROM = {
    half + (number - 1) * DOORS_OF_CATCHER + index: f"{chaos}take {door} from dreamcatcher {number}"
    for half, chaos in ((0, ""), (CHAOS_HALF, "chaos "))
    for number in _NUMBERS
    for index, door in enumerate(DOORS)
}


def _can_be_there(rules: RuleSet, text: str) -> bool:
    """Ask for the expansion that has both the Oniverse Door and Chromatic Chaos."""
    return "oniverse" in rules.expansions or not ("oniverse" in text or text.startswith("chaos"))


def _read(reader: Reader, cards: Cards) -> dict[str, Any]:
    groups = reader.position.get("dreamcatchers", [[] for _ in range(CATCHERS)])
    if len(groups) > CATCHERS:
        raise PositionError(f"dreamcatchers: a list of at most {CATCHERS} groups, not {quoted(groups)}")
    in_order = sorted(range(len(groups)), key=lambda number: not groups[number])
    catchers = []
    for number in in_order:
        counts = [0] * reader.n_limbo_kinds
        for kind in reader.kinds(f"dreamcatchers[{number}]", groups[number], reader.words.limbo):
            counts[kind - FIRST_DOOR] += 1
        catchers.append(counts)
    books = 0 if "dreamcatchers" in reader.rules.hard else BOOKS
    kept = reader.place("kept_dreamcatcher", len(groups), first=1)
    return {
        "catchers": catchers,
        "n_catchers": len(groups),
        "books": reader.number("failsafe_books", 0, books, books),
        "kept": 0 if kept is None else 1 + in_order.index(kept),
        "begun": reader.begun,
    }


def _write(writer: Writer) -> dict[str, Any]:
    record = writer.record
    catchers = record["catchers"][: record["n_catchers"]]
    return {
        "dreamcatchers": [writer.counted_in_limbo(catcher) for catcher in catchers],
        "failsafe_books": int(record["books"]),
        "kept_dreamcatcher": int(record["kept"]) or None,
        "begun": bool(record["begun"]),
    }


def _check(described: Described) -> None:
    if described.phase == "overload" and not described.cards.limbo:
        raise PositionError("limbo: no card, but phase overload has some")


def _check_under_way(described: Described) -> None:
    fields = described.fields
    groups = fields.get("dreamcatchers")
    if groups is not None and not groups:
        raise PositionError("dreamcatchers: none is left, but the game is not lost")
    kept = fields.get("kept_dreamcatcher")
    if kept is None:
        return
    if "fetched" in fields:
        raise PositionError(f"kept_dreamcatcher: {kept}, but this search has found {fields['fetched']!r}")
    if groups is None or not groups[kept - 1]:
        raise PositionError(f"kept_dreamcatcher: {kept} has no cards")


def _zones(position: dict[str, Any]) -> list[Zone]:
    books = position["failsafe_books"]
    words = f"{books} Failsafe Book{'s' * (books != 1)}"
    return [Zone("catchers", tuple(tuple(group) for group in position["dreamcatchers"]), words=words)]


def _take(table: Facts, match: re.Match[str]) -> str:
    take = "Spend Chromatic Chaos: take" if match["chaos"] else "Take"
    return f"{take} the {match['card']} from Dreamcatcher {match['number']}, and shuffle the deck"


def _group(table: Facts, match: re.Match[str]) -> str:
    """Return the cards under a Dreamcatcher."""
    groups = table.position["dreamcatchers"]
    number = int(match["number"])
    counts = Counter(groups[number - 1]) if number <= len(groups) else Counter()
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in counts.items()) or "nothing"


def _free(table: Facts, match: re.Match[str]) -> str:
    return f"Free Dreamcatcher {match['number']}: {_group(table, match)} back into the deck"


def _failsafe(table: Facts, match: re.Match[str]) -> str:
    number = match["number"]
    return f"Spend a Failsafe Book: Dreamcatcher {number} goes back into the deck ({_group(table, match)})"


def _give_up(table: Facts, match: re.Match[str]) -> str:
    return f"Give up Dreamcatcher {match['number']} (with {_group(table, match)})"


EXPANSION = Expansion(
    "dreamcatchers",
    goal="Limbo goes under a Dreamcatcher each turn; catch all four Lost Dreams",
    victory="the Lost Dreams are caught",
    cards=(("lost dream", LOST_DREAMS),),
    phases=("free", "overload"),
    uses=("SEARCH",),
    verbs=(
        Verb(
            "TAKE_FROM", "{}", _TAKE_FROM, "gain a Door from under a Dreamcatcher by a series (D-7)",
            when=_can_be_there,
        ),
        Verb(
            "FREE", "free {}", {0: "none", **{number: f"dreamcatcher {number}" for number in _NUMBERS}},
            "free a Dreamcatcher before the shuffle after a search (D-6)",
        ),
        Verb(
            "FAILSAFE", "failsafe dreamcatcher {}", {number: str(number) for number in _NUMBERS},
            "spend a Failsafe Book (D-8)",
        ),
        Verb(
            "GIVE_UP", "give up dreamcatcher {}", {number: str(number) for number in _NUMBERS},
            "the Dreamcatcher that is lost in an overload (D-4)",
        ),
    ),
    seen=(
        SeenField(
            "catchers", Entries(Group.ANY, CATCHERS, "dreamcatcher"), 10,
            "cards under each Dreamcatcher, by kind",
        ),
        SeenField("n_catchers", ("dreamcatchers",), CATCHERS, "how many Dreamcatchers there are"),
        SeenField("books", ("books",), BOOKS, "Failsafe Books that are left"),
        SeenField(
            "kept", tuple(f"dreamcatcher {number}" for number in _NUMBERS), 1,
            "the Dreamcatcher that this search may not free",
        ),
    ),
    state=(
        ("catchers", "int8", (CATCHERS, IN_LIMBO)),  # cards by kind; occupied ones first
        ("n_catchers", "int8", ()),
        ("books", "int8", ()),
        ("kept", "int8", ()),  # number, from 1 on, of the one that this search may not free
        ("begun", "int8", ()),  # 1 once something else than a Failsafe Book is done in the turn (O-41)
    ),
    position={
        "dreamcatchers": GROUPS, "failsafe_books": NUMBER, "kept_dreamcatcher": NUMBER, "begun": FLAG,
    },
    only_in={"kept_dreamcatcher": ("free",)},
    missing={
        "free": "dreamcatchers: none can be freed",
        "overload": "dreamcatchers: there is no choice which is given up",
    },
    read=_read,
    write=_write,
    check=_check,
    check_under_way=_check_under_way,
    zones=_zones,
    words=(
        (r"(?P<chaos>chaos )?take (?P<card>.+) from dreamcatcher (?P<number>\d+)", _take),
        ("free none", "Free no Dreamcatcher"),
        (r"free dreamcatcher (?P<number>\d+)", _free),
        (r"failsafe dreamcatcher (?P<number>\d+)", _failsafe),
        (r"give up dreamcatcher (?P<number>\d+)", _give_up),
    ),
    questions={
        "free": "The deck is about to be shuffled after a search. Free a Dreamcatcher: its cards go into the "
        "deck?",
        "overload": "Limbo holds cards, and no Dreamcatcher is empty. Which Dreamcatcher is given up? "
        "Without any the game is lost.",
    },
)  # fmt: skip

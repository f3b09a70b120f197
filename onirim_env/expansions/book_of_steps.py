"""The Book of Steps Lost and Found: Doors in a given order, and spells."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from onirim_env.cards import DOORS_PER_COLOUR, N_COLOURS
from onirim_env.errors import PositionError, quoted
from onirim_env.expansions.form import DOORS, Entries, Expansion, Group, SeenField, Verb, Zone
from onirim_env.expansions.given import Cards, Described, Facts, Reader, Writer
from onirim_env.json_kinds import CARDS, NUMBER, PLACES, TEXT, check_number, check_range
from onirim_env.rules import RuleSet

SPELLS = ("paradoxical prophecy", "parallel planning", "powerful punishment")
COSTS = ((5, 7, 10), (6, 9, 12))
"""What each spell costs: on the normal side, on the hard side (B-4)."""
MAX_GOALS = 13
PARADOX_SIZE = 5

_GOALS = range(1, MAX_GOALS + 1)


def n_goals(expansions: tuple[str, ...]) -> int:
    """Return how many Goals there are: two for each colour, and those of other expansions (B-5)."""
    return 8 + 4 * ("glyphs" in expansions) + ("oniverse" in expansions)


def _is_there(rules: RuleSet, text: str) -> bool:
    return int(text.split()[-1]) <= n_goals(rules.expansions)


def _read(reader: Reader, cards: Cards) -> dict[str, Any]:
    goals = reader.indices("goals", DOORS)
    check_number("goals", goals, MAX_GOALS)
    met = reader.position.get("goals_met")
    if met is None:
        met = _goals_met(goals, cards.doors_in_play())
    for place in met:
        check_range("goals_met", place, 0, len(goals) - 1)
    if len(set(met)) < len(met):
        raise PositionError(f"goals_met: {quoted(met)} names a place twice")
    spell, spells = reader.position.get("spell"), [f"spell {name}" for name in SPELLS]
    moved = reader.place("swapped_goal", len(goals))
    return {
        "goals": goals,
        "n_goals": len(goals),
        "goals_met": sum(1 << place for place in met),
        "spell": 0 if spell is None else 1 + reader.index("spell", spell, spells),
        "to_pay": reader.number("to_pay", 0, max(map(max, COSTS))),
        "swapped_goal": -1 if moved is None else moved,
    }


def _goals_met(goals: list[int], doors: list[int]) -> list[int]:
    """Return for each Door in play (their numbers are given) the first Goal of its colour."""
    met = []
    for place, goal in enumerate(goals):
        if doors[goal] > 0:
            doors[goal] -= 1
            met.append(place)
    return met


def _write(writer: Writer) -> dict[str, Any]:
    record = writer.record
    size, spell, moved = int(record["n_goals"]), int(record["spell"]), int(record["swapped_goal"])
    return {
        "goals": [DOORS[door] for door in record["goals"][:size]],
        "goals_met": [goal for goal in range(size) if record["goals_met"] >> goal & 1],
        "spell": f"spell {SPELLS[spell - 1]}" if spell else None,
        "to_pay": int(record["to_pay"]),
        "swapped_goal": None if moved < 0 else moved,
    }


def _check(described: Described) -> None:
    """Refuse other Goals than the game has, and Doors in play without a Goal that is met (B-5)."""
    expansions = described.rules.expansions
    wanted = dict.fromkeys(DOORS[:N_COLOURS], DOORS_PER_COLOUR + ("glyphs" in expansions))
    if "oniverse" in expansions:
        wanted[DOORS[N_COLOURS]] = 1
    goals = described.fields.get("goals", [])
    for door, least in wanted.items():
        if goals.count(door) != least:
            raise PositionError(f"goals: {goals.count(door)} of {door!r}; the game has {least}")
    if len(goals) > sum(wanted.values()):
        raise PositionError(f"goals: an {DOORS[N_COLOURS]!r}, which the game does not have")
    if "goals_met" not in described.fields:
        return
    met = Counter(goals[place] for place in described.fields["goals_met"])
    doors = dict(zip(DOORS, described.cards.doors_in_play()))
    for door in wanted:
        if met[door] != doors[door]:
            raise PositionError(
                f"goals_met: {met[door]} Goals of {door!r} with {doors[door]} such Doors in play; "
                "as many have to lie face down"
            )


def _check_under_way(described: Described) -> None:
    fields = described.fields
    if described.phase == "payment" and ("punishment" in fields["spell"]) != ("drawn" in fields):
        raise PositionError(f"drawn: {fields.get('drawn')!r} while {fields['spell']!r} is paid")


def _zones(position: dict[str, Any]) -> list[Zone]:
    zones = [Zone("goals", (tuple(position["goals"]),), frozenset(position["goals_met"]))]
    if position["spell"] is not None:
        name = position["spell"].removeprefix("spell ")
        zones.append(Zone("spell", words=f"{name}, {position['to_pay']} still to pay"))
    return zones


_EFFECTS = (
    "one of the last {} cards of the deck goes on top",
    "two Goals change places",
    "the Nightmare is discarded without effect",
)


def _price(table: Facts, spell: str) -> int:
    """Return how many discarded cards a spell costs (B-4)."""
    return COSTS["book_of_steps" in table.game.rules.hard][SPELLS.index(spell)]


def _cast(table: Facts, match: re.Match[str]) -> str:
    spell = match["spell"]
    effect = _EFFECTS[SPELLS.index(spell)].format(min(PARADOX_SIZE, table.deck_size))
    return f"Cast {spell.title()} for {_price(table, spell)} discarded cards: {effect}"


def _pay(table: Facts, match: re.Match[str]) -> str:
    pile = table.position["discard"].count(match["card"])
    return f"Pay with a {match['card']} of the discard pile, which holds {pile}"


def _move(table: Facts, match: re.Match[str]) -> str:
    number = int(match["number"])
    goal = table.position["goals"][number - 1]
    if table.position["swapped_goal"] is None:
        return f"Move Goal {number}, the {goal}"
    return f"Let it change places with Goal {number}, the {goal}"


def _ask_payment(table: Facts) -> str:
    spell = (table.position["spell"] or "").removeprefix("spell ")
    still = f"{table.position['to_pay']} of {_price(table, spell)} cards still to pay"
    return f"{spell.title()}: {still}. Which card of the discard pile is removed from the game?"


def _ask_paradox(table: Facts) -> str:
    return (
        f"Paradoxical Prophecy: the deck ends with {table.listed('revealed')}. Which one goes on "
        "top? The others go back to the bottom."
    )


def _ask_planning(table: Facts) -> str:
    if table.position["swapped_goal"] is None:
        return "Parallel Planning: two Goals change places. Which is the first?"
    return f"Parallel Planning: with which one does Goal {table.position['swapped_goal'] + 1} change places?"


EXPANSION = Expansion(
    "book_of_steps",
    goal="Doors count only in the order of the Goals; discarded cards pay for spells",
    phases=("payment", "paradox", "planning"),
    uses=("ON_TOP", "AT_BOTTOM", "SEARCH", "bottom"),
    verbs=(
        Verb("PAY", "pay {}", Group.ANY, "remove a discarded card from the game for a spell (B-4)"),
        Verb("SPELL", "spell {}", dict(enumerate(SPELLS)), "cast a spell (B-4)"),
        Verb(
            "GOAL", "swap goal {}", {goal - 1: str(goal) for goal in _GOALS},
            "a Goal that Parallel Planning moves", when=_is_there,
        ),
    ),
    seen=(
        SeenField("goals", Entries(DOORS, MAX_GOALS, "goal"), 1, "the Goals in their row"),
        SeenField("goals_met", tuple(f"goal {goal}" for goal in _GOALS), 1, "Goals that lie face down"),
        SeenField("spell", SPELLS, 1, "the spell being paid"),
        SeenField("to_pay", ("cards",), 12, "how many cards are still to be paid"),
        SeenField(
            "swapped_goal", tuple(f"goal {goal}" for goal in _GOALS), 1,
            "the first Goal that Parallel Planning moves",
        ),
        SeenField("removed", Entries(Group.ANY), 16, "cards out of the game, by kind"),
    ),
    state=(
        ("goals", "int8", (MAX_GOALS,)),  # Doors by number
        ("n_goals", "int8", ()),
        ("goals_met", "int16", ()),  # bit i: Goal i lies face down
        ("spell", "int8", ()),  # the one being paid, from 1 on; 0 for none
        ("to_pay", "int8", ()),
        ("swapped_goal", "int8", ()),  # the first one of two, or NO_GOAL
    ),
    position={
        "goals": CARDS, "goals_met": PLACES, "spell": TEXT, "to_pay": NUMBER, "swapped_goal": NUMBER,
    },
    said_in={"spell": ("payment",), "to_pay": ("payment",)},
    only_in={"swapped_goal": ("planning",)},
    missing={
        "payment": "to_pay: nothing is left to choose on the discard pile, or the spell does nothing",
        "planning": "goals: not two of them can change places",
    },
    lists={"goals": "n_goals"},
    unset={"swapped_goal": -1},
    read=_read,
    write=_write,
    check=_check,
    check_under_way=_check_under_way,
    zones=_zones,
    words=(
        (rf"spell (?P<spell>{'|'.join(SPELLS)})", _cast),
        (r"pay (?P<card>.+)", _pay),
        (r"swap goal (?P<number>\d+)", _move),
    ),
    questions={"payment": _ask_payment, "paradox": _ask_paradox, "planning": _ask_planning},
)  # fmt: skip

"""The Towers: a second row, built at both ends."""

from __future__ import annotations

import itertools
import re
from typing import Any

from onirim_env.cards import COLOURS
from onirim_env.errors import PositionError
from onirim_env.expansions.form import SOURCE, Entries, Expansion, SeenField, Verb, Zone
from onirim_env.expansions.given import Cards, Described, Facts, Reader, Writer
from onirim_env.json_kinds import CARDS

VALUES = (3, 4, 5)
SUN, MOON = 1, 2
EDGES = (
    (SUN | MOON, MOON), (SUN, MOON), (0, MOON),
    (MOON, SUN | MOON), (MOON, MOON), (MOON, 0),
    (SUN, SUN | MOON), (SUN, SUN), (SUN, 0),
    (SUN | MOON, SUN), (MOON, SUN), (0, SUN),
)  # fmt: skip
"""Symbols of the left and of the right edge, a line for each colour, by value."""
ALIGNED = 4
"""So many adjacent Towers of as many colours are aligned (TW-6)."""
NAMES = tuple(f"{colour} tower {value}" for colour in COLOURS for value in VALUES)


def edges_of(name: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the symbols of the left and of the right edge of a Tower; none for other cards."""
    if name not in NAMES:
        return (), ()
    left, right = EDGES[NAMES.index(name)]
    return _symbols(left), _symbols(right)


def _symbols(edge: int) -> tuple[str, ...]:
    return tuple(symbol for bit, symbol in ((SUN, "sun"), (MOON, "moon")) if edge & bit)


def _read(reader: Reader, cards: Cards) -> dict[str, Any]:
    kinds = reader.zone("towers", NAMES)
    return {"towers": kinds, "n_towers": len(kinds)}


def _write(writer: Writer) -> dict[str, Any]:
    return {"towers": writer.names(writer.record["towers"][: writer.record["n_towers"]])}


def _check(described: Described) -> None:
    for left, right in itertools.pairwise(described.fields.get("towers", [])):
        if set(edges_of(left)[1]) & set(edges_of(right)[0]):
            raise PositionError(f"towers: {right!r} cannot touch {left!r} (TW-2)")


def _zones(position: dict[str, Any]) -> list[Zone]:
    return [Zone("towers", (tuple(position["towers"]),))]


def _discard(table: Facts, match: re.Match[str]) -> str:
    if table.deck_size == 0:
        return f"Discard {table.named(match)}: the deck is empty, there is nothing to see"
    shown = min(int(match["value"]), table.deck_size)
    order = " and put them back in any order" if shown > 1 else ""
    return f"Discard {table.named(match)}: see {table.next_cards(shown)}{order}"


def _ask_loss(table: Facts) -> str:
    return (
        f"The Nightmare strikes a Tower, too. Which one of {table.listed('towers')} is lost? "
        "The others must still fit."
    )


EXPANSION = Expansion(
    "towers",
    goal="touching edges of Towers share no symbol; win with four of four colours side by side",
    victory="the Towers are aligned",
    cards=tuple((name, 1) for name in NAMES),
    hand=NAMES,
    locations=NAMES,
    phases=("tower_loss",),
    uses=("ON_TOP", "follows"),
    verbs=(
        Verb("PLACE_LEFT", "place {} left", NAMES, "add a Tower to the left end of its row (TW-2)"),
        Verb("PLACE_RIGHT", "place {} right", NAMES, "add a Tower to the right end (TW-2)"),
        Verb("PLACE_SHARED_LEFT", "place shared {} left", NAMES, "the same with a shared one", True),
        Verb("PLACE_SHARED_RIGHT", "place shared {} right", NAMES, "the same with a shared one", True),
        Verb("LOSE_TOWER", "lose {}", NAMES, "discard a Tower of the row after a Nightmare (TW-4)"),
        Verb(
            "FALSE_DESTRUCTION", "{}", {0: "false destruction"},
            "the Nightmare goes to Limbo, and no Tower is lost (TW-5)",
        ),
    ),
    seen=(
        SeenField("towers", Entries(NAMES, len(NAMES)), 1, "the row of Towers, from the left"),
        SeenField("rightmost_tower", Entries(NAMES), 1, "the Tower at the right end"),
    ),
    state=(
        ("towers", "uint8", (len(NAMES),)),  # from the left
        ("n_towers", "int8", ()),
    ),
    position={"towers": CARDS},
    drawn={"tower_loss": ("nightmare",)},
    missing={"tower_loss": "towers: none has to be lost"},
    lists={"towers": "n_towers"},
    read=_read,
    write=_write,
    check=_check,
    zones=_zones,
    words=(
        (rf"discard {SOURCE}(?P<card>\w+ tower (?P<value>\d))", _discard),
        (
            rf"place {SOURCE}(?P<card>.+) (?P<side>left|right)",
            "Place {named} at the {side} end of the Towers",
        ),
        (r"lose (?P<card>.+)", "Lose the {card}: it is discarded"),
        ("false destruction", "Lose no Tower: the Nightmare goes to Limbo instead of the discard pile"),
    ),
    questions={"tower_loss": _ask_loss},
)  # fmt: skip

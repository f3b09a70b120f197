"""The Towers: a second row, built at both ends."""

from __future__ import annotations

from onirim_env.cards import COLOURS
from onirim_env.expansions.form import Entries, Expansion, SeenField, Verb

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


EXPANSION = Expansion(
    "towers",
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
    position=("towers",),
)  # fmt: skip

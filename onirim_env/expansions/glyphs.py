"""The Glyphs: a fourth symbol, four more Doors, and Incantations."""

from __future__ import annotations

import re

from onirim_env.cards import COLOURS
from onirim_env.expansions.form import DOORS, SOURCE, Expansion, SeenField, Verb
from onirim_env.expansions.given import Facts
from onirim_env.rules import RuleSet

INCANTATION_SIZE = 5

_NAMES = tuple(f"{colour} glyph" for colour in COLOURS)


def _may_be_left(rules: RuleSet, text: str) -> bool:
    return rules.incantation_door == "optional"


def _discard(table: Facts, match: re.Match[str]) -> str:
    if table.deck_size == 0:
        return f"Discard {table.named(match)}: the deck is empty, there is nothing to see"
    shown = table.next_cards(min(INCANTATION_SIZE, table.deck_size))
    return f"Discard {table.named(match)}: an Incantation, a Door among {shown} can be yours"


def _ask(table: Facts) -> str:
    goal = table.next_goal
    needed = f" The next Goal is the {goal}; another Door goes to Limbo." if goal is not None else ""
    return (
        f"Incantation: the next cards are {table.listed('revealed')}. Which Door do you take? "
        f"The other cards go to the bottom.{needed}"
    )


EXPANSION = Expansion(
    "glyphs",
    goal="a fourth symbol, 3 Doors of each colour; a discarded Glyph can bring a Door of the next five",
    cards=tuple((name, 2) for name in _NAMES),
    hand=_NAMES,
    row=_NAMES,
    locations=_NAMES,
    doors=1,
    phases=("incantation",),
    uses=("AT_BOTTOM", "bottom", "follows"),
    verbs=(
        Verb("INCANTATION", "incantation take {}", DOORS, "put a revealed Door in play (G-3)"),
        Verb(
            "INCANTATION_NOTHING", "incantation take {}", {0: "nothing"}, "put no Door in play (O-31)",
            when=_may_be_left,
        ),
    ),
    seen=(
        SeenField("third_doors", COLOURS, 1, "own third Doors of a colour in play"),
        SeenField(
            "partner_third_doors", COLOURS, 1, "the partner's third Doors of a colour in play", True
        ),
        SeenField("last_glyph", ("self", "partner"), 1, "whether the last card of a row bears a glyph"),
    ),
    missing={"incantation": "revealed: no Door that may be put in play"},
    words=(
        (rf"discard {SOURCE}(?P<card>\w+ glyph)", _discard),
        ("incantation take nothing", "Put no Door in play"),
        (r"incantation take (?P<card>.+)", "Take the {card}"),
    ),
    questions={"incantation": _ask},
)  # fmt: skip

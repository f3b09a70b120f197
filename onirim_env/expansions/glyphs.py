"""The Glyphs: a fourth symbol, four more Doors, and Incantations."""

from __future__ import annotations

from onirim_env.cards import COLOURS
from onirim_env.expansions.form import DOORS, Expansion, SeenField, Verb
from onirim_env.rules import RuleSet

INCANTATION_SIZE = 5

_NAMES = tuple(f"{colour} glyph" for colour in COLOURS)


def _may_be_left(rules: RuleSet, text: str) -> bool:
    return rules.incantation_door == "optional"


EXPANSION = Expansion(
    "glyphs",
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
)  # fmt: skip

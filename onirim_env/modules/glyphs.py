"""The Glyphs: a fourth symbol, four more Doors, and Incantations."""

from __future__ import annotations

from onirim_env.cards import COLOURS
from onirim_env.modules.table import Module
from onirim_env.rules import Option

INCANTATION_SIZE = 5

MODULE = Module(
    "glyphs",
    "The Glyphs",
    cards=tuple((f"{colour} glyph", 2) for colour in COLOURS),
    doors=1,
    phases=("incantation",),
    options=(
        Option(
            "incantation_door", "O-31", ("optional", "forced"),
            "Glyphs: whether an Incantation may leave its Doors alone",
        ),
    ),
)  # fmt: skip

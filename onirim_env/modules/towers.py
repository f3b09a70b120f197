"""The Towers: a second row, built at both ends."""

from __future__ import annotations

from onirim_env.cards import COLOURS
from onirim_env.modules.table import Module
from onirim_env.rules import Option

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

MODULE = Module(
    "towers",
    "The Towers",
    cards=tuple((f"{colour} tower {value}", 1) for colour in COLOURS for value in VALUES),
    phases=("tower_loss",),
    options=(
        Option(
            "false_destruction", "O-34", ("free", "forced_only"),
            "Towers: whether a Nightmare may go to Limbo although a Tower could be lost",
        ),
    ),
    hard="aligned Towers can be lost",
)  # fmt: skip

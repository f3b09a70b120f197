"""The Dreamcatchers: Limbo goes under them, and Lost Dreams have to be caught."""

from __future__ import annotations

from onirim_env.modules.table import Module
from onirim_env.rules import Option

CATCHERS = 4
BOOKS = 2
LOST_DREAMS = 4

MODULE = Module(
    "dreamcatchers",
    "The Dreamcatchers",
    cards=(("lost dream", LOST_DREAMS),),
    phases=("free", "overload"),
    options=(
        Option(
            "overload", "O-32", ("all", "one"),
            "Dreamcatchers: which are emptied when there are too many groups",
        ),
    ),
    hard="no Failsafe Books",
)  # fmt: skip

"""Crossroads and Dead Ends: Locations of any colour, and cards that only fill the hand."""

from __future__ import annotations

from onirim_env.modules.table import Module
from onirim_env.rules import Option

MODULE = Module(
    "crossroads",
    "Crossroads and Dead Ends",
    cards=(("crossroad sun", 3), ("crossroad moon", 2), ("crossroad key", 1), ("dead end", 10)),
    options=(
        Option(
            "crossroad_series", "O-37", ("window", "restart"),
            "Crossroads: whether a colour conflict restarts a series",
        ),
    ),
    hard="a Crossroad is played only as the second card of a series",
)  # fmt: skip

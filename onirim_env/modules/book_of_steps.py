"""The Book of Steps Lost and Found: Doors in a given order, and spells."""

from __future__ import annotations

from onirim_env.modules.table import Module
from onirim_env.rules import Option

SPELLS = ("paradoxical prophecy", "parallel planning", "powerful punishment")
COSTS = ((5, 7, 10), (6, 9, 12))
"""What each spell costs: on the normal side, on the hard side (B-4)."""
MAX_GOALS = 13
PARADOX_SIZE = 5

MODULE = Module(
    "book_of_steps",
    "The Book of Steps Lost and Found",
    phases=("payment", "paradox", "planning"),
    options=(
        Option(
            "parallel_planning", "O-30", ("face_up", "any"),
            "Book of Steps: whether Parallel Planning moves face-up Goals only",
        ),
    ),
    hard="spells cost more",
)  # fmt: skip

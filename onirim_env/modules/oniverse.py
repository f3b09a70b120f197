"""The Door to the Oniverse: a Door of any colour, and Denizens that help once."""

from __future__ import annotations

from onirim_env.modules.table import Module
from onirim_env.rules import Option

DENIZENS = (
    "architect",
    "cyclobot",
    "squirrel spies",
    "harpoon hunter",
    "hammer bird",
    "chromatic chaos",
    "mirror",
    "treasure keeper",
)
DENIZENS_OF_A_KIND = 2
SPIES_SIZE = HUNTER_SIZE = 5

MODULE = Module(
    "oniverse",
    "The Door to the Oniverse",
    cards=(("oniverse door", 1), *((denizen, DENIZENS_OF_A_KIND) for denizen in DENIZENS)),
    phases=("denizen", "architect", "cyclobot_give", "cyclobot_take", "keeper_store"),
    options=(
        Option("denizens", "O-36", (8, 16), "Oniverse: how many of the sixteen Denizens are used"),
    ),
)  # fmt: skip

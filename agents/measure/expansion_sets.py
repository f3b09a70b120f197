"""The sets of expansions as a benchmark in generalising over rules: a quarter is held out from training.

A network that learns on random sets (``configs/solo_mixed.yaml``) never meets a set of :data:`HELD_OUT`;
``python -m train.generalise`` compares its win rates on the sets that it met and on those.
"""

from __future__ import annotations

from onirim_env.rules import EXPANSIONS

SETS: tuple[tuple[str, ...], ...] = tuple(
    tuple(keyword for bit, keyword in enumerate(EXPANSIONS) if number >> bit & 1)
    for number in range(1 << len(EXPANSIONS))
)
"""All sets: number n has the expansions whose bits are set in n, from the base game to all seven."""

HELD_OUT = frozenset(
    SETS[number]
    for number in (
        9, 10, 11, 12, 14, 19, 20, 32, 33, 35, 44, 52, 53, 55, 57, 58,
        63, 64, 81, 85, 86, 95, 98, 101, 102, 104, 105, 107, 108, 109, 115, 117,
    )
)  # fmt: skip
"""Sets that no training meets, drawn once: a quarter of the sets of each size, so two of one expansion
alone. The base game and the set of all seven are met."""

TRAINING_SETS = tuple(expansions for expansions in SETS if expansions not in HELD_OUT)
"""The other sets, in the same order."""

"""What the rules agent reads off an observation of a game with expansions.

It reads whole observations, as the engine writes them (``onirim_env/expansions/layout.py``).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.compiled.rules_view import UNKNOWN, index_of_one, read_view
from onirim_env.cards import DOORS_PER_COLOUR, FIRST_DOOR, N_COLOURS, N_KINDS
from onirim_env.compiling.compile import rule
from onirim_env.expansions import ALL_KIND_OF_NAME
from onirim_env.expansions.book_of_steps import MAX_GOALS
from onirim_env.expansions.towers import EDGES
from onirim_env.observation import MORE_STARTS
from onirim_env.rules import RuleSet

N_DOORS = N_COLOURS + 1
CROSSROAD = N_COLOURS
"""The colour of Crossroads in observations."""
N_TOWERS = len(EDGES)
ONIVERSE_KIND = ALL_KIND_OF_NAME["oniverse door"]

THIRD_DOORS, PENDING, TOWERS = (MORE_STARTS[name] for name in ("third_doors", "pending", "towers"))
GOALS, GOALS_MET = MORE_STARTS["goals"], MORE_STARTS["goals_met"]
UNSEEN_ONIVERSE = MORE_STARTS["new_unseen"] + ONIVERSE_KIND - N_KINDS


def doors_to_win(rules: RuleSet) -> int:
    """Return the number of Doors that a player can use of each colour."""
    return DOORS_PER_COLOUR // rules.players + ("glyphs" in rules.expansions)


@rule
def read_expansion_view(seen: np.ndarray, doors_wanted: int, whole_prophecies: bool, view: Any) -> None:
    """Fill a view from a whole observation (float32, shape (size,)), with what expansions change."""
    read_view(seen, doors_wanted, whole_prophecies, view)
    for colour in range(N_COLOURS):
        if seen[THIRD_DOORS + colour] != 0.0:
            view.wanted[colour] = max(0, view.wanted[colour] - 1)
    if view.length == 0:
        read_pending(seen, view)
    goal = first_goal(seen)
    if goal != UNKNOWN:
        for colour in range(N_COLOURS):
            view.wanted[colour] = min(view.wanted[colour], 1) if colour == goal else 0
    lacking = 0
    for colour in range(N_COLOURS):
        lacking += view.wanted[colour]
    if lacking == 0 and seen[UNSEEN_ONIVERSE] != 0.0:  # every series and every Key will do
        for colour in range(N_COLOURS):
            view.wanted[colour] = 1
            view.deck[FIRST_DOOR + colour] = 1


@rule
def read_pending(seen: np.ndarray, view: Any) -> None:
    """Fill in the running series of a row with Crossroads."""
    last = index_of_one(seen, PENDING, N_COLOURS + 1)
    before = index_of_one(seen, PENDING + N_COLOURS + 1, N_COLOURS + 1)
    colour = before if last == CROSSROAD else last
    if colour == UNKNOWN or colour == CROSSROAD:
        return
    view.colour = colour
    paired = before != UNKNOWN and (last == CROSSROAD or before == CROSSROAD or before == colour)
    view.length = 2 if paired else 1


@rule
def first_goal(seen: np.ndarray) -> int:
    """Return the Door of the first Goal that is not met, or ``UNKNOWN``."""
    for goal in range(MAX_GOALS):
        if seen[GOALS_MET + goal] == 0.0:
            return index_of_one(seen, GOALS + goal * N_DOORS, N_DOORS)
    return UNKNOWN


@rule
def longest_run(seen: np.ndarray, left: int, right: int, lost: int) -> int:
    """Return the most adjacent Towers of different colours, with one added to an end, or one lost."""
    best = 0
    for start in range(N_TOWERS + 2):
        colours, length = 0, 0
        for place in range(start, N_TOWERS + 2):
            if place == 0:
                tower = left
            elif place == N_TOWERS + 1:
                tower = right
            else:
                tower = index_of_one(seen, TOWERS + (place - 1) * N_TOWERS, N_TOWERS)
            if tower == UNKNOWN or tower == lost:
                continue
            bit = 1 << tower * N_COLOURS // N_TOWERS
            if colours & bit:
                break
            colours |= bit
            length += 1
        best = max(best, length)
    return best

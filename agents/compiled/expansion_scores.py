"""What the rules agent thinks of the cards and actions of expansions: tables of numbers, by name.

They are hand-set, in the unit of ``rules_weights.py``. ``expansion_policy.py`` reads them.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from onirim_env.expansions import ALL_KIND_NAMES
from onirim_env.expansions.oniverse import DENIZENS
from onirim_env.expansions.premonitions import PREMONITIONS

NEVER = -1000.0
"""Score of what is done where nothing else is legal."""
FIRST = 500.0
"""Score of a free action that comes before the action of the turn. Each of them uses something up."""


def by_name(names: tuple[str, ...], values: Mapping[str, float], default: float = 0.0) -> np.ndarray:
    """Return a value for each name: that of the longest key the name ends in, or the default."""
    result = np.full(len(names), default)
    for index, name in enumerate(names):
        fitting = [key for key in values if name.endswith(key)]
        if fitting:
            result[index] = values[max(fitting, key=len)]
    return result


_TOWERS = {f"tower {value}": 2.0 for value in (3, 4, 5)}
_CROSSROADS = {"crossroad sun": 3.0, "crossroad moon": 3.0, "crossroad key": 5.0}

HAND_VALUE = by_name(ALL_KIND_NAMES, {"glyph": 4.0, "dead end": -4.0} | _TOWERS | _CROSSROADS)
"""What a card of an expansion is worth in the hand, by kind."""
NEXT_VALUE = by_name(
    ALL_KIND_NAMES,
    {"glyph": 4.0, "happy dream": 8.0, "dead end": -6.0, "mirror": 4.0, "harpoon hunter": 3.0}
    | _TOWERS
    | _CROSSROADS,
)
"""What it is worth as the next card to be drawn."""
DROP_VALUE = by_name(
    ALL_KIND_NAMES,
    {
        "glyph": -4.0,
        "tower 3": -3.0,
        "tower 4": -3.0,
        "tower 5": -3.0,
        "happy dream": -6.0,
        "crossroad sun": -3.0,
        "crossroad moon": -3.0,
        "crossroad key": -6.0,
        "dead end": 10.0,
        "lost dream": NEVER,
        "oniverse door": NEVER,
    },
    default=-1.0,
)
"""What it is worth to discard a card that a Prophecy or a Happy Dream shows; 0 is to discard none."""
PAY_VALUE = by_name(
    ALL_KIND_NAMES, {"nightmare": 5.0, "dead end": 4.0, " key": 0.0, "lost dream": -5.0}, default=1.0
)
"""Which discarded cards pay for spells: the highest first."""
RALLY_VALUE = by_name(
    DENIZENS,
    {
        "mirror": 10.0,
        "harpoon hunter": 7.0,
        "chromatic chaos": 6.0,
        "squirrel spies": 3.0,
        "cyclobot": 5.0,
        "architect": 1.0,
    },
    default=-2.0,
)
"""What a rallied Denizen is worth, beside the card that it costs."""
PREMONITION_VALUE = by_name(
    PREMONITIONS,
    {"brown2": 15.0, "pair2": 15.0, "doors5": 12.0, "doors3": 10.0, "red2": 6.0, "blue2": 4.0, "green2": 4.0},
    default=1.0,
)
"""What it is worth to be rid of a Premonition."""

CARD_LOST = -4.6
"""A card of the hand that is given for a Denizen: a turn less."""
RUN_GAIN = 3.0
"""A Tower that makes the longest run of colours longer, for each Tower of the run."""
EDGE_SYMBOL = -1.0
"""A symbol on the edge that the next Tower touches."""
ALIGNED_GAIN = 12.0
"""A Tower that completes an alignment."""
TOWER_LOST = -5.0
"""A Tower less in the longest run."""
NIGHTMARE_KEPT = -4.0
"""A Nightmare that goes to Limbo, and so comes back."""
CAUGHT_DOOR, CAUGHT_DREAM = 6.0, -4.0
"""A Door that is wanted, and a Lost Dream, under a Dreamcatcher that is freed."""
ALL_FULL = 10.0
"""To free a Dreamcatcher when none is empty."""
INCANTATION = 24.0
"""A Glyph that is discarded, times the share of wanted Doors among five cards."""
LOOK_GAIN = 0.5
"""A Tower that is discarded for a look at the deck."""
HAPPY_LOOK, HAPPY_SEARCH, HAPPY_DOOR = 4.0, 2.0, 12.0
"""The uses of a Happy Dream; a search for a Door whose Key is in the hand."""
SPARED_CARDS = 15
"""So many discarded cards there must be before a Paradoxical Prophecy is paid with some of them."""

"""The families of actions of expansions in groups that the rules agent scores alike."""

from __future__ import annotations

import numpy as np

from agents.compiled.expansion_scores import RALLY_VALUE
from onirim_env.actions import EXPANSION_VERBS

_GROUPS: dict[str, tuple[str, ...]] = {
    "ROW": ("PLAY", "PLAY_SHARED"),
    "ROW_STORED": ("PLAY_STORED",),
    "LEAVE": ("DISCARD", "DISCARD_SHARED", "DISCARD_STORED"),
    "DROP": ("PROPHECY_DISCARD", "LOOK_DISCARD"),
    "NEXT": ("PROPHECY_PLACE", "ON_TOP", "AT_BOTTOM"),
    "LEFT": ("PLACE_LEFT", "PLACE_SHARED_LEFT", "PLACE_STORED_LEFT"),
    "RIGHT": ("PLACE_RIGHT", "PLACE_SHARED_RIGHT", "PLACE_STORED_RIGHT"),
    "LOSE_TOWER": ("LOSE_TOWER",),
    "GIVE": ("STORE", "STORE_SHARED", "CYCLOBOT_GIVE", "CYCLOBOT_GIVE_SHARED"),
    "GAIN": ("CYCLOBOT_TAKE", "TAKE"),
    "PAY": ("PAY",),
    "PAY_KEY": ("NIGHTMARE_KEY", "NIGHTMARE_KEY_SHARED"),
    "PAY_DOOR": ("NIGHTMARE_DOOR", "PREMONITION_RETURN", "PREMONITION_RETURN_PARTNER"),
    "OPEN": ("OPEN_WITH", "OPEN_WITH_SHARED", "CHAOS_OPEN", "CHAOS_OPEN_SHARED"),
    "INCANTATION": ("INCANTATION",),
    "KEY_LOST": ("PREMONITION_KEY",),
    "RALLY": tuple(verb.name for verb in EXPANSION_VERBS if verb.name.startswith("RALLY")),
    "TAKE_FROM": ("TAKE_FROM",),
    "FREE": ("FREE",),
    "FAILSAFE": ("FAILSAFE",),
    "GIVE_UP": ("GIVE_UP",),
    "SEARCH": ("SEARCH", "SEARCH_ONIVERSE", "CHAOS_SEARCH"),
    "REMOVE": ("REMOVE_PREMONITION",),
    "HAPPY": ("HAPPY",),
    "POWER": ("POWER",),
    "SPELL": ("SPELL",),
    "ESCAPE": ("ESCAPE",),
    "REFUSE": ("REFUSE_DENIZEN",),
    "SPARE": ("FALSE_DESTRUCTION",),
    "SWAP": ("SWAP_OUT", "SWAP_IN"),
}
_NUMBER = {name: number for number, name in enumerate(_GROUPS, 1)}
_GROUP_OF_FAMILY = {family: _NUMBER[name] for name, families in _GROUPS.items() for family in families}
GROUP = np.array([_GROUP_OF_FAMILY.get(verb.name, 0) for verb in EXPANSION_VERBS], dtype=np.int64)
"""The group of each family, 0 for those that are all one."""
(
    ROW, ROW_STORED, LEAVE, DROP, NEXT, LEFT, RIGHT, LOSE_TOWER, GIVE, GAIN, PAY, PAY_KEY, PAY_DOOR, OPEN,
    TAKE_DOOR, KEY_LOST, RALLY, TAKE_FROM, FREE, FAILSAFE, GIVE_UP, SEARCHES, REMOVE, HAPPY, POWER, SPELL,
    ESCAPE, REFUSE, SPARE, SWAP,
) = range(1, len(_GROUPS) + 1)  # fmt: skip
RALLIED = np.array(
    [
        RALLY_VALUE[int(verb.name.rsplit("_", 1)[1])] if verb.name.startswith("RALLY") else 0.0
        for verb in EXPANSION_VERBS
    ]
)
"""The worth of the Denizen that a family rallies."""
SEARCH_VALUE = np.array(
    [{"SEARCH_ONIVERSE": 2.5, "CHAOS_SEARCH": 2.0}.get(verb.name, 0.0) for verb in EXPANSION_VERBS]
)
"""The worth of a search that the base game does not have."""

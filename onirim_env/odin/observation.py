"""The layout of an observation of Odin: which numbers of the vector mean what (OD-B1 to OD-B5).

The layout is the same for every number of players and every option. The engine fills it
(``engine/observe.py``) at the places that this table gives.
"""

from __future__ import annotations

import numpy as np

from onirim_env.odin.cards import CARD_NAMES, GOAT_POINTS, HAND_SIZE, MAX_PLAYERS
from onirim_env.odin.rules import RuleSet
from onirim_env.shells.layout import Field, placed

PHASES = ("lead", "follow", "add", "take", "over")
RULE_LABELS = ("limit 10", "limit 15", "limit 20", "one hand", "all out forced", "goat")

_SEATS = tuple(f"seat {seat}" for seat in range(MAX_PLAYERS))
_KNOWN = tuple(f"{seat} {card}" for seat in _SEATS[1:] for card in CARD_NAMES)


def _flags(name: str, labels: tuple[str, ...], meaning: str) -> Field:
    return Field(name, labels, (1.0,) * len(labels), meaning)


def _highest_points(limit: int, goat: bool) -> float:
    return (limit - 1 + HAND_SIZE + (GOAT_POINTS - 1) * goat) / limit


FIELDS = placed(
    (
        _flags("hand", CARD_NAMES, "own cards; also those chosen for a play under way"),
        _flags("chosen", CARD_NAMES, "of those, the ones chosen so far, for the player to move alone"),
        _flags("table", CARD_NAMES, "the play to be beaten; in phase `take` the one just laid"),
        _flags("beaten", CARD_NAMES, "in phase `take`: the beaten cards, one of which is being taken"),
        _flags("discard", CARD_NAMES, "discarded in this hand"),
        _flags("public", CARD_NAMES, "own cards that all others know: taken from the table, not laid since"),
        _flags("known", _KNOWN, "the same of each other player"),
        _flags("hand_size", _SEATS, "cards in the hand / 9; a play under way counts until it is laid"),
        Field(
            "points",
            _SEATS,
            (max(_highest_points(limit, goat) for limit in (10, 15, 20) for goat in (False, True)),)
            * MAX_PLAYERS,
            "points / limit",
        ),
        _flags("seats", _SEATS, "1 for each player of the game"),
        _flags("to_move", _SEATS, "the player to decide; none at the end"),
        _flags("owner", _SEATS, "whose play the table is; none before a lead"),
        _flags("leader", _SEATS, "who led this round"),
        _flags("hand_leader", _SEATS, "who led the first round of this hand"),
        _flags("passed", _SEATS, "who passed at the latest turn of this round"),
        _flags("table_size", tuple(f"{n} cards" for n in range(1, HAND_SIZE + 1)), "cards on the table"),
        _flags("phase", PHASES, "what is decided"),
        _flags("rules", RULE_LABELS, "the options that matter to play"),
    )
)
"""The one table of fields."""

SIZE = FIELDS[-1].stop
START = {field.name: field.start for field in FIELDS}


def observation_layout(rules: RuleSet | None = None) -> tuple[Field, ...]:
    """Return the fields of an observation, in their order; they are the same for all rules."""
    return FIELDS


def highest_values(rules: RuleSet) -> np.ndarray:
    """Return the largest value of each entry under some rules: float32, shape (673,)."""
    values = np.concatenate([np.array(field.highest, dtype=np.float32) for field in FIELDS])
    points = slice(START["points"], START["points"] + MAX_PLAYERS)
    values[points] = _highest_points(rules.limit, rules.goat)
    return values

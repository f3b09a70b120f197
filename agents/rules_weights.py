"""The weights of the rules agent, by name: what counts how much, alone and in co-op.

The unit is arbitrary: only how the weights stand to each other counts. "Share" means a number of
cards as a share of the cards in the deck. The values were found by ``python -m agents.tune``, from
hand-set ones of which the series, the Doors and the prices of a Nightmare were the guide.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class Weight(NamedTuple):
    """The values of a weight for one player and for two, and what it is multiplied with."""

    solo: float
    co_op: float
    meaning: str


WEIGHTS: dict[str, Weight] = {
    # A series of a colour that is not begun: what the hand has for it.
    "fresh_card": Weight(0.46, 0.46, "for each card that the hand can play for it"),
    "fresh_ready": Weight(0.29, 0.29, "when the hand has all three"),
    "fresh_draw": Weight(0.67, 0.67, "share of cards that would fit, for each card that lacks"),
    "fresh_beside": Weight(1.04, 1.04, "the factor of all that while another series is running"),
    # A series of which one card lies.
    "one_played": Weight(1.31, 1.31, "the card that lies"),
    "one_card": Weight(3.74, 3.74, "for each card that the hand can play for it"),
    "one_ready": Weight(2.93, 2.93, "when the hand has both"),
    "one_draw": Weight(2.35, 2.35, "share of cards that would fit, for each card that lacks"),
    # A series of which two cards lie.
    "two_played": Weight(7.30, 7.30, "the cards that lie"),
    "two_ready": Weight(8.49, 8.49, "when the hand has the third"),
    "two_draw": Weight(13.22, 13.22, "share of cards that would fit, when it has not"),
    "series_key": Weight(0.28, 0.28, "how much a Key counts where a series needs one, beside a Sun or Moon"),
    "second_door": Weight(
        0.00, 0.00, "what the second lacking Door of a colour adds to its series, as a factor"
    ),
    # Keys of the hand.
    "key_fits": Weight(1.39, 1.39, "for each Key whose Door lacks"),
    "key_door": Weight(38.75, 38.75, "share of Doors of its colour"),
    "key_known_door": Weight(0.09, 0.09, "for each known one at the deck's top"),
    "key_first": Weight(1.83, 1.83, "for the first Key"),
    "key_guard": Weight(-1.02, -1.02, "share of Nightmares, for the first Key"),
    "key_known_nightmare": Weight(-0.28, -0.28, "for each known one, for the first Key"),
    "key_more": Weight(2.39, 2.39, "for each further Key"),
    # The rest of the hand.
    "playable": Weight(0.01, 0.01, "for each card whose symbol may follow"),
    "stuck": Weight(-1.68, -1.68, "when none may"),
    "following": Weight(-0.44, -0.44, "share of Locations whose symbol may follow"),
    "useless": Weight(-0.67, -0.67, "for each card of a colour that has its Doors"),
    "suns": Weight(-1.10, -1.10, "for each Sun beyond two"),
    # Plays and discards, beside the worth of what they leave.
    "find_door": Weight(39.09, 39.09, "a series that finds a Door"),
    "known_door": Weight(1.60, 1.60, "the next card is a Door and its Key is in the hand"),
    "flee_nightmare": Weight(4.22, 4.22, "a known Nightmare that a search or a Prophecy gets rid of"),
    "discard": Weight(-0.10, -0.10, "any discard but a Key"),
    "prophecy": Weight(0.51, 0.51, "the discard of a Key"),
    "prophecy_nightmare": Weight(8.36, 8.36, "share of Nightmares"),
    "prophecy_door": Weight(-0.16, -0.16, "share of Doors that the rest of the hand could open"),
    "prophecy_known": Weight(-0.77, -0.77, "for each known card, of which the Prophecy tells nothing new"),
    # What a Prophecy discards, and in which order it puts the others back.
    "drop_nightmare": Weight(17.04, 17.04, "a Nightmare"),
    "drop_location": Weight(-1.66, -1.66, "a Location, beside what it is worth in the hand"),
    "place_door": Weight(19.66, 19.66, "a Door whose Key is in the hand"),
    "place_closed_door": Weight(-2.91, -2.91, "another Door"),
    "place_flush": Weight(0.18, 0.18, "for each Nightmare that a closed Door on top has shuffled away"),
    "place_nightmare": Weight(-5.92, -5.92, "a Nightmare"),
    # Doors and Nightmares that are drawn.
    "open_door": Weight(22.86, 22.86, "a drawn Door that a Key opens"),
    "pay_key": Weight(0.86, 0.86, "a Key, beside its worth in the hand"),
    "pay_door": Weight(-19.63, -19.63, "a Door"),
    "pay_door_late": Weight(-137.77, -137.77, "divided by the turns left"),
    "pay_card": Weight(-3.02, -3.02, "for each Location that is lost"),
    "pay_card_late": Weight(-20.41, -20.41, "the same, as a share of the turns left"),
    "pay_hand": Weight(10.46, 10.46, "the worth of the hand that is drawn anew"),
    # Co-op: cards that the partner could use.
    "shared_card": Weight(0.00, -0.25, "to use a shared card instead of an own one"),
    "shared_fits": Weight(0.00, 0.24, "to use a shared card that fits the partner's series"),
    "swap_fits": Weight(0.00, 0.01, "to give the partner a card that fits; above 1 it is done"),
}
"""The one table of the weights."""

WEIGHTS_TYPE = np.dtype([(name, np.float64) for name in WEIGHTS])


def weights_for(players: int) -> dict[str, float]:
    """Return the weights by name for a number of players."""
    return {name: weight.solo if players == 1 else weight.co_op for name, weight in WEIGHTS.items()}


def weights_record(weights: Mapping[str, float]) -> np.void:
    """Return weights as a record of ``WEIGHTS_TYPE``, as the compiled policy reads them.

    Raises
    ------
    ValueError
        When a name lacks or is unknown.
    """
    if weights.keys() != WEIGHTS.keys():
        odd = ", ".join(sorted(weights.keys() ^ WEIGHTS.keys()))
        raise ValueError(f"weights must have exactly the names of WEIGHTS; these differ: {odd}")
    record: np.void = np.array([tuple(weights[name] for name in WEIGHTS)], dtype=WEIGHTS_TYPE)[0]
    return record

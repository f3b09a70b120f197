"""The weights of the rules agent, by name: what counts how much, alone and in co-op.

The unit is arbitrary: only how the weights stand to each other counts. "Share" means a number of
cards as a share of the cards in the deck. The values began as hand-set ones and were tuned by CMA-ES,
as ``python -m agents.tune`` does it; weights that turned out to change nothing were taken out.
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
    "fresh_card": Weight(0.37, 0.31, "for each card that the hand can play for it"),
    "fresh_ready": Weight(0.33, 0.27, "when the hand has all three"),
    "fresh_draw": Weight(0.48, 0.07, "share of cards that would fit, for each card that lacks"),
    "fresh_beside": Weight(0.71, 1.22, "the factor of all that while another series is running"),
    # A series of which one card lies.
    "one_played": Weight(0.92, 1.55, "the card that lies"),
    "one_card": Weight(3.39, 2.72, "for each card that the hand can play for it"),
    "one_ready": Weight(3.51, 1.85, "when the hand has both"),
    "one_draw": Weight(2.58, 3.33, "share of cards that would fit, for each card that lacks"),
    # A series of which two cards lie.
    "two_played": Weight(7.17, 10.42, "the cards that lie"),
    "two_ready": Weight(8.38, 9.69, "when the hand has the third"),
    "two_draw": Weight(15.10, 8.15, "share of cards that would fit, when it has not"),
    "series_key": Weight(0.28, 0.49, "how much a Key counts where a series needs one, beside a Sun or Moon"),
    # Keys of the hand.
    "key_fits": Weight(2.28, 1.83, "for each Key whose Door lacks"),
    "key_door": Weight(25.94, 31.44, "share of Doors of its colour"),
    "key_first": Weight(2.17, 1.52, "for the first Key"),
    "key_more": Weight(2.48, 1.51, "for each further Key"),
    # The rest of the hand.
    "stuck": Weight(-2.20, -1.25, "when no card of the hand may follow the last one"),
    "useless": Weight(-0.65, -0.56, "for each card of a colour that has its Doors"),
    "suns": Weight(-0.69, -1.19, "for each Sun beyond two"),
    # Plays and discards, beside the worth of what they leave.
    "find_door": Weight(39.54, 67.31, "a series that finds a Door"),
    "flee_nightmare": Weight(4.06, 7.63, "a known Nightmare that a search or a Prophecy gets rid of"),
    "prophecy": Weight(0.68, -0.02, "the discard of a Key"),
    "prophecy_nightmare": Weight(10.23, 13.13, "share of Nightmares"),
    "prophecy_known": Weight(-1.07, -1.85, "for each known card, of which the Prophecy tells nothing new"),
    # What a Prophecy discards, and in which order it puts the others back.
    "drop_nightmare": Weight(20.75, 31.58, "a Nightmare"),
    "drop_location": Weight(-1.79, -1.61, "a Location, beside what it is worth in the hand"),
    "place_door": Weight(21.21, 13.67, "a Door whose Key is in the hand"),
    "place_closed_door": Weight(-4.33, -5.68, "another Door"),
    "place_nightmare": Weight(-6.49, -6.03, "a Nightmare"),
    # Doors and Nightmares that are drawn.
    "open_door": Weight(22.21, 40.73, "a drawn Door that a Key opens"),
    "pay_key": Weight(0.71, 0.87, "a Key, beside its worth in the hand"),
    "pay_door": Weight(-23.07, -33.31, "a Door"),
    "pay_door_late": Weight(-149.32, -100.01, "divided by the turns left"),
    "pay_card": Weight(-4.25, -7.51, "for each Location that is lost"),
    "pay_card_late": Weight(-16.14, -7.35, "the same, as a share of the turns left"),
    "pay_hand": Weight(10.96, 15.83, "the worth of the hand that is drawn anew"),
    # Co-op: cards that the partner could use.
    "shared_card": Weight(0.00, 0.21, "to use a shared card instead of an own one"),
    "shared_fits": Weight(0.00, -0.78, "to use a shared card that fits the partner's series"),
    "swap_fits": Weight(0.00, 0.40, "to put up a card that fits it for a swap; above 0 that is done"),
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

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
    "fresh_card": Weight(0.43, 0.43, "for each card that the hand can play for it"),
    "fresh_ready": Weight(0.29, 0.29, "when the hand has all three"),
    "fresh_draw": Weight(0.66, 0.66, "share of cards that would fit, for each card that lacks"),
    "fresh_beside": Weight(0.97, 0.97, "the factor of all that while another series is running"),
    # A series of which one card lies.
    "one_played": Weight(1.33, 1.33, "the card that lies"),
    "one_card": Weight(3.67, 3.67, "for each card that the hand can play for it"),
    "one_ready": Weight(3.28, 3.28, "when the hand has both"),
    "one_draw": Weight(2.30, 2.30, "share of cards that would fit, for each card that lacks"),
    # A series of which two cards lie.
    "two_played": Weight(8.32, 8.32, "the cards that lie"),
    "two_ready": Weight(8.05, 8.05, "when the hand has the third"),
    "two_draw": Weight(11.62, 11.62, "share of cards that would fit, when it has not"),
    "series_key": Weight(0.32, 0.32, "how much a Key counts where a series needs one, beside a Sun or Moon"),
    "second_door": Weight(
        0.00, 0.00, "what the second lacking Door of a colour adds to its series, as a factor"
    ),
    "best_series": Weight(0.00, 0.00, "of all that, once more for the best series"),
    # Keys of the hand.
    "key_fits": Weight(1.44, 1.44, "for each Key whose Door lacks"),
    "key_door": Weight(36.12, 36.12, "share of Doors of its colour"),
    "key_known_door": Weight(0.05, 0.05, "for each known one at the deck's top"),
    "key_first": Weight(1.88, 1.88, "for the first Key"),
    "key_guard": Weight(-1.13, -1.13, "share of Nightmares, for the first Key"),
    "key_known_nightmare": Weight(-0.37, -0.37, "for each known one, for the first Key"),
    "key_more": Weight(2.35, 2.35, "for each further Key"),
    # The rest of the hand.
    "playable": Weight(0.03, 0.03, "for each card whose symbol may follow"),
    "stuck": Weight(-1.79, -1.79, "when none may"),
    "following": Weight(-0.48, -0.48, "share of Locations whose symbol may follow"),
    "useless": Weight(-0.71, -0.71, "for each card of a colour that has its Doors"),
    "suns": Weight(-1.29, -1.29, "for each Sun beyond two"),
    # Plays and discards, beside the worth of what they leave.
    "find_door": Weight(39.00, 39.00, "a series that finds a Door"),
    "known_door": Weight(1.62, 1.62, "the next card is a Door and its Key is in the hand"),
    "flee_nightmare": Weight(4.68, 4.68, "a known Nightmare that a search or a Prophecy gets rid of"),
    "discard": Weight(-0.18, -0.18, "any discard but a Key"),
    "prophecy": Weight(0.44, 0.44, "the discard of a Key"),
    "prophecy_nightmare": Weight(10.28, 10.28, "share of Nightmares"),
    "prophecy_door": Weight(-0.03, -0.03, "share of Doors that the rest of the hand could open"),
    "prophecy_known": Weight(-0.67, -0.67, "for each known card, of which the Prophecy tells nothing new"),
    # What a Prophecy discards, and in which order it puts the others back.
    "drop_nightmare": Weight(16.37, 16.37, "a Nightmare"),
    "drop_location": Weight(-1.78, -1.78, "a Location, beside what it is worth in the hand"),
    "place_door": Weight(19.67, 19.67, "a Door whose Key is in the hand"),
    "place_closed_door": Weight(-3.02, -3.02, "another Door"),
    "place_flush": Weight(0.00, 0.00, "for each Nightmare that a closed Door on top has shuffled away"),
    "place_nightmare": Weight(-6.68, -6.68, "a Nightmare"),
    # Doors and Nightmares that are drawn.
    "open_door": Weight(23.99, 23.99, "a drawn Door that a Key opens"),
    "pay_key": Weight(0.85, 0.85, "a Key, beside its worth in the hand"),
    "pay_door": Weight(-19.84, -19.84, "a Door"),
    "pay_door_late": Weight(-147.15, -147.15, "divided by the turns left"),
    "pay_card": Weight(-3.28, -3.28, "for each Location that is lost"),
    "pay_card_late": Weight(-21.65, -21.65, "the same, as a share of the turns left"),
    "pay_hand": Weight(10.55, 10.55, "the worth of the hand that is drawn anew"),
    # Co-op: cards that the partner could use.
    "shared_card": Weight(0.00, -0.32, "to use a shared card instead of an own one"),
    "shared_fits": Weight(0.00, 0.28, "to use a shared card that fits the partner's series"),
    "swap_fits": Weight(0.00, 0.11, "to give the partner a card that fits; above 1 it is done"),
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

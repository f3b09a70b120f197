"""The weights of the rules agent, by name: what counts how much.

The unit is arbitrary; finding a Door is worth ``find_door``. "Share" means the share of the cards
in the deck.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

WEIGHTS: dict[str, float] = {
    # A series of a colour that is not begun: what the hand has for it.
    "fresh_card": 1.0,  # for each card that the hand can play for it
    "fresh_ready": 1.5,  # when the hand has all three
    "fresh_draw": 0.5,  # share of cards that would fit, for each card that lacks
    "fresh_beside": 1.0,  # the factor of all that while another series is running
    # A series of which one card lies.
    "one_played": 3.0,
    "one_card": 2.0,
    "one_ready": 2.0,
    "one_draw": 3.0,
    # A series of which two cards lie.
    "two_played": 7.0,
    "two_ready": 6.0,
    "two_draw": 8.0,
    "series_key": 0.3,  # how much a Key counts where a series needs one, beside a Sun or Moon
    "second_door": 0.1,  # what the second lacking Door of a colour adds to its series, as a factor
    # Keys of the hand.
    "key_fits": 1.0,  # for each Key whose Door lacks
    "key_door": 20.0,  # share of Doors of its colour
    "key_known_door": 0.0,  # for each known one at the deck's top
    "key_first": 1.5,  # for the first Key
    "key_guard": 15.0,  # share of Nightmares, for the first Key
    "key_known_nightmare": 0.0,  # for each known one, for the first Key
    "key_more": 1.5,  # for each further Key
    # The rest of the hand.
    "playable": 0.4,  # for each card whose symbol may follow
    "stuck": -2.0,  # when none may
    "following": 0.0,  # share of Locations whose symbol may follow
    "useless": -0.5,  # for each card of a colour that has its Doors
    "suns": -0.4,  # for each Sun beyond two
    # Plays and discards, beside the worth of what they leave.
    "find_door": 20.0,  # a series that finds a Door
    "known_door": 12.0,  # the next card is a Door and its Key is in the hand
    "flee_nightmare": 3.0,  # a known Nightmare that a search or a Prophecy gets rid of
    "discard": -0.5,  # any discard but a Key
    "prophecy": 0.0,  # the discard of a Key
    "prophecy_nightmare": 25.0,  # share of Nightmares
    "prophecy_door": 0.0,  # share of Doors that the rest of the hand could open
    "prophecy_known": -1.0,  # for each known card, of which the Prophecy tells nothing new
    # What a Prophecy discards, and in which order it puts the others back.
    "drop_nightmare": 20.0,
    "drop_location": -1.0,
    "place_door": 15.0,  # a Door whose Key is in the hand
    "place_closed_door": -2.0,
    "place_flush": 1.0,  # for each Nightmare that a closed Door on top has shuffled away
    "place_nightmare": -10.0,
    # Doors and Nightmares that are drawn.
    "open_door": 20.0,
    "pay_key": 0.0,
    "pay_door": -16.0,
    "pay_door_late": -60.0,  # divided by the turns left
    "pay_card": -0.6,  # for each Location that is lost
    "pay_card_late": -20.0,  # the same, as a share of the turns left
    "pay_hand": 6.0,  # the worth of the hand that is drawn anew
    # Co-op: cards that the partner could use.
    "shared_card": 0.0,  # to use a shared card instead of an own one
    "shared_fits": 0.0,  # to use a shared card that fits the partner's series
    "swap_fits": 0.0,  # to give the partner a card that fits; above 1 it is done
}
"""Name and value of each weight."""

WEIGHTS_TYPE = np.dtype([(name, np.float64) for name in WEIGHTS])


def weights_record(weights: Mapping[str, float] = WEIGHTS) -> np.void:
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

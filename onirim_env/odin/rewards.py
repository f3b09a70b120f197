"""Rewards of Odin (OD-R1 to OD-R4)."""

from __future__ import annotations

from collections.abc import Sequence

from onirim_env.odin.cards import HAND_SIZE
from onirim_env.shells.choices import check_choice

REWARDS = ("win", "rank", "points")
ILLEGAL_REWARD = -1.0
"""What an offender gets, the others nothing, where an illegal action ends the game."""


def final_rewards(kind: str, points: Sequence[int]) -> list[float]:
    """Return what each player gets at the end of an episode.

    Parameters
    ----------
    kind
        ``"win"``: 1 shared by those with the fewest points (OD-R1). ``"rank"``: from 1 for the first to
        -1 for the last, equal points the mean of their ranks (OD-R2).
    points
        Of each player.

    Raises
    ------
    ValueError
        For another kind.
    """
    check_choice("kind", kind, REWARDS[:2])
    if kind == "win":
        best = [one == min(points) for one in points]
        return [one / sum(best) for one in best]
    return [
        sum(other > one for other in points) / (len(points) - 1)
        - sum(other < one for other in points) / (len(points) - 1)
        for one in points
    ]


def hand_rewards(hand_points: Sequence[int]) -> list[float]:
    """Return what each player gets at the end of a hand with the reward ``"points"`` (OD-R3)."""
    return [-one / HAND_SIZE for one in hand_points]

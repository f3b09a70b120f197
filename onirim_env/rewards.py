"""The kinds of reward, and what they are made of."""

from __future__ import annotations

from onirim_env.cards import N_DOORS, N_LOCATIONS, SOLO_HAND

REWARDS = ("win", "doors", "score")
"""Kinds of reward; the engine knows them by their number here."""

DOOR_REWARD = 1.0 / N_DOORS
"""What ``"doors"`` adds for each Door gained, and takes for each one lost."""

SCORED_LOCATIONS = N_LOCATIONS - SOLO_HAND
"""Locations in the deck at the start of a solo game: ``"score"`` counts the share that is left."""

ILLEGAL_REWARD = -1.0
"""Reward of an illegal action that loses the game."""

"""The kinds of reward, and what they are made of."""

from __future__ import annotations

from onirim_env.cards import N_DOORS, N_LOCATIONS, SOLO_HAND

REWARDS = ("win", "doors", "score", "progress")
"""Kinds of reward; the engine knows them by their number here."""

DOOR_REWARD = 1.0 / N_DOORS
"""What ``"doors"`` adds for each Door gained, and takes for each one lost."""

SCORED_LOCATIONS = N_LOCATIONS - SOLO_HAND
"""Locations in the deck at the start of a solo game: ``"score"`` counts the share that is left."""

# ``"progress"`` is a potential (Ng, Harada and Russell, Policy Invariance Under Reward Transformations,
# 1999): the share of what victory needs that is in place, from 0 to below 1, and 0 once a game is over.
# What is gained on the way is given back at the end, so without a discount a game is worth 1 if it is won
# and 0 if it is lost, whatever was gained.

ILLEGAL_REWARD = -1.0
"""Reward of an illegal action that loses the game."""

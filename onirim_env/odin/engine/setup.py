"""Dealing (OD-1 to OD-4, OD-36, OD-40)."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.compile import rule
from onirim_env.compiling.rng import random_below
from onirim_env.odin.cards import GOAT, HAND_SIZE, MAX_PLAYERS, N_CARDS
from onirim_env.odin.engine.legal import list_legal
from onirim_env.odin.engine.state import (
    GOAT_BIT,
    NO_CARDS,
    NOBODY,
    ONE,
    PHASE_LEAD,
    PLAIN_CARDS,
    PLAYER_0_LEADS,
    WITH_GOAT,
)


@rule
def deal(state, seed, flags):
    """Deal a game from a seed, under the flags of a rule set."""
    state.seed = seed
    state.rng = seed
    state.players = flags & 7
    state.limit = flags >> 3 & 31
    state.options = flags >> 8
    state.hands_played = 0
    state.hand_ended = 0
    state.offender = NOBODY
    for player in range(MAX_PLAYERS):
        state.points[player] = 0
        state.hand_points[player] = 0
    leader = 0 if state.options & PLAYER_0_LEADS else random_below(state, np.int64(state.players))
    deal_hand(state, leader)
    list_legal(state)


@rule
def deal_hand(state, leader):
    """Shuffle all cards and deal nine to each player (OD-3)."""
    n = GOAT
    left = PLAIN_CARDS
    if state.options & WITH_GOAT:
        n += 1
        left |= GOAT_BIT
    cards = np.empty(N_CARDS, np.uint8)
    for card in range(n):
        cards[card] = card
    for player in range(MAX_PLAYERS):
        hand = NO_CARDS
        if player < state.players:
            for _ in range(HAND_SIZE):
                drawn = random_below(state, n)
                n -= 1
                hand |= ONE << np.uint64(cards[drawn])
                cards[drawn] = cards[n]
        state.hand[player] = hand
        state.public[player] = NO_CARDS
        left &= ~hand
    state.undealt = left
    state.table = NO_CARDS
    state.beaten = NO_CARDS
    state.chosen = NO_CARDS
    state.discard = NO_CARDS
    state.phase = PHASE_LEAD
    state.player = leader
    state.leader = leader
    state.hand_leader = leader
    state.owner = NOBODY
    state.passed = 0

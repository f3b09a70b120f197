"""The set-up of a game, and the draft of co-op (S-1 to S-3, C-1)."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import (
    FACE_UP,
    FIRST_DOOR,
    KIND_COUNTS,
    MAX_PLAYERS,
    N_KINDS,
    NO_CARD,
    PERSONAL_HAND,
)
from onirim_env.compiling.compile import border, rule
from onirim_env.engine.deck import add_to_pool, draw
from onirim_env.engine.hand import add, kind_at, remove
from onirim_env.engine.kinds import joins_hand
from onirim_env.engine.points import point
from onirim_env.engine.state import (
    DEALT_DRAFT,
    KIND_BITS,
    PHASE_ACTION,
    PHASE_DRAFT,
    SEEN_BY_ALL,
    SHARED,
    TWO_PLAYERS,
)
from onirim_env.engine.turn import redraw, shuffle_limbo

COUNTS = np.array(KIND_COUNTS, dtype=np.int64)


@rule
def clear(state, rules):
    """Empty every zone; the random numbers stay."""
    state.rules = rules
    state.phase = PHASE_ACTION
    state.player = 0
    state.turns = 0
    state.drawn = NO_CARD
    state.swapping = NO_CARD
    state.prophecy_follows = 0
    state.revealed = 0
    state.placed = 0
    state.deck_size = 0
    state.top_size = 0
    state.hand_size[:] = 0
    state.row_size[:] = 0
    state.series[:] = 0
    state.doors[:] = 0
    state.limbo[:] = 0
    state.discard[:] = 0
    state.deck_count[:] = 0
    state.hand[:] = 0
    state.row[:] = 0
    state.deck[:] = 0
    clear_expansions(state)


@point
def clear_expansions(state):
    """Empty the zones of expansions."""


@point
def fill_deck(state):
    """Put every card of the game into the deck (S-1)."""
    for kind in range(N_KINDS):
        for _ in range(COUNTS[kind]):
            add_to_pool(state, kind)


@border
def deal(state, seed, rules):
    """Deal the game of a seed: a function of the seed and the rules alone."""
    clear(state, rules)
    state.seed = seed
    state.rng = seed
    fill_deck(state)
    if state.rules & TWO_PLAYERS:
        turn_up(state)
        shuffle_limbo(state)
        if state.rules & DEALT_DRAFT:
            deal_face_up(state)
        else:
            state.phase = PHASE_DRAFT
    else:
        redraw(state)
        shuffle_limbo(state)


@rule
def turn_up(state):
    """Reveal cards until eight Locations lie face up (C-1)."""
    while state.hand_size[SHARED] < FACE_UP:
        kind = np.int64(draw(state) & KIND_BITS)
        if joins_hand(state, kind):
            add(state, SHARED, kind)
        else:
            state.limbo[kind - FIRST_DOOR] += 1


@rule
def take(state, kind):
    """Pick a face-up card in the draft; the players take turns (C-1, O-23)."""
    remove(state, SHARED, kind)
    add(state, np.int64(state.player), kind | SEEN_BY_ALL)
    state.player = 1 - state.player
    if state.hand_size[0] == PERSONAL_HAND and state.hand_size[1] == PERSONAL_HAND:
        state.player = 0
        state.phase = PHASE_ACTION


@rule
def deal_face_up(state):
    """Deal the face-up cards: the first three to player 0, the next three to player 1 (O-23)."""
    for player in range(MAX_PLAYERS):
        for _ in range(PERSONAL_HAND):
            kind = kind_at(state, SHARED, 0)
            remove(state, SHARED, kind)
            add(state, player, kind | SEEN_BY_ALL)

"""What a player cannot know, dealt anew (OD-B2, OD-B3)."""

from __future__ import annotations

from onirim_env.compiling.bits import count_ones
from onirim_env.compiling.compile import rule
from onirim_env.compiling.rng import mix, random_below
from onirim_env.odin.engine.legal import list_legal
from onirim_env.odin.engine.state import (
    NO_CARDS,
    ONE,
    PHASE_ADD,
    PHASE_FOLLOW,
    PHASE_LEAD,
)


@rule
def reseed(state, seed):
    """Give a game other random numbers from here on."""
    state.rng = mix(seed)


@rule
def forget_play(state, observer):
    """Put a play under way of somebody else back to the start of its turn (OD-B4)."""
    if state.phase == PHASE_ADD and observer != state.player:
        state.chosen = NO_CARDS
        state.phase = PHASE_LEAD if state.table == NO_CARDS else PHASE_FOLLOW


@rule
def random_card(state, cards):
    """Return one of some cards, not empty, as a bit."""
    for _ in range(random_below(state, count_ones(cards))):
        cards &= cards - ONE
    return cards & (~cards + ONE)


@rule
def determinize(state, observer, seed):
    """Deal the cards that a player does not know anew; each way is equally likely."""
    reseed(state, seed)
    forget_play(state, observer)
    unknown = state.undealt
    for player in range(state.players):
        if player != observer:
            unknown |= state.hand[player] & ~state.public[player]
    for player in range(state.players):
        if player != observer:
            missing = count_ones(state.hand[player] & ~state.public[player])
            hand = state.public[player]
            for _ in range(missing):
                card = random_card(state, unknown)
                unknown ^= card
                hand |= card
            state.hand[player] = hand
    state.undealt = unknown
    list_legal(state)

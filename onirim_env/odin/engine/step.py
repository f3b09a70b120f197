"""From an action to the next decision (OD-15 to OD-39, OD-A5)."""

from __future__ import annotations

from onirim_env.compiling.bits import count_ones
from onirim_env.compiling.compile import rule
from onirim_env.odin.actions import END, PASS
from onirim_env.odin.cards import GOAT_POINTS
from onirim_env.odin.engine.legal import (
    card_of,
    goes_all_out,
    is_take,
    is_whole,
    list_legal,
    whole_of,
)
from onirim_env.odin.engine.sets import first_in_order
from onirim_env.odin.engine.setup import deal_hand
from onirim_env.odin.engine.state import (
    GOAT_BIT,
    NO_CARDS,
    NOBODY,
    ONE_HAND,
    PHASE_ADD,
    PHASE_FOLLOW,
    PHASE_LEAD,
    PHASE_OVER,
    PHASE_TAKE,
    WHOLE_PLAYS,
)


@rule
def apply(state, action, wholes):
    """Carry out a legal action and run on to the next decision or the end."""
    state.hand_ended = 0
    if is_whole(state, action):
        lay(state, whole_of(state, action, wholes))
    elif action == PASS:
        state.passed |= 1 << state.player
        end_turn(state)
    elif action == END:
        lay(state, state.chosen)
    elif is_take(action):
        take(state, card_of(action))
        end_turn(state)
    elif state.options & WHOLE_PLAYS:
        lay(state, card_of(action))
    else:
        choose(state, card_of(action))
    list_legal(state)


@rule
def begin(state, card):
    """Add a card to the play under way; return False, with nothing changed, where no longer play has it."""
    if card & state.legal == NO_CARDS:
        return False
    if state.phase == PHASE_LEAD:
        hand = state.hand[state.player]
        if not (goes_all_out(state) and card == first_in_order(hand)):
            return False
    state.phase = PHASE_ADD
    state.chosen |= card
    list_legal(state)
    return True


@rule
def choose(state, card):
    """Add a card to the play under way; steps without a choice follow by themselves (OD-A5)."""
    if not begin(state, card):  # a lead of one card
        lay(state, card)
        return
    while count_ones(state.legal) + state.may_end == 1:
        if state.may_end:
            lay(state, state.chosen)
            return
        state.chosen |= state.legal
        list_legal(state)


@rule
def lay(state, cards):
    """Lay a play of the player to move: a lead, or one that beats the table (OD-24 to OD-26)."""
    player = state.player
    state.hand[player] &= ~cards
    state.public[player] &= ~cards
    state.chosen = NO_CARDS
    state.beaten = state.table
    state.table = cards
    state.owner = player
    state.passed &= ~(1 << player)
    if state.hand[player] == NO_CARDS:
        state.discard |= state.beaten
        state.beaten = NO_CARDS
        end_hand(state)
    elif state.beaten == NO_CARDS:
        end_turn(state)
    elif count_ones(state.beaten) == 1:
        take(state, state.beaten)
        end_turn(state)
    else:
        state.phase = PHASE_TAKE


@rule
def take(state, card):
    """Take a beaten card into the hand, and discard the others."""
    state.hand[state.player] |= card
    state.public[state.player] |= card
    state.discard |= state.beaten & ~card
    state.beaten = NO_CARDS


@rule
def end_turn(state):
    """Go on to the next player; when all others have passed, to a new round (OD-28)."""
    state.player = (state.player + 1) % state.players
    state.phase = PHASE_FOLLOW
    if state.player == state.owner:
        state.discard |= state.table
        state.table = NO_CARDS
        state.owner = NOBODY
        state.leader = state.player
        state.passed = 0
        state.phase = PHASE_LEAD


@rule
def cost(hand):
    """Return the points that a hand costs at the end (OD-34, OD-43)."""
    return count_ones(hand) + (GOAT_POINTS - 1 if hand & GOAT_BIT != NO_CARDS else 0)


@rule
def end_hand(state):
    """Count the points; deal a new hand, or end the game (OD-33 to OD-38)."""
    ends = state.options & ONE_HAND != 0
    for player in range(state.players):
        state.hand_points[player] = cost(state.hand[player])
        state.points[player] += state.hand_points[player]
        ends |= state.points[player] >= state.limit
    state.hands_played += 1
    state.hand_ended = 1
    if ends:
        state.phase = PHASE_OVER
        state.player = NOBODY
    else:
        deal_hand(state, (state.hand_leader + 1) % state.players)

"""Entry points: what Python calls, for many games at once."""

from __future__ import annotations

import numpy as np

from onirim_env.compiling.bits import count_ones, lowest_one
from onirim_env.compiling.compile import kernel, rule
from onirim_env.compiling.rng import GAMMA, mix, next_seed
from onirim_env.odin.actions import END, FIRST_TAKE, PASS, PLAY_GOAT, TAKE_GOAT
from onirim_env.odin.cards import GOAT, HAND_SIZE
from onirim_env.odin.engine import hidden, observe, setup, step
from onirim_env.odin.engine.legal import beats, is_legal, list_legal, may_pass, value_of, write_mask
from onirim_env.odin.engine.sets import is_set
from onirim_env.odin.engine.state import NOBODY, ONE, PHASE_OVER, PHASE_TAKE
from onirim_env.odin.rewards import ILLEGAL_REWARD, REWARDS

NOT_ILLEGAL = -1
_WIN = REWARDS.index("win")
_RANK = REWARDS.index("rank")
_POINTS = REWARDS.index("points")


@rule
def observer_of(state):
    """Return who looks at a game: the player to move, at the end player 0."""
    return max(np.int64(state.player), 0)


@rule
def show(state, wholes, observations, masks, row):
    """Write what the player to move sees, and what is legal."""
    observe.observe(state, observer_of(state), observations, row)
    write_mask(state, wholes, masks, row)


@kernel
def deal_games(states, seeds, rules):
    """Deal a game for each of ``seeds`` (uint64, shape (n,)) under rule flags."""
    for i in range(states.shape[0]):
        setup.deal(states[i], seeds[i], rules)


@rule
def deal_following(state):
    """Deal the game that follows a game."""
    flags = state.players | state.limit << 3 | state.options << 8
    setup.deal(state, next_seed(state.seed), flags)


@kernel
def deal_next(states, which):
    """Deal the following game to the rows of ``which`` (bool, shape (n,))."""
    for i in range(states.shape[0]):
        if which[i]:
            deal_following(states[i])


@kernel
def view_games(states, wholes, observations, masks):
    """Write what the player to move sees, and the mask of the legal actions, of each game."""
    for i in range(states.shape[0]):
        show(states[i], wholes, observations, masks, i)


@kernel
def observe_games(states, player, observations):
    """Write what one player sees of each game into ``observations``."""
    for i in range(states.shape[0]):
        observe.observe(states[i], player, observations, i)


@kernel
def mask_games(states, wholes, masks):
    """Write the mask of the legal actions of each game into ``masks``; all ones at the end."""
    for i in range(states.shape[0]):
        write_mask(states[i], wholes, masks, i)


@rule
def write_final(state, kind, rewards, row):
    """Write what each player gets at the end of a game (OD-R1, OD-R2)."""
    n = state.players
    for player in range(n):
        fewer = 0
        more = 0
        for other in range(n):
            fewer += state.points[other] < state.points[player]
            more += state.points[other] > state.points[player]
        if kind == _RANK:
            rewards[row, player] = (more - fewer) / (n - 1)
        elif fewer == 0:
            rewards[row, player] = 1.0 / (n - more)


@rule
def end_illegally(state):
    """End a game for all players."""
    state.phase = PHASE_OVER
    state.offender = state.player
    state.player = NOBODY
    state.hand_ended = 0
    list_legal(state)


@kernel
def end_games(states):
    """End each game for all players, as after an illegal action."""
    for i in range(states.shape[0]):
        end_illegally(states[i])


@rule
def take_decision(state, action, wholes, kind, rewards, illegal_in, row):
    """Take one decision of a game that goes on; an illegal one ends it for all (OD-R4)."""
    if not is_legal(state, action, wholes):
        illegal_in[row] = state.phase
        rewards[row, state.player] = ILLEGAL_REWARD
        end_illegally(state)
        return
    step.apply(state, action, wholes)
    if kind == _POINTS and state.hand_ended:
        for player in range(state.players):
            rewards[row, player] = -state.hand_points[player] / HAND_SIZE
    elif kind != _POINTS and state.phase == PHASE_OVER:
        write_final(state, kind, rewards, row)


@kernel
def first_outside(actions, n_actions, ignore):
    """Return the first row whose action is no id, or -1; rows of ``ignore`` (bool) do not count."""
    for i in range(actions.shape[0]):
        if not ignore[i] and not 0 <= actions[i] < n_actions:
            return i
    return -1


@kernel
def first_illegal(states, actions, wholes, ignore):
    """Return the first row that goes on and whose action is not legal, or -1."""
    for i in range(states.shape[0]):
        over = states[i].phase == PHASE_OVER
        if not ignore[i] and not over and not is_legal(states[i], actions[i], wholes):
            return i
    return -1


@kernel
def step_games(states, actions, restart, wholes, kind, rewards, ended, illegal_in, observations, masks):
    """Take one decision in each game, and look at it.

    Parameters
    ----------
    actions
        int64, shape (n,): ids. An id that is not legal ends its game.
    restart
        bool, shape (n,): rows whose action is ignored; they get their next game instead.
    wholes
        uint64: the whole plays of the action table.
    kind
        Index into ``onirim_env.odin.rewards.REWARDS``.
    rewards, ended, illegal_in
        float64, shape (n, players), bool and int8, shape (n,), written. A game that had ended before stays as
        it is, with rewards 0.
    observations, masks
        Written as by :func:`view_games`.

    Returns
    -------
    int
        How many games have ended.
    """
    n_ended = 0
    for i in range(states.shape[0]):
        state = states[i]
        for player in range(rewards.shape[1]):
            rewards[i, player] = 0.0
        illegal_in[i] = NOT_ILLEGAL
        if restart[i]:
            deal_following(state)
        elif state.phase != PHASE_OVER:
            take_decision(state, actions[i], wholes, kind, rewards, illegal_in, i)
        ended[i] = state.phase == PHASE_OVER
        n_ended += ended[i]
        show(state, wholes, observations, masks, i)
    return n_ended


@kernel
def apply_action(states, action, wholes):
    """Carry out an action of the first game; return whether it was legal."""
    if not is_legal(states[0], action, wholes):
        return False
    step.apply(states[0], action, wholes)
    return True


@kernel
def determinize_games(states, player, seeds):
    """Deal what one player does not know anew in each game, from ``seeds`` (uint64, shape (n,))."""
    for i in range(states.shape[0]):
        hidden.determinize(states[i], player, seeds[i])


@kernel
def reseed_games(states, seeds):
    """Give each game other random numbers from here on (uint64, shape (n,))."""
    for i in range(states.shape[0]):
        hidden.reseed(states[i], seeds[i])


@rule
def nth_card(cards, n):
    """Return the place of the bit of a set that so many are lower than."""
    for _ in range(n):
        cards &= cards - ONE
    return lowest_one(cards)


@rule
def random_legal(state, number):
    """Return one of the legal actions of a game with plays card by card, by a 64-bit random number."""
    n_cards = count_ones(state.legal)
    n = n_cards + state.may_end + may_pass(state)
    pick = np.int64(((number >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))
    if pick >= n_cards:
        return END if state.may_end else PASS
    card = nth_card(state.legal, pick)
    if state.phase == PHASE_TAKE:
        return TAKE_GOAT if card == GOAT else FIRST_TAKE + card
    return PLAY_GOAT if card == GOAT else card


@kernel
def play_random(states, wholes, masks, steps, seed):
    """Play ``steps`` random legal decisions in each game, going on with the next game at an end.

    Every decision writes its row of ``masks`` and picks from the legal actions. Return the number of games
    that ended. For plays card by card.
    """
    random = seed
    finished = 0
    for _ in range(steps):
        for i in range(states.shape[0]):
            state = states[i]
            write_mask(state, wholes, masks, i)
            random = random + GAMMA
            step.apply(state, random_legal(state, mix(random)), wholes)
            if state.phase == PHASE_OVER:
                finished += 1
                deal_following(state)
    return finished


@kernel
def list_games(states):
    """Note in each game what is legal: for records that were written from outside."""
    for i in range(states.shape[0]):
        list_legal(states[i])


@kernel
def begin_play(states, card):
    """Add a card to the play under way of the first game, without what follows by itself.

    Return whether it begins or continues a legal play of several cards.
    """
    return step.begin(states[0], ONE << np.uint64(card))


@kernel
def is_play(cards):
    """Whether some cards (bits) may be laid together."""
    return is_set(cards)


@kernel
def beats_play(cards, table):
    """Whether a set beats another (bits)."""
    return beats(cards, count_ones(table), value_of(table))

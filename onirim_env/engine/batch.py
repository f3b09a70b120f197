"""The entry points of the engine: loops over a batch of games.

Everything outside ``engine/`` plays through these few functions. Arguments that they share:

states
    ``STATE``, shape (n,): the games, changed in place.
codes, ids
    The arrays of an :class:`~onirim_env.actions.ActionTable`.
closed
    Whether players observe in closed talk (C-11).
"""

from __future__ import annotations

import numpy as np

from onirim_env.cards import MAX_PLAYERS
from onirim_env.compiling.compile import kernel, rule
from onirim_env.compiling.rng import GAMMA, mix, next_seed
from onirim_env.engine import hidden
from onirim_env.engine.doors import progress
from onirim_env.engine.kinds import is_location
from onirim_env.engine.legal import list_legal
from onirim_env.engine.listing import code_at, count, make_room, mark
from onirim_env.engine.observe import observe
from onirim_env.engine.setup import deal
from onirim_env.engine.state import PHASE_LOST, PHASE_WON
from onirim_env.engine.step import apply, is_legal, is_over
from onirim_env.rewards import DOOR_REWARD, ILLEGAL_REWARD, REWARDS, SCORED_LOCATIONS

_DOORS, _SCORE, _PROGRESS = (REWARDS.index(name) for name in ("doors", "score", "progress"))
NOT_ILLEGAL = -1


@rule
def doors_in_play(state):
    """Return the number of Doors in play, of all players."""
    doors = 0
    for player in range(MAX_PLAYERS):
        for colour in range(state.doors.shape[1]):
            doors += state.doors[player, colour]
    return doors


@rule
def locations_left(state):
    """Return the number of Locations in the deck."""
    locations = 0
    for kind in range(state.deck_count.shape[0]):
        if is_location(state, kind):
            locations += state.deck_count[kind]
    return locations


@rule
def write_mask(state, ids, legal, masks, row):
    """Write the legal actions of a game as ones into a row of ``masks``; at the end all are ones.

    ``legal`` (a record of :func:`~onirim_env.engine.listing.make_room`) takes their list.
    """
    over = is_over(state)
    for action in range(masks.shape[1]):  # a loop compiles better than a slice
        masks[row, action] = over
    list_legal(state, legal)
    mark(ids, masks, row, legal)


@kernel
def deal_games(states, seeds, rules):
    """Deal a game for each of ``seeds`` (uint64, shape (n,)) under rule flags."""
    for i in range(states.shape[0]):
        deal(states[i], seeds[i], rules)


@kernel
def deal_next(states, which):
    """Deal the following game to the rows of ``which`` (bool, shape (n,))."""
    for i in range(states.shape[0]):
        if which[i]:
            deal(states[i], next_seed(states[i].seed), np.int64(states[i].rules))


@rule
def first_outside(actions, codes, ignore):
    """Return the first row whose action is no id at all, or -1."""
    for i in range(actions.shape[0]):
        if not ignore[i] and (actions[i] < 0 or actions[i] >= codes.shape[0]):
            return i
    return -1


@kernel
def first_illegal(states, actions, codes, ignore):
    """Return the first row whose action (int64 id) is not legal, or -1.

    Ended games and the rows of ``ignore`` (bool, shape (n,)) take any action. An action that is no
    id is left to :func:`step_games`, which refuses it.
    """
    if first_outside(actions, codes, ignore) >= 0:
        return -1
    room = make_room(states)
    for i in range(states.shape[0]):
        if not ignore[i] and not is_over(states[i]) and not is_legal(states[i], codes[actions[i]], room[0]):
            return i
    return -1


@rule
def take_decision(state, code, reward_kind, legal, i, rewards, illegal_in):
    """Take one decision of a game that goes on; an illegal one loses it."""
    if not is_legal(state, code, legal):
        illegal_in[i] = state.phase
        state.phase = PHASE_LOST
        rewards[i] = ILLEGAL_REWARD
        return
    before = doors_in_play(state)
    progress_before = progress(state) if reward_kind == _PROGRESS else 0.0
    apply(state, np.int64(code))
    if state.phase == PHASE_WON:
        rewards[i] = 1.0
        if reward_kind == _SCORE:
            rewards[i] += locations_left(state) / SCORED_LOCATIONS
    if reward_kind == _DOORS:
        rewards[i] += (doors_in_play(state) - before) * DOOR_REWARD
    elif reward_kind == _PROGRESS:
        rewards[i] += (0.0 if is_over(state) else progress(state)) - progress_before


@kernel
def step_games(
    states, actions, restart, codes, ids, reward_kind, closed, rewards, ended, illegal_in, observations, masks
):
    """Take one decision in each game, and look at it.

    Parameters
    ----------
    actions
        int64, shape (n,): ids. An id that is not legal ends its game as lost.
    restart
        bool, shape (n,): rows whose action is ignored; they get their next game instead.
    reward_kind
        Index into ``onirim_env.rewards.REWARDS``.
    rewards, ended, illegal_in
        float64, bool, int8, shape (n,), written: the reward, whether the game has ended, and the
        phase in which an illegal action came, or ``NOT_ILLEGAL``. A game that had ended before
        stays as it is, with reward 0.
    observations, masks
        Written as by :func:`view_games`.

    Returns
    -------
    int
        How many games have ended; or, with nothing changed, ``-1 - i`` for the first row i whose
        action is no id at all.
    """
    outside = first_outside(actions, codes, restart)
    if outside >= 0:
        return -1 - outside
    room = make_room(states)
    n_ended = 0
    for i in range(states.shape[0]):
        state = states[i]
        rewards[i] = 0.0
        illegal_in[i] = NOT_ILLEGAL
        if restart[i]:
            deal(state, next_seed(state.seed), np.int64(state.rules))
        elif not is_over(state):
            take_decision(state, codes[actions[i]], reward_kind, room[0], i, rewards, illegal_in)
        ended[i] = is_over(state)
        n_ended += ended[i]
        observe(state, np.int64(state.player), closed, observations, i)
        write_mask(state, ids, room[0], masks, i)
    return n_ended


@kernel
def apply_code(states, code):
    """Carry out an action of the first game, given as a code; return whether it was legal."""
    room = make_room(states)
    if is_over(states[0]) or not is_legal(states[0], code, room[0]):
        return False
    apply(states[0], code)
    return True


@kernel
def view_games(states, ids, closed, observations, masks):
    """Write what the player to move sees, and the mask of the legal actions, of each game.

    Parameters
    ----------
    observations, masks
        float32, shape (n, observation size) and int8, shape (n, n_actions), written.
    """
    room = make_room(states)
    for i in range(states.shape[0]):
        state = states[i]
        observe(state, np.int64(state.player), closed, observations, i)
        write_mask(state, ids, room[0], masks, i)


@kernel
def observe_games(states, player, closed, observations):
    """Write what one player sees of each game into ``observations``."""
    for i in range(states.shape[0]):
        observe(states[i], player, closed, observations, i)


@kernel
def mask_games(states, ids, masks):
    """Write the mask of the legal actions of each game into ``masks``; all ones at the end."""
    room = make_room(states)
    for i in range(states.shape[0]):
        write_mask(states[i], ids, room[0], masks, i)


@kernel
def write_results(states, rows, won, doors, cards_left, turns):
    """Write how games stand: those of ``rows`` (int64, shape (k,)).

    Parameters
    ----------
    won, doors, cards_left, turns
        bool and int64, shape (k,), written. ``cards_left`` are the Locations in the deck.
    """
    for index in range(rows.shape[0]):
        state = states[rows[index]]
        won[index] = state.phase == PHASE_WON
        doors[index] = doors_in_play(state)
        cards_left[index] = locations_left(state)
        turns[index] = state.turns


@kernel
def determinize_games(states, player, closed, seeds):
    """Deal what one player does not know anew in each game, from ``seeds`` (uint64, shape (n,))."""
    for i in range(states.shape[0]):
        hidden.determinize_fitting(states[i], player, closed, seeds[i])


@kernel
def reseed_games(states, seeds):
    """Give each game other random numbers from here on (uint64, shape (n,))."""
    for i in range(states.shape[0]):
        hidden.reseed(states[i], seeds[i])


@kernel
def decide_decks(states):
    """Decide the whole deck of each game, in the order in which it would come."""
    for i in range(states.shape[0]):
        hidden.decide_all(states[i])


@kernel
def play_random(states, ids, masks, steps, seed):
    """Play ``steps`` random legal decisions in each game, going on with the next game at an end.

    Every decision writes its row of ``masks`` and picks from the legal actions. Return the number
    of games that ended.
    """
    room = make_room(states)
    random = seed
    finished = 0
    for _ in range(steps):
        for i in range(states.shape[0]):
            state = states[i]
            write_mask(state, ids, room[0], masks, i)
            random = random + GAMMA
            pick = np.int64(((mix(random) >> np.uint64(32)) * np.uint64(count(room[0]))) >> np.uint64(32))
            apply(state, code_at(pick, room[0]))
            if is_over(state):
                finished += 1
                deal(state, next_seed(state.seed), np.int64(state.rules))
    return finished

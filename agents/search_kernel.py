"""The search of the search agent, compiled: sequential halving over playouts (docs/search.md)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agents.rules_policy import score
from agents.rules_view import VIEW, read_view
from agents.search_value import LAYERS, estimate
from onirim_env.cards import DOORS_PER_COLOUR, N_COLOURS, N_DOORS, PROPHECY_SIZE
from onirim_env.engine.batch import doors_in_play
from onirim_env.engine.compile import kernel, rule
from onirim_env.engine.hidden import determinize, knows_place, reseed
from onirim_env.engine.legal import LEGAL, list_legal
from onirim_env.engine.observe import knows_hand, observe
from onirim_env.engine.rng import GAMMA, mix
from onirim_env.engine.setup import deal
from onirim_env.engine.state import (
    PHASE_ACTION,
    PHASE_LOST,
    PHASE_PROPHECY_DISCARD,
    PHASE_PROPHECY_ORDER,
    PHASE_WON,
    STATE,
    TWO_PLAYERS,
    WHOLE_PROPHECIES,
)
from onirim_env.engine.step import apply, is_over

MAX_PLANS = 256
"""More than there are ways through a Prophecy (240, with O-1)."""
DOORS_COUNT = 0.01
"""What all Doors together add to the value of a lost playout: among equal chances, more Doors."""
ESTIMATES_OF_A_CHOICE = 2


class Tools(NamedTuple):
    """What the search needs, and room for what it notes down."""

    weights: np.ndarray  # of the rules policy, shape (1,)
    network: np.ndarray  # NETWORK, shape (1,)
    observation: np.ndarray  # float32, shape (1, observation size)
    views: np.ndarray  # VIEW, shape (1,)
    layers: np.ndarray  # LAYERS, shape (1,)
    legal: np.ndarray  # LEGAL, shape (3,): for each depth
    states: np.ndarray  # STATE, shape (4,): for each depth
    nodes: np.ndarray  # STATE, shape (MAX_PLANS,)
    plans: np.ndarray  # int64, shape (MAX_PLANS, PROPHECY_SIZE): codes, -1 behind the last
    sums: np.ndarray  # float64, shape (MAX_PLANS,): sums of the values of a plan's playouts
    alive: np.ndarray  # int64, shape (MAX_PLANS,): plans that are still in question, best first
    closed: bool


def tools_for(weights: np.ndarray, network: np.ndarray, observation_size: int, closed: bool) -> Tools:
    """Return tools for games that are observed in so many numbers."""
    return Tools(
        weights, network, np.zeros((1, observation_size), np.float32), np.zeros(1, VIEW),
        np.zeros(1, LAYERS), np.zeros(3, LEGAL), np.zeros(4, STATE), np.zeros(MAX_PLANS, STATE),
        np.zeros((MAX_PLANS, PROPHECY_SIZE), np.int64), np.zeros(MAX_PLANS), np.zeros(MAX_PLANS, np.int64),
        closed,
    )  # fmt: skip


@rule
def policy_code(state: Any, tools: Any, legal: Any) -> int:
    """Return what the rules policy does."""
    list_legal(state, legal)
    if legal.n == 1:
        return np.int64(legal.codes[0])
    whole = state.rules & WHOLE_PROPHECIES != 0
    wanted = 1 if state.rules & TWO_PLAYERS else DOORS_PER_COLOUR
    observe(state, np.int64(state.player), tools.closed, tools.observation, 0)
    read_view(tools.observation[0], wanted, whole, tools.views[0])
    best = -np.inf
    chosen = np.int64(legal.codes[0])
    for index in range(legal.n):
        value = score(tools.weights[0], tools.views[0], np.int64(legal.codes[index]))
        if value > best:
            best = value
            chosen = np.int64(legal.codes[index])
    return chosen


@rule
def state_value(state: Any, tools: Any) -> float:
    """Return the estimated chance to win, or what the end of the game is worth."""
    if state.phase == PHASE_WON:
        return 1.0
    if state.phase == PHASE_LOST:
        return DOORS_COUNT * doors_in_play(state) / N_DOORS
    observe(state, np.int64(state.player), tools.closed, tools.observation, 0)
    return estimate(tools.network[0], tools.layers[0], tools.observation)


@rule
def play_on(state: Any, tools: Any) -> float:
    """Go on with the rules policy to the next turn, or the end without a network; return the value."""
    to_the_end = not tools.network[0].trained
    while not is_over(state) and (to_the_end or state.phase != PHASE_ACTION):
        apply(state, policy_code(state, tools, tools.legal[0]))
    return state_value(state, tools)


@rule
def has_hidden_places(state: Any, closed: bool) -> bool:
    """Whether cards that the player to move does not know lie at decided places."""
    observer = np.int64(state.player)
    for place in range(state.top_size):
        if not knows_place(state, observer, place, closed):
            return True
    if closed and state.rules & TWO_PLAYERS:
        for place in range(state.hand_size[1 - observer]):
            if not knows_hand(state, observer, 1 - observer, place, closed):
                return True
    return False


@rule
def list_plans(state: Any, tools: Any) -> int:
    """List what the player may do now, a Prophecy as a whole; return how many plans there are."""
    plans, legal = tools.plans, tools.legal[1]
    if state.phase != PHASE_PROPHECY_DISCARD and state.phase != PHASE_PROPHECY_ORDER:
        list_legal(state, legal)
        for index in range(legal.n):
            plans[index, :] = -1
            plans[index, 0] = legal.codes[index]
        return legal.n
    return list_prophecies(state, tools)


@rule
def list_prophecies(state: Any, tools: Any) -> int:
    """List all ways to go through a Prophecy under way."""
    plans, legal = tools.plans, tools.legal[1]
    n = 1
    plans[0, :] = -1
    tools.nodes[0] = state
    for depth in range(PROPHECY_SIZE):
        known = n
        for index in range(known):
            node = tools.nodes[index]
            if node.phase != PHASE_PROPHECY_DISCARD and node.phase != PHASE_PROPHECY_ORDER:
                continue
            list_legal(node, legal)
            for choice in range(legal.n - 1, -1, -1):
                place = n if choice > 0 else index
                if choice > 0:
                    n += 1
                    tools.nodes[place] = node
                    plans[place, :] = plans[index, :]
                plans[place, depth] = legal.codes[choice]
                apply(tools.nodes[place], np.int64(legal.codes[choice]))
    return n


@rule
def playout(root: Any, plan: int, seed: Any, hidden: bool, tools: Any) -> float:
    """Return the value of one playout of a plan."""
    state = tools.states[1]
    tools.states[1] = root
    if hidden:
        determinize(state, np.int64(state.player), tools.closed, seed)
    else:  # nothing but the order of the pool is unknown, and that follows from the seed
        reseed(state, seed)
    for depth in range(PROPHECY_SIZE):
        code = tools.plans[plan, depth]
        if code >= 0:
            apply(state, code)
    return play_on(state, tools)


@rule
def run_playouts(root: Any, n_alive: int, first: int, last: int, seed: Any, hidden: bool, tools: Any) -> None:
    """Add playouts number ``first`` to ``last - 1`` to each plan in question: all with the same seeds."""
    for number in range(first, last):
        playout_seed = mix(seed + GAMMA * np.uint64(number + 1))
        for index in range(n_alive):
            plan = tools.alive[index]
            tools.sums[plan] += playout(root, plan, playout_seed, hidden, tools)


@rule
def sort_alive(n_alive: int, tools: Any) -> None:
    """Put the plans in question in order, the best first; equal ones stay as they are."""
    for index in range(1, n_alive):
        plan = tools.alive[index]
        place = index
        while place > 0 and tools.sums[tools.alive[place - 1]] < tools.sums[plan]:
            tools.alive[place] = tools.alive[place - 1]
            place -= 1
        tools.alive[place] = plan


@rule
def search(state: Any, budget: int, seed: Any, tools: Any) -> int:
    """Return the code of the best action that sequential halving finds within a budget of playouts."""
    root = tools.states[0]
    tools.states[0] = state
    determinize(root, np.int64(root.player), tools.closed, seed)
    hidden = has_hidden_places(root, tools.closed)
    n_alive = list_plans(root, tools)
    rounds = 0
    while 1 << rounds < n_alive:
        rounds += 1
    for plan in range(n_alive):
        tools.alive[plan] = plan
        tools.sums[plan] = 0.0
    done = 0
    while n_alive > 1:
        more = max(1, budget // (rounds * n_alive))
        run_playouts(root, n_alive, done, done + more, seed, hidden, tools)
        done += more
        sort_alive(n_alive, tools)
        n_alive = (n_alive + 1) // 2
    return tools.plans[tools.alive[0], 0]


@kernel
def play_games(
    seeds: np.ndarray, rules: int, budget: int, explore_until: int, tools: Any, positions: np.ndarray,
    game_of: np.ndarray, results: np.ndarray,
) -> int:
    """Play games with the search, or with the rules policy for a budget of 0, and note positions.

    In each game a random action is taken in a random turn below ``explore_until``; turns after it
    are noted.
    """
    n = 0
    states = np.zeros(1, STATE)
    for game in range(seeds.shape[0]):
        state = states[0]
        deal(state, seeds[game], rules)
        turn = -1
        if explore_until > 0:
            turn = np.int64(mix(seeds[game] + GAMMA) % np.uint64(explore_until)) - 3
        decisions = 0
        while not is_over(state):
            if state.phase == PHASE_ACTION and state.turns > turn:
                positions[n] = state
                game_of[n] = game
                n += 1
            decisions += 1
            random = mix(seeds[game] ^ np.uint64(decisions))
            list_legal(state, tools.legal[0])
            if state.turns == turn and state.phase == PHASE_ACTION:
                code = np.int64(tools.legal[0].codes[np.int64(random % np.uint64(tools.legal[0].n))])
            elif tools.legal[0].n == 1:
                code = np.int64(tools.legal[0].codes[0])
            elif budget == 0:
                code = policy_code(state, tools, tools.legal[0])
            else:
                code = search(state, budget, random, tools)
            apply(state, code)
        results[game] = state.phase == PHASE_WON
    return n

"""The search of the search agent, compiled (docs/search.md says how it works).

It calls into ``rules_policy.py``, ``rules_view.py``, ``expansion_policy.py`` and ``search_value.py``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from agents.compiled.expansion_policy import score_more
from agents.compiled.expansion_view import doors_to_win, read_expansion_view
from agents.compiled.network_record import NetworkRecord, empty_record
from agents.compiled.policy_kernel import network_code
from agents.compiled.rules_policy import score
from agents.compiled.rules_view import VIEW, read_view
from agents.compiled.rules_weights import WEIGHTS_TYPE, weights_for, weights_record
from agents.compiled.search_value import ValueNetwork, estimate
from onirim_env.actions import action_table
from onirim_env.cards import N_DOORS, PROPHECY_SIZE
from onirim_env.compiling.compile import kernel, rule
from onirim_env.compiling.rng import GAMMA, mix
from onirim_env.engine.batch import doors_in_play
from onirim_env.engine.hidden import determinize, knows_place, reseed
from onirim_env.engine.legal import list_legal
from onirim_env.engine.listing import LEGAL
from onirim_env.engine.observe import knows_hand, observe
from onirim_env.engine.records import state_dtype, written_size
from onirim_env.engine.state import (
    PHASE_ACTION,
    PHASE_PROPHECY_DISCARD,
    PHASE_PROPHECY_ORDER,
    PHASE_WON,
    TWO_PLAYERS,
    WHOLE_PROPHECIES,
)
from onirim_env.engine.step import apply, is_legal, is_over
from onirim_env.rules import EXPANSION_BIT, RuleSet

MAX_PLANS = 256
"""More than there are ways through a Prophecy (240, with O-1)."""
DOORS_COUNT = 0.01
"""What all Doors together add to the value of a loss: among equal chances, more Doors."""
PRIOR, PRIOR_DIFFERENCE = 4.0, 0.5
"""How sure a search is of equal plans before it has tried them out; see :func:`is_better`."""
ROOT, PLAYOUT = range(2)
FOR_POLICY, FOR_PLANS = range(2)
NONE = -1


class Tools(NamedTuple):
    """What the search needs, and room for what it notes down."""

    weights: np.ndarray  # of the rules policy, WEIGHTS_TYPE, shape (1,)
    network: np.ndarray  # see search_value.py, shape (1,): estimates the end of a playout
    policy: np.ndarray  # shape (1,), of a trained policy that names the favourite; see policy_kernel.py
    policy_layers: np.ndarray  # shape (1,), room for its layers
    advised: bool  # whether there is such a policy; if not, the rules policy names the favourite
    network_plays: bool  # whether that policy plays the playouts, too
    ids: np.ndarray  # int16, action ids by code
    turns_ahead: int  # how many turns a playout plays before the network estimates the rest
    doubt: float  # by how many standard errors a plan must be better than the favourite
    closed: bool  # whether players observe in closed talk (C-11)
    doors_wanted: int  # the number of Doors that a player can use of each colour
    expansions: bool | None  # True in games with expansions; with None they are not compiled in
    observation: np.ndarray  # float32, shape (1, size of an observation as the engine writes it)
    views: np.ndarray  # VIEW, shape (1,)
    layers: np.ndarray  # shape (1,), room for its layers
    legal: np.ndarray  # LEGAL, shape (2,)
    states: np.ndarray  # records of games, shape (2,): the root and the playout
    nodes: np.ndarray  # the same, shape (MAX_PLANS,)
    plans: np.ndarray  # int64, shape (MAX_PLANS, PROPHECY_SIZE): codes, NONE behind the last
    sums: np.ndarray  # float64, shape (MAX_PLANS,): sums of the values of a plan's playouts
    squares: np.ndarray  # float64, shape (MAX_PLANS,): of their squared differences to the favourite's
    means: np.ndarray  # float64, shape (MAX_PLANS,): the means of the values
    alive: np.ndarray  # int64, shape (MAX_PLANS,): plans that are still in question, best first


def make_tools(
    rules: RuleSet,
    network: ValueNetwork | None = None,
    turns_ahead: int = 0,
    doubt: float = 0.0,
    closed: bool = False,
    policy: NetworkRecord | None = None,
    network_plays: bool = False,
) -> Tools:
    """Return tools for games of a rule set; the other arguments are those of the fields.

    Without a value network, playouts must go on to the end of their games.
    """
    weights = np.zeros(1, dtype=WEIGHTS_TYPE)
    weights[0] = weights_record(weights_for(rules.players))
    value = empty_record() if network is None else network.record()
    advising = empty_record() if policy is None else policy
    return Tools(
        weights=weights,
        network=value.weights,
        policy=advising.weights,
        policy_layers=advising.room,
        advised=policy is not None,
        network_plays=network_plays,
        ids=action_table(rules).ids,
        turns_ahead=turns_ahead,
        doubt=doubt,
        closed=closed,
        doors_wanted=doors_to_win(rules),
        expansions=True if rules.expansions else None,
        observation=np.zeros((1, written_size(rules)), dtype=np.float32),
        views=np.zeros(1, dtype=VIEW),
        layers=value.room,
        legal=np.zeros(2, dtype=LEGAL),
        states=np.zeros(2, dtype=state_dtype(rules)),
        nodes=np.zeros(MAX_PLANS, dtype=state_dtype(rules)),
        plans=np.zeros((MAX_PLANS, PROPHECY_SIZE), dtype=np.int64),
        sums=np.zeros(MAX_PLANS),
        squares=np.zeros(MAX_PLANS),
        means=np.zeros(MAX_PLANS),
        alive=np.zeros(MAX_PLANS, dtype=np.int64),
    )


@rule
def read(state: Any, tools: Any, expansions: Any) -> None:
    """Fill the view from the observation."""
    whole_prophecies = state.rules & WHOLE_PROPHECIES != 0
    if expansions is None:
        read_view(tools.observation[0], tools.doors_wanted, whole_prophecies, tools.views[0])
    else:
        read_expansion_view(tools.observation[0], tools.doors_wanted, whole_prophecies, tools.views[0])


@rule
def score_of(tools: Any, code: int, expansions: Any) -> float:
    """Return the score of an action in the view."""
    if expansions is None:
        return score(tools.weights[0], tools.views[0], code)
    return score_more(tools.weights[0], tools.views[0], tools.observation[0], code)


@rule
def policy_code(state: Any, tools: Any) -> Any:
    """Return what the rules policy does."""
    legal = tools.legal[FOR_POLICY]
    list_legal(state, legal)
    chosen = np.int64(legal.codes[0])
    if legal.n == 1:
        return chosen
    observe(state, np.int64(state.player), tools.closed, tools.observation, 0)
    read(state, tools, tools.expansions)
    best = -np.inf
    for index in range(legal.n):
        code = np.int64(legal.codes[index])
        value = score_of(tools, code, tools.expansions)
        if value > best:
            best = value
            chosen = code
    return chosen


@rule
def advised_code(state: Any, tools: Any) -> Any:
    """Return what the trained policy does, or the rules policy where there is none."""
    if tools.advised:
        return network_code(state, tools, tools.legal[FOR_POLICY])
    return policy_code(state, tools)


@rule
def play_on(state: Any, first_turn: int, tools: Any) -> float:
    """Go on with a policy for some turns; return the (estimated) value of what comes out."""
    last_turn = first_turn + tools.turns_ahead
    while not is_over(state):
        if state.phase == PHASE_ACTION and state.turns >= last_turn:
            observe(state, np.int64(state.player), tools.closed, tools.observation, 0)
            return estimate(tools.network[0], tools.layers[0], tools.observation)
        apply(state, advised_code(state, tools) if tools.network_plays else policy_code(state, tools))
    return 1.0 if state.phase == PHASE_WON else DOORS_COUNT * doors_in_play(state) / N_DOORS


@rule
def has_hidden_places(state: Any, closed: bool) -> bool:
    """Whether cards that the player to move does not know lie at decided places."""
    if np.int64(state.rules) >= EXPANSION_BIT:  # expansions hide more than that
        return True
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
def in_prophecy(state: Any) -> bool:
    """Whether a Prophecy is under way."""
    return state.phase == PHASE_PROPHECY_DISCARD or state.phase == PHASE_PROPHECY_ORDER


@rule
def list_plans(root: Any, tools: Any) -> int:
    """List what the player may do now, a Prophecy as a whole; return how many plans there are."""
    plans, legal = tools.plans, tools.legal[FOR_PLANS]
    plans[:, :] = NONE
    tools.nodes[0] = root
    if not in_prophecy(root):
        list_legal(root, legal)
        for index in range(legal.n):
            plans[index, 0] = legal.codes[index]
        return legal.n
    n = 1
    for depth in range(PROPHECY_SIZE):
        for index in range(n):
            node = tools.nodes[index]
            if not in_prophecy(node):
                continue
            list_legal(node, legal)
            for choice in range(legal.n - 1, -1, -1):  # the first one last: it takes the node itself
                place = index
                if choice > 0:
                    place = n
                    n += 1
                    tools.nodes[place] = node
                    plans[place, :] = plans[index, :]
                code = np.int64(legal.codes[choice])
                plans[place, depth] = code
                apply(tools.nodes[place], code)
    return n


@rule
def favourite_plan(root: Any, n_plans: int, tools: Any) -> int:
    """Return the plan that the policy follows."""
    state = tools.states[PLAYOUT]
    tools.states[PLAYOUT] = root
    candidates = n_plans
    for plan in range(n_plans):
        tools.alive[plan] = plan
    for depth in range(PROPHECY_SIZE):
        code = advised_code(state, tools)
        kept = 0
        for index in range(candidates):
            plan = tools.alive[index]
            if tools.plans[plan, depth] == code:
                tools.alive[kept] = plan
                kept += 1
        candidates = kept
        apply(state, code)
        if candidates <= 1 or not in_prophecy(state):
            break
    return tools.alive[0]


@rule
def shows_deck(state: Any) -> Any:
    """Whether choices may tell what the deck has: with expansions.

    Dealt anew, it may lack what was chosen.
    """
    return np.int64(state.rules) >= EXPANSION_BIT


@rule
def playout(root: Any, plan: int, seed: Any, hidden: bool, tools: Any) -> float:
    """Return the value of one playout of a plan."""
    state = tools.states[PLAYOUT]
    tools.states[PLAYOUT] = root
    if hidden:
        determinize(state, np.int64(state.player), tools.closed, seed)
        if shows_deck(state) and not is_legal(state, tools.plans[plan, 0], tools.legal[FOR_POLICY]):
            tools.states[PLAYOUT] = root
            reseed(state, seed)
    else:  # nothing but the order of the pool is unknown, and that follows from the seed
        reseed(state, seed)
    for depth in range(PROPHECY_SIZE):
        code = tools.plans[plan, depth]
        if code != NONE:
            apply(state, code)
    return play_on(state, np.int64(root.turns), tools)


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
def try_plans(root: Any, favourite: int, n_alive: int, seed: Any, hidden: bool, tools: Any) -> None:
    """Add one playout to each plan in question, all from the same random numbers, the favourite first."""
    usual = playout(root, favourite, seed, hidden, tools)
    tools.sums[favourite] += usual
    for index in range(n_alive):
        plan = tools.alive[index]
        if plan != favourite:
            value = playout(root, plan, seed, hidden, tools)
            tools.sums[plan] += value
            tools.squares[plan] += (value - usual) ** 2


@rule
def keep_favourite(favourite: int, n_kept: int, n_alive: int, tools: Any) -> None:
    """Put the favourite among the plans that are kept, in place of the last of them if need be."""
    for index in range(n_kept, n_alive):
        if tools.alive[index] == favourite:
            for place in range(index, n_kept - 1, -1):
                tools.alive[place] = tools.alive[place - 1]
            tools.alive[n_kept - 1] = favourite
            return


@rule
def is_better(plan: int, favourite: int, done: int, tools: Any) -> bool:
    """Whether so many playouts show that a plan is better than the favourite.

    The playouts share their random numbers, so it is their differences that count. It begins as if it
    had seen ``PRIOR`` playouts, in which the plan was as good, with differences of ``PRIOR_DIFFERENCE``:
    a few playouts show little.
    """
    seen = done + PRIOR
    mean = (tools.sums[plan] - tools.sums[favourite]) / seen
    square = (tools.squares[plan] + PRIOR * PRIOR_DIFFERENCE**2) / seen
    return mean > tools.doubt * np.sqrt(square / seen)


@rule
def search(state: Any, playouts: int, seed: Any, tools: Any) -> int:
    """Return the code of the best action that sequential halving finds with so many playouts.

    The favourite is never dropped: in the end the best of the others takes its place where playouts
    show that it is better.
    """
    root = tools.states[ROOT]
    tools.states[ROOT] = state
    determinize(root, np.int64(root.player), tools.closed, seed)
    hidden = has_hidden_places(root, tools.closed)
    n_alive = list_plans(root, tools)
    favourite = favourite_plan(root, n_alive, tools)
    rounds = 0
    while 1 << rounds < n_alive:
        rounds += 1
    for plan in range(n_alive):
        tools.alive[plan] = plan
        tools.sums[plan] = 0.0
        tools.squares[plan] = 0.0
    done, best = 0, favourite
    while n_alive > 1 or done == 0:
        last = done + max(1, playouts // (max(1, rounds) * n_alive))
        for number in range(done, last):
            try_plans(root, favourite, n_alive, mix(seed + GAMMA * np.uint64(number + 1)), hidden, tools)
        done = last
        for index in range(n_alive):
            tools.means[tools.alive[index]] = tools.sums[tools.alive[index]] / done
        sort_alive(n_alive, tools)
        best = tools.alive[0]
        n_kept = (n_alive + 1) // 2
        keep_favourite(favourite, n_kept, n_alive, tools)
        n_alive = n_kept
    if best != favourite and not is_better(best, favourite, done, tools):
        best = favourite
    return tools.plans[best, 0]


@kernel
def search_game(states: np.ndarray, playouts: int, seed: int, decision: int, tools: Any) -> int:
    """Return the code that the player to move of a game (a record, shape (1,)) should choose.

    Parameters
    ----------
    states
        Left as it was. What the player does not know does not count: it is dealt anew.
    playouts
        How many playouts to spend; a round of the search that needs more takes them.
    seed, decision
        Fix the random numbers of the search.
    tools
        From :func:`make_tools`.
    """
    return search(states[0], playouts, mix(np.uint64(seed) + GAMMA * np.uint64(decision + 1)), tools)

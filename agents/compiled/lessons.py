"""Lessons: positions of a network's games, and what playouts say of each action there.

A lesson gives every legal action the same number of playouts with the same random numbers, so its
values are unbiased, and their errors average out over many lessons. Where the network is certain there
are no playouts; some of these positions are lessons that say that it should stay as it is.
``train/distil.py`` teaches a network with them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.compiled.policy_kernel import network_choice
from agents.compiled.search_kernel import (
    FOR_PLANS,
    FOR_POLICY,
    NONE,
    ROOT,
    Tools,
    has_hidden_places,
    playout,
)
from onirim_env.actions import action_table
from onirim_env.compiling.compile import kernel, rule
from onirim_env.compiling.rng import GAMMA, mix
from onirim_env.engine.batch import view_games
from onirim_env.engine.hidden import determinize
from onirim_env.engine.legal import list_legal
from onirim_env.engine.setup import deal
from onirim_env.engine.state import STATE
from onirim_env.engine.step import apply, is_over
from onirim_env.observation import observation_size
from onirim_env.rules import RuleSet

MOST_DECISIONS = 400
"""Room for the lessons of a game; longer games end early here."""
FOLLOWED = 3
"""Of ten lessons, so many are played as the playouts advise, the others as the network does."""
CERTAIN = 0.97
"""With such a probability the network is certain: what playouts find there is mostly chance."""
KEPT = 3
"""Of ten decisions of which the network is certain, so many are lessons."""


@dataclass(frozen=True, eq=False)
class Lessons:
    """What was learned in some games.

    Attributes
    ----------
    observations
        float32, shape (n, observation size): what the players to move see.
    values
        float32, shape (n, actions): the mean value of the playouts of each action, from 0 to 1; the
        same for all where there were none, and NaN for actions that are not legal.
    """

    observations: np.ndarray
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.values)


@rule
def value_actions(state: Any, playouts: int, seed: Any, tools: Any) -> int:
    """Leave the sum of so many playouts of each legal action in ``tools.sums``; return how many."""
    root = tools.states[ROOT]
    tools.states[ROOT] = state
    determinize(root, np.int64(root.player), tools.closed, seed)
    hidden = has_hidden_places(root, tools.closed)
    legal = tools.legal[FOR_PLANS]
    list_legal(root, legal)
    for plan in range(legal.n):
        tools.plans[plan, :] = NONE
        tools.plans[plan, 0] = legal.codes[plan]
        tools.sums[plan] = 0.0
    for number in range(playouts):
        playout_seed = mix(seed + GAMMA * np.uint64(number + 1))  # the same for all actions
        for plan in range(legal.n):
            tools.sums[plan] += playout(root, plan, playout_seed, hidden, tools)
    return legal.n


@rule
def best_plan(n_plans: int, tools: Any) -> int:
    """Return the plan with the highest sum."""
    best = 0
    for plan in range(1, n_plans):
        if tools.sums[plan] > tools.sums[best]:
            best = plan
    return best


@rule
def note_lesson(n_plans: int, playouts: int, tools: Any, values: np.ndarray, row: int) -> None:
    """Write the mean values of the actions into a row."""
    values[row, :] = np.nan
    for plan in range(n_plans):
        action = np.int64(tools.ids[tools.plans[plan, 0]])
        values[row, action] = tools.sums[plan] / max(1, playouts)


@kernel
def teach_games(
    seeds: np.ndarray, rules: int, playouts: int, tools: Any, positions: np.ndarray, values: np.ndarray
) -> int:
    """Play games, mostly as the network does, and write a lesson of every decision that it doubts.

    Parameters
    ----------
    seeds, rules
        uint64, shape (games,); the flags of their rules.
    playouts
        Playouts of each action.
    tools
        From :func:`agents.compiled.search_kernel.make_tools`, with a trained policy.
    positions, values
        ``STATE``, shape (games * MOST_DECISIONS,), and float32, shape (the same, actions), written.

    Returns
    -------
    int
        How many lessons there are.
    """
    n = 0
    room = np.empty(1, STATE)
    state = room[0]
    for game in range(seeds.shape[0]):
        deal(state, seeds[game], rules)
        seed = mix(seeds[game])
        last = n + MOST_DECISIONS
        while not is_over(state) and n < last:
            seed += GAMMA
            digit = mix(seed) % np.uint64(10)
            code, certainty = network_choice(state, tools, tools.legal[FOR_POLICY])
            n_legal = tools.legal[FOR_POLICY].n
            certain = certainty >= CERTAIN
            if n_legal > 1 and (not certain or digit < np.uint64(KEPT)):
                n_plans = value_actions(state, 0 if certain else playouts, seed, tools)
                positions[n] = state
                note_lesson(n_plans, playouts, tools, values, n)
                n += 1
                if not certain and digit < np.uint64(FOLLOWED):
                    code = tools.plans[best_plan(n_plans, tools), 0]
            apply(state, code)
    return n


def lessons_of(seeds: np.ndarray, rules: RuleSet, playouts: int, tools: Tools) -> Lessons:
    """Play the games of some seeds (uint64, shape (n,)), and return what they teach."""
    table = action_table(rules)
    positions = np.zeros(len(seeds) * MOST_DECISIONS, dtype=STATE)
    values = np.empty((len(positions), len(table)), dtype=np.float32)
    n = teach_games(seeds, rules.flags, playouts, tools, positions, values)
    observations = np.empty((n, observation_size(rules)), dtype=np.float32)
    masks = np.empty((n, len(table)), dtype=np.int8)
    view_games(positions[:n], table.ids, tools.closed, observations, masks)
    return Lessons(observations, values[:n].copy())

"""The games from which value networks learn, played by the policy of searches."""

from __future__ import annotations

from typing import Any

import numpy as np

from agents.compiled.search_kernel import PLAYOUT, advised_code, in_prophecy
from onirim_env.compiling.compile import kernel
from onirim_env.compiling.rng import GAMMA, mix
from onirim_env.engine.legal import list_legal
from onirim_env.engine.setup import deal
from onirim_env.engine.state import PHASE_ACTION, PHASE_WON
from onirim_env.engine.step import apply, is_over

NOTED = 5
"""Positions noted in a game: they share its end, so more of them tell little more."""


@kernel
def play_games(
    first_seed: int,
    rules: int,
    last_surprise: int,
    tools: Any,
    positions: np.ndarray,
    game_of: np.ndarray,
    won: np.ndarray,
) -> int:
    """Play games with the rules policy and one random action, and note the positions after it.

    Parameters
    ----------
    first_seed, rules
        Where the games' seeds come from; the flags of their rules.
    last_surprise
        The random action is one of so many first decisions.
    tools
        From :func:`agents.compiled.search_kernel.make_tools`.
    positions, game_of
        Records and int64, shape (NOTED * games,), written: positions, and the games they are of.
    won
        bool, shape (games,), written: whether a game was won.

    Returns
    -------
    int
        How many positions there are.
    """
    n = 0
    state = tools.states[PLAYOUT]
    for game in range(won.shape[0]):
        seed = mix(np.uint64(first_seed) + GAMMA * np.uint64(game))
        deal(state, seed, rules)
        surprise = np.int64(mix(seed + GAMMA) % np.uint64(last_surprise))
        decision, noted = 0, 0
        while not is_over(state):
            if state.phase == PHASE_ACTION and decision > surprise and noted < NOTED:
                positions[n] = state
                game_of[n] = game
                n += 1
                noted += 1
            code = advised_code(state, tools)
            # A Prophecy in which the random action falls is random to its end.
            if decision == surprise or (decision > surprise and noted == 0 and in_prophecy(state)):
                legal = tools.legal[0]
                list_legal(state, legal)
                code = np.int64(
                    legal.codes[np.int64(mix(seed ^ np.uint64(decision + 1)) % np.uint64(legal.n))]
                )
            apply(state, code)
            decision += 1
        won[game] = state.phase == PHASE_WON
    return n

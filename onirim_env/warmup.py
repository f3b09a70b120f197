"""Compiling the engine ahead of the first game: ``python -m onirim_env warmup``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from onirim_env.rules import RuleSet


def warm_up(expansions: bool = False) -> None:
    """Compile every entry point of the engine, or load it from the cache.

    The first call after an installation or an upgrade takes some ten seconds on one core; the
    machine code is then kept on disk, and later processes start within a second.

    Parameters
    ----------
    expansions
        Whether to compile what games with expansions need, too: up to a minute more. Any set of
        them is played by the same machine code.
    """
    from onirim_env.rules import EXPANSIONS, RuleSet

    _play(RuleSet())
    if expansions:
        _play(RuleSet(expansions=EXPANSIONS))


def _play(rules: RuleSet) -> None:
    """Call every entry point once for games of a rule set."""
    from onirim_env.game import Game
    from onirim_env.sampling import MaskedSampler
    from onirim_env.vector import OnirimVectorEnv

    warm_up_game(rules)
    sampler = MaskedSampler(seed=0)
    env = OnirimVectorEnv(num_envs=2, illegal_action="raise", **rules.as_dict())
    _, infos = env.reset(seed=0)
    env.step(sampler(infos["action_mask"]))
    env.reset()
    game = Game(rules, seed=0)
    sampler(game.action_mask())
    game.determinize(0, seed=0)
    game.reseed(0)
    from onirim_env.engine import batch

    batch.play_random(game._states, game.table.ids, game.action_mask()[None], 1, np.uint64(0))


def warm_up_game(rules: RuleSet) -> None:
    """Compile what one game of a rule set needs, or load it: dealing, deciding, looking at it."""
    from onirim_env.engine.records import game_results
    from onirim_env.game import Game

    game = Game(rules, seed=0)
    game.apply(game.legal_actions()[0])
    Game.from_position(game.position())
    game.observation()
    game_results(game._states)


def compile_decisions(expansions: bool) -> None:
    """Compile what carries out a decision, and nothing else: work for a second process.

    Parameters
    ----------
    expansions
        Whether for games with expansions.
    """
    import numba

    from onirim_env.engine.records import state_dtype
    from onirim_env.engine.step import apply
    from onirim_env.rules import EXPANSIONS, RuleSet

    record = numba.from_dtype(state_dtype(RuleSet(expansions=EXPANSIONS if expansions else ())))
    border: Any = apply
    border.dispatcher.compile((record, numba.int64))

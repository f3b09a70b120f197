"""Compiling the engine ahead of the first game: ``python -m onirim_env warmup``."""

from __future__ import annotations

import numpy as np


def warm_up() -> None:
    """Compile every entry point of the engine, or load it from the cache.

    The first call after an installation or an upgrade takes some ten seconds on one core; the
    machine code is then kept on disk, and later processes start within a second.
    """
    from onirim_env.game import Game
    from onirim_env.sampling import MaskedSampler
    from onirim_env.vector import OnirimVectorEnv

    sampler = MaskedSampler(seed=0)
    env = OnirimVectorEnv(num_envs=2, illegal_action="raise")
    _, infos = env.reset(seed=0)
    env.step(sampler(infos["action_mask"]))
    env.reset()
    game = Game(seed=0)
    action = sampler(game.action_mask())
    game.apply(int(action))
    game.position()
    game.observation()
    game.determinize(0, seed=0)
    game.reseed(0)
    from onirim_env.engine import batch

    batch.play_random(game._states, game.table.ids, game.action_mask()[None], 1, np.uint64(0))

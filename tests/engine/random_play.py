"""Positions of random play, for tests that compare what is computed of them."""

import numpy as np

from onirim_env import Game


def states_of_random_play(rules, talk="open", games=30):
    """Return records, observations and masks of whole games in which every legal action is as likely."""
    rng = np.random.default_rng(0)
    states, observations, masks = [], [], []
    for seed in range(games):
        game = Game(rules, seed=seed, talk=talk)
        while not game.over:
            states.append(game.state.copy())
            observations.append(game.observation())
            masks.append(game.action_mask())
            game.apply(int(rng.choice(np.flatnonzero(masks[-1]))))
    return np.concatenate(states), np.stack(observations), np.stack(masks)

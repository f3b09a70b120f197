"""An agent that notes what another one decides."""

from __future__ import annotations

import numpy as np

from agents.base import Agent, decide


class Recording(Agent):
    def __init__(self, agent):
        super().__init__(agent.rules, agent.talk)
        self.name = agent.name
        self.needs_games = agent.needs_games
        self.agent = agent
        self.decided = {}
        self._seed_of_row = {}

    def start(self, rows, seeds):
        self.agent.start(rows, seeds)
        for row, seed in zip(rows.tolist(), seeds.tolist()):
            self._seed_of_row[row] = seed
            self.decided[seed] = []

    def act(self, observations, masks, games=None):
        actions = decide(self.agent, observations, masks, games)
        for row in np.flatnonzero(~masks.all(axis=1)):
            self.decided[self._seed_of_row[row]].append(int(actions[row]))
        return actions

"""The seeds of agents could tell them the deck, so no agent uses them for more than random numbers."""

from __future__ import annotations

import numpy as np

from agents.base import Agent, decide
from agents.games import agent_seeds
from agents.measure.protocols import protocol_seeds
from agents.registry import find_agents
from onirim_env import Game, MaskedSampler
from tests.agents.playing import load_where_it_plays

GAMES, DECISIONS = 12, 6
PLANNER_GAMES = 3
SPREADS = 4.0
"""So many standard deviations may lie between two shares of decisions that differ by chance alone."""


class Cheat(Agent):
    """Finds the game whose seeds it was given, and heeds the first card of its deck."""

    name = "cheat"

    def start(self, rows, seeds):
        known = protocol_seeds("solo-v1", 50)
        numbers = agent_seeds(known).tolist()
        self.games = [
            Game(self.rules, int(known[numbers.index(one)])) if one in numbers else None
            for one in seeds.tolist()
        ]

    def act(self, observations, masks):
        first = [0 if game is None else hash(game.position()["deck"][0]) for game in self.games]
        legal = [np.flatnonzero(mask) for mask in masks]
        return np.array([ids[place % len(ids)] for ids, place in zip(legal, first)])


def choices(agent, seeds_given):
    """What an agent decides in protocol games, each entered at several decisions, with such seeds."""
    n_games = PLANNER_GAMES if agent.needs_games else GAMES
    sampler = MaskedSampler(seed=2)
    chosen = []
    for seed in protocol_seeds("solo-v1", n_games):
        game = Game(agent.rules, int(seed), talk=agent.talk)
        for step in range(DECISIONS):
            agent.start(np.zeros(1, dtype=np.int64), agent_seeds(np.array([seed + seeds_given])))
            games = None
            if agent.needs_games:
                games = [game.copy()]
                games[0].determinize(game.player, seed=step)
            mask = game.action_mask(agent.layout)[None]
            chosen.append(int(decide(agent, game.observation(layout=agent.layout)[None], mask, games)[0]))
            game.apply(int(sampler(game.action_mask())))
    return np.array(chosen)


def heeds_its_game(agent):
    """Whether an agent plays otherwise with the seeds of its own games than with those of any others."""
    own, others, more = (choices(agent, offset) for offset in (0, 500_000, 700_000))
    with_own, among_others = (own != others).mean(), (more != others).mean()
    spread = np.sqrt(2 * among_others * (1 - among_others) / len(own))
    return bool(abs(with_own - among_others) > SPREADS * spread)


def test_no_agent_uses_its_seeds_for_more_than_random_numbers(agent_name):
    assert not heeds_its_game(load_where_it_plays(agent_name))


def test_an_agent_that_finds_its_deck_is_noticed():
    assert heeds_its_game(Cheat())


def test_no_agent_can_reach_what_leads_from_its_seeds_to_its_game(agent_name):
    """Neither the protocols nor the functions that make an agent's seeds are imported by what plays."""
    from agents.measure.provenance import _sources

    for file in _sources(find_agents()[agent_name].module):
        if file.stem in ("games", "evaluation", "protocols"):
            continue
        text = file.read_text(encoding="utf-8")
        for word in ("protocol_seeds", "agent_seeds", "first_seed", "SearchableGame"):
            assert word not in text, (file.name, word)

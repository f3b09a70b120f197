"""What every agent has to keep to; a new one is found and tested without a change here."""

from __future__ import annotations

import numpy as np
import pytest

from agents.base import decide
from agents.games import agent_seeds
from agents.measure.evaluation import evaluate
from agents.registry import find_agents, load_agent, with_settings
from onirim_env import Game, MaskedSampler
from onirim_env.rules import CAN_BE_HARD, EXPANSIONS, RuleSet
from tests.agents.conftest import GAMES, with_every_agent
from tests.agents.playing import load_or_refused, load_where_it_plays
from tests.agents.recording import Recording

PLAYERS = {"solo": (1,), "co-op": (2,)}
N_GAMES = 100
PLANNER_GAMES = 2


def seeds_for(agent, games=N_GAMES):
    return range(min(games, PLANNER_GAMES) if agent.needs_games else games)


def with_few_playouts(agent_name):
    """A planner that plays little plays legally, too."""
    return with_settings(agent_name, ["playouts=3"])


def decisions(agent, batch_size):
    recording = Recording(agent)
    evaluate(recording, seeds=seeds_for(agent), batch_size=batch_size, progress=False)
    return recording.decided


@pytest.mark.parametrize(
    ("agent_name", "players", "rules", "talk"),
    with_every_agent({name: (rules.players, rules, talk) for name, (rules, talk) in GAMES.items()}),
)
def test_takes_only_legal_actions_under_every_option(agent_name, players, rules, talk):
    assert rules.players == players
    if load_or_refused(agent_name, rules=rules, talk=talk) is None:
        return
    agent = load_agent(with_few_playouts(agent_name), rules=rules, talk=talk)
    result = evaluate(agent, seeds=seeds_for(agent), progress=False)
    assert result.games == len(seeds_for(agent))


def expansion_rules(players):
    """Each expansion alone, and all of them together, and the same in their harder variants."""
    for expansions in [*((keyword,) for keyword in EXPANSIONS), EXPANSIONS]:
        hard = [keyword for keyword in expansions if keyword in CAN_BE_HARD]
        for variant in ([], hard) if hard else ([],):
            yield RuleSet(players=players, expansions=expansions, hard=variant)


@pytest.mark.parametrize(("agent_name", "players"), with_every_agent(PLAYERS))
def test_takes_only_legal_actions_with_every_expansion(agent_name, players):
    for rules in expansion_rules(players):
        if load_or_refused(agent_name, rules=rules) is None:
            return
        agent = load_agent(with_few_playouts(agent_name), rules=rules)
        games = 1 if agent.needs_games else 6
        assert evaluate(agent, seeds=range(games), progress=False).games == games


@pytest.mark.parametrize(("agent_name", "players"), with_every_agent(PLAYERS))
def test_decides_by_game_and_seeds_alone_whatever_the_batch_size(agent_name, players):
    rules = RuleSet(players=players)
    if load_or_refused(agent_name, rules=rules) is None:
        return
    first, second, third, fourth = (
        decisions(load_or_refused(agent_name, rules=rules), batch_size) for batch_size in (64, 64, 7, 1)
    )
    assert first == second == third == fourth
    assert all(first.values())


def test_an_agent_used_twice_decides_the_same(agent_name):
    agent = load_where_it_plays(agent_name)
    assert decisions(agent, 7) == decisions(agent, 64)


@pytest.mark.parametrize(
    ("agent_name", "players", "talk"),
    with_every_agent({"solo": (1, "open"), "open co-op": (2, "open"), "closed co-op": (2, "closed")}),
)
def test_decides_alike_in_games_that_differ_only_in_hidden_cards(agent_name, players, talk):
    agent = load_or_refused(agent_name, rules=RuleSet(players=players), talk=talk)
    if agent is None:
        return
    sampler = MaskedSampler(seed=1)
    for seed in seeds_for(agent, 10):
        game = Game(agent.rules, seed, talk=talk)
        for step in range(30):
            if game.over:
                break
            other = game.copy()
            other.determinize(game.player, seed=1000 * seed + step)
            assert action_in(game, agent) == action_in(other, agent)
            game.apply(int(sampler(game.action_mask())))


def action_in(game, agent):
    agent.start(np.zeros(1, dtype=np.int64), agent_seeds(np.array([5])))
    games = None
    if agent.needs_games:
        games = [game.copy()]
        games[0].determinize(game.player, seed=5)
    return decide(agent, game.observation()[None], game.action_mask()[None], games)[0]


def test_leaves_what_it_is_given_as_it_was(agent_name):
    agent = load_where_it_plays(agent_name)
    game = Game(agent.rules, seed=3)
    observations, masks = game.observation()[None], game.action_mask()[None]
    before = observations.copy(), masks.copy()
    agent.start(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    decide(agent, observations, masks, [game.copy()])
    assert np.array_equal(observations, before[0])
    assert np.array_equal(masks, before[1])


def test_says_in_one_line_what_it_is(agent_name):
    assert find_agents()[agent_name].summary

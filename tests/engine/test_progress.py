"""The reward ``progress``: a potential, which leaves the worth of whole games as it is."""

import numpy as np
import pytest

from agents.registry import load_agent
from onirim_env import Game
from onirim_env.batch import GameBatch
from onirim_env.rules import EXPANSIONS, RuleSet

SETS = [
    RuleSet(),
    RuleSet(players=2),
    *(RuleSet(expansions=[keyword]) for keyword in EXPANSIONS),
    RuleSet(expansions=EXPANSIONS),
    RuleSet(players=2, expansions=["towers", "dreamcatchers"]),
]


@pytest.mark.parametrize("rules", SETS, ids=str)
def test_a_whole_game_is_worth_1_if_it_is_won_and_else_0(rules):
    batch = GameBatch(200, rules, reward="progress")
    batch.deal(np.arange(200, dtype=np.uint64))
    agent = load_agent("rules", rules=rules)
    observations, masks = batch.view()
    returns = np.zeros(200)
    gained = False
    while not batch.ended.all():
        going = ~batch.ended
        actions = np.where(going, agent.act(observations, masks), 0)
        observations, masks, rewards = batch.step(actions)
        returns[going] += rewards[going]
        gained = gained or bool((rewards > 0).any())
    won = batch.results(np.arange(200))["won"]
    assert gained
    np.testing.assert_allclose(returns, won.astype(float), atol=1e-9)


def reward_of(position, action):
    game = Game.from_position(position, seed=0)
    batch = GameBatch(1, game.rules, reward="progress")
    batch.states[:] = game.state
    batch.view()
    _, _, rewards = batch.step(np.array([game.table.id(action)]))
    return rewards[0]


def test_a_door_is_an_eighth():
    position = {
        "players": [{"hand": ["red moon", "blue sun", "blue moon", "green sun", "green moon"],
                     "row": ["red sun", "red key"]}],
    }  # fmt: skip
    assert reward_of(position, "play red moon") == pytest.approx(1 / 8)


def test_a_tower_in_line_is_a_part_of_twelve():
    position = {
        "rules": {"expansions": ["towers"]},
        "towers": ["blue tower 4"],
        "players": [{"hand": ["red tower 4", "red sun", "green sun", "brown sun", "blue sun"]}],
    }
    game = Game.from_position(position, seed=0)
    placing = [text for text in game.legal_texts() if text.startswith("place red tower 4")]
    assert reward_of(position, placing[0]) == pytest.approx(1 / 12)

"""Two different agents play a co-op game together, each in its own seat."""

import numpy as np
import pytest

from agents.measure.evaluation import evaluate
from agents.pair import Pair
from agents.registry import load_agent
from agents.show.watching import watch
from onirim_env import Game, RuleSet

RULES = RuleSet(players=2)


@pytest.mark.parametrize("talk", ["open", "closed"])
def test_each_agent_decides_for_its_own_seat(talk):
    pair = load_agent("rules+random", rules=RULES, talk=talk)
    alone = load_agent("rules", rules=RULES, talk=talk)
    game = Game(RULES, seed=3, talk=talk)
    pair.start(np.zeros(1, dtype=np.int64), np.array([5]))
    decided = [0, 0]
    while not game.over:
        view = game.observation()[None], game.action_mask()[None]
        action = pair.act(*view, players=np.array([game.player]))
        if game.player == 0:
            assert action == alone.act(*view)
        decided[game.player] += 1
        game.apply(int(action[0]))
    assert min(decided) > 5


@pytest.mark.parametrize("talk", ["open", "closed"])
def test_a_pair_of_one_agent_plays_as_that_agent_and_does_not_depend_on_the_batch(talk):
    seeds = range(4_000_000_000, 4_000_000_060)
    alone = evaluate("rules", seeds=seeds, rules=RULES, talk=talk, progress=False)
    pair = evaluate("rules+rules", seeds=seeds, rules=RULES, talk=talk, progress=False)
    assert np.array_equal(alone.decisions, pair.decisions) and np.array_equal(alone.won, pair.won)
    mixed = [
        evaluate("rules+random", seeds=seeds, rules=RULES, talk=talk, batch_size=size, progress=False)
        for size in (1, 7, 64)
    ]
    assert all(np.array_equal(mixed[0].decisions, other.decisions) for other in mixed)
    assert mixed[0].agent == "rules+random" and mixed[0].mean_doors < alone.mean_doors


def test_a_pair_can_be_watched():
    assert "player 1" in "".join(watch("random+rules", 3, rules=RULES))


def test_pairs_that_cannot_be_are_refused():
    with pytest.raises(ValueError, match="2 agents for 1 player"):
        load_agent("rules+random")
    with pytest.raises(ValueError, match="no agent 'nobody'"):
        load_agent("rules+nobody", rules=RULES)
    agents = [load_agent("rules", rules=RULES, talk=talk) for talk in ("open", "closed")]
    with pytest.raises(ValueError, match="different rules or talk"):
        Pair(agents)

"""No game is longer than its rule set's bound, however it is played and however the cards lie."""

import gymnasium as gym
import numpy as np
import pytest

from onirim_env import RuleSet, max_decisions
from tests.engine.expansion_lockstep import all_sets
from tests.engine.random_sets import rules_of
from tests.engine.stalling import lucky_game, stalling_games
from tests.long import long_after

SETS = list(enumerate(all_sets()))


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("part", long_after(1, range(8)))
def test_nobody_prolongs_a_game_beyond_the_bound(players, part):
    """Every set with options of its own: most games are prolonged, some are random."""
    for number, expansions in SETS[part::8]:
        rules = rules_of(number, players, expansions)
        assert stalling_games(rules, stalling=8, others=4, seed=number).max() < max_decisions(rules), rules


@pytest.mark.parametrize("players", [1, 2])
def test_no_luck_prolongs_a_game_beyond_the_bound(players):
    for number, expansions in SETS[7::15]:
        rules = RuleSet(players=players, expansions=expansions)
        assert lucky_game(rules, seed=number) < max_decisions(rules), rules


@pytest.mark.parametrize(("players", "least"), [(1, 200), (2, 300)])
def test_the_bound_is_not_far_from_what_luck_can_bring(players, least):
    rules = RuleSet(players=players)
    decisions = lucky_game(rules, seed=0)
    assert least < decisions < max_decisions(rules) < 3 * decisions


def legal_actions(masks, rng):
    return np.where(masks != 0, rng.random(masks.shape), -1.0).argmax(axis=-1)


@pytest.mark.parametrize("env_id", ["Onirim-v0", "OnirimCoop-v0"])
def test_environments_have_no_limit_of_their_own(env_id):
    assert gym.spec(env_id).max_episode_steps is None


@pytest.mark.parametrize(("env_id", "players"), [("Onirim-v0", 1), ("OnirimCoop-v0", 2)])
@pytest.mark.parametrize("expansions", [(), ("towers", "glyphs")])
def test_with_the_bound_as_limit_no_game_is_truncated(env_id, players, expansions):
    rng = np.random.default_rng(0)
    limit = max_decisions(RuleSet(players=players, expansions=expansions))
    env = gym.make(env_id, max_episode_steps=limit, expansions=list(expansions), illegal_action="raise")
    games = 0
    _, info = env.reset(seed=0)
    while games < 5:
        _, _, terminated, truncated, info = env.step(int(legal_actions(info["action_mask"], rng)))
        assert not truncated
        if terminated:
            games += 1
            _, info = env.reset()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_the_same_in_batches(mode):
    rng = np.random.default_rng(0)
    limit = max_decisions(RuleSet())
    options = {"vectorization_mode": "vector_entry_point", "autoreset_mode": mode}
    envs = gym.make_vec("Onirim-v0", num_envs=8, max_episode_steps=limit, **options)
    _, infos = envs.reset(seed=0)
    ended = 0
    for _ in range(300):
        _, _, terminated, truncated, infos = envs.step(legal_actions(infos["action_mask"], rng))
        assert not truncated.any()
        ended += terminated.sum()
    assert ended > 8
    with pytest.raises(ValueError, match="max_episode_steps"):
        gym.make_vec("Onirim-v0", num_envs=8, max_episode_steps=0, **options)

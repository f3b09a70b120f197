"""What environments show of a game."""

import numpy as np
import pytest

from onirim_env import Game, MaskedSampler, RuleSet, observation_layout
from onirim_env.env import OnirimEnv
from onirim_env.vector import OnirimVectorEnv
from tests.env.same import assert_same


def outside(space, observations, rules):
    """Names and values of the entries that lie outside a space, for the message of a failure."""
    low, high = space.low, space.high
    found = {}
    for row, column in np.argwhere((observations < low) | (observations > high)):
        field = next(field for field in observation_layout(rules) if field.start <= column < field.stop)
        found[f"{field.name} {field.labels[column - field.start]}"] = float(observations[row, column])
    return found


def test_observations_lie_inside_the_space(options):
    env = OnirimVectorEnv(500, autoreset_mode="SameStep", **options)
    sampler = MaskedSampler(seed=0)
    observations, infos = env.reset(seed=0)
    for _ in range(200):
        assert outside(env.observation_space, observations, env.rules) == {}
        observations, _, _, _, infos = env.step(sampler(infos["action_mask"]))
        for last in infos.get("final_obs", ()):
            assert last is None or env.single_observation_space.contains(last)


def test_a_player_sees_the_same_vector_whatever_the_cards_that_the_player_cannot_know(rule_options):
    """Equal bit for bit: a difference in the last digit would tell a network what is hidden."""
    talk = rule_options.pop("talk", "open")
    sampler = MaskedSampler(seed=0)
    for seed in range(40):
        game = Game(RuleSet(**rule_options), seed=seed, talk=talk)
        while not game.over:
            for player in range(game.rules.players):
                other = game.copy()
                other.determinize(player, seed=seed)
                assert_same(other.observation(player), game.observation(player))
            game.apply(sampler(game.action_mask()))


def test_environments_show_what_the_player_to_move_may_know(options):
    env = OnirimEnv(**options)
    sampler = MaskedSampler(seed=0)
    for seed in range(5):
        observation, info = env.reset(seed=seed)
        terminated = False
        while not terminated:
            game = env.game
            assert_same(observation, game.observation(game.player))
            assert info.get("player", 0) == game.player
            observation, _, terminated, _, info = env.step(sampler(info["action_mask"]))


@pytest.mark.parametrize("talk", ["open", "closed"])
def test_the_partners_cards_are_hidden_in_closed_talk_alone(talk):
    env = OnirimEnv(players=2, talk=talk, draft="dealt")
    env.reset(seed=0)
    seen = env.game.describe()
    hand = env.game.position()["players"][1]["hand"]
    assert sum(seen["partner_hand"].values()) + seen["partner_hidden"].get("cards", 0) == len(hand)
    sampler = MaskedSampler(seed=0)
    hidden = 0
    for seed in range(10):
        info = env.reset(seed=seed)[1]
        terminated = False
        while not terminated:
            hidden += env.game.describe()["partner_hidden"].get("cards", 0)
            _, _, terminated, _, info = env.step(sampler(info["action_mask"]))
    assert (hidden > 0) == (talk == "closed")

"""Deals, draws and shuffles are uniform, and random games are distributed as the model's."""

import random

import numpy as np
import pytest
from scipy import stats

from onirim_env import Game, MaskedSampler
from onirim_env.cards import KIND_COUNTS, N_LOCATION_KINDS, N_LOCATIONS, SOLO_HAND
from onirim_env.vector import OnirimVectorEnv
from tests.long import long_after
from tests.model.game import PlainGame

LEAST_P = 1e-4
"""Seeds are fixed, so a test either always passes or never does; this is how unlikely is too much."""


def dealt_states(n, **rules):
    env = OnirimVectorEnv(num_envs=n, **rules)
    env.reset(seed=0)
    return env._batch.states


def test_opening_hands_hold_each_location_as_often_as_the_deck_has_it():
    states = dealt_states(20_000)
    kinds = states["hand"][:, 0, :SOLO_HAND].ravel()
    counts = np.bincount(kinds, minlength=N_LOCATION_KINDS)
    expected = np.array(KIND_COUNTS[:N_LOCATION_KINDS]) / N_LOCATIONS * counts.sum()
    assert stats.chisquare(counts, expected).pvalue > LEAST_P


def test_face_up_cards_of_co_op_are_as_frequent_as_the_deck_has_them():
    states = dealt_states(10_000, players=2)
    counts = np.bincount(states["hand"][:, 2, :8].ravel(), minlength=N_LOCATION_KINDS)
    expected = np.array(KIND_COUNTS[:N_LOCATION_KINDS]) / N_LOCATIONS * counts.sum()
    assert stats.chisquare(counts, expected).pvalue > LEAST_P


def test_every_card_may_lie_at_every_place_of_the_deck():
    places = {"nightmare": np.zeros(71), "red door": np.zeros(71)}
    for seed in range(3000):
        for place, card in enumerate(Game(seed=seed).position()["deck"]):
            if card in places:
                places[card][place] += 1
    for counts in places.values():
        assert stats.chisquare(counts).pvalue > LEAST_P


def test_the_deck_is_uniform_again_after_limbo_is_shuffled_in():
    position = {
        "players": [{"hand": ["red sun", "red sun", "red sun", "blue sun", "blue sun"]}],
        "deck": ["red door", "green moon", "blue moon", "brown moon", "green key", "red key"],
    }
    places = np.zeros(5)
    for seed in range(4000):
        game = Game.from_position(position, seed=seed)
        game.apply("discard red sun")
        places[game.position()["deck"].index("red door")] += 1
    assert stats.chisquare(places).pvalue > LEAST_P


def test_the_deck_is_uniform_again_after_a_search():
    position = {
        "rules": {"series_search": "choice"},
        "players": [{"row": ["red sun", "red moon"], "hand": ["red sun"] * 3 + ["blue sun"] * 2}],
        "deck": ["green moon", "blue moon", "brown moon", "green key", "red key", "red moon"],
    }  # fmt: skip
    drawn = {}
    for seed in range(4000):
        game = Game.from_position(position, seed=seed)
        game.apply("play red sun")
        game.apply("search")
        card = game.position()["players"][0]["hand"][-1]
        drawn[card] = drawn.get(card, 0) + 1
    assert len(drawn) == 6
    assert stats.chisquare(list(drawn.values())).pvalue > LEAST_P


@pytest.mark.parametrize("games", long_after(1, [400, 1500]))
@pytest.mark.parametrize("players", [1, 2])
def test_random_games_of_engine_and_model_end_alike(players, games):
    engine = engine_games(players, 6000)
    model = model_games(players, games)
    for name in ("turns", "doors", "decisions", "deck"):
        edges = np.unique(np.quantile(np.concatenate([engine[name], model[name]]), np.linspace(0, 1, 11)))
        edges = np.append(edges, edges[-1] + 1)
        table = [np.histogram(games[name], edges)[0] for games in (engine, model)]
        table = np.array(table)[:, np.sum(table, axis=0) > 10]
        assert stats.chi2_contingency(table).pvalue > LEAST_P, name


def engine_games(players, n):
    env = OnirimVectorEnv(num_envs=n, players=players, autoreset_mode="disabled")
    sampler = MaskedSampler(seed=3)
    _, infos = env.reset(seed=10_000)
    decisions = np.zeros(n, dtype=np.int64)
    batch = env._batch
    while not batch.ended.all():
        decisions += ~batch.ended
        infos["action_mask"] = batch.step(sampler(infos["action_mask"]))[1]
    results = batch.results()
    return {
        "turns": results["turns"],
        "doors": results["doors"],
        "decisions": decisions,
        "deck": batch.states["deck_size"],
    }


def model_games(players, n):
    rng = random.Random(11)
    games = {"turns": [], "doors": [], "decisions": [], "deck": []}
    for _ in range(n):
        game = PlainGame.deal({"players": players}, rng)
        decisions = 0
        while game.phase not in ("won", "lost"):
            game.apply(rng.choice(game.legal()))
            decisions += 1
        games["turns"].append(game.turns)
        games["doors"].append(sum(len(player["doors"]) for player in game.players))
        games["decisions"].append(decisions)
        games["deck"].append(len(game.deck))
    return {name: np.array(values) for name, values in games.items()}


def test_random_games_bring_few_doors_and_about_29_turns():
    # The model, written apart from the engine, gives 0.45 Doors and 28.8 turns as well.
    games = engine_games(1, 6000)
    assert abs(games["turns"].mean() - 28.8) < 0.4
    assert abs(games["doors"].mean() - 0.45) < 0.04

from __future__ import annotations

import json
from collections import Counter

import numpy as np
import pytest

from agents.compiled.rules_view import UNKNOWN, VIEW, read_views
from agents.compiled.rules_weights import WEIGHTS, weights_for
from agents.rules_agent import RulesAgent
from onirim_env import Game, MaskedSampler
from onirim_env.cards import COLOURS, KIND_NAMES, LOCATION_NAMES
from onirim_env.rules import RuleSet


def view_of(game):
    views = np.zeros(1, dtype=VIEW)
    doors_to_win = 2 // game.rules.players
    whole_prophecies = game.rules.prophecy_actions == "permutation"
    read_views(game.observation()[None], doors_to_win, whole_prophecies, views)
    return views[0]


@pytest.mark.parametrize("prophecy_actions", ["sequential", "permutation"])
@pytest.mark.parametrize("players", [1, 2])
def test_a_view_says_what_the_position_says(players, prophecy_actions):
    sampler = MaskedSampler(seed=1)
    rules = RuleSet(players=players, prophecy_actions=prophecy_actions)
    for seed in range(20):
        game = Game(rules, seed)
        while not game.over:
            position, view = game.position(), view_of(game)
            own = position["players"][game.player]
            shared = position["shared"] if game.phase != "draft" else []
            deck = Counter(position["deck"] + position["revealed"] + position["placed"])
            assert view["hand"].tolist() == [(own["hand"] + shared).count(name) for name in LOCATION_NAMES]
            assert view["hand_size"] == len(own["hand"] + shared)
            assert view["deck"].tolist() == [deck[name] for name in KIND_NAMES]
            assert view["deck_size"] == deck.total()
            assert view["locations"] == game.cards_left
            doors = [own["doors"].count(f"{colour} door") for colour in COLOURS]
            assert view["wanted"].tolist() == [2 // players - number for number in doors]
            limbo = [position["limbo"].count(f"{colour} door") for colour in COLOURS]
            assert view["limbo"].tolist() == limbo
            assert (view["last"] == UNKNOWN) == (not own["row"])
            game.apply(int(sampler(game.action_mask())))


def action_at(position):
    game = Game.from_position(position, seed=1)
    agent = RulesAgent(game.rules)
    return game.table.text(int(agent.act(game.observation()[None], game.action_mask()[None])[0]))


def solo(row, hand, **more):
    return {"rules": {"players": 1}, "players": [{"row": row, "hand": hand, "doors": []}], **more}


def test_completes_a_series():
    hand = ["red moon", "blue moon", "green sun", "brown sun", "blue key"]
    assert action_at(solo(["red moon", "red sun"], hand)) == "play red moon"


def test_opens_a_door():
    hand = ["red key", "blue sun", "green sun", "brown sun"]
    assert action_at(solo([], hand, phase="door", drawn="red door")) == "open door"


def test_discards_a_nightmare_by_a_prophecy():
    revealed = ["red sun", "nightmare", "blue moon", "red door", "green sun"]
    hand = ["red sun", "blue sun", "green sun", "brown sun"]
    position = solo([], hand, phase="prophecy_discard", revealed=revealed)
    assert action_at(position) == "prophecy discard nightmare"


def test_weights_have_exactly_their_names():
    weights = weights_for(1)
    assert weights.keys() == WEIGHTS.keys()
    RulesAgent(weights=weights)
    weights["nonsense"] = 1.0
    with pytest.raises(ValueError, match="these differ: nonsense"):
        RulesAgent(weights=weights)


def test_tuning_writes_weights(tmp_path, monkeypatch):
    pytest.importorskip("cma")
    from agents import tune

    file = tmp_path / "weights.json"
    monkeypatch.setattr(tune, "CHECK_GAMES", 20)
    command = [str(file), "--minutes", "0.001", "--games", "10", "--population", "4"]
    assert tune.main(command) == 0
    assert json.loads(file.read_text()).keys() == WEIGHTS.keys()

"""What the rules agent and the search do where an expansion offers something that is plainly good."""

from __future__ import annotations

import numpy as np
import pytest

from agents.base import Misfit, decide
from agents.games import agent_seeds
from agents.registry import load_agent
from onirim_env import Game
from onirim_env.cards import COLOURS

HAND = ["red sun", "blue sun", "green sun", "brown moon", "brown sun"]


def choice(position, name="rules", **rules):
    position = {"rules": {"players": 1, **rules}, **position}
    game = Game.from_position(position, seed=1)
    agent = load_agent(name, rules=game.rules)
    agent.start(np.zeros(1, dtype=np.int64), agent_seeds(np.array([5])))
    games = [game.copy()] if agent.needs_games else None
    return game.table.text(int(decide(agent, game.observation()[None], game.action_mask()[None], games)[0]))


def solo(hand, **more):
    return {"players": [{"row": [], "hand": hand, "doors": []}], **more}


NEARLY_ALIGNED = {
    "hand": ["brown tower 5", "red sun", "blue sun", "green sun", "brown sun"],
    "towers": ["red tower 5", "green tower 5", "blue tower 5"],
}


def test_rules_place_the_tower_that_completes_an_alignment():
    hand = NEARLY_ALIGNED["hand"]
    position = solo(hand, towers=NEARLY_ALIGNED["towers"])
    assert choice(position, expansions=["towers"]).startswith("place brown tower 5")


def test_the_search_places_the_tower_that_wins():
    doors = [f"{colour} door" for colour in COLOURS for _ in range(2)]
    players = [{"row": [], "hand": NEARLY_ALIGNED["hand"], "doors": doors}]
    position = {"players": players, "towers": NEARLY_ALIGNED["towers"]}
    chosen = choice(position, "search[playouts=50]", expansions=["towers"])
    assert chosen.startswith("place brown tower 5")


def test_rules_take_the_door_of_an_incantation():
    revealed = ["red sun", "nightmare", "blue door", "red moon", "green sun"]
    position = solo(HAND[:4], phase="incantation", revealed=revealed)
    assert choice(position, expansions=["glyphs"]) == "incantation take blue door"


def test_rules_answer_a_nightmare_with_the_mirror():
    hand = HAND[:4]
    players = [{"row": [], "hand": hand, "doors": ["red door"], "denizens": ["mirror"]}]
    position = {"players": players, "phase": "nightmare", "drawn": "nightmare"}
    assert choice(position, expansions=["oniverse"]) == "mirror"


def test_rules_escape_from_a_hand_of_dead_ends():
    assert choice(solo(["dead end"] * 4 + ["red sun"]), expansions=["crossroads"]) != "discard red sun"
    assert choice(solo(["dead end"] * 5), expansions=["crossroads"]) == "escape"


def test_rules_extend_a_series_by_a_crossroad():
    players = [
        {
            "row": ["red sun", "red moon"],
            "hand": ["crossroad sun", "blue moon", "green moon", "brown moon", "blue key"],
            "doors": [],
        }
    ]
    assert choice({"players": players}, expansions=["crossroads"]) == "play crossroad sun"


@pytest.mark.parametrize("name", ["ppo_solo", "guided"])
def test_trained_networks_refuse_expansions_in_one_line(name):
    with pytest.raises(Misfit) as refusal:
        choice(solo(["red sun"] * 2 + HAND[1:4]), name, expansions=["towers"])
    assert "\n" not in str(refusal.value)

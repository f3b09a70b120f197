"""The acceptance cases of the rules, through Game and through the environment."""

import json
from collections import Counter
from pathlib import Path

import gymnasium as gym
import pytest

from onirim_env import Game

CASES = json.loads((Path(__file__).parent.parent / "model" / "cases.json").read_text(encoding="utf-8"))
SOLO = [case for case in CASES if case["position"].get("rules", {}).get("players", 1) == 1]


def name_of(case):
    return f"{case['rule']} {case['name']}"


def check(expect, before, mover, position, legal):
    """Compare what a case expects with a position and its legal texts."""
    players = position["players"]
    discarded = Counter(position["discard"]) - Counter(before["discard"])
    found = {
        "phase": position["phase"],
        "to_move": position["to_move"],
        "doors": [sorted(player["doors"]) for player in players],
        "doors_size": sum(len(player["doors"]) for player in players),
        "deck": position["deck"],
        "deck_size": len(position["deck"]),
        "known": position["known"],
        "limbo": sorted(position["limbo"]),
        "hand": sorted(players[mover]["hand"]),
        "hands": [sorted(player["hand"]) for player in players],
        "shared": sorted(position["shared"]),
        "discarded": sorted(discarded.elements()),
        "legal": sorted(legal),
    }
    for key, wanted in expect.items():
        if key == "legal_has":
            assert set(wanted) <= set(legal), key
        elif key == "legal_lacks":
            assert not set(wanted) & set(legal), key
        elif key == "deck_counts":
            assert {name: position["deck"].count(name) for name in wanted} == wanted, key
        elif key == "doors":
            wanted = wanted if len(players) > 1 else [wanted]
            assert found[key] == [sorted(doors) for doors in wanted], key
        elif key == "hands":
            assert found[key] == [sorted(hand) for hand in wanted], key
        elif key == "shown":
            continue  # of a game, not of a position: check_shown
        elif key in ("phase", "to_move", "doors_size", "deck", "deck_size", "known"):
            assert found[key] == wanted, key
        else:
            assert found[key] == sorted(wanted), key


def check_shown(expect, game):
    """Compare what each player is shown, where a case says it: for each, some fields of the observation."""
    for player, fields in enumerate(expect.get("shown", [])):
        seen = game.describe(player)
        assert {field: seen[field] for field in fields} == fields, f"shown to player {player}"


def test_every_case_expects_something_that_is_checked():
    known = {"phase", "to_move", "legal", "legal_has", "legal_lacks", "doors", "doors_size", "deck"}
    known |= {"deck_size", "deck_counts", "limbo", "hand", "hands", "shared", "discarded", "known", "shown"}
    assert len(CASES) == 73 and len(SOLO) > 40
    for case in CASES:
        assert case["expect"] and set(case["expect"]) <= known


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_case_through_game(case):
    game = Game.from_position(case["position"], talk=case.get("talk", "open"))
    before, mover = game.position(), game.player
    for text in case["actions"]:
        game.apply(text)
    check(case["expect"], before, mover, game.position(), game.legal_texts())
    check_shown(case["expect"], game)


@pytest.mark.parametrize("case", SOLO, ids=name_of)
def test_case_through_the_environment(case):
    env = gym.make("Onirim-v0", illegal_action="raise", **case["position"].get("rules", {}))
    _, info = env.reset(seed=5, options={"position": case["position"]})
    table = env.unwrapped.game.table
    before = env.unwrapped.game.position()
    for text in case["actions"]:
        action = table.id(text)
        assert info["action_mask"][action] == 1
        _, _, terminated, _, info = env.step(action)
    position = env.unwrapped.game.position()
    over = position["phase"] in ("won", "lost")
    assert not case["actions"] or terminated == over
    legal = [] if over else [table.text(action) for action in info["action_mask"].nonzero()[0]]
    check(case["expect"], before, 0, position, legal)

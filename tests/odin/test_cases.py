"""The acceptance cases of the rules: a position, actions, and what is expected then."""

import json
from pathlib import Path

import pytest

from onirim_env.odin import (
    ActionTable,
    Game,
    IllegalAction,
    PositionError,
    final_rewards,
    hand_rewards,
    observation_layout,
)

CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))
FIELDS = {
    "phase",
    "to_move",
    "leader",
    "owner",
    "hand_leader",
    "passed",
    "table",
    "beaten",
    "chosen",
    "hands_played",
}


def hands_of(position, field="hand"):
    return [set(player[field]) for player in position["players"]]


def check(expect, before, after, game):
    """Compare what a case expects with the game at its end."""
    for name in FIELDS & set(expect):
        found, wanted = after[name], expect[name]
        assert sorted(found) == sorted(wanted) if isinstance(wanted, list) else found == wanted, name
    if "legal" in expect:
        assert sorted(game.legal_texts()) == sorted(expect["legal"])
    assert set(expect.get("legal_has", ())) <= set(game.legal_texts())
    assert not set(expect.get("legal_lacks", ())) & set(game.legal_texts())
    mover = before["to_move"]
    checks = {
        "hand": lambda: set(after["players"][mover]["hand"]),
        "hands": lambda: hands_of(after),
        "hand_sizes": lambda: [len(hand) for hand in hands_of(after)],
        "public": lambda: hands_of(after, "public"),
        "points": lambda: game.points,
        "undealt_size": lambda: len(after["undealt"]),
        "discard": lambda: set(after["discard"]),
        "discarded": lambda: set(after["discard"]) - set(before["discard"]),
        "winners": lambda: game.winners,
        "over": lambda: game.over,
    }
    for name, found in checks.items():
        if name in expect:
            wanted = expect[name]
            if name in ("hand", "discard", "discarded"):
                wanted = set(wanted)
            if name in ("hands", "public"):
                wanted = [set(one) for one in wanted]
            assert found() == wanted, name
    for text in expect.get("illegal", ()):
        position = game.position()
        with pytest.raises(IllegalAction):
            game.apply(text)
        assert game.position() == position
    for kind, wanted in expect.get("rewards", {}).items():
        assert final_rewards(kind, game.points) == pytest.approx(wanted)
    if "hand_rewards" in expect:
        points, wanted = expect["hand_rewards"]
        assert hand_rewards(points) == pytest.approx(wanted)
    for seen in expect.get("sees", ()):
        assert game.describe(seen["player"])[seen["field"]] == pytest.approx(seen["nonzero"])
    if "blind_to" in expect:
        other = Game.from_position(expect["blind_to"]["position"])
        player = expect["blind_to"]["player"]
        assert game.observation(player).tolist() == other.observation(player).tolist()
    if "size" in expect:
        table = ActionTable(game.rules)
        assert len(table) == expect["size"]["actions"]
        assert observation_layout(game.rules)[-1].stop == expect["size"]["observation"]
        assert {text: table.id_of(text) for text in expect["size"]["ids"]} == expect["size"]["ids"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_case(case):
    expect = case["expect"]
    if "refused" in expect:
        with pytest.raises(PositionError) as error:
            Game.from_position(case["position"])
        for word in expect["refused"]:
            assert word in str(error.value)
        return
    game = Game.from_position(case["position"])
    before = game.position()
    for action in case["actions"]:
        game.apply(action)
    check(expect, before, game.position(), game)


def test_what_cases_expect_is_all_looked_at():
    known = FIELDS | {
        "legal", "legal_has", "legal_lacks", "hand", "hands", "hand_sizes", "public", "points",
        "undealt_size", "discard", "discarded", "winners", "over", "refused", "illegal", "rewards",
        "hand_rewards", "sees", "blind_to", "size",
    }  # fmt: skip
    assert {name for case in CASES for name in case["expect"]} <= known

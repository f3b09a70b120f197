"""Positions and records from anywhere: every field is of its kind, and what is not is said in one line."""

import json
import os
import re
from pathlib import Path
from types import MappingProxyType

import numpy as np
import pytest

from onirim_env import Game, PositionError, RuleSet
from onirim_env.positions.fields import (
    FIELDS,
    KINDS,
    PLAYER_FIELDS,
    PLAYER_KINDS,
    RECORD_KINDS,
    fields_of,
    player_fields_of,
)
from onirim_env.rules import EXPANSIONS

HAND = ["red key", "blue sun", "green sun", "brown sun", "blue moon"]
ALL = {"expansions": list(EXPANSIONS)}
DOCS = Path(__file__).parent.parent.parent / "docs" / "positions.md"
GOALS = [f"{colour} door" for colour in ("red", "blue", "green", "brown")] * 3 + ["oniverse door"]
OF_OTHER_KINDS = {
    "number": (True, 1.0, "1", [1], {}, float("nan"), np.float64(1), b"1"),
    "true or false": (0, 1, "no", "true", [], {}, 1.0),
    "text": (5, True, [], ["red sun"], {}, b"red sun", 1.0),
    "card": (5, True, [], ["red sun"], {}, b"red sun"),
    "list of cards": ("red sun", 5, True, {"red sun": 1}, [5], [None], [["red sun"]], {"red sun"}, b"red"),
    "list of texts": ("red2", 5, True, {"red2": 1}, [5], [None], [["red2"]]),
    "list of lists of cards": ("red sun", 5, True, ["nightmare"], [[5]], [None], {}),
    "list of numbers": ("0", 5, True, ["0"], [True], [0.0], [None], [[0]], {0: 0}),
    "number, or a list of one for each player": ("0", True, 1.0, {}, ["0"], [True], [[True]], [[[0]]]),
    "list of objects": ("x", 5, True, {}, [5], [None], ["x"], [[]]),
    "object": ("x", 5, True, [], [("players", 1)], 0, False, ""),
}  # fmt: skip


def position_with(**fields):
    """A position with all expansions, with one field that is to be looked at."""
    return {"rules": ALL, "players": [{"hand": HAND}], "goals": GOALS, **fields}


def refusal(make, *given):
    with pytest.raises(PositionError) as caught:
        make(*given)
    message = str(caught.value)
    assert "\n" not in message and len(message) < 2000
    return message


def test_the_kinds_are_those_of_every_field_of_the_base_game_and_of_every_expansion():
    rules = RuleSet(**ALL)
    assert sorted(KINDS) == sorted((*FIELDS, *fields_of(rules)))
    assert sorted(PLAYER_KINDS) == sorted((*PLAYER_FIELDS, *player_fields_of(rules)))


def test_the_page_of_positions_says_what_every_field_holds():
    rows = re.findall(
        r"^\|(?: (?:`\w+`)? ?\|)? `(\w+)` \| ([^|]+) \|", DOCS.read_text(encoding="utf-8"), re.M
    )
    for kinds in (KINDS, PLAYER_KINDS, RECORD_KINDS):
        for field, kind in kinds.items():
            assert (field, kind.name) in rows, field
    assert {field for field, _ in rows} == {*KINDS, *PLAYER_KINDS, *RECORD_KINDS}


@pytest.mark.parametrize("field", KINDS)
def test_a_value_of_another_kind_is_refused_by_the_name_of_its_field(field):
    for value in OF_OTHER_KINDS[KINDS[field].name]:
        message = refusal(Game.from_position, position_with(**{field: value}))
        assert message.startswith(field), value


@pytest.mark.parametrize("field", PLAYER_KINDS)
def test_so_it_is_in_a_player(field):
    for value in OF_OTHER_KINDS[PLAYER_KINDS[field].name]:
        message = refusal(Game.from_position, position_with(players=[{"hand": HAND, field: value}]))
        assert message.startswith(f"players[0].{field}"), value


@pytest.mark.parametrize("field", ["rules", "position", "actions", "result"])
def test_so_it_is_in_a_record(field):
    for value in OF_OTHER_KINDS[RECORD_KINDS[field].name]:
        message = refusal(Game.from_record, {"seed": 1, field: value})
        assert message.startswith(field), value


def test_null_is_a_field_that_is_not_given():
    position = Game.from_position(position_with()).position()
    fields = dict.fromkeys((*FIELDS, *fields_of(RuleSet(**ALL))))
    player = dict.fromkeys((*PLAYER_FIELDS, *player_fields_of(RuleSet(**ALL))))
    given = {**fields, **position_with(players=[{**player, "hand": HAND}])}
    again = Game.from_position(given).position()
    assert sorted(again.pop("deck")) == sorted(position.pop("deck"))  # shuffled
    assert again == position
    assert Game.from_record(dict.fromkeys(("rules", "position", "actions", "result"))).turns == 0


def test_tuples_mappings_and_numbers_of_numpy_are_taken_and_kept_as_plain_values():
    position = MappingProxyType(
        {
            "rules": MappingProxyType({"players": np.int64(2)}),
            "players": (
                MappingProxyType({"hand": ("red sun", "red key", "blue moon")}),
                {"hand": ("green sun", np.str_("brown key"), "green moon")},
            ),
            "shared": ("blue key", "brown sun"),
            "turns": np.uint8(3),
            "deck": ("red moon", "nightmare"),
            "known": (np.int8(1), (np.int64(1),)),
            "prophecy_follows": np.bool_(False),
        }
    )
    game = Game.from_position(position)
    assert game.turns == 3 and game.position()["known"] == [1, [1]]
    record = game.record()
    assert Game.from_record(json.loads(json.dumps(record))).record() == record
    assert record["position"]["known"] == [1, [1]]


def test_a_record_keeps_its_position_when_the_one_that_was_given_is_changed():
    position = {"players": [{"hand": list(HAND)}]}
    game = Game.from_position(position)
    position["players"][0]["hand"].clear()
    assert Game.from_record(game.record()) == game


def nested(depth=100_000):
    value = []
    for _ in range(depth):
        value = [value]
    return value


LONG = "x" * 1_000_000


@pytest.mark.parametrize("odd", [nested(), LONG, 10**5000, [LONG] * 50, {LONG: LONG}], ids=type)
def test_whatever_is_given_is_repeated_in_part_only(odd):
    for field in (*KINDS, "cards"):
        refusal(Game.from_position, position_with(**{field: odd}))
    for field in (*PLAYER_KINDS, "cards"):
        refusal(Game.from_position, position_with(players=[{field: odd}]))
    for field in set(RECORD_KINDS) - ({"seed"} if isinstance(odd, int) else set()):
        refusal(Game.from_record, {field: odd})
    for option in ("players", "draft", "expansions", "hard", "x"):
        refusal(Game.from_position, {"rules": {option: odd}})
    if isinstance(odd, str):
        refusal(Game.from_position, {odd: 1})
        refusal(Game.from_position, {"rules": {odd: 1}})
        refusal(Game.from_record, {"seed": 1, "actions": [odd]})


@pytest.mark.parametrize("text", ["[" * 100_000 + "]" * 100_000, '{"a":' * 100_000 + "1" + "}" * 100_000])
def test_a_file_that_is_nested_too_deep_is_one_line(tmp_path, text):
    file = tmp_path / "deep.json"
    file.write_text(text)
    for make in (Game.from_position, Game.from_record):
        assert "nested too deep" in refusal(make, file)


@pytest.mark.parametrize("make", [Game.from_position, Game.from_record])
def test_only_plain_files_are_read(tmp_path, make):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path, reason in (
        ("/dev/zero", "a device or a pipe"),
        (pipe, "a device or a pipe"),
        (tmp_path, "a folder"),
        (tmp_path / "none.json", "No such file"),
        (tmp_path / ("n" * 300), "too long"),
        ("a\0b", "null byte"),
    ):
        assert reason in refusal(make, path)


def test_a_huge_file_is_refused(tmp_path):
    file = tmp_path / "huge.json"
    with file.open("wb") as opened:
        opened.truncate(20_000_000)
    assert "too large" in refusal(Game.from_position, file)


@pytest.mark.parametrize("path", ["/dev/zero", "position.json", Path("position.json")])
def test_a_position_in_a_record_is_no_path(path):
    assert refusal(Game.from_record, {"position": path, "actions": []}).startswith("position: a dict, not ")


def test_a_byte_order_mark_is_read_over(tmp_path):
    file = tmp_path / "position.json"
    file.write_bytes(b"\xef\xbb\xbf" + json.dumps({"players": [{"hand": HAND}]}).encode())
    assert Game.from_position(file).position()["players"][0]["hand"] == HAND


def test_the_fields_of_a_result_are_checked():
    record = {"seed": 1, "result": {"won": False, "doors": np.array([1, 2])}}
    assert refusal(Game.from_record, record).startswith("result.doors: a number, not")
    assert "'score'" in refusal(Game.from_record, {"seed": 1, "result": {"score": 1}})

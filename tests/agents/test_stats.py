from __future__ import annotations

import json
import sys

import numpy as np
import pytest

from agents.__main__ import main
from agents.base import Agent
from agents.measure.evaluation import evaluate
from agents.measure.stats import COUNT_NAMES, Tally, collect
from agents.measure.stats_report import SECTIONS, draw, report
from agents.registry import load_agent
from onirim_env import Game
from onirim_env.cards import KEYS, N_COLOURS, NIGHTMARE
from onirim_env.rules import RuleSet

RESULTS = ("won", "doors", "cards_left", "turns")

EVERYTHING_ONCE = {
    "players": [
        {
            "row": ["red sun", "red moon"],
            "hand": ["red sun", "blue key", "green key", "brown key", "brown moon"],
        }
    ],
    "deck": [
        "nightmare", "green sun", "blue door", "red key", "nightmare",  # the Prophecy
        "nightmare", "nightmare",
        "red sun", "blue key", "brown door", "nightmare", "green moon",  # the five revealed
        "brown sun", "red door",
    ],
}  # fmt: skip
"""A game in which each way to gain a Door and to resolve a Nightmare comes once."""

HOW_IT_GOES = [
    "discard brown key",
    "prophecy discard nightmare",
    "prophecy place blue door",
    "prophecy place nightmare",
    "prophecy place red key",  # the green sun follows by itself
    "open door",
    "nightmare discard green key",
    "nightmare return blue door",
    "nightmare reveal five",  # then the brown sun fills the hand
    "play red key",  # the third red card finds the red Door; two Doors and a Nightmare are in the deck
    "nightmare discard hand",  # and no Location is left
]

WHAT_HAPPENS = {
    "decisions": 11,
    "doors_by_series": 1,
    "doors_by_key": 1,
    "keys_prophesying": 1,
    "keys_played": 1,
    "keys_revealed": 1,
    "prophecies": 1,
    "nightmares": 4,
    "nightmares_foreseen": 1,
    "nightmares_by_key": 1,
    "nightmares_by_door": 1,
    "nightmares_by_reveal": 1,
    "nightmares_by_hand": 1,
    "cards_revealed": 3,
    "cards_in_lost_hands": 4,
}


class First(Agent):
    """Takes the first legal action."""

    name = "first"

    def act(self, observations, masks):
        return masks.argmax(axis=1)


class FirstPlanner(First):
    """Takes the first legal action of the games that it is given."""

    name = "first planner"
    needs_games = True

    def act(self, observations, masks, games):
        return np.array([0 if game is None else game.legal_actions()[0] for game in games])


class Interrupted(First):
    """Is interrupted at a decision."""

    def __init__(self, at):
        super().__init__()
        self.left = at

    def act(self, observations, masks):
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt
        return super().act(observations, masks)


def count(position, actions, seed=0):
    """Play actions from a position to its end; return what a tally counted."""
    game = Game.from_position(position, seed)
    tally = Tally(1)
    for text in actions:
        before = game.state
        game.apply(text)
        code = game.table.codes[[game.table.id(text)]]
        tally(np.array([0]), before, code, game.state)
    assert game.over
    return tally.statistics(First(game.rules), np.array([seed]))


def counted(statistics):
    """Return the counts of the only game that are not 0."""
    counts = {name: int(getattr(statistics.counts, name)[0]) for name in COUNT_NAMES}
    return {name: number for name, number in counts.items() if number}


@pytest.mark.parametrize("seed", range(5))
def test_a_game_counted_by_hand(seed):
    statistics = count(EVERYTHING_ONCE, HOW_IT_GOES, seed)
    assert counted(statistics) == WHAT_HAPPENS
    assert (statistics.doors[0], statistics.won[0], statistics.turns[0]) == (1, False, 1)


def test_doors_that_a_play_finds_and_opens_at_once_are_told_apart():
    """O-5: the Key is used by itself, in the same step in which the series finds its Door."""
    position = {
        "rules": {"door_key": "automatic"},
        "players": [
            {
                "row": ["red sun", "red moon"],
                "hand": ["red sun", "red key", "green sun", "blue sun", "brown sun"],
            }
        ],
        "deck": ["red door", "red door"],
    }
    statistics = count(position, ["play red sun"])
    assert counted(statistics) == {"decisions": 1, "doors_by_series": 1, "doors_by_key": 1}
    assert statistics.doors[0] == 2


SEVEN_DOORS = [f"{colour} door" for colour in ("red", "blue", "blue", "green", "green", "brown", "brown")]


@pytest.mark.parametrize(
    ("phase", "hand", "deck", "actions", "counts"),
    [
        (
            {"phase": "door", "drawn": "red door"},
            ["red key", "blue key", "blue sun", "brown sun"],
            [],
            ["refuse door"],
            {"decisions": 1, "doors_refused": 1, "keys_in_hand": 2},
        ),
        (
            {},
            ["red key", "blue sun", "green sun", "brown sun", "red sun"],
            ["blue door"],
            ["discard red key", "prophecy discard blue door"],
            {"decisions": 2, "prophecies": 1, "keys_prophesying": 1, "doors_discarded": 1},
        ),
        (
            {},
            ["red key", "blue sun", "green sun", "brown sun", "red sun"],
            ["blue key"],
            ["discard red key", "prophecy discard blue key"],
            {"decisions": 2, "prophecies": 1, "keys_prophesying": 1, "keys_foreseen": 1},
        ),
        (
            {"phase": "nightmare", "drawn": "nightmare"},
            ["red key", "blue sun", "green sun", "brown sun"],
            ["blue sun"],
            ["nightmare discard hand"],
            {
                "decisions": 1,
                "nightmares": 1,
                "nightmares_by_hand": 1,
                "cards_in_lost_hands": 4,
                "keys_in_lost_hands": 1,
            },
        ),
        (
            {},
            ["red sun", "blue sun", "green sun", "brown sun", "red key"],
            ["brown key", "red door"],
            ["play red sun"],
            {"decisions": 1, "doors_by_series": 1, "keys_in_hand": 1, "keys_in_deck": 1},
        ),
    ],
)
def test_what_else_becomes_of_doors_and_keys(phase, hand, deck, actions, counts):
    player = {"row": ["red sun", "red moon"], "hand": hand, "doors": SEVEN_DOORS}
    if "blue door" in deck:
        player["doors"] = ["red door"]
    assert counted(count({**phase, "players": [player], "deck": deck}, actions)) == counts


@pytest.mark.parametrize("name", ["random", "rules"])
def test_counts_of_every_game_add_up(name, rules_and_talk):
    rules, talk = rules_and_talk
    agent = load_agent(name, rules=rules, talk=talk)
    seeds = np.arange(60)
    tally = Tally(len(seeds))
    nightmares_gone = np.zeros(len(seeds), dtype=np.int64)

    def observer(games, before, codes, after):
        tally(games, before, codes, after)
        nightmares_gone[games] = after["discard"][:, NIGHTMARE]

    evaluation = evaluate(agent, seeds=seeds, batch_size=16, progress=False, observer=observer)
    statistics = tally.statistics(agent, seeds)
    counts = statistics.counts
    for field in RESULTS:
        assert np.array_equal(getattr(statistics, field), getattr(evaluation, field)), field
    assert np.array_equal(counts.decisions, evaluation.decisions)
    gained = counts.doors_by_series + counts.doors_by_key
    assert np.array_equal(gained - counts.nightmares_by_door, statistics.doors)
    ways = [getattr(counts, f"nightmares_by_{way}") for way in ("key", "door", "reveal", "hand")]
    assert np.array_equal(sum(ways), counts.nightmares)
    assert np.array_equal(counts.nightmares + counts.nightmares_foreseen, nightmares_gone)
    keys = [getattr(counts, one) for one in COUNT_NAMES if one.startswith("keys_")]
    assert (sum(keys) + counts.doors_by_key + counts.nightmares_by_key == KEYS * N_COLOURS).all()
    assert min(getattr(counts, one).min() for one in COUNT_NAMES) >= 0
    assert counts.nightmares.sum() > 0 and counts.keys_played.sum() > 0


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("name", ["random", "rules"])
def test_statistics_are_equal_for_every_batch_size(name, players):
    results = [
        collect(name, seeds=range(100, 140), rules=RuleSet(players=players), batch_size=size, progress=False)
        for size in (1, 7, 64)
    ]
    for result in results[1:]:
        assert result.as_dict() == results[0].as_dict()
        for field in COUNT_NAMES:
            assert np.array_equal(getattr(result.counts, field), getattr(results[0].counts, field)), field


def test_a_planner_gets_its_games():
    planned = collect(FirstPlanner(), seeds=range(5), progress=False).as_dict()
    plain = collect(First(), seeds=range(5), progress=False).as_dict()
    assert planned == {**plain, "agent": "first planner"}


def test_an_interrupt_leaves_what_had_ended():
    whole = collect(First(), seeds=range(50), progress=False)
    part = collect(Interrupted(150), seeds=range(50), batch_size=4, progress=False)
    assert part.interrupted and 0 < part.games < 50
    for name in COUNT_NAMES:
        assert np.array_equal(getattr(part.counts, name), getattr(whole.counts, name)[part.seeds]), name
    assert "interrupted" in report(part).splitlines()[0]


def test_nothing_that_had_ended_is_a_report_too(tmp_path):
    pytest.importorskip("matplotlib")
    nothing = collect(Interrupted(1), seeds=range(3), progress=False)
    assert report(nothing) == "first: 0 games; interrupted: games under way are missing"
    draw(nothing, tmp_path / "nothing.png")
    assert nothing.as_dict()["games"] == 0


def test_the_report_has_every_section_and_its_sums():
    statistics = count(EVERYTHING_ONCE, HOW_IT_GOES)
    parts = report(statistics).split("\n\n")[-len(SECTIONS) :]
    for (section, _), part in zip(SECTIONS, parts):
        heading, *lines = part.splitlines()
        assert heading.startswith(section.title) and len(lines) == len(section.lines)
        for line, (name, label) in zip(lines, section.lines):
            assert line.startswith(label)
            assert int(line[len(label) :].split()[0]) == getattr(statistics.counts, name)[0]


def test_the_command_prints_and_writes_json_and_a_picture(capsys, tmp_path):
    pytest.importorskip("matplotlib")
    file, picture = tmp_path / "stats.json", tmp_path / "stats.png"
    command = ["stats", "rules", "--games", "20", "--json", str(file), "--picture", str(picture)]
    assert main(command) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "solo-v1 from seed 1000000000"
    assert printed[1].startswith("rules: 20 games, ")
    expected = collect("rules", seeds=range(10**9, 10**9 + 20), progress=False).as_dict()
    assert json.loads(file.read_text()) == expected
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_command_plays_co_op(capsys):
    assert main(["stats", "rules+random", "--games", "5", "--players", "2", "--talk", "closed"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("coop-closed-v1 from seed 3000000000\nrules+random: 5 games")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("stats nobody", "no agent 'nobody'"),
        ("stats random --games 0", "at least 1, not 0"),
        ("stats random --json no/such/folder/file.json", "no folder"),
        ("stats random --picture no/such/folder/file.png", "no folder"),
        ("stats random --picture file.nonsense", "its ending must be one of"),
    ],
)
def test_bad_input_is_one_line(capsys, command, message):
    if "nonsense" in command:
        pytest.importorskip("matplotlib")
    assert main(command.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ") and len(printed.err.splitlines()) == 1
    assert message in printed.err


def test_without_matplotlib_a_picture_is_refused_in_one_line(capsys, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(["stats", "random", "--games", "3", "--picture", str(tmp_path / "a.png")]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err == "error: --picture needs matplotlib: pip install matplotlib\n"
    assert main(["stats", "random", "--games", "3"]) == 0

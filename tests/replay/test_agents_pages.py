"""Pages of games that agents play, and of records with an agent's opinion."""

import io
import json
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from agents.__main__ import main
from agents.base import Agent, Misfit
from agents.measure.evaluation import evaluate
from agents.registry import load_agent
from agents.show.play import AgentAtTheTable
from agents.show.replay_page import curve_of
from agents.show.watching import decisions_of, watch
from agents.show.win_chance import WinChance
from onirim_env import Game, RuleSet
from onirim_env.errors import UserError
from onirim_env.play.questions import ask
from onirim_env.play.sitting import hint_lines
from onirim_env.replay.steps import games_of
from tests.long import as_long
from tests.replay.conftest import data_of, opinions, play


def watched(tmp_path, *words):
    page = tmp_path / "game.html"
    assert main(["watch", *words, "--seed", "3", "--html", str(page)]) == 0
    return data_of(page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", ["rules", "ppo_solo", "search[playouts=20]"])
def test_watch_writes_the_game_that_an_evaluation_plays(tmp_path, name):
    replay = watched(tmp_path, name)
    result = evaluate(name, seeds=[3], progress=False)
    assert len(replay["steps"]) == result.decisions[0] + 1
    assert replay["won"] == result.won[0]
    assert replay["title"] == f"Onirim: {name}, solo, seed 3"
    texts = "".join(watch(name, 3))
    assert texts.count("> ") == result.decisions[0]


def test_a_page_has_the_agents_opinion_of_every_choice(tmp_path):
    replay = watched(tmp_path, "ppo_solo")
    assert (replay["adviser"], replay["unit"]) == ("ppo_solo", "probability")
    for step in replay["steps"][:-1]:
        bars = [bar for _, _, bar in step["choices"]]
        assert sum(bars) == pytest.approx(1, abs=0.01)
        assert step["advised"] == step["taken"] == bars.index(max(bars))
    values = replay["curve"]["values"]
    assert replay["curve"]["label"] == WinChance.label
    assert len(values) == len(replay["steps"]) and values[-1] == replay["won"]


def test_each_of_a_pair_gives_its_own_opinion(tmp_path):
    replay = watched(tmp_path, "rules+random", "--players", "2", "--talk", "closed")
    assert replay["names"] == ["player 0 (rules)", "player 1 (random)"] and replay["closed"]
    for step in replay["steps"][:-1]:
        assert {len(choice) for choice in step["choices"]} == {3 if step["player"] == 0 else 1}


def test_asking_for_opinions_does_not_change_the_game():
    for name in ("rules", "search[playouts=20]"):
        actions = [
            [decision.action for decision in decisions_of(load_agent(name), 4, advise=advise)]
            for advise in (False, True)
        ]
        assert actions[0] == actions[1]


def test_a_stored_record_gets_an_agents_opinion(record_file, tmp_path, capsys):
    page = tmp_path / "game.html"
    assert main(["replay", str(record_file), "--hint", "ppo_solo", "--html", str(page)]) == 0
    replay = data_of(page.read_text(encoding="utf-8"))
    assert replay["names"] == ["player 0"] and replay["adviser"] == "ppo_solo"
    assert len(replay["steps"]) == len(json.loads(record_file.read_text())["actions"]) + 1
    assert any(step["advised"] != step["taken"] for step in replay["steps"])
    assert str(page) in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("watch nobody --html game.html", "no agent 'nobody'"),
        ("watch rules --html no/such/game.html", "there is no folder"),
        ("watch rules --html game.json", "is no replay page"),
        ("replay none.json --hint rules --html game.html", "No such file"),
        ("replay game.json --hint ppo_coop_open --html game.html", "model ppo_coop_open is for"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(record_file, tmp_path, monkeypatch, capsys, words, message):
    monkeypatch.chdir(tmp_path)
    assert main(words.split()) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_the_chance_to_win_is_a_chance():
    for players, talk in ((1, "open"), (2, "closed")):
        game = Game(RuleSet(players=players), 1, talk=talk)
        chance = WinChance(game.rules, talk)
        while not game.over:
            before = game.copy()
            assert 0 <= chance(game) <= 1
            assert game == before
            game.apply(game.legal_texts()[-1])
        assert chance(game) == float(game.won)


def test_the_chance_to_win_rises_with_the_doors():
    chances = []
    for doors in (1, 4, 7):
        names = ["red door", "red door", "blue door", "blue door", "green door", "green door", "brown door"]
        position = {"players": [{"hand": ["red sun"] * 5, "doors": names[:doors]}]}
        game = Game.from_position(position, 1)
        chances.append(WinChance(game.rules, "open")(game))
    assert chances == sorted(chances) and chances[-1] > chances[0] + 0.1


def test_the_chance_to_win_of_a_game_with_expansions_is_that_of_its_own_network():
    """More Doors are better; but with the Towers a win is further away than in the base game."""
    names = ["red door", "red door", "blue door", "blue door", "green door", "green door", "brown door"]
    chances = {}
    for expansions in ((), ("towers",)):
        for doors in (1, 7):
            position = {
                "rules": {"expansions": list(expansions)},
                "players": [{"hand": ["red sun"] * 5, "doors": names[:doors]}],
            }
            game = Game.from_position(position, 1)
            chances[expansions, doors] = WinChance(game.rules, "open")(game)
    assert chances[("towers",), 7] > chances[("towers",), 1]
    assert chances[("towers",), 7] < chances[(), 7]


def test_an_agent_that_tells_chances_to_win_gets_a_curve_of_its_own():
    games = games_of(play("solo_default").record())
    advices = opinions(games, unit="win chance")
    curve, _ = curve_of(games, advices)
    assert "critic" in curve.label
    assert curve.values[:-1] == [max(advice.values.values()) for advice in advices[:-1]]
    assert curve.values[-1] == games[-1].won
    assert curve_of(games, [None, *advices[1:]])[0].label == WinChance.label


def test_the_curve_of_an_agent_is_that_of_what_it_takes_not_of_a_luckier_choice_that_it_dropped():
    games = games_of(play("solo_default").record())
    advices = [
        one and replace(one, values={**one.values, one.action: 0.1}, playouts=dict.fromkeys(one.values, 3))
        for one in opinions(games, unit="win chance")
    ]
    assert set(curve_of(games, advices)[0].values[:-1]) == {0.1}


UNKNOWN = [
    ({"players": 2, "expansions": ["towers", "glyphs"]}, "expansions for two players"),
    ({"players": 2, "duplicate_door": "kept"}, "duplicate_door=kept"),
    ({"door_key": "automatic", "nightmare_return_door": False}, "door_key=automatic, nightmare_return_door="),
    ({"expansions": ["towers"], "false_destruction": "forced_only"}, "false_destruction=forced_only"),
]


@pytest.mark.parametrize(("options", "what"), UNKNOWN, ids=lambda one: str(one)[:30])
def test_rules_that_no_network_has_learned_have_no_chance_to_win(options, what, capsys, tmp_path):
    """The page has no curve then, and says so; so does the command line."""
    rules = RuleSet(**options)
    with pytest.raises(Misfit, match=what):
        WinChance(rules, "open")
    game, page = Game(rules, 3), tmp_path / "game.html"
    for _ in range(4):
        game.apply(game.legal_texts()[-1])
    record = tmp_path / "game.json"
    record.write_text(json.dumps(game.record()))
    assert main(["replay", str(record), "--hint", "rules", "--html", str(page)]) == 0
    replay = data_of(page.read_text(encoding="utf-8"))
    assert replay["curve"] is None and what in replay["note"]
    assert what in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        {"prophecy_actions": "permutation"},
        {"players": 2, "draft": "dealt"},
        {"duplicate_door": "kept"},  # for two players only
        {"expansions": ["oniverse", "towers"], "hard": ["towers"]},
    ],
    ids=str,
)
def test_options_that_leave_a_turn_as_it_is_have_a_chance_to_win(options):
    game = Game(RuleSet(**options), 3)
    assert 0 < WinChance(game.rules, "closed")(game) < 1


@pytest.mark.parametrize(
    ("name", "options", "talk", "what"),
    [
        ("search[playouts=20]", {"duplicate_door": "kept", "players": 2}, "open", "duplicate_door=kept"),
        as_long(("search[playouts=20]", {"players": 2, "expansions": ["towers"]}, "open", "")),  # to the end
        ("search[playouts=20]", {}, "open", ""),
        ("guided[playouts=20]", {"door_key": "automatic"}, "open", "door_key=automatic"),
        ("ppo_solo", {"door_key": "automatic"}, "open", "door_key=automatic"),
        ("ppo_solo", {}, "open", ""),
        ("ppo_coop_open", {"players": 2}, "closed", "closed talk"),
        ("rules", {"players": 2, "duplicate_door": "kept"}, "closed", ""),
    ],
)
def test_an_adviser_says_which_rules_it_does_not_know(name, options, talk, what):
    game = Game(RuleSet(**options), 5, talk=talk)
    advice = AgentAtTheTable(name, game).advise(game)
    assert what in advice.caution and bool(advice.caution) == bool(what)
    assert not what or name in advice.caution
    lines = hint_lines(advice, ask(game))
    assert (f"({advice.caution})" in lines) == bool(what)


def test_the_values_of_a_search_come_with_their_playouts():
    game = Game(seed=3)
    advice = AgentAtTheTable("search[playouts=200]", game).advise(game)
    assert set(advice.playouts) == set(advice.values) == set(game.legal_actions())
    assert advice.playouts[advice.action] == max(advice.playouts.values()) > min(advice.playouts.values())
    lines = hint_lines(advice, ask(game))
    number = game.legal_actions().index(advice.action) + 1
    assert f"/{advice.playouts[advice.action]} win chance  {number} " in lines[1]


class Cheat(Agent):
    """Takes an action that is not legal."""

    name = "cheat"

    def act(self, observations, masks):
        return masks.argmin(axis=1).astype(np.int64)


def test_an_illegal_action_names_agent_seed_and_turn(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    for module in ("agents.show.watching", "agents.show.play", "agents.show.replay_page"):
        monkeypatch.setattr(f"{module}.load_agent", lambda name, rules, talk: Cheat(rules, talk))
    message = r"agent cheat: '.*' is not legal in turn 1 of the game of seed 3: .+; legal are: "
    for words in (["watch", "random"], ["watch", "random", "--html", "game.html"]):
        assert main([*words, "--seed", "3"]) == 2
        error = capsys.readouterr().err
        assert re.search(message, error) and error.count("\n") == 1
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert main(["play", "--partner", "random", "--seat", "1", "--seed", "3"]) == 2
    assert re.search(message, capsys.readouterr().err)
    with pytest.raises(UserError, match=message):
        AgentAtTheTable("random", Game(seed=3)).advise(Game(seed=3))


def test_a_page_of_an_agent_needs_no_torch(tmp_path):
    page = tmp_path / "game.html"
    code = f"""
import sys
sys.modules["torch"] = sys.modules["pygame"] = None
from agents.__main__ import main
sys.exit(main(["watch", "ppo_solo", "--seed", "3", "--html", {str(page)!r}]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert page.exists()

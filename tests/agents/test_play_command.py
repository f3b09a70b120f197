"""Playing with agents: as partners, and for hints."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest

from agents.__main__ import main
from agents.advice import ADVICE_UNITS, Adviser, values_of
from agents.registry import agent_names, load_agent
from agents.show.play import AgentAtTheTable
from onirim_env import Game, RuleSet


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def play(monkeypatch, lines, *options):
    monkeypatch.setattr("sys.stdin", io.StringIO(lines))
    return main(["play", *options])


@pytest.mark.parametrize("seat", ["0", "1"])
def test_a_whole_game_with_a_partner(monkeypatch, capsys, seat):
    options = ["--partner", "rules", "--seat", seat, "--seed", "3", "--talk", "closed"]
    assert play(monkeypatch, "1\n" * 1000, *options) == 0
    printed = capsys.readouterr().out
    assert "You have lost" in printed and "> rules: play" in printed and "> you: play" in printed
    again = "python -m agents play --partner rules"
    assert f"{again}{' --seat 1' if seat == '1' else ''} --talk closed --players 2 --seed 3" in printed


def test_hints_are_given_at_every_decision(monkeypatch, capsys, tmp_path):
    assert play(monkeypatch, "1\nq\n", "--hint", "ppo_solo", "--seed", "3") == 0
    printed = capsys.readouterr().out
    assert printed.count("* is what ppo_solo would do, with its probability of each choice.") == 2
    assert "python -m agents play --hint ppo_solo --load onirim-3.json" in printed
    assert json.loads((tmp_path / "onirim-3.json").read_text())["seed"] == 3


def test_a_partner_needs_two_players(monkeypatch, capsys):
    assert play(monkeypatch, "", "--partner", "rules", "--players", "1") == 2
    assert "--partner is for two players" in capsys.readouterr().err


def test_an_unknown_agent_is_one_line(monkeypatch, capsys):
    assert play(monkeypatch, "", "--hint", "nobody") == 2
    error = capsys.readouterr().err
    assert "no agent 'nobody'" in error and error.count("\n") == 1


@pytest.mark.parametrize("name", agent_names())
def test_advice_agrees_with_what_the_agent_does(name):
    """Of agents with values, the best legal one is the action taken; values leave the agent as it was.

    Searches say more than they do: test_search_agent.py.
    """
    for players in (1, 2):
        try:
            agent = load_agent(name, rules=RuleSet(players=players))
        except ValueError:
            continue
        if not isinstance(agent, Adviser) or agent.needs_games:
            return
        assert agent.advice_unit in ADVICE_UNITS
        game = Game(agent.rules, seed=4)
        while not game.over:
            observation, mask = game.observation(), game.action_mask()
            values = values_of(agent, game)
            action = int(agent.act(observation[None], mask[None])[0])
            assert list(values) == game.legal_actions()
            assert values[action] == max(values.values())
            if agent.advice_unit == "probability":
                assert np.isclose(sum(values.values()), 1.0)
            game.apply(action)


def test_those_who_say_nothing_give_their_action_alone():
    game = Game(seed=3)
    advice = AgentAtTheTable("random", game).advise(game)
    assert advice.values == {} and advice.action in game.legal_actions()

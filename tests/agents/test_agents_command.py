from __future__ import annotations

import json
import subprocess
import sys

import pytest

from agents.__main__ import main
from agents.measure.evaluation import evaluate
from agents.registry import agent_names
from onirim_env import Game


def test_no_command_lists_the_agents(capsys):
    assert main([]) == 0
    listed = capsys.readouterr().out
    assert main(["list"]) == 0
    assert capsys.readouterr().out == listed
    assert [line.split()[0] for line in listed.splitlines()] == agent_names()
    assert "Picks every legal action" in listed


def test_evaluate_prints_a_table_and_writes_json(capsys, tmp_path):
    file = tmp_path / "result.json"
    command = ["evaluate", "rules", "random", "--games", "30", "--json", str(file), "--seed-offset", "5"]
    assert main(command) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "solo-v1: 30 games from seed 1000000005"
    assert [line.split()[0] for line in printed[1:]] == ["agent", "rules", "random"]
    summaries = json.loads(file.read_text())
    assert [summary["agent"] for summary in summaries] == ["rules", "random"]
    assert summaries[0]["first_seed"] == 1_000_000_005


def test_evaluate_plays_co_op(capsys):
    assert main(["evaluate", "rules", "--games", "5", "--players", "2", "--talk", "closed"]) == 0
    assert capsys.readouterr().out.startswith("coop-closed-v1: 5 games from seed 3000000000")


@pytest.mark.parametrize("name", ["random", "rules"])
def test_watch_prints_the_game_that_an_evaluation_plays(capsys, name):
    assert main(["watch", name, "--seed", "3"]) == 0
    printed = capsys.readouterr().out
    texts = [line.split(": ", 1)[1] for line in printed.splitlines() if line.startswith("> ")]
    game = Game(seed=3)
    for text in texts:
        game.apply(text)
    result = evaluate(name, seeds=[3], progress=False)
    assert game.result() == {field: getattr(result, field)[0] for field in game.result()}
    assert len(texts) == result.decisions[0]
    assert game.phase in printed.splitlines()[-1]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("evaluate nobody", f"no agent 'nobody'; agents are {', '.join(agent_names())}"),
        ("evaluate random --games 0", "at least 1, not 0"),
        ("evaluate random --seed-offset -1", "seed offset -1"),
        ("evaluate random --batch-size 0", "--batch-size"),
        ("evaluate random --json no/such/folder/file.json", "no folder"),
        ("watch nobody", "no agent 'nobody'"),
        ("watch random --seed -1", "not -1"),
    ],
)
def test_bad_input_is_one_line(capsys, command, message):
    assert main(command.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert len(printed.err.splitlines()) == 1
    assert message in printed.err


@pytest.mark.parametrize("command", ["--help", "evaluate --help", "watch --help", "list --help"])
def test_every_command_has_help(capsys, command):
    with pytest.raises(SystemExit) as end:
        main(command.split())
    assert end.value.code == 0
    assert "usage: python -m agents" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["nonsense", "evaluate", "watch random --talk loud"])
def test_a_wrong_command_line_ends_with_2(command):
    with pytest.raises(SystemExit) as end:
        main(command.split())
    assert end.value.code == 2


def test_a_reader_that_leaves_early_is_no_error():
    command = f"{sys.executable} -m agents watch random --seed 1 | head -1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    assert done.stderr == ""


def test_evaluate_and_watch_play_expansions(capsys):
    expansions = ["--expansions", "towers", "glyphs", "--hard", "towers"]
    assert main(["evaluate", "rules", "--games", "5", *expansions]) == 0
    title = capsys.readouterr().out.splitlines()[0]
    assert title.startswith("solo-v1, but RuleSet(")
    assert title.endswith(": 5 games from seed 1000000000")
    assert main(["watch", "random", *expansions]) == 0
    assert "tower" in capsys.readouterr().out


def test_an_expansion_that_does_not_exist_is_an_error(capsys):
    with pytest.raises(SystemExit, match="2"):
        main(["evaluate", "rules", "--expansions", "walls"])
    assert "'walls'" in capsys.readouterr().err

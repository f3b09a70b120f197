"""Every command of the README and the docs is one that its program takes; the cheap ones are run."""

import json

import pytest

from onirim_env import Game
from tests.docs.command_lines import check, is_cheap, run
from tests.docs.pages import PAGES, ROOT, commands
from train.errors import UserError

COMMANDS = list(dict.fromkeys(command for page in PAGES for command in commands(page)))


@pytest.mark.parametrize("command", COMMANDS)
def test_command_is_accepted(command, monkeypatch):
    """Those that train or play for minutes are not run, but their programs read every argument."""
    monkeypatch.chdir(ROOT)
    check(command)


@pytest.mark.parametrize("command", [command for command in COMMANDS if is_cheap(command)])
def test_cheap_command_runs(command, monkeypatch, tmp_path, capsys):
    """In a folder that has the record of a game, for commands that take one."""
    (tmp_path / "game.json").write_text(json.dumps(Game(seed=7).record()), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    run(command)
    assert capsys.readouterr().out.strip()


@pytest.mark.parametrize(
    "command",
    [
        "python -m agents evaluate nobody",
        "python -m agents evaluate rules --gamez 3",
        "python -m agents evaluate rules --game odin",
        "python -m agents evaluate search[depth=3]",
        "python -m onirim_env solve",
        "python -m train configs/solo.yaml total_stepz=3",
        "python -m train configs/none.yaml",
        "python -m train.sweep configs/solo.yaml learning_rate=a,b",
        "python -m agents.nothing",
        "python -m pytest tests/nowhere",
        "python examples/nothing.py",
        "make money",
        "pip install .[nothing]",
        "cp agents/nothing.py agents/my_agent.py",
    ],
)
def test_command_that_cannot_be_is_found(command, monkeypatch):
    monkeypatch.chdir(ROOT)
    with pytest.raises((AssertionError, ValueError, OSError, UserError)):
        check(command)

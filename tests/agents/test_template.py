"""The template of an agent and the page about it: who follows the page has an agent that passes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys

import pytest

from agents import FOLDER
from agents.__main__ import _parser
from agents.registry import agent_names, find_agents

ROOT = FOLDER.parent
PAGE = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ *python -m agents (.*)$", PAGE, flags=re.MULTILINE)


@pytest.fixture
def clone(tmp_path):
    """Give a copy of what an agent is made and tested with, in which the template has been copied."""
    ignored = shutil.ignore_patterns("__pycache__", "models")
    shutil.copytree(FOLDER, tmp_path / "agents", ignore=ignored)
    shutil.copytree(ROOT / "tests" / "agents", tmp_path / "tests" / "agents", ignore=ignored)
    for name in ("pyproject.toml", "tests/__init__.py", "tests/long.py"):
        shutil.copy(ROOT / name, tmp_path / name)
    text = (FOLDER / "_template.py").read_text(encoding="utf-8")
    for word, mine in (("class TemplateAgent", "class MyAgent"), ('name = "template"', 'name = "my_agent"')):
        assert text.count(word) == 1
        text = text.replace(word, mine)
    (tmp_path / "agents" / "my_agent.py").write_text(text, encoding="utf-8")
    return tmp_path


def run(clone, *command):
    return subprocess.run([sys.executable, "-m", *command], cwd=clone, capture_output=True, text=True)


def test_the_template_is_not_listed():
    assert "template" not in agent_names()


def test_a_copy_of_the_template_is_listed_under_its_own_name(clone):
    listed = run(clone, "agents", "list").stdout
    assert re.search(r"^my_agent +Plays on in the colour", listed, flags=re.MULTILINE)


@pytest.mark.long
def test_a_copy_of_the_template_passes_what_every_agent_has_to(clone):
    command = ["pytest", "-p", "no:cacheprovider", "tests/agents/test_every_agent.py", "-k", "my_agent"]
    done = run(clone, *command)
    assert done.returncode == 0, done.stdout
    assert int(re.search(r"(\d+) passed", done.stdout).group(1)) >= 15
    assert "skipped" not in done.stdout


def test_files_that_begin_with_an_underscore_are_no_agents(tmp_path):
    shutil.copy(FOLDER / "_template.py", tmp_path)
    assert find_agents(tmp_path) == {}
    shutil.copy(FOLDER / "_template.py", tmp_path / "template.py")
    assert list(find_agents(tmp_path)) == ["template"]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_is_one(command):
    _parser().parse_args(command.split())


def test_every_file_that_the_page_names_is_there():
    assert len(COMMANDS) >= 8
    links = re.findall(r"\]\(([^)]+)\)", PAGE)
    named = re.findall(r"`((?:agents|configs|docs|train)/[\w./]+\.(?:py|md|json|yaml))`", PAGE)
    named += re.findall(r"configs/\w+\.yaml", PAGE)
    assert all((ROOT / "docs" / link.split("#")[0]).is_file() for link in links)
    own = {"agents/my_agent.py", "tests/agents/test_my_agent.py"}
    assert named
    assert all((ROOT / name).is_file() for name in set(named) - own), named


def test_the_sizes_that_the_page_gives_are_those_of_the_solo_game():
    from onirim_env import ActionTable, observation_layout

    assert f"{observation_layout()[-1].stop} numbers in solo" in PAGE
    assert f"{len(ActionTable())} actions in solo" in PAGE

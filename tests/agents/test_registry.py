from __future__ import annotations

import subprocess
import sys

import pytest

from agents import registry
from agents.__main__ import main
from agents.base import Agent
from agents.registry import agent_names, find_agents, load_agent
from onirim_env.rules import RuleSet

CONTRIBUTED = '''
import a_library_that_is_not_here
from agents.base import Agent

class Mine(Agent):
    """Mine in one line.

    More.
    """

    name = "mine"
'''


def test_agents_are_found_by_name():
    assert {"random", "rules"} <= set(agent_names())
    for name in ("random", "rules"):
        agent = load_agent(name, rules=RuleSet(players=2), talk="closed")
        assert isinstance(agent, Agent)
        assert (agent.name, agent.rules, agent.talk) == (name, RuleSet(players=2), "closed")


def test_a_file_with_an_agent_is_found_without_importing_it(tmp_path):
    (tmp_path / "mine.py").write_text(CONTRIBUTED)
    (tmp_path / "other.py").write_text("class NoAgent:\n    name = 'other'\n")
    (entry,) = find_agents(tmp_path).values()
    assert (entry.name, entry.module, entry.class_name) == ("mine", "mine", "Mine")
    assert entry.summary == "Mine in one line."


def test_two_agents_of_one_name_are_refused(tmp_path):
    for file in ("one.py", "two.py"):
        (tmp_path / file).write_text(CONTRIBUTED)
    fault = "two.py and one.py both have an agent 'mine'"
    assert find_agents(tmp_path)["mine"].fault == fault


BAD_FILES = {
    "syntax": (b"class Mine(:\n", "bad.py, line 1: "),
    "no text": (b"\xff\xfe\n", "UTF-8"),
    "a NUL": (b"x = '\0'\n", "bad.py"),
    "nested": (b"x = " + b"(" * 5000 + b")" * 5000, "bad.py"),
    "endless": (b"#" * 2_000_000, "too large"),
}


@pytest.mark.parametrize(("content", "fault"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_file_that_cannot_be_read_leaves_the_other_agents_usable(tmp_path, content, fault):
    (tmp_path / "mine.py").write_text(CONTRIBUTED)
    (tmp_path / "bad.py").write_bytes(content)
    entries = find_agents(tmp_path)
    assert list(entries) == ["bad", "mine"]
    assert entries["mine"].fault is None
    assert fault in entries["bad"].line
    assert "\n" not in entries["bad"].line


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"format": "onirim network 1"}', "[" * 100_000])
def test_a_model_that_cannot_be_read_leaves_the_other_agents_usable(tmp_path, content):
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "bad.json").write_text(content)
    (tmp_path / "mine.py").write_text(CONTRIBUTED)
    entries = find_agents(tmp_path)
    assert entries["mine"].fault is None
    assert "bad.json" in entries["bad"].fault


def test_an_agent_that_cannot_be_used_says_why_in_one_line(tmp_path, monkeypatch, capsys):
    (tmp_path / "bad.py").write_text("class Mine(:\n")
    monkeypatch.setattr(registry, "find_agents", lambda: find_agents(tmp_path))
    monkeypatch.setattr("agents.__main__.find_agents", lambda: find_agents(tmp_path))
    assert main(["list"]) == 0
    assert capsys.readouterr().out.startswith("bad  cannot be used: bad.py, line 1")
    assert main(["evaluate", "bad"]) == 2
    assert capsys.readouterr().err.startswith("error: agent 'bad' cannot be used: bad.py, line 1")


def test_an_unknown_name_lists_the_names():
    with pytest.raises(ValueError, match=f"no agent 'nobody'; agents are {', '.join(agent_names())}"):
        load_agent("nobody")


def test_listing_agents_imports_neither_numba_nor_torch():
    code = "import sys, agents.registry as r; r.agent_names(); print({'numba', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"

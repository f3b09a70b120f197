from __future__ import annotations

import subprocess
import sys

import pytest

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
    with pytest.raises(ValueError, match=r"two\.py and one\.py both have an agent 'mine'"):
        find_agents(tmp_path)


def test_an_unknown_name_lists_the_names():
    with pytest.raises(ValueError, match=f"no agent 'nobody'; agents are {', '.join(agent_names())}"):
        load_agent("nobody")


def test_listing_agents_imports_neither_numba_nor_torch():
    code = "import sys, agents.registry as r; r.agent_names(); print({'numba', 'torch'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"

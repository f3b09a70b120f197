"""Compiling what the tests play with ahead of them: ``python -m tests.compiled``, or ``--all`` for long ones.

Several processes that begin at once would each compile the same. The machine code is kept beside the
sources, as always; where it is there already, this takes some seconds.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

from agents.base import Misfit
from agents.measure.evaluation import evaluate
from agents.registry import agent_names, load_agent, with_settings
from onirim_env import RuleSet, warm_up
from onirim_env.keywords import TALKS
from onirim_env.rules import EXPANSIONS


def compile_agents(names: list[str], players: int, *sets: tuple[str, ...]) -> None:
    """Let agents play a game with each of some sets of expansions."""
    for agent_name, expansions in product(names, sets):
        name = with_settings(agent_name, ["playouts=1"])
        for talk in TALKS[:players]:
            try:
                agent = load_agent(name, rules=RuleSet(players=players, expansions=expansions), talk=talk)
            except Misfit:
                continue
            evaluate(agent, seeds=range(1), progress=False)


def compile_lessons() -> None:
    """Compile what makes lessons for distillation."""
    from agents import FOLDER
    from agents.compiled.lessons import lessons_of
    from agents.guided import guided_tools
    from agents.network_model import read_model

    model = read_model(FOLDER / "models" / "ppo_solo.json")
    tools = guided_tools(model, RuleSet(), FOLDER / "guided_values" / "ppo_solo.npz")
    lessons_of(np.arange(1, dtype=np.uint64), RuleSet(), 1, tools)


if __name__ == "__main__":
    warm_up(expansions=True)
    compile_agents(agent_names(), 1, (), EXPANSIONS)
    compile_agents(["search"], 2, ())
    compile_lessons()
    if sys.argv[1:] == ["--all"]:
        compile_agents(agent_names(), 2, (), EXPANSIONS)

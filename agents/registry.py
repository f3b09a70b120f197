"""Which agents there are, found without importing them.

Every file of this folder that defines an agent has it under the name of its class, and every model in
``models`` is one under the name of its file, played by the network agent.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from agents.base import Agent
from agents.network_model import model_summary, read_about
from agents.pair import SEPARATOR, Pair
from onirim_env.rules import RuleSet

FOLDER = Path(__file__).parent
MODELS = "models"
"""The folder of models inside that of the agents."""


@dataclass(frozen=True)
class Entry:
    """An agent that was found.

    Attributes
    ----------
    name
        The ``name`` of its class, or the name of its model's files.
    module
        Name of its file, without the folder and the ending.
    class_name
        Name of the class.
    summary
        First line of the class docstring, or what the model's file says.
    model
        The JSON file of its model, for a network agent.
    """

    name: str
    module: str
    class_name: str
    summary: str
    model: Path | None = None


def _agent_name(node: ast.ClassDef) -> str | None:
    """Return the literal text that a class gives as its ``name``, if it gives one."""
    for statement in node.body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        named = any(isinstance(target, ast.Name) and target.id == "name" for target in targets)
        if named and isinstance(value, ast.Constant) and isinstance(value.value, str):
            return value.value
    return None


def _is_agent(base: ast.expr) -> bool:
    word = base.attr if isinstance(base, ast.Attribute) else getattr(base, "id", "")
    return word.endswith("Agent")


def find_agents(folder: Path = FOLDER) -> dict[str, Entry]:
    """Return the agents of a folder by name, in alphabetical order.

    An agent is a class with a base whose name ends in ``Agent`` and a literal ``name``, or a JSON
    file in the folder ``models``.

    Raises
    ------
    ValueError
        When two agents have the same name, or a file in ``models`` is no model.
    """
    entries = _find_classes(folder)
    for file in sorted((folder / MODELS).glob("*.json")):
        if file.stem in entries:
            raise ValueError(
                f"{MODELS}/{file.name} and {entries[file.stem].module}.py are both {file.stem!r}"
            )
        summary = model_summary(read_about(file))
        entries[file.stem] = Entry(file.stem, "network_agent", "NetworkAgent", summary, file)
    return dict(sorted(entries.items()))


def _find_classes(folder: Path) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for file in sorted(folder.glob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8"), file.name).body:
            if not isinstance(node, ast.ClassDef) or not any(map(_is_agent, node.bases)):
                continue
            name = _agent_name(node)
            if name is None:
                continue
            if name in entries:
                raise ValueError(f"{file.name} and {entries[name].module}.py both have an agent {name!r}")
            summary = (ast.get_docstring(node) or "").split("\n")[0]
            entries[name] = Entry(name, file.stem, node.name, summary)
    return entries


def agent_names() -> list[str]:
    """Return the names of all agents, in alphabetical order."""
    return list(find_agents())


def load_agent(name: str, *, rules: RuleSet | None = None, talk: str = "open") -> Agent:
    """Return the agent of a name, importing its file.

    Parameters
    ----------
    name
        One of :func:`agent_names`, or two of them for the seats of co-op: ``rules+random``.
    rules, talk
        What it is going to play; the default solo rules when not given.

    Raises
    ------
    Misfit
        When the agent cannot play these rules: a pair in a solo game, a model of other observations.
    ValueError
        For an unknown name; the message lists the names.
    TypeError
        When the class is no :class:`Agent`.
    """
    if SEPARATOR in name:
        return Pair([load_agent(one, rules=rules, talk=talk) for one in name.split(SEPARATOR)])
    entries = find_agents()
    if name not in entries:
        raise ValueError(f"no agent {name!r}; agents are {', '.join(entries)}")
    entry = entries[name]
    agent_class = getattr(import_module(f"{__package__}.{entry.module}"), entry.class_name)
    if not issubclass(agent_class, Agent):
        raise TypeError(f"{entry.class_name} of agents/{entry.module}.py is no subclass of Agent")
    model = {} if entry.model is None else {"model": entry.model}
    agent: Agent = agent_class(rules=rules, talk=talk, **model)
    return agent

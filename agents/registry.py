"""Which agents there are, found without importing them.

Every file of this folder that defines an agent has it under the name of its class, and every model in
``models`` is one under the name of its file, played by the network agent.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from agents.agent_spec import (
    AgentSpec,
    allowed_settings,
    canonical_spec,
    parse_setting,
    parse_specs,
    read_settings,
    settings_text,
)
from agents.base import Agent, Misfit
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
    file in the folder ``models``. Files whose names begin with ``_``, such as the template, have none.

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
    for file in sorted(folder.glob("[!_]*.py")):
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
        One of :func:`agent_names`, which may have settings (``search[playouts=5000]``), or two of
        them for the seats of co-op: ``rules+random``.
    rules, talk
        What it is going to play; the default solo rules when not given.

    Raises
    ------
    Misfit
        When the agent cannot play these rules: a pair in a solo game, a model of other observations.
    ValueError
        For an unknown name or setting, or a bad value; the message lists what there is.
    TypeError
        When the class is no :class:`Agent`.
    """
    agents = [_load_one(spec, rules, talk) for spec in parse_specs(name)]
    return agents[0] if len(agents) == 1 else Pair(agents)


def _load_one(spec: AgentSpec, rules: RuleSet | None, talk: str) -> Agent:
    entry = _entry(spec.name)
    agent_class = _agent_class(entry)
    settings = read_settings(spec, agent_class)
    model = {} if entry.model is None else {"model": entry.model}
    try:
        agent: Agent = agent_class(rules=rules, talk=talk, **model, **settings)
    except Misfit:
        raise
    except ValueError as error:
        if not settings:
            raise
        raise ValueError(f"{spec.text}: {error}; {settings_text(spec.name, agent_class)}") from None
    if settings:
        agent.name = canonical_spec(spec, agent_class).text  # type: ignore[misc]
    return agent


def _entry(name: str) -> Entry:
    entries = find_agents()
    if name not in entries:
        raise ValueError(f"no agent {name!r}; agents are {', '.join(entries)}")
    return entries[name]


def _agent_class(entry: Entry) -> type[Agent]:
    agent_class = getattr(import_module(f"{__package__}.{entry.module}"), entry.class_name)
    if not issubclass(agent_class, Agent):
        raise TypeError(f"{entry.class_name} of agents/{entry.module}.py is no subclass of Agent")
    return agent_class


def resolve_names(names: Sequence[str], settings: Sequence[str] = ()) -> list[str]:
    """Return the canonical names of agents, each with the settings given for all that it has.

    Parameters
    ----------
    names
        As for :func:`load_agent`.
    settings
        Texts ``KEY=VALUE``. One that only some of the agents have is left out for the others.

    Raises
    ------
    ValueError
        As :func:`load_agent`, and for a setting that none of the agents has.
    """
    resolved = [with_settings(name, settings) for name in names]
    if not settings:
        return resolved
    agents = dict.fromkeys(spec.name for name in resolved for spec in parse_specs(name))
    classes = {name: _agent_class(_entry(name)) for name in agents}
    for key, _ in map(parse_setting, settings):
        if not any(key in allowed_settings(agent_class) for agent_class in classes.values()):
            known = [settings_text(name, agent_class) for name, agent_class in classes.items()]
            raise ValueError("; ".join([f"no agent here has a setting {key!r}", *known]))
    return resolved


def with_settings(name: str, settings: Sequence[str]) -> str:
    """Return the canonical name of an agent with those settings that it has, of several texts.

    Of a pair each agent gets them.

    Raises
    ------
    ValueError
        As :func:`load_agent`.
    """
    specs = []
    for spec in parse_specs(name):
        agent_class = _agent_class(_entry(spec.name))
        allowed = allowed_settings(agent_class)
        added = tuple(pair for pair in map(parse_setting, settings) if pair[0] in allowed)
        specs.append(canonical_spec(AgentSpec(spec.name, spec.settings + added), agent_class))
    return SEPARATOR.join(spec.text for spec in specs)

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

from agents import FOLDER
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
from onirim_env.errors import quoted
from onirim_env.files import read_text
from onirim_env.rules import RuleSet

MOST_CODE = 1_000_000
"""How many bytes a file with an agent has at most."""
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
    fault
        Why it cannot be used, in one line: a file that cannot be read, two agents of one name.
    """

    name: str
    module: str
    class_name: str
    summary: str
    model: Path | None = None
    fault: str | None = None

    @property
    def line(self) -> str:
        """What a list says of it."""
        return self.summary if self.fault is None else f"cannot be used: {self.fault}"


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
    A file that cannot be read is an agent of its own name that has a ``fault``; so are two agents of
    one name. The others can be used.
    """
    entries = _find_classes(folder)
    for file in sorted((folder / MODELS).glob("*.json")):
        summary, fault = "", None
        try:
            summary = model_summary(read_about(file))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            fault = str(error) if isinstance(error, ValueError) else f"{file.name} is no model: {error!r}"
        if file.stem in entries:
            fault = f"{MODELS}/{file.name} and {entries[file.stem].module}.py are both {file.stem!r}"
        entries[file.stem] = Entry(file.stem, "network_agent", "NetworkAgent", summary, file, fault)
    return dict(sorted(entries.items()))


def _find_classes(folder: Path) -> dict[str, Entry]:
    entries: dict[str, Entry] = {}
    for file in sorted(folder.glob("[!_]*.py")):
        try:
            classes = _classes_of(file)
        except ValueError as error:
            entries[file.stem] = Entry(file.stem, file.stem, "", "", fault=str(error))
            continue
        for node in classes:
            name = _agent_name(node)
            if name is None:
                continue
            summary = (ast.get_docstring(node) or "").split("\n")[0]
            fault = None
            if name in entries:
                fault = f"{file.name} and {entries[name].module}.py both have an agent {name!r}"
            entries[name] = Entry(name, file.stem, node.name, summary, fault=fault)
    return entries


def _classes_of(file: Path) -> list[ast.ClassDef]:
    """Return the classes of a file whose base is an agent.

    Raises
    ------
    ValueError
        For a file that is no Python; the message names the line.
    """
    try:
        tree = ast.parse(read_text(file, MOST_CODE), file.name)
    except SyntaxError as error:
        raise ValueError(f"{file.name}, line {error.lineno}: {error.msg}") from None
    except RecursionError:
        raise ValueError(f"{file.name} is nested too deep") from None
    return [node for node in tree.body if isinstance(node, ast.ClassDef) and any(map(_is_agent, node.bases))]


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
    return make_agent(_entry(spec.name), spec, rules, talk)


def make_agent(entry: Entry, spec: AgentSpec, rules: RuleSet | None, talk: str) -> Agent:
    """Return the agent of an entry with the settings of a spec; see :func:`load_agent`."""
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
        raise ValueError(f"no agent {quoted(name)}; agents are {', '.join(entries)}")
    entry = entries[name]
    if entry.fault is not None:
        raise ValueError(f"agent {name!r} cannot be used: {entry.fault}")
    return entry


def _agent_class(entry: Entry) -> type[Agent]:
    try:
        agent_class = getattr(import_module(f"{__package__}.{entry.module}"), entry.class_name)
    except ImportError as error:  # a package that it needs, a file that it imports
        raise ImportError(f"agent {entry.name!r} of agents/{entry.module}.py: {error}") from error
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

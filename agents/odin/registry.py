"""Which agents of Odin there are, and how one is made."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from agents.agent_spec import canonical_spec, parse_specs, read_settings
from agents.odin.base import OdinAgent
from agents.registry import Entry, find_agents
from onirim_env.errors import quoted
from onirim_env.odin.rules import RuleSet

FOLDER = Path(__file__).parent


def odin_agents() -> dict[str, Entry]:
    """Return the agents of Odin by name, in alphabetical order."""
    return find_agents(FOLDER)


def load_odin_agent(name: str, rules: RuleSet | None = None) -> OdinAgent:
    """Return the agent of a name, which may have settings: ``search[playouts=400]``.

    Raises
    ------
    ValueError
        For an unknown name or setting, or a bad value; the message lists what there is.
    """
    (spec, *others) = parse_specs(name)
    entries = odin_agents()
    if others or spec.name not in entries:
        raise ValueError(f"no agent {quoted(name)} of Odin; agents are {', '.join(entries)}")
    entry = entries[spec.name]
    if entry.fault is not None:
        raise ValueError(f"agent {spec.name!r} cannot be used: {entry.fault}")
    agent_class = getattr(import_module(f"{__package__}.{entry.module}"), entry.class_name)
    settings = read_settings(spec, agent_class)
    agent: OdinAgent = agent_class(rules, **settings)
    if settings:
        agent.name = canonical_spec(spec, agent_class).text  # type: ignore[misc]
    return agent

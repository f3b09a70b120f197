"""Loading agents for tests that run over all of them."""

from __future__ import annotations

from agents.base import Misfit
from agents.registry import load_agent
from onirim_env.rules import RuleSet


def load_or_refused(name, **options):
    """Load an agent, or return None where it plays other rules and says so in one line."""
    try:
        return load_agent(name, **options)
    except Misfit as misfit:
        message = str(misfit)
        assert name in message and str(options["rules"]) in message and "\n" not in message
        return None


def load_where_it_plays(name):
    """Load an agent for the default rules of the first number of players that it plays."""
    for players in (1, 2):
        agent = load_or_refused(name, rules=RuleSet(players=players))
        if agent is not None:
            return agent
    raise AssertionError(f"{name} plays neither alone nor in co-op")

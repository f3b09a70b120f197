from __future__ import annotations

import pytest

from agents.registry import agent_names, with_settings
from onirim_env.keywords import TALKS
from onirim_env.rules import RuleSet

long = pytest.mark.long

RULE_SETS = {
    "solo": RuleSet(),
    "solo, every option": RuleSet(
        prophecy_discard="optional",
        prophecy_door="protected",
        reveal_short_deck="forbidden",
        door_key="automatic",
        series_search="choice",
        stop_when_unwinnable=True,
        nightmare_return_door=False,
        prophecy_actions="permutation",
    ),
    "solo, optional discard and choice of search": RuleSet(
        prophecy_discard="optional", series_search="choice"
    ),
    "solo, whole Prophecies": RuleSet(prophecy_actions="permutation"),
    "co-op": RuleSet(players=2),
    "co-op, every option": RuleSet(
        players=2,
        prophecy_discard="optional",
        prophecy_door="protected",
        reveal_short_deck="forbidden",
        series_search="choice",
        duplicate_door="kept",
        shared_refill="limbo",
        draft="dealt",
        prophecy_actions="permutation",
    ),
}
"""Rule sets that between them have every value of every option."""


@pytest.fixture(params=agent_names())
def agent_name(request):
    return request.param


GAMES = {
    f"{name}, {talk}": (rules, talk) for name, rules in RULE_SETS.items() for talk in TALKS[: rules.players]
}
"""Rule sets and talks; one player alone has nobody to talk to."""


def with_every_agent(games):
    """Return each agent with each of some named games, for ``parametrize``; a game begins with its players.

    Planners in co-op are ``long``: what they search with is compiled anew for it.
    """
    return [
        pytest.param(
            name, *game, id=f"{name}-{game_name}", marks=long if plans(name) and game[0] == 2 else ()
        )
        for name in agent_names()
        for game_name, game in games.items()
    ]


def plans(agent_name):
    """Whether an agent can be told how much to search."""
    return "playouts" in with_settings(agent_name, ["playouts=1"])


@pytest.fixture(params=GAMES.values(), ids=GAMES)
def rules_and_talk(request):
    return request.param

"""One game of an agent, decision by decision, as text."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from agents.base import Agent, decide
from agents.evaluation import MAX_DECISIONS
from agents.games import SearchableGame, agent_seeds
from agents.registry import load_agent
from onirim_env.rules import RuleSet


def watch(name: str, seed: int, *, rules: RuleSet | None = None, talk: str = "open") -> Iterator[str]:
    """Return the game of a seed as an agent plays it: what it sees, what it does, and the end.

    It is the same game, and the agent decides the same, as in an evaluation of that seed.

    Returns
    -------
    iterator of str
        Plays as it is read.

    Raises
    ------
    ValueError
        For an unknown agent, or a seed that is none.
    RuntimeError
        When the game does not end within ``MAX_DECISIONS``.
    """
    if not 0 <= seed < 2**63:
        raise ValueError(f"a seed must be from 0 to 2**63 - 1, not {seed}")
    return _decisions(load_agent(name, rules=rules, talk=talk), seed)


def _decisions(agent: Agent, seed: int) -> Iterator[str]:
    from onirim_env.render.text import render_text

    table = SearchableGame(seed, agent.rules, agent.talk)
    game = table.game
    agent.start(np.zeros(1, dtype=np.int64), agent_seeds(np.array([seed])))
    for number in range(1, MAX_DECISIONS + 1):
        if game.over:
            break
        yield render_text(game)
        games = [table.for_planner()] if agent.needs_games else None
        players = np.array([game.player])
        action = int(decide(agent, game.observation()[None], game.action_mask()[None], games, players)[0])
        yield f"> {number}: {game.table.text(action)}\n"
        game.apply(action)
    else:
        raise RuntimeError(f"the game of seed {seed} has not ended after {MAX_DECISIONS} decisions")
    yield render_text(game)

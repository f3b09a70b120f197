"""One game of an agent, decision by decision: as text, or as a page for a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from agents.advice import values_of
from agents.base import Agent, decide
from agents.evaluation import MAX_DECISIONS
from agents.games import SearchableGame, agent_seeds, id_in, view_for
from agents.pair import Pair
from agents.registry import load_agent
from onirim_env.play.session import Advice
from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from onirim_env.game import Game


class Decision(NamedTuple):
    """A decision that an agent is about to take.

    Attributes
    ----------
    game
        The game before it, which goes on as the next decision is asked for.
    action
        What it takes; None at the end of the game.
    advice
        The same with what it thinks of each action, where that was asked for.
    """

    game: Game
    action: int | None
    advice: Advice | None


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
    return _texts(decisions_of(load_agent(name, rules=rules, talk=talk), seed))


def _texts(decisions: Iterator[Decision]) -> Iterator[str]:
    from onirim_env.render.text import render_text

    for number, (game, action, _) in enumerate(decisions, start=1):
        yield render_text(game)
        if action is not None:
            yield f"> {number}: {game.table.text(action)}\n"


def decisions_of(agent: Agent, seed: int, *, advise: bool = False) -> Iterator[Decision]:
    """Return the decisions of an agent in the game of a seed, and the end.

    Parameters
    ----------
    agent
        The agent.
    seed
        Seed of the game.
    advise
        Whether to ask what it thinks of the other actions, too.

    Raises
    ------
    ValueError
        For a seed that is none.
    """
    if not 0 <= seed < 2**63:
        raise ValueError(f"a seed must be from 0 to 2**63 - 1, not {seed}")
    return _play(agent, seed, advise)


def _play(agent: Agent, seed: int, advise: bool) -> Iterator[Decision]:
    table = SearchableGame(seed, agent.rules, agent.talk)
    game = table.game
    agent.start(np.zeros(1, dtype=np.int64), agent_seeds(np.array([seed])))
    for _ in range(MAX_DECISIONS):
        if game.over:
            break
        games = [table.for_planner()] if agent.needs_games else None
        observation, mask = view_for(agent, game)
        players = np.array([game.player])
        adviser = agent.partners[game.player] if isinstance(agent, Pair) else agent
        values = {}
        if advise:
            # Games may be changed by who searches them.
            searched = [[one.copy() for one in games]] if games is not None and adviser.needs_games else []
            values = values_of(adviser, game, *searched)
        action = id_in(game, agent, int(decide(agent, observation[None], mask[None], games, players)[0]))
        unit = getattr(adviser, "advice_unit", "score")
        yield Decision(game, action, Advice(adviser.name, action, values, unit) if advise else None)
        game.apply(action)
    else:
        raise RuntimeError(f"the game of seed {seed} has not ended after {MAX_DECISIONS} decisions")
    yield Decision(game, None, None)

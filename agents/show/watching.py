"""One game of an agent, decision by decision: as text, or as a page for a browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from agents.advice import values_of
from agents.base import Agent, decide
from agents.games import SearchableGame, agent_seeds, id_in, view_for
from agents.measure.evaluation import MAX_DECISIONS
from agents.pair import Pair
from agents.registry import load_agent
from agents.show.win_chance import caution_of
from onirim_env.errors import UserError, quoted, told
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


def action_of(agent: Agent, game: Game, games: list[Game | None] | list[Game] | None, seed: int | str) -> int:
    """Return what an agent does in a game, for the player to move, as an id of the game's own table.

    Parameters
    ----------
    agent
        The agent.
    game
        The game.
    games
        A list of one game to search, for a planner.
    seed
        Seed of the game, for the message.

    Raises
    ------
    UserError
        For an action that is not legal; the message names agent, seed and turn.
    """
    observation, mask = view_for(agent, game)
    players = np.array([game.player])
    action = int(decide(agent, observation[None], mask[None], games, players)[0])
    if not 0 <= action < len(mask) or not mask[action]:
        why = game.why_not(agent.table.text(action) if 0 <= action < len(agent.table) else action)
        what = quoted(agent.table.text(action)) if 0 <= action < len(agent.table) else f"action {action}"
        who = _name_in(agent, game)
        raise UserError(
            f"agent {who}: "
            + told(
                what, why, game.legal_texts(), f" in turn {game.turns + 1} of the game of seed {quoted(seed)}"
            )
        )
    return id_in(game, agent, action)


def _name_in(agent: Agent, game: Game) -> str:
    return agent.partners[game.player].name if isinstance(agent, Pair) else agent.name


def advice_before(agent: Agent, game: Game, games: list[Game | None] | list[Game] | None) -> Advice:
    """Return what an agent thinks of each action of a game; which one it takes is not in it yet.

    Parameters are those of :func:`action_of`.
    """
    values = values_of(agent, game, *([] if games is None else [games]))
    unit = getattr(agent, "advice_unit", "score")
    counts = getattr(agent, "advised_playouts", None)
    # An agent that counts playouts does so by its own ids, and for the one game that it was asked about.
    playouts = {} if counts is None else {action: int(counts[0, action]) for action in values}
    return Advice(agent.name, -1, values, unit, playouts, caution_of(agent))


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
        adviser = agent.partners[game.player] if isinstance(agent, Pair) else agent
        # Games may be changed by who searches them.
        searched = [one.copy() for one in games] if games is not None and adviser.needs_games else None
        asked = advice_before(adviser, game, searched) if advise else None
        action = action_of(agent, game, games, seed)
        yield Decision(game, action, None if asked is None else replace(asked, action=action))
        game.apply(action)
    else:
        raise RuntimeError(f"the game of seed {seed} has not ended after {MAX_DECISIONS} decisions")
    yield Decision(game, None, None)

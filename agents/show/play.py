"""``python -m agents play``: a person plays, with an agent as the partner or with its hints."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from agents.agent_spec import add_settings
from agents.base import Agent
from agents.games import agent_seeds
from agents.registry import load_agent, resolve_names
from agents.show.watching import action_of, advice_before
from onirim_env.game import Game
from onirim_env.play.command import add_options, make_session, play
from onirim_env.play.session import Advice, Session
from onirim_env.play.sitting import Helpers


class AgentAtTheTable:
    """An agent that is asked about the game of a person.

    Parameters
    ----------
    name
        Name of the agent.
    game
        The game that it will be asked about, now or later; its rules and talk count.

    Raises
    ------
    ValueError
        For an agent that does not exist or cannot play these rules.
    """

    def __init__(self, name: str, game: Game) -> None:
        self.agent: Agent = load_agent(name, rules=game.rules, talk=game.talk)
        self._seed = int(agent_seeds(np.array([_number(game.record()["seed"])]))[0])
        self.agent.start(np.zeros(1, dtype=np.int64), np.array([self._seed]))

    def move(self, game: Game) -> int:
        """Return what the agent does in a game, for the player to move.

        Raises
        ------
        UserError
            For an action that is not legal; the message names agent, seed and turn.
        """
        return action_of(self.agent, game, self._games(game), game.record()["seed"])

    def advise(self, game: Game) -> Advice:
        """Return what the agent would do in a game, and what it thinks of each action."""
        advice = advice_before(self.agent, game, self._games(game))
        return replace(advice, action=self.move(game))

    def _games(self, game: Game) -> list[Game | None] | None:
        """Return a game to search, for an agent that does: its hidden cards are dealt anew."""
        if not self.agent.needs_games:
            return None
        # The same decision gets the same deal, whatever has been taken back in between.
        sequence = np.random.SeedSequence([self._seed, len(game.record()["actions"])])
        copy = game.copy()
        copy.determinize(game.player, int(sequence.generate_state(1, np.uint64)[0]) >> 1)
        return [copy]


def _number(seed: int | str) -> int:
    """Return a seed as a number that agents can be given."""
    return (int(seed, 16) if isinstance(seed, str) else seed) % 2**63


def add_command(commands: Any) -> None:
    """Add ``play`` to the commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "play",
        help="play in this terminal or in a window, with an agent as partner or with hints",
        description="Play in this terminal or in a window. The agent sees no more than a player in its seat.",
    )
    parser.set_defaults(prepare=prepare)
    add_options(parser)
    parser.add_argument("--partner", metavar="NAME", help="an agent that takes the other seat of co-op")
    parser.add_argument(
        "--seat", type=int, choices=(0, 1), default=0, help="your seat beside it (default: 0)"
    )
    parser.add_argument(
        "--hint",
        metavar="NAME",
        help="an agent that says at every decision what it would do; it may be search",
    )
    add_settings(parser)


def prepare(arguments: argparse.Namespace) -> Callable[[], None]:
    """Return the game of a command line, ready to be played.

    Raises
    ------
    ValueError
        For options that do not go together, and whatever is wrong with a name or a file.
    """
    if arguments.partner is not None and arguments.load is None:
        if arguments.players == 1:
            raise ValueError("--partner is for two players, not for --players 1")
        arguments.players = 2
    roles = {role: getattr(arguments, role) for role in ("partner", "hint")}
    names = [name for name in roles.values() if name is not None]
    roles.update(zip([role for role in roles if roles[role]], resolve_names(names, arguments.settings)))
    session = _session(arguments, roles["partner"])
    seated = {role: AgentAtTheTable(name, session.game) for role, name in roles.items() if name is not None}
    helpers = Helpers(
        partner=seated["partner"].move if "partner" in seated else None,
        adviser=seated[("hint" if "hint" in seated else "partner")].advise if seated else None,
        always="hint" in seated,
    )
    command = ["python", "-m", "agents", "play"]
    for role in seated:
        command += [f"--{role}", str(roles[role])]
    if "partner" in seated and arguments.seat:
        command += ["--seat", str(arguments.seat)]
    return lambda: play(session, arguments, command, helpers)


def _session(arguments: argparse.Namespace, partner: str | None) -> Session:
    if partner is None:
        return make_session(arguments)
    names = [partner, partner]
    names[arguments.seat] = "you"
    session = make_session(arguments, humans={arguments.seat}, names=names)
    if session.game.rules.players == 1:
        raise ValueError("--partner is for two players, and this is a game for one")
    return session

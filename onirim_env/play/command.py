"""The options of ``play`` on a command line, and the game that they ask for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

from gymnasium.error import DependencyNotInstalled

from onirim_env.errors import quoted
from onirim_env.game import Game
from onirim_env.keywords import TALKS
from onirim_env.option_text import add_expansions, expansion_options, read_options
from onirim_env.play.colours import is_terminal
from onirim_env.play.keeping import MAX_SEED
from onirim_env.play.leaving import open_streams
from onirim_env.play.session import Session
from onirim_env.play.sitting import Helpers, Sitting, new_seed
from onirim_env.play.terminal import Terminal
from onirim_env.render import require_pygame
from onirim_env.rules import RuleSet
from onirim_env.warmup import warm_up_game


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options that say which game is played."""
    parser.add_argument(
        "--players", type=int, choices=(1, 2), help="1 is solo (default), 2 two at this terminal"
    )
    parser.add_argument(
        "--talk", choices=TALKS, default="open", help="two players: closed hides the hands (default: open)"
    )
    parser.add_argument("--seed", metavar="N", help="the game to deal; a new one when not given")
    add_expansions(parser, "play with these expansions")
    parser.add_argument(
        "--option", action="append", default=[], dest="options", metavar="NAME=VALUE",
        help="a rule option, as `python -m onirim_env rules` lists them; may be given several times",
    )  # fmt: skip
    parser.add_argument("--load", type=Path, metavar="FILE", help="go on with a saved game")
    parser.add_argument(
        "--window", action="store_true", help="play in a window, with the mouse or with keys (needs pygame)"
    )


def make_session(
    arguments: argparse.Namespace,
    humans: Collection[int] | None = None,
    names: Sequence[str] | None = None,
) -> Session:
    """Return the session that a command line asks for.

    Raises
    ------
    ValueError
        For options that do not go together, a bad seed or option, a file that is no record
        (PositionError is one), a window where there is no pygame or no display.
    """
    if arguments.window:
        _check_window()
    if arguments.load is not None:
        given = {"--seed": arguments.seed, "--option": arguments.options, "--players": arguments.players,
                 "--expansions": arguments.expansions, "--hard": arguments.hard}  # fmt: skip
        for option, value in given.items():
            if value:
                raise ValueError(f"{option} does not go with --load: the file has seed and rules")
        session = Session.load(arguments.load, humans, names, talk=arguments.talk)
        warm_up_game(session.game.rules)
        return session
    options = read_options(arguments.options)
    if arguments.players is not None:
        if options.get("players", arguments.players) != arguments.players:
            raise ValueError(f"--players {arguments.players} and --option players={options['players']}")
        options["players"] = arguments.players
    options.update((name, value) for name, value in expansion_options(arguments).items() if value)
    rules = RuleSet(**options)
    seed = _read_seed(arguments.seed)
    warm_up_game(rules)  # nobody shall wait at the first move
    return Session(Game(rules, seed, talk=arguments.talk), humans, names)


def play(
    session: Session, arguments: argparse.Namespace, command: Sequence[str], helpers: Helpers | None = None
) -> None:
    """Play a session at this terminal, or in a window.

    Parameters
    ----------
    session
        The game.
    arguments
        The command line.
    command
        The words that start such a game again, without those of :func:`add_options`.
    helpers
        Programs at the table.

    Raises
    ------
    KeyboardInterrupt
        After the game has been saved.
    """
    talk = ["--talk", arguments.talk] if session.game.rules.players > 1 and arguments.talk != "open" else []
    if arguments.window:
        from onirim_env.play.window.app import App

        App(Sitting(session, [*command, "--window", *talk], helpers, loaded=arguments.load)).run()
        return
    open_streams()
    if is_terminal(sys.stdin):
        with suppress(ImportError):  # lines can then be edited
            import readline  # noqa: F401
    Terminal(session, [*command, *talk], helpers, loaded=arguments.load).run()


def _check_window() -> None:
    """Raise ValueError, in one line, where no window can be opened."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        require_pygame()
    except DependencyNotInstalled as error:
        raise ValueError(str(error)) from None
    from onirim_env.play.window.app import check_display

    check_display()


def _read_seed(text: str | None) -> int | str:
    if text is None:
        return new_seed()
    try:
        seed = int(text, 0)
    except ValueError:
        seed = -1
    if not 0 <= seed < MAX_SEED << (1 if text.startswith("0x") else 0):
        raise ValueError(f"--seed must be a number from 0 to 2**63 - 1, or a hex text, not {quoted(text)}")
    return text if text.startswith("0x") else seed

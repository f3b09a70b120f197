"""``python -m agents watch`` and ``replay``: games with what an agent thinks of them, as pages."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agents.agent_spec import add_settings
from agents.base import Misfit
from agents.pair import Pair
from agents.registry import load_agent, resolve_names
from onirim_env.play.session import Advice
from onirim_env.replay.command import add_options, written_text
from onirim_env.replay.page import check_page_file, write_page
from onirim_env.replay.steps import Curve, games_of, replay_steps
from onirim_env.rules import RuleSet

if TYPE_CHECKING:
    from onirim_env.game import Game


def add_command(commands: Any) -> None:
    """Add ``replay`` to the commands."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "replay",
        help="write a record as a page, with an agent's opinion of every decision",
        description="Write a record as a page for a browser, with what an agent thinks of every choice.",
    )
    parser.set_defaults(prepare=prepare_replay)
    add_options(parser, html_required=True)
    parser.add_argument("--hint", metavar="NAME", required=True, help="the agent that is asked")
    add_settings(parser)


def prepare_replay(arguments: argparse.Namespace) -> Callable[[], None]:
    """Return what ``replay`` does.

    Raises
    ------
    ValueError
        For a bad record, an agent that cannot play its rules, or a file that may not be written.
    """
    from agents.show.play import AgentAtTheTable

    check_page_file("--html", arguments.html)
    games = games_of(arguments.record, arguments.talk)
    (name,) = resolve_names([arguments.hint], arguments.settings)
    adviser = AgentAtTheTable(name, games[0])

    def run() -> None:
        advices = [None if game.over else adviser.advise(game) for game in games]
        _write(arguments.html, games, (), advices)

    return run


def prepare_watching(
    name: str, seed: int, rules: RuleSet, talk: str, html: Path | None
) -> Callable[[], None]:
    """Return what ``watch`` does: print the game of an agent, or write it.

    Raises
    ------
    ValueError
        For an unknown agent, a seed that is none, or a file that may not be written.
    """
    from agents.show.watching import decisions_of, watch

    if html is None:
        texts = watch(name, seed, rules=rules, talk=talk)
        return lambda: _print(texts)
    check_page_file("--html", html)
    agent = load_agent(name, rules=rules, talk=talk)
    decisions = decisions_of(agent, seed, advise=True)
    seats = [one.name for one in agent.partners] if isinstance(agent, Pair) else [agent.name] * rules.players

    def run() -> None:
        games, advices = [], []
        for game, _, advice in decisions:
            games.append(game.copy())
            advices.append(advice)
        _write(html, games, seats, advices)

    return run


def _print(texts: Iterable[str]) -> None:
    for text in texts:
        print(text)


def _write(file: Path, games: Sequence[Game], seats: Sequence[str], advices: Sequence[Advice | None]) -> None:
    replay = replay_steps(games, seats, advices, *curve_of(games, advices))
    write_page(file, replay)
    print(written_text(file, replay))


def curve_of(games: Sequence[Game], advices: Sequence[Advice | None]) -> tuple[Curve | None, str]:
    """Return the chances to win: those of the adviser where it tells them, else those of a network.

    Returns
    -------
    Curve or None
        None where no network knows the rules.
    str
        Why there is none, in a sentence; empty where there is one.
    """
    from agents.show.win_chance import WinChance

    told = [advice for advice in advices if advice is not None and advice.action in advice.values]
    asked = sum(not game.over for game in games)
    known = all(advice.unit == "win chance" and not advice.caution for advice in told)
    if told and known and len(told) == asked:
        names = " or ".join(dict.fromkeys(advice.name for advice in told))
        # That of the action it takes: a higher one of few playouts is luck.
        values = [min(1.0, max(0.0, advice.values[advice.action])) for advice in told]
        ends = [float(game.won) for game in games[asked:]]
        return Curve(f"Chance to win after the best choice, as {names} estimates it", values + ends), ""
    try:
        chance = WinChance(games[0].rules, games[0].talk)
    except Misfit as unknown:
        return None, str(unknown)
    return Curve(chance.label, [chance(game) for game in games]), ""

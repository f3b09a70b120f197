"""What more thinking brings: an agent with several budgets, and what it wins with each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from agents.agent_spec import is_repeatable, parse_specs
from agents.measure.evaluation_result import wilson_interval
from agents.measure.measuring import measure
from agents.measure.results import Results
from agents.registry import resolve_names, with_settings
from agents.workers.workers import Workers


class Task(NamedTuple):
    """A point of a curve that is to be measured.

    Attributes
    ----------
    curve
        Canonical name of the agent without the budget: the points of one curve share it.
    setting, budget
        What the budget is counted in, and how much of it; both empty for an agent without a budget.
    agent
        Canonical name of the agent with the budget.
    """

    curve: str
    setting: str
    budget: str
    agent: str


def plan(names: Sequence[str], budgets: Mapping[str, Sequence[str]]) -> list[Task]:
    """Return the points to measure, in the order given.

    Parameters
    ----------
    names
        Agents, as for :func:`agents.registry.load_agent`.
    budgets
        Values, as texts, by the name of the setting. An agent that has none of these settings is one
        point.

    Raises
    ------
    ValueError
        For an unknown agent, a bad value, or a setting that none of the agents has.
    """
    for setting, values in budgets.items():
        resolve_names(names, [f"{setting}={values[0]}"])
    tasks = []
    for curve in resolve_names(names):
        points = [_task(curve, setting, value) for setting, values in budgets.items() for value in values]
        tasks += [task for task in points if task.setting] or [Task(curve, "", "", curve)]
    return list(dict.fromkeys(tasks))


def _task(curve: str, setting: str, value: str) -> Task:
    """Return a point of an agent; one without a setting when the agent has no such setting."""
    agent = with_settings(curve, [f"{setting}={value}"])
    for spec in parse_specs(agent):
        for key, text in spec.settings:
            if key == setting:
                return Task(curve, setting, text, agent)
    return Task(curve, "", "", agent)


@dataclass(frozen=True)
class Point:
    """A point of a curve, measured.

    Attributes
    ----------
    curve, setting, budget, agent
        As in :class:`Task`.
    protocol
        Whose first games were played; ``+N`` behind it says that they begin N seeds later.
    games, wins
        How many were played and won.
    ms_per_decision
        Mean CPU time of a decision in milliseconds, the agent's and the game's work together.
    seconds_per_game
        Mean CPU time of a game.
    commit
        What was checked out when the measurement began.
    """

    curve: str
    setting: str
    budget: str
    agent: str
    protocol: str
    games: int
    wins: int
    ms_per_decision: float
    seconds_per_game: float
    commit: str

    @property
    def win_rate(self) -> float:
        """Share of games won."""
        return self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the win rate."""
        return wilson_interval(self.wins, self.games)

    @property
    def seconds_per_win(self) -> float | None:
        """CPU time that a won game costs, the lost ones included; None when none was won."""
        return self.seconds_per_game * self.games / self.wins if self.wins else None


def measure_point(
    task: Task, protocol: str, games: int, workers: Workers, folder: Path, offset: int = 0
) -> Point:
    """Play what is missing of the first games of a protocol, and return what came out.

    Parameters
    ----------
    task
        The point.
    protocol, games
        What is played.
    workers
        Who plays.
    folder
        Where results are stored and found again: those of ``rank``. Results that cannot be repeated
        are not stored.
    offset
        Leave out so many seeds before the games.
    """
    if is_repeatable(task.agent):
        return _measured(task, Results(folder, task.agent, protocol, offset), games, workers)
    with TemporaryDirectory() as nowhere:
        return _measured(task, Results(Path(nowhere), task.agent, protocol, offset), games, workers)


def _measured(task: Task, results: Results, games: int, workers: Workers) -> Point:
    measure(results, games, workers)
    evaluation = results.evaluation(games)
    return Point(
        **task._asdict(),
        protocol=results.games_name,
        games=evaluation.games,
        wins=int(evaluation.won.sum()),
        ms_per_decision=results.milliseconds,
        seconds_per_game=evaluation.seconds / evaluation.games,
        commit=results.header["commit"] or "unknown",
    )

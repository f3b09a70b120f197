"""How agents do on many sets of expansions: evaluations, one for each set, and their summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from agents.base import Agent
from agents.measure.evaluation import evaluate, progress_bar
from agents.measure.evaluation_result import Evaluation, wilson_interval
from agents.measure.expansion_sets import HELD_OUT, SETS
from agents.workers.tasks import in_order, run_tasks
from agents.workers.workers import ALONE, Workers
from onirim_env.rules import CAN_BE_HARD, EXPANSIONS, RuleSet
from train.evaluation import held_out_seeds


class Group(NamedTuple):
    """Sets whose games are counted together.

    Attributes
    ----------
    sets, games, wins
        How many sets, games and won games.
    doors
        Mean number of Doors in play at the end.
    """

    sets: int
    games: int
    wins: int
    doors: float

    @property
    def win_rate(self) -> float:
        """Share of games won; 0 without games."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """95 % Wilson interval of the win rate on these sets."""
        return wilson_interval(self.wins, self.games)

    def text(self) -> str:
        """Return the win rate with its interval."""
        low, high = self.interval
        return f"{self.win_rate:.1%} ({low:.1%} to {high:.1%})" if self.games else "-"


def rule_sets(base: RuleSet, sets: Iterable[tuple[str, ...]] = SETS, *, hard: bool = False) -> list[RuleSet]:
    """Return the rules of sets of expansions, with ``hard`` in all their harder variants."""
    return [
        RuleSet(
            **base.as_dict(),
            expansions=expansions,
            hard=[keyword for keyword in expansions if hard and keyword in CAN_BE_HARD],
        )
        for expansions in sets
    ]


def evaluate_sets(
    agent_for: Callable[[RuleSet], Agent],
    rules: Sequence[RuleSet],
    games: int,
    *,
    talk: str = "open",
    offset: int = 0,
    progress: bool = True,
    workers: Workers = ALONE,
) -> list[Evaluation]:
    """Let an agent play the first games of the protocol under each of several rules.

    Parameters
    ----------
    agent_for
        Gives the agent for a rule set; it can be pickled where others work.
    rules
        The rule sets.
    games
        How many games of each.
    talk
        Co-op: ``"open"`` or ``"closed"``.
    offset
        Leave out so many seeds of the protocol before the games.
    progress
        Whether a terminal shows a progress bar.
    workers
        Who plays.

    Returns
    -------
    list of Evaluation
        One for each rule set; fewer after Ctrl-C.
    """
    results: list[tuple[int, Evaluation]] = []
    name = "games" if len(rules) == 1 else "sets of expansions"
    make = partial(_player, agent_for, games, talk, offset)
    with (
        progress_bar(len(rules) * games, name, progress) as bar,
        closing(run_tasks(make, rules, workers)) as ended,
        suppress(KeyboardInterrupt),
    ):
        for result in ended:
            results.append(result)
            if bar is not None:
                bar.update(games)
    return in_order(results)


def _player(
    agent_for: Callable[[RuleSet], Agent], games: int, talk: str, offset: int
) -> Callable[[RuleSet], Evaluation]:
    """Return what plays the games of a rule set."""

    def play(rules: RuleSet) -> Evaluation:
        seeds = held_out_seeds(rules, talk, games, offset=offset)
        result = evaluate(agent_for(rules), seeds=seeds, progress=False)
        if result.interrupted:  # it lacks the long games
            raise KeyboardInterrupt
        return result

    return play


def group(evaluations: Iterable[Evaluation]) -> Group:
    """Count the games of several evaluations together."""
    evaluations = list(evaluations)
    games = sum(one.games for one in evaluations)
    doors = np.concatenate([one.doors for one in evaluations]).mean() if games else 0.0
    return Group(len(evaluations), games, sum(int(one.won.sum()) for one in evaluations), float(doors))


def is_held_out(evaluation: Evaluation) -> bool:
    """Whether an evaluation is of a set that no training meets."""
    return evaluation.rules.expansions in HELD_OUT


def summary(evaluations: Sequence[Evaluation]) -> list[tuple[str, Group, Group]]:
    """Return names of groups, by the number of expansions and in all, with the sets met and held out."""
    by_size: dict[str, list[Evaluation]] = {}
    for one in evaluations:
        by_size.setdefault(_size_text(len(one.rules.expansions)), []).append(one)
    rows = [*by_size.items(), ("all", list(evaluations))]
    return [
        (name, group(one for one in some if not is_held_out(one)), group(filter(is_held_out, some)))
        for name, some in rows
    ]


def _size_text(size: int) -> str:
    if size == 0:
        return "base game"
    return f"all {size}" if size == len(EXPANSIONS) else f"{size} expansion{'s' * (size > 1)}"


def sets_as_dicts(evaluations: Iterable[Evaluation]) -> list[dict[str, Any]]:
    """Return evaluations as JSON values."""
    return [
        {
            "expansions": list(one.rules.expansions),
            "hard": list(one.rules.hard),
            "held_out": is_held_out(one),
            "games": one.games,
            "wins": int(one.won.sum()),
            "mean_doors": one.mean_doors,
        }
        for one in evaluations
    ]

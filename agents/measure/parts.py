"""Evaluations and statistics in parts that workers take: the same results whoever does."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar

import numpy as np

from agents.base import Agent
from agents.measure import evaluation, evaluation_result, stats
from agents.measure.evaluation import progress_bar
from agents.measure.evaluation_result import Evaluation
from agents.measure.measuring import chunks_of
from agents.measure.stats import Statistics
from agents.registry import load_agent
from agents.workers.tasks import in_order, run_tasks
from agents.workers.workers import Workers
from onirim_env.rules import RuleSet

_Part = TypeVar("_Part", Evaluation, Statistics)


def evaluate_by(
    workers: Workers, agent: Agent, *, seeds: Sequence[int], batch_size: int = 256, threads: int = 1
) -> Evaluation:
    """Let workers play the games of an agent: see :func:`agents.measure.evaluation.evaluate`.

    Parameters
    ----------
    workers
        Who plays.
    agent
        One that its name loads.
    seeds, batch_size, threads
        As there.
    """
    if workers.alone:
        return evaluation.evaluate(agent, seeds=seeds, batch_size=batch_size, threads=threads)
    options = {"batch_size": batch_size, "threads": threads, "progress": False}
    return evaluation_result.joined(_parts(evaluation.evaluate, options, workers, agent, seeds))


def collect_by(workers: Workers, agent: Agent, *, seeds: Sequence[int]) -> Statistics:
    """Let workers play the games of an agent and count: see :func:`agents.measure.stats.collect`.

    Parameters
    ----------
    workers
        Who plays.
    agent
        One that its name loads.
    seeds
        As there.
    """
    if workers.alone:
        return stats.collect(agent, seeds=seeds)
    return stats.joined(_parts(stats.collect, {"progress": False}, workers, agent, seeds))


def _parts(
    play: Callable[..., _Part], options: dict[str, Any], workers: Workers, agent: Agent, seeds: Sequence[int]
) -> list[_Part]:
    """Return what came of the parts of the games; after Ctrl-C of those that ended, as interrupted ones."""
    make = partial(_player, play, options, agent.name, agent.rules, agent.talk)
    chunks = chunks_of(np.asarray(seeds, dtype=np.int64), agent, workers)
    ended: list[tuple[int, _Part]] = []
    with progress_bar(len(seeds), agent.name) as bar, closing(run_tasks(make, chunks, workers)) as results:
        try:
            for number, part in results:
                ended.append((number, part))
                if bar is not None:
                    bar.update(part.games)
        except KeyboardInterrupt:
            if not ended:
                raise
            ended = [(number, replace(part, interrupted=True)) for number, part in ended]
    return in_order(ended)


def _player(
    play: Callable[..., _Part], options: dict[str, Any], name: str, rules: RuleSet, talk: str
) -> Callable[[np.ndarray], _Part]:
    """Return what plays the games of seeds."""
    agent = load_agent(name, rules=rules, talk=talk)

    def play_games(seeds: np.ndarray) -> _Part:
        return play(agent, seeds=seeds.tolist(), **options)

    return play_games

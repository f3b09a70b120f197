"""Measuring: an agent plays what is missing of a protocol, in chunks that workers take."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from contextlib import closing
from functools import partial

import numpy as np

from agents.base import Agent
from agents.measure.evaluation import evaluate, progress_bar
from agents.measure.evaluation_result import Evaluation
from agents.measure.protocols import PROTOCOLS
from agents.measure.results import Results
from agents.registry import load_agent
from agents.workers.tasks import run_tasks
from agents.workers.workers import ALONE, Workers

CHUNK = 500
"""Games that a worker plays before it hands them in. It does not change the results."""
PLANNER_CHUNK = 10
"""The same for agents that search, which take much longer."""
WARM_UP_SEED = 0
"""A game of no protocol, in which what has to be compiled is compiled."""


def chunks_of(seeds: np.ndarray, agent: Agent, workers: Workers) -> list[np.ndarray]:
    """Return seeds in parts, one or more for each worker."""
    most = PLANNER_CHUNK if agent.needs_games else CHUNK
    return np.array_split(seeds, max(-(-len(seeds) // most), min(workers.number or 1, len(seeds))))


def measure(results: Results, games: int, workers: Workers = ALONE) -> None:
    """Play the first games of a protocol that are not stored yet, and store them.

    Ctrl-C, or any other end, keeps the chunks that had ended; measuring again goes on with the rest.

    Parameters
    ----------
    results
        Where games are stored; it knows the agent and the protocol.
    games
        How many games, from the first on, are to be there.
    workers
        Who plays. The results are the same whoever does.
    """
    seeds = results.missing(games)
    if len(seeds) == 0:
        return
    protocol = PROTOCOLS[results.protocol]
    agent = load_agent(results.agent, rules=protocol.rules, talk=protocol.talk)
    chunks = chunks_of(seeds, agent, workers)
    make = partial(_player, results.agent, results.protocol)
    label = f"{results.protocol} {results.agent}"
    with progress_bar(len(seeds), label) as bar, closing(run_tasks(make, chunks, workers)) as ended:
        for _, evaluation in ended:
            results.add(evaluation)
            if bar is not None:
                bar.update(evaluation.games)


def _player(name: str, protocol: str) -> Callable[[np.ndarray], Evaluation]:
    """Return what plays the games of seeds, ready to."""
    agent = load_agent(name, rules=PROTOCOLS[protocol].rules, talk=PROTOCOLS[protocol].talk)
    evaluate(agent, seeds=[WARM_UP_SEED], progress=False)
    return partial(_play, agent)


def _play(agent: Agent, seeds: np.ndarray) -> Evaluation:
    started = time.process_time()
    evaluation = evaluate(agent, seeds=seeds, progress=False)
    if evaluation.interrupted:  # it lacks the long games
        raise KeyboardInterrupt
    return dataclasses.replace(evaluation, seconds=time.process_time() - started)

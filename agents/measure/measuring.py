"""Measuring: an agent plays what is missing of a protocol, in chunks spread over processes."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from contextlib import closing, contextmanager

import numpy as np

from agents.base import Agent
from agents.measure.evaluation import evaluate, progress_bar
from agents.measure.evaluation_result import Evaluation
from agents.measure.protocols import PROTOCOLS
from agents.measure.results import Results
from agents.registry import load_agent

CHUNK = 500
"""Games that a process plays before it hands them in. It does not change the results."""
PLANNER_CHUNK = 10
"""The same for agents that search, which take much longer."""
POLL_SECONDS = 0.2
"""How long Ctrl-C may go unheeded while processes play."""
WARM_UP_SEED = 0
"""A game of no protocol, in which what has to be compiled is compiled."""


def measure(results: Results, games: int, workers: int = 1) -> None:
    """Play the first games of a protocol that are not stored yet, and store them.

    Ctrl-C, or any other end, keeps the chunks that had ended; measuring again goes on with the rest.

    Parameters
    ----------
    results
        Where games are stored; it knows the agent and the protocol.
    games
        How many games, from the first on, are to be there.
    workers
        Processes that play. The results are the same for every number.
    """
    seeds = results.missing(games)
    if len(seeds) == 0:
        return
    protocol = PROTOCOLS[results.protocol]
    planner = load_agent(results.agent, rules=protocol.rules, talk=protocol.talk).needs_games
    most = PLANNER_CHUNK if planner else CHUNK
    n_chunks = max(-(-len(seeds) // most), min(workers, len(seeds)))
    chunks = np.array_split(seeds, n_chunks)
    play = _played_here if workers == 1 else _played_in_processes
    label = f"{results.protocol} {results.agent}"
    with progress_bar(len(seeds), label) as bar, closing(play(results, chunks, workers)) as evaluations:
        for evaluation in evaluations:
            results.add(evaluation)
            if bar is not None:
                bar.update(evaluation.games)


def _played_here(
    results: Results, chunks: Sequence[np.ndarray], workers: int
) -> Generator[Evaluation, None, None]:
    agent = _ready_agent(results.agent, results.protocol)
    for chunk in chunks:
        yield _play(agent, chunk)


def _played_in_processes(
    results: Results, chunks: Sequence[np.ndarray], workers: int
) -> Generator[Evaluation, None, None]:
    _start_resource_tracker()
    before = set(multiprocessing.active_children())
    executor = ProcessPoolExecutor(
        min(workers, len(chunks)),
        # A fork of a process that has threads may hang.
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start_worker,
        initargs=(results.agent, results.protocol),
    )
    interrupts: list[int] = []
    try:
        with _noted_interrupts(interrupts):
            waiting = {executor.submit(_play_in_worker, chunk) for chunk in chunks}
            while waiting:
                done, waiting = wait(waiting, POLL_SECONDS, return_when=FIRST_COMPLETED)
                for future in done:
                    yield future.result()
                if interrupts:
                    raise KeyboardInterrupt
    except BaseException:
        for process in set(multiprocessing.active_children()) - before:
            process.terminate()
        if interrupts:  # a signal to all processes has ended the others first
            raise KeyboardInterrupt from None
        raise
    finally:
        executor.shutdown(cancel_futures=True)


def _start_resource_tracker() -> None:
    """Start the process in which Python notes what others share, so that a closing terminal spares it.

    It heeds neither Ctrl-C nor SIGTERM, but SIGHUP would kill it before those whose things it notes.
    """
    if not hasattr(signal, "SIGHUP") or threading.current_thread() is not threading.main_thread():
        return
    from multiprocessing import resource_tracker

    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # what a new process inherits
    try:
        resource_tracker.ensure_running()
    finally:
        signal.signal(signal.SIGHUP, before)


@contextmanager
def _noted_interrupts(noted: list[int]) -> Iterator[None]:
    """Note Ctrl-C in a list: raised inside a wait, it can leave a lock of Python's half released."""
    if threading.current_thread() is not threading.main_thread():  # only that one may set handlers
        yield
        return
    before = signal.signal(signal.SIGINT, lambda number, frame: noted.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_worker_agent: Agent | None = None


def _start_worker(name: str, protocol: str) -> None:
    global _worker_agent
    # Ctrl-C and a terminal that closes are for the process that started this one, and ends it.
    for word in ("SIGINT", "SIGHUP"):
        if hasattr(signal, word):
            signal.signal(getattr(signal, word), signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _worker_agent = _ready_agent(name, protocol)


def _end_with_parent() -> None:
    """End this process when the one that started it is no more: nobody will take what it plays."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play_in_worker(seeds: np.ndarray) -> Evaluation:
    assert _worker_agent is not None
    return _play(_worker_agent, seeds)


def _ready_agent(name: str, protocol: str) -> Agent:
    agent = load_agent(name, rules=PROTOCOLS[protocol].rules, talk=PROTOCOLS[protocol].talk)
    evaluate(agent, seeds=[WARM_UP_SEED], progress=False)
    return agent


def _play(agent: Agent, seeds: np.ndarray) -> Evaluation:
    started = time.process_time()
    evaluation = evaluate(agent, seeds=seeds, progress=False)
    if evaluation.interrupted:  # it lacks the long games
        raise KeyboardInterrupt
    return dataclasses.replace(evaluation, seconds=time.process_time() - started)

"""The rows of a batch over several threads: compiled code runs side by side, without Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TypeVar

import numpy as np

from onirim_env.errors import quoted

ROWS = 1024
"""How many games a thread gets at least: with fewer, to wake it would take longer than to play them."""
MOST_THREADS = 1024

_Result = TypeVar("_Result")
_pools: dict[int, ThreadPoolExecutor] = {}
"""The threads that wait, by their number; shared by all batches of a process."""

if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=_pools.clear)


def check_threads(threads: int) -> None:
    """Raise a ValueError unless ``threads`` is a positive whole number."""
    whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
    if not whole or not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"threads must be a whole number from 1 to {MOST_THREADS}, not {quoted(threads)}")


class RowThreads:
    """Runs a function on contiguous parts of the rows of a batch, each in a thread.

    Parameters
    ----------
    size
        Number of rows.
    threads
        How many threads at most; fewer where each would get less than ``ROWS`` rows.

    Attributes
    ----------
    parts : tuple of slice
        The rows of each thread.
    """

    def __init__(self, size: int, threads: int) -> None:
        check_threads(threads)
        n_parts = max(1, min(int(threads), size // ROWS))
        bounds = [size * part // n_parts for part in range(n_parts + 1)]
        self.parts = tuple(slice(*bounds[part : part + 2]) for part in range(n_parts))

    def run(self, function: Callable[[slice], _Result]) -> list[_Result]:
        """Return what a function returns for each part; the first error is raised when all have ended."""
        pool = _pool(len(self.parts) - 1)
        others = [pool.submit(function, part) for part in self.parts[1:]]
        try:
            first = function(self.parts[0])
        finally:
            wait(others)
        return [first, *_results(others)]


def _results(futures: Iterable[Future[_Result]]) -> list[_Result]:
    return [future.result() for future in futures]


def _pool(threads: int) -> ThreadPoolExecutor:
    if threads not in _pools:
        _pools[threads] = ThreadPoolExecutor(threads, thread_name_prefix="onirim_env")
    return _pools[threads]

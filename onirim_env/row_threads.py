"""The rows of a batch over several threads: compiled code runs side by side, without Python's lock."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

import numpy as np

from onirim_env.errors import quoted

ROWS = 1024
"""How many games a thread gets at least: with fewer, to wake it would take longer than to play them."""
PARTS = 4
"""How many parts the rows of a thread are cut into at most."""
MOST_THREADS = 1024

_Result = TypeVar("_Result")


def check_threads(threads: int) -> None:
    """Raise a ValueError unless ``threads`` is a positive whole number."""
    whole = isinstance(threads, (int, np.integer)) and not isinstance(threads, bool)
    if not whole or not 1 <= threads <= MOST_THREADS:
        raise ValueError(f"threads must be a whole number from 1 to {MOST_THREADS}, not {quoted(threads)}")


class RowThreads:
    """Runs a function on contiguous parts of the rows of a batch, in several threads.

    Whoever is free takes the next part: cores are rarely equally fast.

    Parameters
    ----------
    size
        Number of rows.
    threads
        How many threads at most; fewer where each would get less than ``ROWS`` rows.

    Attributes
    ----------
    parts : tuple of slice
        The rows that are done at a time; one part where one thread does them all.
    """

    def __init__(self, size: int, threads: int) -> None:
        check_threads(threads)
        self._threads = max(1, min(int(threads), size // ROWS))
        n_parts = 1 if self._threads == 1 else min(size // ROWS, PARTS * self._threads)
        bounds = [size * part // n_parts for part in range(n_parts + 1)]
        self.parts = tuple(slice(*bounds[part : part + 2]) for part in range(n_parts))

    def run(self, function: Callable[[slice], _Result]) -> list[_Result]:
        """Return what a function returns for each part; the first error is raised when all have ended."""
        if len(self.parts) == 1:
            return [function(self.parts[0])]
        results: dict[int, _Result] = {}
        waiting = iter(range(len(self.parts)))

        def take_parts() -> None:
            for part in waiting:
                results[part] = function(self.parts[part])

        _helpers.share(take_parts, self._threads - 1)
        return [results[part] for part in range(len(self.parts))]


class _Helpers:
    """Threads that wait for work, shared by all batches of a process.

    Queues written in C, not ``concurrent.futures``: with its locks a step of 8,192 games takes longer.
    """

    def __init__(self) -> None:
        self._calls = SimpleQueue[Callable[[], None]]()
        self._threads = 0

    def share(self, function: Callable[[], None], number: int) -> None:
        """Call a function here and in so many threads, unless it has returned here before they come."""
        places = [None] * number
        errors = SimpleQueue[BaseException | None]()

        def call() -> None:
            try:
                places.pop()
            except IndexError:  # too late
                return
            errors.put(_error_of(function))

        self._start(number)
        for _ in range(number):
            self._calls.put(call)
        found = [_error_of(function)]
        came = number
        with suppress(IndexError):
            while True:
                places.pop()
                came -= 1
        found += [errors.get() for _ in range(came)]
        for error in found:
            if error is not None:
                raise error

    def _start(self, number: int) -> None:
        while self._threads < number:
            self._threads += 1
            Thread(target=self._serve, name=f"onirim_env-{self._threads}", daemon=True).start()

    def _serve(self) -> None:
        while True:
            self._calls.get()()


def _error_of(function: Callable[[], None]) -> BaseException | None:
    try:
        function()
    except BaseException as error:
        return error
    return None


_helpers = _Helpers()
if hasattr(os, "register_at_fork"):  # a forked process has none of the threads
    os.register_at_fork(after_in_child=_helpers.__init__)  # type: ignore[misc]

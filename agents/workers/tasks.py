"""The one way to have tasks done: :func:`run_tasks`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any, TypeVar

from agents.workers.workers import ALONE, Workers

Task = TypeVar("Task")
Result = TypeVar("Result")
Make = Callable[[], Callable[[Task], Result]]
"""Makes what does tasks, once in each worker; both can be pickled, or are functions of modules."""


def run_tasks(
    make: Make[Task, Result], tasks: Sequence[Task], workers: Workers = ALONE
) -> Generator[tuple[int, Result], None, None]:
    """Have tasks done; yield the number of a task and its result as they end, in any order.

    Close the generator to end the work early: it ends the workers. So does Ctrl-C, after which what has been
    yielded counts.

    Parameters
    ----------
    make
        Called once in each worker; returns the function that does a task.
    tasks
        The tasks: what can be pickled.
    workers
        Who does them. A worker that dies is replaced, and its task done again.

    Raises
    ------
    WorkerDied
        When a task has ended several workers.
    Exception
        What a task raised, as it raised it.
    """
    if not tasks:
        return
    if workers.alone:
        yield from _run_here(make, tasks)
    elif workers.ray is None:
        from agents.workers.processes import run_in_processes

        yield from run_in_processes(make, tasks, workers.number or 1)
    else:
        from agents.workers.cluster import run_on_cluster

        yield from run_on_cluster(make, tasks, workers)


def _run_here(make: Make[Any, Any], tasks: Sequence[Any]) -> Generator[tuple[int, Any], None, None]:
    work = make()
    for number, task in enumerate(tasks):
        yield number, work(task)


def in_order(results: Sequence[tuple[int, Result]]) -> list[Result]:
    """Return results in the order of their tasks."""
    return [result for _, result in sorted(results, key=lambda one: one[0])]

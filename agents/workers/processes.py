"""Tasks done by processes of this machine."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Generator, Sequence
from multiprocessing.connection import Connection, wait
from typing import Any

from agents.workers.answers import Answer, answer_of, result_of
from agents.workers.deaths import Deaths
from agents.workers.interrupts import (
    blocked_interrupts,
    heed_the_parent_alone,
    noted_interrupts,
    start_resource_tracker,
)

POLL_SECONDS = 0.2
"""How long Ctrl-C may go unheeded while processes work."""

# A fork of a process that has threads may hang.
_context = multiprocessing.get_context("spawn")


class _Worker:
    """A process, and the task that it has."""

    def __init__(self, make: Callable[[], Callable[[Any], Any]]) -> None:
        self.connection, other = _context.Pipe()
        self.process = _context.Process(target=_serve, args=(make, other), daemon=True)
        with blocked_interrupts():
            self.process.start()
        other.close()
        self.task: int | None = None

    def give(self, number: int, task: Any) -> None:
        """Hand it a task; one that has died by now is found out later."""
        self.task = number
        with contextlib.suppress(OSError):
            self.connection.send(task)

    def take(self) -> Answer | None:
        """Return what came of its task, or None when it has died of it."""
        try:
            answer: Answer = self.connection.recv()
        except (EOFError, OSError):
            return None
        return answer

    def end(self) -> None:
        """End it at once."""
        self.process.terminate()
        self.process.join()
        self.connection.close()


def run_in_processes(
    make: Callable[[], Callable[[Any], Any]], tasks: Sequence[Any], number: int
) -> Generator[tuple[int, Any], None, None]:
    """Have tasks done by so many processes: see :func:`agents.workers.tasks.run_tasks`."""
    start_resource_tracker()
    waiting = deque(range(len(tasks)))
    deaths, interrupts = Deaths(), list[int]()
    workers: list[_Worker] = []
    try:
        with noted_interrupts(interrupts):
            while waiting or workers:
                while waiting and len(workers) < number:
                    workers.append(_Worker(make))
                    workers[-1].give(one := waiting.popleft(), tasks[one])
                ready = wait([worker.connection for worker in workers], POLL_SECONDS)
                if interrupts:
                    raise KeyboardInterrupt
                for worker in [one for one in workers if one.connection in ready]:
                    task = worker.task
                    assert task is not None
                    answer = worker.take()
                    if answer is None:
                        workers.remove(worker)
                        worker.process.join()
                        deaths.note(task, f"exit status {worker.process.exitcode}")
                        waiting.appendleft(task)
                        continue
                    result = result_of(answer)
                    if waiting:
                        worker.give(one := waiting.popleft(), tasks[one])
                    else:
                        workers.remove(worker)
                        worker.end()
                    yield task, result
    except BaseException:
        if interrupts:  # a signal to all processes may have ended a worker first
            raise KeyboardInterrupt from None
        raise
    finally:
        for worker in workers:
            worker.end()


def _serve(make: Callable[[], Callable[[Any], Any]], connection: Connection) -> None:
    """Do what comes through a connection, in a process of its own."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")  # of torch: there is a process for each core
    heed_the_parent_alone()
    work: Callable[[Any], Any] | None = None
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            work = work or make()
            answer = Answer(result=work(task))
        except Exception as error:
            answer = answer_of(error)
        except KeyboardInterrupt:  # of a task that heeds signals itself: it has been ended
            return
        connection.send(answer)

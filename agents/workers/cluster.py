"""Tasks done by a Ray cluster: the one at an address, or one on this machine."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from agents.workers.answers import Answer, answer_of, result_of
from agents.workers.deaths import Deaths
from agents.workers.interrupts import kept_handlers, noted_interrupts
from agents.workers.workers import HERE, Workers
from onirim_env.errors import UserError, quoted

POLL_SECONDS = 0.2
"""How long Ctrl-C may go unheeded while the cluster works."""
ANSWER_SECONDS = 10.0
"""How long a cluster may take to answer."""


class _Worker:
    """What an actor of Ray does: see ``processes.py`` for the same in a process."""

    def __init__(self, make: Callable[[], Callable[[Any], Any]]) -> None:
        self._make = make
        self._work: Callable[[Any], Any] | None = None

    def answer(self, task: Any) -> Answer:
        """Do a task."""
        try:
            self._work = self._work or self._make()
            return Answer(result=self._work(task))
        except Exception as error:
            return answer_of(error)


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Give the package Ray, connected to a cluster; one on this machine is started, and ended.

    Raises
    ------
    UserError
        When there is no cluster at the address.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    import ray

    if ray.is_initialized():  # by a program that calls this
        yield ray
        return
    paths = os.pathsep.join(str(Path(path).resolve()) for path in sys.path)
    variables = {"PYTHONPATH": paths, "OMP_NUM_THREADS": "1"}
    options: dict[str, Any] = {
        "log_to_driver": False, "logging_level": logging.ERROR, "runtime_env": {"env_vars": variables},
    }  # fmt: skip
    if address == HERE:
        options |= {"address": "local", "include_dashboard": False}
    else:
        options |= {"address": address}
    try:
        _check_answers(address)
        with kept_handlers():
            ray.init(**options)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        first = str(error).strip().partition("\n")[0]
        raise UserError(f"no Ray cluster answers at {quoted(address)}: {first}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Raise an OSError unless something answers at the port of an address: Ray would wait for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_SECONDS).close()


def run_on_cluster(
    make: Callable[[], Callable[[Any], Any]], tasks: Sequence[Any], workers: Workers
) -> Generator[tuple[int, Any], None, None]:
    """Have tasks done by a cluster: see :func:`agents.workers.tasks.run_tasks`."""
    assert workers.ray is not None
    interrupts: list[int] = []
    deaths = Deaths()
    waiting = deque(range(len(tasks)))
    with connected(workers.ray) as ray, noted_interrupts(interrupts):
        cores = int(ray.cluster_resources().get("CPU", 1))
        actor = ray.remote(num_cpus=1)(_Worker)
        idle = [actor.remote(make) for _ in range(min(cores, workers.number or cores, len(tasks)))]
        busy: dict[Any, tuple[int, Any]] = {}
        try:
            while waiting or busy:
                while waiting and idle:
                    worker, task = idle.pop(), waiting.popleft()
                    busy[worker.answer.remote(tasks[task])] = task, worker
                done, _ = ray.wait(list(busy), num_returns=1, timeout=POLL_SECONDS)
                if interrupts:
                    raise KeyboardInterrupt
                for one in done:
                    task, worker = busy.pop(one)
                    try:
                        answer = ray.get(one)
                    except ray.exceptions.RayActorError:
                        deaths.note(task, "its actor died")
                        waiting.appendleft(task)
                        idle.append(actor.remote(make))
                        continue
                    idle.append(worker)
                    yield task, result_of(answer)
        finally:
            for worker in [*idle, *(worker for _, worker in busy.values())]:
                with contextlib.suppress(Exception):  # it has died, or the cluster is gone
                    ray.kill(worker)

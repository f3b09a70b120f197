"""A second process that compiles a part of the rules while this one compiles the others.

What carries out a decision is about half of the work, and comes last where a game begins. The process is no
worker of this one: it leaves its machine code on disk, where whoever comes to need it waits for it or finds
it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import subprocess
import sys
from functools import cache

ALONE = "ONIRIM_ENV_COMPILE_ALONE"
"""Environment variable: any value but nothing forbids it."""


@cache
def start_beside(expansions: bool) -> None:
    """Start it once, where there is a core for it; workers of other processes start none.

    Parameters
    ----------
    expansions
        Whether the rules are those of games with expansions.
    """
    if os.environ.get(ALONE) or _cores() < 2 or multiprocessing.parent_process() is not None:
        return
    with contextlib.suppress(OSError):  # then this process compiles all of it
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(int(expansions))],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, ALONE: "1", "PYTHONPATH": os.pathsep.join(sys.path)},
            start_new_session=True,
        )
        process.returncode = 0  # nobody waits for it, at the end of this process least of all


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _compile(expansions: bool) -> None:
    import numba
    import numpy as np

    from onirim_env.engine.records import state_dtype
    from onirim_env.engine.step import apply
    from onirim_env.rules import EXPANSIONS, RuleSet

    states = np.zeros(1, dtype=state_dtype(RuleSet(expansions=EXPANSIONS if expansions else ())))
    apply.dispatcher.compile((numba.typeof(states).dtype, numba.int64))  # type: ignore[attr-defined]


if __name__ == "__main__":
    _compile(sys.argv[1] == "1")

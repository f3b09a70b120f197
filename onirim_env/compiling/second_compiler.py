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
_CODE = "from onirim_env.warmup import compile_decisions; compile_decisions({})"


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
            [sys.executable, "-c", _CODE.format(bool(expansions))],
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

"""Tasks whose worker died: done again, but not for ever."""

from __future__ import annotations

from collections import Counter

from onirim_env.errors import UserError

TRIES = 3
"""How many workers a task may end."""


class WorkerDied(UserError):
    """A task that ended its workers, one after the other."""


class Deaths:
    """Counts the workers that each task has ended."""

    def __init__(self) -> None:
        self._deaths: Counter[int] = Counter()

    def note(self, task: int, how: str) -> None:
        """Note that a worker died of a task.

        Raises
        ------
        WorkerDied
            When it is one too many.
        """
        self._deaths[task] += 1
        if self._deaths[task] >= TRIES:
            raise WorkerDied(
                f"{TRIES} workers in turn died of task {task + 1} ({how}); it may need more memory "
                "than there is"
            )

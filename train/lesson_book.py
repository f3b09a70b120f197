"""LessonBook: the lessons of a distillation, on disk part by part, so that nothing is lost on Ctrl-C."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from agents.arrays.array_files import Form, read_arrays, write_arrays
from agents.compiled.lessons import MOST_DECISIONS, Lessons
from onirim_env.errors import FileError
from onirim_env.files import shown

GAMES_PER_PART = 100
"""Games of a part: some ten seconds of work."""
FIRST_SEED = 210_000_000
"""The seeds of the games follow from here; trainings have others, and so have the protocols."""


class LessonBook:
    """Parts ``part_<n>.npz`` of a folder.

    Parameters
    ----------
    folder
        Where they are; it is made when it is not there.
    n_inputs, n_actions
        Sizes of an observation and of the actions.
    """

    def __init__(self, folder: Path, n_inputs: int, n_actions: int) -> None:
        self._folder = folder
        rows = range(GAMES_PER_PART * MOST_DECISIONS + 1)
        self._forms = {
            "observations": Form((rows, n_inputs), np.float16),
            "values": Form((rows, n_actions), np.float16),
        }
        folder.mkdir(parents=True, exist_ok=True)

    def missing(self, games: int) -> list[int]:
        """Return the numbers of the parts that lack for so many games."""
        parts = -(-games // GAMES_PER_PART)
        return [part for part in range(parts) if not self._file(part).is_file()]

    @staticmethod
    def seeds(part: int) -> np.ndarray:
        """Return the seeds of the games of a part: uint64, shape (GAMES_PER_PART,)."""
        first = FIRST_SEED + part * GAMES_PER_PART
        return np.arange(first, first + GAMES_PER_PART, dtype=np.uint64)

    def write(self, part: int, lessons: Lessons) -> None:
        """Write a part, all or nothing."""
        arrays = {
            "observations": lessons.observations.astype(np.float16),
            "values": lessons.values.astype(np.float16),
        }
        write_arrays(self._file(part), arrays)

    def read(self, games: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the lessons of the first so many games.

        Returns
        -------
        observations, values
            float16, shapes (n, observation size) and (n, actions).

        Raises
        ------
        FileError
            For a part that is damaged.
        """
        parts = [self._read(self._file(part)) for part in range(-(-games // GAMES_PER_PART))]
        observations, values = (np.concatenate(arrays) for arrays in zip(*parts))
        return torch.from_numpy(observations), torch.from_numpy(values)

    def _read(self, file: Path) -> tuple[np.ndarray, np.ndarray]:
        """Return the arrays of a part."""
        try:
            arrays = read_arrays(file, self._forms, what="lessons")
        except FileError as error:
            raise FileError(f"{error}; without this file the same command makes it again") from None
        observations, values = arrays["observations"], arrays["values"]
        legal = ~np.isnan(values)
        if not (
            len(observations) == len(values)
            and np.isfinite(observations).all()
            and legal.any(axis=1).all()
            and ((values[legal] >= 0.0) & (values[legal] <= 1.0)).all()
        ):
            raise FileError(
                f"lessons {shown(file)} are none; without this file the same command makes them again"
            )
        return observations, values

    def _file(self, part: int) -> Path:
        return self._folder / f"part_{part:05d}.npz"

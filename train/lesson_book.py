"""LessonBook: the lessons of a distillation, on disk part by part, so that nothing is lost on Ctrl-C."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import torch

from agents.lessons import Lessons
from onirim_env.files import write_file

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
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
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
        content = io.BytesIO()
        np.savez_compressed(
            content,
            observations=lessons.observations.astype(np.float16),
            values=lessons.values.astype(np.float16),
        )
        write_file(self._file(part), content.getvalue())

    def read(self, games: int) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the lessons of the first so many games.

        Returns
        -------
        observations, values
            float16, shapes (n, observation size) and (n, actions).
        """
        observations, values = [], []
        for part in range(-(-games // GAMES_PER_PART)):
            with np.load(self._file(part), allow_pickle=False) as arrays:
                observations.append(arrays["observations"])
                values.append(arrays["values"])
        return torch.from_numpy(np.concatenate(observations)), torch.from_numpy(np.concatenate(values))

    def _file(self, part: int) -> Path:
        return self._folder / f"part_{part:05d}.npz"

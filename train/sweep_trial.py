"""One trial of a sweep: its trainings, one for each seed, and what each of them is worth."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from pathlib import Path

from onirim_env.errors import FileError
from onirim_env.files import read_json, write_json
from train.config import TrainConfig
from train.metrics_file import read_metrics
from train.run_folder import RunFolder

RESULT = "validation.json"
"""The file of a run folder that says that its training is done, and how well it plays."""


@dataclass(frozen=True)
class Result:
    """What came out of one training.

    Attributes
    ----------
    seed
        Its seed.
    games
        Games for validation that were played greedily.
    win_rate, doors
        Share of these games won, mean number of Doors at the end.
    seconds
        Time that the training took, all sittings together.
    """

    seed: int
    games: int
    win_rate: float
    doors: float
    seconds: float


def validation_games(config: TrainConfig) -> int:
    """Return how many games decide what a training is worth: as many as its final evaluation has."""
    return config.final_games or config.eval_games


def stored_result(path: Path) -> Result | None:
    """Return the result in a run folder; None where there is none yet, or none that can be read."""
    file = path / RESULT
    if not file.is_file():
        return None
    try:
        stored = read_json(file, "result")
        result = Result(**stored)
    except (FileError, TypeError):
        return None
    counts, numbers = (result.seed, result.games), (result.win_rate, result.doors, result.seconds)
    if not all(type(one) is int for one in counts) or not all(type(one) is float for one in numbers):
        return None
    return result if all(map(math.isfinite, numbers)) else None


def result_of(config: TrainConfig, path: Path) -> Result:
    """Return the result of a training, doing what is missing for it.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C. The next call goes on from the last checkpoint.
    Busy
        When another process works in the folder.
    """
    stored = stored_result(path)
    if stored is not None:
        return stored
    path.mkdir(parents=True, exist_ok=True)
    folder = RunFolder(path)
    with folder.in_use():
        folder.note_config(config)
        if not folder.model_file.is_file() and not _train_one(config, folder):
            raise KeyboardInterrupt
        result = _evaluate(config, folder)
        write_json(path / RESULT, asdict(result))
    return result


def _train_one(config: TrainConfig, folder: RunFolder) -> bool:
    """Train, from the last checkpoint where there is one; return whether it came to the end."""
    from train.resuming import newest_checkpoint
    from train.training import train

    return train(config, folder, newest_checkpoint(folder, config)).complete


def _evaluate(config: TrainConfig, folder: RunFolder) -> Result:
    from train.loading import load_policy
    from train.validation import validate

    network = load_policy(folder.model_file).network
    result = validate(config, network, validation_games(config), progress=True)
    return Result(config.seed, result.games, result.win_rate, result.doors, _seconds(folder))


def _seconds(folder: RunFolder) -> float:
    rows = read_metrics(folder.metrics_file).rows
    return max((float(row["seconds"]) for row in rows), default=0.0)

"""One trial of a sweep: its trainings, one for each seed, and what each of them is worth."""

from __future__ import annotations

import csv
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from onirim_env.files import write_json
from train.config import TrainConfig
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
    """Return the result in a run folder, or None where the training or its evaluation is not done."""
    file = path / RESULT
    return Result(**json.loads(file.read_text(encoding="utf-8"))) if file.is_file() else None


def result_of(config: TrainConfig, path: Path) -> Result:
    """Return the result of a training, doing what is missing for it.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C. The next call goes on from the last checkpoint.
    """
    stored = stored_result(path)
    if stored is not None:
        return stored
    folder = _run_folder(path, config)
    if not folder.model_file.is_file() and not _train_one(config, folder):
        raise KeyboardInterrupt
    result = _evaluate(config, folder)
    write_json(path / RESULT, asdict(result))
    return result


def _run_folder(path: Path, config: TrainConfig) -> RunFolder:
    """Open a run folder; make it where it is not there, or was begun but not made."""
    folder = RunFolder(path)
    if not folder.config_file.is_file():
        folder.checkpoints.mkdir(parents=True, exist_ok=True)
        folder.note_config(config)
    return folder


def _train_one(config: TrainConfig, folder: RunFolder) -> bool:
    """Train, from the last checkpoint where there is one; return whether it came to the end."""
    from train.checkpoint import load_checkpoint
    from train.training import train

    begun = any(folder.checkpoints.glob("step_*.zip"))
    checkpoint = load_checkpoint(folder.last_checkpoint()) if begun else None
    return train(config, folder, checkpoint).complete


def _evaluate(config: TrainConfig, folder: RunFolder) -> Result:
    from train.loading import load_policy
    from train.validation import validate

    network = load_policy(folder.model_file).network
    result = validate(config, network, validation_games(config), progress=True)
    return Result(config.seed, result.games, result.win_rate, result.doors, _seconds(folder))


def _seconds(folder: RunFolder) -> float:
    with folder.metrics_file.open(newline="", encoding="utf-8") as file:
        return max((float(row["seconds"]) for row in csv.DictReader(file)), default=0.0)

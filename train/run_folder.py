"""RunFolder: where a training keeps its configuration, checkpoints, metrics and results."""

from __future__ import annotations

import importlib.metadata
import itertools
import platform
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from onirim_env.command import usage_errors
from onirim_env.errors import Busy
from onirim_env.files import clear_folder, locked, reason, shown, write_file, write_json
from train.config import TrainConfig
from train.config_reading import config_text, read_yaml
from train.errors import UserError

PACKAGES = (
    "onirim_env",
    "torch",
    "stable-baselines3",
    "sb3-contrib",
    "gymnasium",
    "numba",
    "numpy",
    "pettingzoo",
)
"""Packages whose versions a run notes."""
LOCK = ".lock"
"""The file that is locked while a training works in a folder."""


class RunFolder:
    """The folder of one training.

    | file | holds |
    |---|---|
    | ``config.yaml`` | every setting, defaults and overrides included |
    | ``versions.json`` | versions of Python, the platform and the packages |
    | ``history.json`` | how it was made: command, commit, settings, times and processor of each sitting |
    | ``checkpoints/step_<n>.zip`` | the training after n decisions |
    | ``model.zip`` | the trained model |
    | ``metrics.csv``, ``tensorboard/`` | one row or point for each rollout |
    | ``evaluation.json`` | the final evaluation beside those of other agents |
    | ``distillation.json`` | settings of the distillation, where the model comes from one |

    Parameters
    ----------
    path
        The folder; :meth:`create` makes it, :meth:`open` expects it.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.config_file = self.path / "config.yaml"
        self.versions_file = self.path / "versions.json"
        self.history_file = self.path / "history.json"
        self.checkpoints = self.path / "checkpoints"
        self.model_file = self.path / "model.zip"
        self.metrics_file = self.path / "metrics.csv"
        self.tensorboard = self.path / "tensorboard"
        self.evaluation_file = self.path / "evaluation.json"
        self.distillation_file = self.path / "distillation.json"

    @classmethod
    def create(cls, path: str | Path, config: TrainConfig) -> RunFolder:
        """Make a run folder with its configuration and versions.

        Raises
        ------
        UserError
            For a folder that has something in it already, or one that cannot be made.
        Busy
            For one in which a training is beginning at this moment.
        """
        folder = cls(path)
        try:
            folder.path.mkdir(parents=True, exist_ok=True)
            with folder.in_use():
                if any(file.name != LOCK for file in folder.path.iterdir()):
                    raise UserError(
                        f"run folder {shown(path)} is not empty; go on with --resume, or name another"
                    )
                folder.note_config(config)
        except OSError as error:
            raise UserError(f"cannot make run folder {shown(path)}: {reason(error)}") from None
        except ValueError as error:
            if isinstance(error, Busy):
                raise
            raise UserError(f"cannot make run folder {shown(path)}: {error}") from None
        return folder

    @classmethod
    def create_next(cls, path: Path, config: TrainConfig) -> RunFolder:
        """Make a new run folder of some name, or of the next one that is free: ``NAME-2`` and so on.

        Raises
        ------
        UserError
            As :meth:`create`.
        """
        for number in itertools.count(1):
            free = path if number == 1 else path.with_name(f"{path.name}-{number}")
            try:
                free.mkdir(parents=True)
            except FileExistsError:
                continue
            except (OSError, ValueError) as error:
                raise UserError(f"cannot make run folder {shown(free)}: {reason(error)}") from None
            return cls.create(free, config)
        raise AssertionError

    @classmethod
    def open(cls, path: str | Path) -> RunFolder:
        """Return an existing run folder.

        Raises
        ------
        UserError
            Where there is none.
        """
        folder = cls(path)
        with usage_errors(OSError):
            is_there = folder.config_file.is_file()
        if not is_there:
            raise UserError(f"{shown(path)} is no run folder: it has no config.yaml")
        return folder

    @contextmanager
    def in_use(self) -> Iterator[None]:
        """While entered, no other process may work in the folder. What killed ones have left is cleared.

        Raises
        ------
        Busy
            When another process does.
        """
        with locked(self.path / LOCK, wait=False, what=f"run folder {shown(self.path)}"):
            clear_folder(self.path)
            yield

    def note_config(self, config: TrainConfig) -> None:
        """Write the configuration and the versions in use."""
        write_file(self.config_file, config_text(config))
        write_json(self.versions_file, versions())

    def saved_settings(self) -> dict[str, Any]:
        """Return the settings of ``config.yaml``."""
        return read_yaml(self.config_file)

    def checkpoint_file(self, steps: int) -> Path:
        """Return the path of the checkpoint after ``steps`` decisions."""
        return self.checkpoints / f"step_{steps}.zip"

    def checkpoint_files(self) -> list[Path]:
        """Return the checkpoints, that with the most decisions first."""
        found = {}
        for file in self.checkpoints.glob("step_*.zip"):
            match = re.fullmatch(r"step_(\d{1,15})\.zip", file.name)
            if match:
                found[int(match[1])] = file
        return [found[steps] for steps in sorted(found, reverse=True)]

    def last_checkpoint(self) -> Path:
        """Return the checkpoint with the most decisions.

        Raises
        ------
        UserError
            Where there is none.
        """
        files = self.checkpoint_files()
        if not files:
            raise UserError(f"run folder {shown(self.path)} has no checkpoint yet")
        return files[0]


def default_path(config: TrainConfig, name: str) -> Path:
    """Return ``<runs_dir>/<name>-<seed>-<time>``."""
    return Path(config.runs_dir) / f"{name}-{config.seed}-{time.strftime('%Y%m%d-%H%M%S')}"


def versions() -> dict[str, Any]:
    """Return the versions of Python, the platform and :data:`PACKAGES`."""
    packages: dict[str, str | None] = {}
    for package in PACKAGES:
        try:
            packages[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            packages[package] = _own_version() if package == "onirim_env" else None
    machine = f"{platform.system()} {platform.machine()}"
    return {"python": platform.python_version(), "platform": machine, "packages": packages}


def _own_version() -> str:
    import onirim_env

    return onirim_env.__version__

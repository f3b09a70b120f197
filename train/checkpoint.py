"""Checkpoints: zip files of plain tensors with ``onirim.json``, which load in any version.

``onirim.json`` has the settings, decisions taken and versions; ``policy.pth`` and
``policy.optimizer.pth`` are state dictionaries. Of the trainer ``sb3`` a checkpoint is the zip file of
``MaskablePPO.save``, whose names these are, with ``onirim.json`` added; ``MaskablePPO.load`` reads it.
Only those three entries are read back, so a checkpoint neither runs pickled code nor depends on the
versions that it was written with.
"""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from sb3_contrib import MaskablePPO

from onirim_env.files import write_file
from train.config import TrainConfig
from train.errors import UserError
from train.run_folder import versions

NOTES = "onirim.json"
"""The entry that this package adds."""

_POLICY, _OPTIMIZER = "policy.pth", "policy.optimizer.pth"
_NOT_SAVED = ["_last_obs", "_last_episode_starts", "ep_info_buffer", "ep_success_buffer"]


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint holds.

    Attributes
    ----------
    settings
        The settings of its training, by name.
    steps, updates
        Decisions and minibatch passes so far.
    policy, optimizer
        Their state dictionaries, whose names are those of the trainer.
    versions
        What it was written with.
    """

    settings: dict[str, Any]
    steps: int
    updates: int
    policy: dict[str, torch.Tensor]
    optimizer: dict[str, Any]
    versions: dict[str, Any]

    def restore(self, model: MaskablePPO) -> None:
        """Put the weights, the optimizer and the counts into a model of the same shape."""
        model.policy.load_state_dict(self.policy)
        model.policy.optimizer.load_state_dict(self.optimizer)
        model.num_timesteps = self.steps
        model._n_updates = self.updates


def save_checkpoint(path: Path, model: MaskablePPO, config: TrainConfig) -> None:
    """Write a checkpoint of the trainer ``sb3``, all or nothing."""
    content = io.BytesIO()
    model.save(content, exclude=_NOT_SAVED)
    _write(path, content, config, model.num_timesteps, model._n_updates)


def save_tensors(
    path: Path,
    policy: dict[str, Any],
    optimizer: dict[str, Any],
    config: TrainConfig,
    steps: int,
    updates: int,
) -> None:
    """Write a checkpoint of state dictionaries, all or nothing."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, state in ((_POLICY, policy), (_OPTIMIZER, optimizer)):
            entry = io.BytesIO()
            torch.save(state, entry)
            archive.writestr(name, entry.getvalue())
    _write(path, content, config, steps, updates)


def _write(path: Path, content: io.BytesIO, config: TrainConfig, steps: int, updates: int) -> None:
    """Add the notes to a zip file in memory, and write it."""
    notes = {"settings": config.as_dict(), "steps": steps, "updates": updates, "versions": versions()}
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr(NOTES, json.dumps(notes, indent=2))
    write_file(path, content.getvalue())


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises
    ------
    UserError
        For a missing file, and for one that is no checkpoint of this package.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            if NOTES not in archive.namelist():
                raise UserError(f"{path} is no checkpoint of this package: it has no {NOTES}")
            notes = json.loads(archive.read(NOTES))
            policy = _tensors(archive, _POLICY)
            optimizer = _tensors(archive, _OPTIMIZER)
    except FileNotFoundError:
        raise UserError(f"no checkpoint {path}") from None
    except (OSError, zipfile.BadZipFile, KeyError, ValueError, RuntimeError) as error:
        raise UserError(f"{path} cannot be read: {' '.join(str(error).split())}") from None
    return Checkpoint(
        notes["settings"], notes["steps"], notes["updates"], policy, optimizer, notes["versions"]
    )


def _tensors(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(io.BytesIO(archive.read(name)), map_location="cpu", weights_only=True)
    return state

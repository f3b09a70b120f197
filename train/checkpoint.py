"""Checkpoints: zip files of plain tensors with ``onirim.json``, which load in any version.

``onirim.json`` has the settings, decisions taken and versions; ``policy.pth`` and
``policy.optimizer.pth`` are state dictionaries. Of the trainer ``sb3`` a checkpoint is the zip file of
``MaskablePPO.save``, whose names these are, with ``onirim.json`` added; ``MaskablePPO.load`` reads it.
Only those three entries are read back, within bounds, so a checkpoint neither runs pickled code nor
depends on the versions that it was written with.
"""

from __future__ import annotations

import contextlib
import copy
import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cloudpickle
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from torch import nn

from agents.arrays.zip_entries import ZipEntries
from onirim_env.command import usage_errors
from onirim_env.errors import FileError, quoted
from onirim_env.files import reason, shown, write_file
from train import fast_policy
from train.config import MOST_STEPS, TrainConfig
from train.config_reading import make_config
from train.errors import UserError
from train.run_folder import versions
from train.state_files import OF_ADAM, misfit, optimizer_misfit, read_tensors

NOTES = "onirim.json"
"""The entry that this package adds."""

POLICY = "policy.pth"
"""The entry with the state dictionary of the policy."""
MOST_CHECKPOINT = 256_000_000
"""How many bytes a checkpoint has at most: the largest network that there may be, three times, for Adam."""
MOST_NOTES = 1_000_000
"""How many bytes ``onirim.json`` has at most."""

_OPTIMIZER = "policy.optimizer.pth"
_NOT_SAVED = ["lr_schedule", "_last_obs", "_last_episode_starts", "ep_info_buffer", "ep_success_buffer"]


@dataclass(frozen=True)
class Checkpoint:
    """What a checkpoint holds.

    Attributes
    ----------
    file
        Where it was read.
    config
        The settings of its training.
    steps, updates
        Decisions and minibatch passes so far.
    policy, optimizer
        Their state dictionaries, whose names are those of the trainer.
    versions
        What it was written with.
    """

    file: Path
    config: TrainConfig
    steps: int
    updates: int
    policy: dict[str, torch.Tensor]
    optimizer: dict[str, Any]
    versions: dict[str, Any]

    def put_weights(self, network: nn.Module) -> None:
        """Put the weights into a network.

        Raises
        ------
        UserError
            When they are those of another network, or not finite.
        """
        wrong = misfit(self.policy, network)
        if wrong:
            rules = self.config.rule_set()
            raise UserError(f"{shown(self.file)} does not fit {rules} as it is in this version: {wrong}")
        network.load_state_dict(self.policy)

    def put_optimizer(self, optimizer: torch.optim.Optimizer) -> None:
        """Put the state of the optimizer into one for the same network.

        Raises
        ------
        UserError
            When it is that of another network, or not finite.
        """
        wrong = optimizer_misfit(self.optimizer, optimizer)
        if wrong:
            raise UserError(f"{shown(self.file)} has an optimizer that does not fit: {wrong}")
        # Step sizes and the like are those of the settings, not of the file.
        of_parameters = {
            number: {part: one[part] for part in OF_ADAM} for number, one in self.optimizer["state"].items()
        }
        optimizer.load_state_dict({**optimizer.state_dict(), "state": of_parameters})

    def restore(self, model: MaskablePPO) -> None:
        """Put the weights, the optimizer and the counts into a model of the same shape."""
        self.put_weights(model.policy)
        self.put_optimizer(model.policy.optimizer)
        model.num_timesteps = self.steps
        model._n_updates = self.updates


def save_checkpoint(path: Path, model: MaskablePPO, config: TrainConfig) -> None:
    """Write a checkpoint of the trainer ``sb3``, all or nothing."""
    content = io.BytesIO()
    with _by_value():
        _stock(model).save(content, exclude=_NOT_SAVED)
    _write(path, content, config, model.num_timesteps, model._n_updates)


def _stock(model: MaskablePPO) -> MaskablePPO:
    """Return a model with the same weights that names sb3-contrib's own classes, for ``MaskablePPO.load``.

    Those of this package are faster, not different: parameters have the same names.
    """
    stock = copy.copy(model)
    stock.policy_class = MaskableActorCriticPolicy
    stock.rollout_buffer_class = MaskableRolloutBuffer
    stock.learning_rate = float(model.lr_schedule(model._current_progress_remaining))
    return stock


@contextlib.contextmanager
def _by_value() -> Iterator[None]:
    """While entered, the trunk that policies may share is pickled with its code, not by its name."""
    cloudpickle.register_pickle_by_value(fast_policy)
    try:
        yield
    finally:
        cloudpickle.unregister_pickle_by_value(fast_policy)


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
        for name, state in ((POLICY, policy), (_OPTIMIZER, optimizer)):
            entry = io.BytesIO()
            torch.save(_on_cpu(state), entry)
            archive.writestr(name, entry.getvalue())
    _write(path, content, config, steps, updates)


def _on_cpu(state: Any) -> Any:
    """Return the tensors of a state dictionary on the CPU: a file loads on machines of any device."""
    if isinstance(state, torch.Tensor):
        return state.cpu()
    if isinstance(state, dict):
        return {name: _on_cpu(value) for name, value in state.items()}
    return [_on_cpu(value) for value in state] if isinstance(state, list) else state


def _write(path: Path, content: io.BytesIO, config: TrainConfig, steps: int, updates: int) -> None:
    """Add the notes to a zip file in memory, and write it."""
    notes = {"settings": config.as_dict(), "steps": steps, "updates": updates, "versions": versions()}
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr(NOTES, json.dumps(notes, indent=2))
    if path.is_fifo():  # passed over when the training went on; to write into it would wait for ever
        path.unlink()
    write_file(path, content.getvalue())


def load_checkpoint(path: Path) -> Checkpoint:
    """Read a checkpoint.

    Raises
    ------
    UserError
        For a missing file, and for one that is no checkpoint of this package.
    """
    with usage_errors():
        entries = model_entries(path)
        if NOTES not in entries.names:
            raise FileError(f"{shown(path)} is no checkpoint of this package: it has no {NOTES}")
        notes = _notes(entries, path)
        policy = read_tensors(entries, POLICY, path)
        optimizer = read_tensors(entries, _OPTIMIZER, path)
    try:
        config = make_config(notes["settings"])
    except UserError as error:
        raise UserError(f"{shown(path)} has settings that this version does not know: {error}") from None
    return Checkpoint(path, config, notes["steps"], notes["updates"], policy, optimizer, notes["versions"])


def model_entries(path: Path) -> ZipEntries:
    """Return the entries of a checkpoint, or of what ``MaskablePPO.save`` wrote.

    Raises
    ------
    FileError
        For what is no zip file, or is too large.
    """
    return ZipEntries.of_file(path, MOST_CHECKPOINT, "model")


def _notes(entries: ZipEntries, path: Path) -> dict[str, Any]:
    """Return what ``onirim.json`` says."""
    text = entries.read(NOTES, MOST_NOTES)
    try:
        notes = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FileError(f"{shown(path)}: {NOTES} is not JSON: {reason(error)[:200]}") from None
    if not isinstance(notes, dict):
        raise FileError(f"{shown(path)}: {NOTES} is {quoted(notes)}, not notes by name")
    for name in ("settings", "versions"):
        if not isinstance(notes.get(name), dict):
            raise FileError(
                f"{shown(path)}: {NOTES} has {name} {quoted(notes.get(name))}, not values by name"
            )
    for name in ("steps", "updates"):
        value = notes.get(name)
        if type(value) is not int or not 0 <= value <= MOST_STEPS:
            raise FileError(f"{shown(path)}: {NOTES} has {name} {quoted(value)}, not a whole number from 0")
    return notes

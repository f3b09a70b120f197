"""The checkpoint that a training goes on from, or that speaks for a run folder."""

from __future__ import annotations

import sys

from onirim_env.files import shown
from train.checkpoint import Checkpoint, load_checkpoint
from train.config import TrainConfig
from train.errors import UserError
from train.run_folder import RunFolder
from train.untrained import untrained_policy


def newest_checkpoint(folder: RunFolder, config: TrainConfig | None = None) -> Checkpoint | None:
    """Return the newest checkpoint of a folder that can be read; None where there is none at all.

    Those that are passed over are named on stderr.

    Parameters
    ----------
    folder
        The run folder.
    config
        The settings that it has to fit; its own when not given.

    Raises
    ------
    UserError
        When there are some, and none can be read.
    """
    files = folder.checkpoint_files()
    for file in files:
        try:
            checkpoint = load_checkpoint(file)
            checkpoint.put_weights(untrained_policy(config or checkpoint.config))
        except UserError as error:
            print(f"passed over: {error}", file=sys.stderr)
        else:
            return checkpoint
    if files:
        raise UserError(f"no checkpoint of {shown(folder.path)} can be read")
    return None


def best_checkpoint(folder: RunFolder) -> Checkpoint:
    """Return the trained model of a folder, or the newest checkpoint of a training that has not ended.

    Raises
    ------
    UserError
        Where there is neither, or none that can be read.
    """
    if folder.model_file.is_file():
        return load_checkpoint(folder.model_file)
    checkpoint = newest_checkpoint(folder)
    if checkpoint is None:
        raise UserError(f"run folder {shown(folder.path)} has no checkpoint yet")
    return checkpoint

"""The weights that a training begins with: ``start_from``."""

from __future__ import annotations

from pathlib import Path

from torch import nn

from onirim_env.command import usage_errors
from onirim_env.errors import quoted
from onirim_env.files import shown
from train.checkpoint import Checkpoint, load_checkpoint
from train.config import TrainConfig
from train.config_reading import changed_settings
from train.errors import UserError
from train.resuming import best_checkpoint
from train.run_folder import RunFolder
from train.untrained import untrained_policy

SAME = ("trainer", "env", "talk", "rules", "layout", "network", "hidden_layers", "activation", "shared_trunk")
"""Settings that both trainings must have alike."""


def put_starting_weights(config: TrainConfig, network: nn.Module) -> None:
    """Put the weights of ``config.start_from`` into a network.

    Raises
    ------
    UserError
        For a path that holds no training, and one of another trainer, game or network.
    """
    _checkpoint(config).put_weights(network)


def check_start(config: TrainConfig) -> None:
    """Refuse a ``start_from`` that cannot be begun with, as :func:`put_starting_weights` does."""
    if config.start_from:
        put_starting_weights(config, untrained_policy(config))


def _checkpoint(config: TrainConfig) -> Checkpoint:
    path = Path(config.start_from)
    try:
        with usage_errors(OSError):
            is_folder = path.is_dir()
        checkpoint = best_checkpoint(RunFolder.open(path)) if is_folder else load_checkpoint(path)
    except UserError as error:
        raise UserError(f"start_from: {error}") from None
    for name in changed_settings(checkpoint.config, config):
        if name in SAME:
            has, wished = (quoted(one.as_dict()[name]) for one in (checkpoint.config, config))
            raise UserError(
                f"start_from: {shown(checkpoint.file)} has {name} {has}, and this training {wished}"
            )
    return checkpoint

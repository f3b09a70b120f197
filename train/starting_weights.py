"""The weights that a training begins with: ``start_from``."""

from __future__ import annotations

from pathlib import Path

import torch

from train.checkpoint import load_checkpoint
from train.config import TrainConfig
from train.errors import UserError
from train.run_folder import RunFolder


def starting_weights(config: TrainConfig) -> dict[str, torch.Tensor]:
    """Return the state dictionary of the policy of ``config.start_from``.

    Raises
    ------
    UserError
        For a path that holds no training, and one of another trainer, game or network.
    """
    path = Path(config.start_from)
    file = RunFolder.open(path).best_model() if path.is_dir() else path
    checkpoint = load_checkpoint(file)
    settings = {**TrainConfig().as_dict(), **checkpoint.settings}
    for name in ("trainer", "env", "talk", "rules", "layout", "hidden_layers", "activation", "shared_trunk"):
        has, wished = settings[name], config.as_dict()[name]
        if has != wished:
            raise UserError(f"start_from: {file} has {name} {has!r}, and this training {wished!r}")
    return checkpoint.policy

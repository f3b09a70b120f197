"""Training: from a configuration to the files of a run folder, by the trainer that it names."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import torch
from torch import nn

from train.checkpoint import Checkpoint
from train.config import TrainConfig
from train.interrupt import Interrupt
from train.memory import keep_freed_memory
from train.metrics import Metrics
from train.progress import Progress
from train.run_folder import RunFolder
from train.training_log import TrainingLog


class Trainer(Protocol):
    """What trains a policy: made with the settings and, to go on, a checkpoint.

    Attributes
    ----------
    model
        What the trainer trains, in its own terms.
    """

    model: Any

    @property
    def steps(self) -> int:
        """Decisions learned from."""

    @property
    def policy(self) -> nn.Module:
        """The layers that lead from observations to logits."""

    def save(self, path: Path) -> None:
        """Write a checkpoint."""

    def run(self, log: TrainingLog, interrupt: Interrupt, save: Callable[[], None]) -> None:
        """Train to the end, or until Ctrl-C."""


class Training(NamedTuple):
    """How a training ended.

    Attributes
    ----------
    model
        The model as it is now: a ``MaskablePPO``, or a :class:`train.torch_ppo.Learner`.
    policy
        Its layers that lead from observations to logits.
    steps
        Decisions learned from.
    complete
        Whether it took all its steps; False after Ctrl-C.
    """

    model: Any
    policy: nn.Module
    steps: int
    complete: bool


def make_trainer(config: TrainConfig, checkpoint: Checkpoint | None = None) -> Trainer:
    """Return the trainer that the configuration names."""
    if config.learners > 1:
        from train.learners import LearnersTrainer

        return LearnersTrainer(config, checkpoint)
    if config.trainer == "torch":
        from train.torch_trainer import TorchTrainer

        return TorchTrainer(config, checkpoint)
    from train.ppo import MaskablePPOTrainer

    return MaskablePPOTrainer(config, checkpoint)


def train(config: TrainConfig, folder: RunFolder, checkpoint: Checkpoint | None = None) -> Training:
    """Train to ``config.total_steps``, from the start or from a checkpoint.

    The games under way are not part of a checkpoint: a training that goes on deals new ones.

    Parameters
    ----------
    config
        The settings.
    folder
        Where checkpoints, metrics and, at the end, the model go.
    checkpoint
        Where to go on.

    Raises
    ------
    UserError
        For a checkpoint, or weights to start from, that do not fit the settings.
    OSError
        When something cannot be written: the disk is full.
    """
    torch.set_num_threads(config.threads)
    keep_freed_memory()
    steps = checkpoint.steps if checkpoint else 0
    trainer = make_trainer(config, checkpoint)
    folder.checkpoints.mkdir(parents=True, exist_ok=True)

    def save() -> None:
        trainer.save(folder.checkpoint_file(trainer.steps))

    with Interrupt() as interrupt:
        with (
            closing(Metrics(folder.metrics_file, folder.tensorboard, steps)) as metrics,
            closing(Progress(config.total_steps, steps)) as progress,
        ):
            trainer.run(TrainingLog(config, metrics, progress, steps), interrupt, save)
            save()
        complete = trainer.steps >= config.total_steps
        if complete:
            trainer.save(folder.model_file)
    return Training(trainer.model, trainer.policy, trainer.steps, complete)

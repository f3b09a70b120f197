"""TorchTrainer: the trainer ``torch`` behind the configuration, the run folder and the log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from torch import nn

from train.checkpoint import Checkpoint, save_tensors
from train.config import TrainConfig
from train.interrupt import Interrupt
from train.seeding import training_seed
from train.starting_weights import put_starting_weights
from train.torch_ppo import Learner, make_learner, train
from train.training_log import TrainingLog


class TorchTrainer:
    """The trainer ``torch``: see :class:`train.training.Trainer`."""

    def __init__(self, config: TrainConfig, checkpoint: Checkpoint | None) -> None:
        self._config = config
        self.seed = training_seed(config.seed, checkpoint.steps if checkpoint else 0)
        self.model: Learner = make_learner(config, self.seed)
        if checkpoint:
            checkpoint.put_weights(self.model.network)
            checkpoint.put_optimizer(self.model.optimizer)
            self.model.steps, self.model.updates = checkpoint.steps, checkpoint.updates
        elif config.start_from:
            put_starting_weights(config, self.model.network)

    @property
    def steps(self) -> int:
        """Decisions learned from."""
        return self.model.steps

    @property
    def policy(self) -> nn.Module:
        """The layers that lead from observations to logits."""
        return self.model.network.policy()

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        learner = self.model
        policy, optimizer = learner.network.state_dict(), learner.optimizer.state_dict()
        save_tensors(path, policy, optimizer, self._config, learner.steps, learner.updates)

    def run(self, log: TrainingLog, interrupt: Interrupt, save: Callable[[], None]) -> None:
        """Train to the end, or until Ctrl-C."""
        learner, config = self.model, self._config

        def on_step(ended: list[dict[str, Any]]) -> bool:
            log.step(learner.steps, ended)
            return not interrupt.wished

        def on_update() -> None:
            log.rollout()
            row = {
                "learning_rate": learner.optimizer.param_groups[0]["lr"],
                "entropy_coefficient": config.at(config.entropy, config.entropy_end, learner.steps),
                **learner.losses,
            }
            log.update(learner.steps, row, self.policy, save)

        train(learner, self.seed, on_step, on_update)

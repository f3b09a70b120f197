"""TrainingCallback: what happens between the rollouts of a training with sb3-contrib."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from train.config import TrainConfig
from train.interrupt import Interrupt
from train.policy_agent import policy_network
from train.training_log import TrainingLog

_OF_SB3 = {
    "policy_loss": "train/policy_gradient_loss",
    "value_loss": "train/value_loss",
    "explained_variance": "train/explained_variance",
    "approx_kl": "train/approx_kl",
    "clip_fraction": "train/clip_fraction",
}


class TrainingCallback(BaseCallback):
    """Lowers the entropy bonus, keeps the log, heeds Ctrl-C.

    All of it but the progress happens before a rollout, when every decision counted so far has been
    learned from.

    Parameters
    ----------
    config
        The settings.
    log, interrupt
        What is told of it, and whether to stop.
    save
        Saves a checkpoint.
    """

    def __init__(
        self, config: TrainConfig, log: TrainingLog, interrupt: Interrupt, save: Callable[[], None]
    ) -> None:
        super().__init__()
        self.model: MaskablePPO
        self._config = config
        self._log = log
        self._interrupt = interrupt
        self._save = save

    def _on_rollout_start(self) -> None:
        if self.model.num_timesteps > self._log.learned:
            self._after_update()

    def _on_step(self) -> bool:
        infos = self.locals["infos"]
        self._log.step(self.num_timesteps, (infos[row] for row in np.flatnonzero(self.locals["dones"])))
        if self._interrupt.wished:
            # The decisions of this rollout have taught nothing yet.
            self.model.num_timesteps = self._log.learned
            return False
        return True

    def _on_rollout_end(self) -> None:
        config = self._config
        self.model.ent_coef = config.at(config.entropy, config.entropy_end, self.num_timesteps)
        self._log.rollout()

    def _on_training_end(self) -> None:
        if self.model.num_timesteps > self._log.learned:
            self._after_update()

    def _after_update(self) -> None:
        row: dict[str, float] = {
            "learning_rate": self.model.policy.optimizer.param_groups[0]["lr"],
            "entropy_coefficient": self.model.ent_coef,
        }
        logged = self.model.logger.name_to_value
        row.update({name: float(logged[key]) for name, key in _OF_SB3.items() if key in logged})
        if "train/entropy_loss" in logged:
            row["entropy"] = -float(logged["train/entropy_loss"])
        self._log.update(self.model.num_timesteps, row, policy_network(self.model.policy), self._save)

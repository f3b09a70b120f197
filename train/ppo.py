"""Training sb3-contrib's ``MaskablePPO`` on the batch of games."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from torch import nn

from onirim_env.sb3 import OnirimVecEnv
from train.callback import TrainingCallback
from train.checkpoint import Checkpoint, save_checkpoint
from train.config import TrainConfig
from train.devices import find_device
from train.fast_policy import MaskedPolicy, MaskedRolloutBuffer
from train.interrupt import Interrupt
from train.policy_agent import policy_network
from train.seeding import training_seed
from train.starting_weights import put_starting_weights
from train.training_log import TrainingLog
from train.untrained import policy_arguments


class MaskablePPOTrainer:
    """The trainer ``sb3``: see :class:`train.training.Trainer`."""

    def __init__(self, config: TrainConfig, checkpoint: Checkpoint | None) -> None:
        self._config = config
        self.model = make_model(config, checkpoint.steps if checkpoint else 0)
        if checkpoint:
            checkpoint.restore(self.model)
        elif config.start_from:
            put_starting_weights(config, self.model.policy)

    @property
    def steps(self) -> int:
        """Decisions learned from."""
        return int(self.model.num_timesteps)

    @property
    def policy(self) -> nn.Module:
        """The layers that lead from observations to logits."""
        return policy_network(self.model.policy)

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        save_checkpoint(path, self.model, self._config)

    def run(self, log: TrainingLog, interrupt: Interrupt, save: Callable[[], None]) -> None:
        """Train to the end, or until Ctrl-C."""
        callback = TrainingCallback(self._config, log, interrupt, save)
        # SB3 adds the steps of the checkpoint to those asked for.
        self.model.learn(
            self._config.total_steps - self.steps, callback=callback, reset_num_timesteps=self.steps == 0
        )


def make_model(config: TrainConfig, steps: int = 0) -> MaskablePPO:
    """Return an untrained model with its environment.

    Parameters
    ----------
    config
        The settings.
    steps
        Decisions already taken; a training that goes on draws other games and actions with them.
    """
    seed = training_seed(config.seed, steps)
    env = OnirimVecEnv(
        config.num_envs,
        config.env,
        seed,
        reward=config.reward,
        talk=config.talk,
        threads=config.threads,
        **config.rules,
    )
    model = MaskablePPO(
        MaskedPolicy,
        env,
        learning_rate=functools.partial(linear, config.learning_rate, config.learning_rate_end),
        n_steps=config.n_steps,
        batch_size=config.batch_size,
        n_epochs=config.n_epochs,
        gamma=config.gamma,
        gae_lambda=config.gae_lambda,
        clip_range=config.clip_range,
        ent_coef=config.entropy,
        vf_coef=config.vf_coef,
        max_grad_norm=config.max_grad_norm,
        rollout_buffer_class=MaskedRolloutBuffer,
        policy_kwargs=policy_arguments(config),
        seed=seed,
        device=find_device(config.device),
    )
    model.set_logger(Logger(folder=None, output_formats=[]))
    return model


def linear(start: float, end: float, left: float) -> float:
    """Return the value between ``start`` (``left`` = 1) and ``end`` (``left`` = 0)."""
    return end + (start - end) * max(left, 0.0)

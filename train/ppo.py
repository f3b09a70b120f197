"""Training sb3-contrib's ``MaskablePPO`` on the batch of games."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from torch import nn

from onirim_env.sb3 import OnirimVecEnv
from train.callback import TrainingCallback
from train.checkpoint import Checkpoint, save_checkpoint
from train.config import TrainConfig
from train.fast_policy import MaskedPolicy, MaskedRolloutBuffer, SharedTrunk
from train.interrupt import Interrupt
from train.metrics import Metrics
from train.progress import Progress
from train.run_folder import RunFolder

ACTIVATIONS: dict[str, type[nn.Module]] = {"relu": nn.ReLU, "tanh": nn.Tanh}


class Training(NamedTuple):
    """How a training ended.

    Attributes
    ----------
    model
        The model as it is now.
    complete
        Whether it took all its steps; False after Ctrl-C.
    """

    model: MaskablePPO
    complete: bool


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
    """
    torch.set_num_threads(config.threads)
    steps = checkpoint.steps if checkpoint else 0
    model = make_model(config, steps)
    if checkpoint:
        checkpoint.restore(model)
    metrics = Metrics(folder.metrics_file, folder.tensorboard, steps)
    progress = Progress(config.total_steps, steps)

    def save() -> None:
        save_checkpoint(folder.checkpoint_file(model.num_timesteps), model, config)

    with Interrupt() as interrupt:
        callback = TrainingCallback(config, metrics, progress, interrupt, save)
        try:
            # SB3 adds the steps of the checkpoint to those asked for.
            model.learn(config.total_steps - steps, callback=callback, reset_num_timesteps=not checkpoint)
            save()
        finally:
            progress.close()
            metrics.close()
    complete = model.num_timesteps >= config.total_steps
    if complete:
        save_checkpoint(folder.model_file, model, config)
    return Training(model, complete)


def make_model(config: TrainConfig, steps: int = 0) -> MaskablePPO:
    """Return an untrained model with its environment.

    Parameters
    ----------
    config
        The settings.
    steps
        Decisions already taken; a training that goes on draws other games and actions with them.
    """
    seed = _seed(config.seed, steps)
    env = OnirimVecEnv(
        config.num_envs, config.env, seed, reward=config.reward, talk=config.talk, **config.rules
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
        device="cpu",
    )
    model.set_logger(Logger(folder=None, output_formats=[]))
    return model


def policy_arguments(config: TrainConfig) -> dict[str, Any]:
    """Return the arguments of the policy for the network of a configuration."""
    activation = ACTIVATIONS[config.activation]
    if not config.shared_trunk:
        return {"net_arch": list(config.hidden_layers), "activation_fn": activation}
    return {
        "net_arch": [],
        "features_extractor_class": SharedTrunk,
        "features_extractor_kwargs": {"layers": config.hidden_layers, "activation": activation},
    }


def linear(start: float, end: float, left: float) -> float:
    """Return the value between ``start`` (``left`` = 1) and ``end`` (``left`` = 0)."""
    return end + (start - end) * max(left, 0.0)


def _seed(seed: int, steps: int) -> int:
    # Under 1e9, where the seeds of the held-out games begin.
    return int(np.random.SeedSequence([seed, steps]).generate_state(1)[0] % 900_000_000)

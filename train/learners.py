"""Several learners: a training whose games are shared out to processes or machines, by Ray Train.

The process that was started keeps the run folder: it writes metrics, evaluates, saves and shows progress,
from what the first learner sends after each update. What is learned is what one learner learns
(``share.py``).
"""

from __future__ import annotations

import dataclasses
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import nn

from agents.workers.cluster import connected
from agents.workers.workers import check_ray
from train.checkpoint import Checkpoint
from train.config import TrainConfig
from train.errors import UserError
from train.interrupt import Interrupt
from train.torch_trainer import TorchTrainer
from train.training_log import TrainingLog, passed

POLL_SECONDS = 0.1
"""How long news of the learners, and Ctrl-C, may wait."""


class State(NamedTuple):
    """How far a training is.

    Attributes
    ----------
    steps, updates
        Decisions and minibatch passes so far.
    network, optimizer
        Their state dictionaries, on the CPU.
    """

    steps: int
    updates: int
    network: dict[str, torch.Tensor]
    optimizer: dict[str, Any]


class Update(NamedTuple):
    """What the first learner tells of an update.

    Attributes
    ----------
    steps
        Decisions so far.
    row
        Columns of the metrics.
    ended
        How the games went that ended since the update before.
    state
        Where there is something to save or to evaluate, else None.
    """

    steps: int
    row: dict[str, float]
    ended: list[dict[str, Any]]
    state: State | None


class Mailbox:
    """Where the first learner leaves what it has to tell, and finds whether to stop."""

    def __init__(self) -> None:
        self._updates: list[Update] = []
        self._stop = False

    def put(self, update: Update) -> None:
        """Leave an update."""
        self._updates.append(update)

    def take(self) -> list[Update]:
        """Return what has come since the last time."""
        updates, self._updates = self._updates, []
        return updates

    def stop(self) -> None:
        """Wish the training to stop."""
        self._stop = True

    def stopped(self) -> bool:
        """Whether that is wished."""
        return self._stop


class LearnersTrainer:
    """The trainer ``torch`` with several learners: see :class:`train.training.Trainer`."""

    def __init__(self, config: TrainConfig, checkpoint: Checkpoint | None) -> None:
        check_ray("learners")
        self._config = config
        # The networks here only hold what the learners send; they may be on machines with other devices.
        self._held = TorchTrainer(dataclasses.replace(config, device="cpu", compile=False), checkpoint)
        self.model = self._held.model

    @property
    def steps(self) -> int:
        """Decisions learned from."""
        return self._held.steps

    @property
    def policy(self) -> nn.Module:
        """The layers that lead from observations to logits."""
        return self._held.policy

    def save(self, path: Path) -> None:
        """Write a checkpoint."""
        self._held.save(path)

    def run(self, log: TrainingLog, interrupt: Interrupt, save: Callable[[], None]) -> None:
        """Train to the end, or until Ctrl-C."""
        with connected(self._config.cluster) as ray, tempfile.TemporaryDirectory() as folder:
            mailbox = ray.remote(num_cpus=0)(Mailbox).remote()
            training = _Training(self._config, self._held.seed, state_of(self.model), mailbox, folder)
            training.start()
            told = False
            while True:
                going_on = training.is_alive()
                for update in ray.get(mailbox.take.remote()):
                    self._note(update, log, save)
                if not going_on:
                    break
                if interrupt.wished and not told:
                    told = True
                    mailbox.stop.remote()
                time.sleep(POLL_SECONDS)
            if training.error is not None:
                raise UserError(f"a learner failed: {_first_line(training.error)}") from training.error

    def _note(self, update: Update, log: TrainingLog, save: Callable[[], None]) -> None:
        log.step(update.steps, update.ended)
        log.rollout()
        if update.state is not None:
            put_state(self.model, update.state)
        log.update(update.steps, update.row, self.policy, save)


def state_of(learner: Any) -> State:
    """Return how far a learner is."""

    def on_cpu(values: Any) -> Any:
        if isinstance(values, torch.Tensor):
            return values.detach().cpu().clone()
        if isinstance(values, dict):
            return {name: on_cpu(value) for name, value in values.items()}
        return [on_cpu(value) for value in values] if isinstance(values, list) else values

    return State(
        learner.steps,
        learner.updates,
        on_cpu(learner.network.state_dict()),
        on_cpu(learner.optimizer.state_dict()),
    )


def put_state(learner: Any, state: State) -> None:
    """Let a learner be as far as another was."""
    learner.network.load_state_dict(state.network)
    learner.optimizer.load_state_dict(state.optimizer)
    learner.steps, learner.updates = state.steps, state.updates


class _Training(threading.Thread):
    """Ray Train at work. In the main thread it would end a training at Ctrl-C without saving it."""

    def __init__(self, config: TrainConfig, seed: int, state: State, mailbox: Any, folder: str) -> None:
        super().__init__(daemon=True)
        self.error: Exception | None = None
        self._settings = config.as_dict()
        self._learners = config.learners
        self._on_gpu = config.device == "cuda"
        self._loop = {"settings": self._settings, "seed": seed, "state": state, "mailbox": mailbox}
        self._folder = folder

    def run(self) -> None:
        """Train."""
        from ray.train import RunConfig, ScalingConfig
        from ray.train.torch import TorchTrainer as RayTrainer

        trainer = RayTrainer(
            learn,
            train_loop_config=self._loop,
            scaling_config=ScalingConfig(num_workers=self._learners, use_gpu=self._on_gpu),
            run_config=RunConfig(storage_path=self._folder, name="learners"),
        )
        try:
            trainer.fit()
        except Exception as error:
            self.error = error


def learn(loop: dict[str, Any]) -> None:
    """Learn with a share of the games: what Ray Train runs in each worker."""
    import ray
    from ray.train import get_context

    from train.config_reading import make_config
    from train.share import Share
    from train.torch_ppo import make_learner, train

    config = make_config(loop["settings"])
    torch.set_num_threads(config.threads)
    share = Share(get_context().get_world_rank(), get_context().get_world_size())
    learner = make_learner(config, loop["seed"], share)
    put_state(learner, loop["state"])
    mailbox = loop["mailbox"]
    ended: list[dict[str, Any]] = []
    before = learner.steps
    stop = False

    def on_step(some: list[dict[str, Any]]) -> bool:
        ended.extend(some)
        return not stop

    def on_update() -> None:
        nonlocal before, stop
        if share.rank:
            return
        intervals = (config.checkpoint_every, config.eval_every)
        due = any(passed(interval, before, learner.steps) for interval in intervals)
        over = learner.steps >= config.total_steps
        stop = ray.get(mailbox.stopped.remote())
        state = state_of(learner) if due or over or stop else None
        row = {
            "learning_rate": learner.optimizer.param_groups[0]["lr"],
            "entropy_coefficient": config.at(config.entropy, config.entropy_end, learner.steps),
            **learner.losses,
        }
        ray.get(mailbox.put.remote(Update(learner.steps, row, list(ended), state)))
        ended.clear()
        before = learner.steps

    train(learner, loop["seed"], on_step, on_update)


def _first_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return lines[-1].strip() if lines else type(error).__name__

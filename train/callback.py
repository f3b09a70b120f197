"""TrainingCallback: what happens between the rollouts of a training."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

from agents.evaluation import evaluate
from train.config import TrainConfig
from train.evaluation import held_out_seeds
from train.interrupt import Interrupt
from train.metrics import Metrics, RecentGames
from train.policy_agent import PolicyAgent
from train.progress import Progress

_OF_SB3 = {
    "policy_loss": "train/policy_gradient_loss",
    "value_loss": "train/value_loss",
    "explained_variance": "train/explained_variance",
    "approx_kl": "train/approx_kl",
    "clip_fraction": "train/clip_fraction",
}


class TrainingCallback(BaseCallback):
    """Lowers the entropy bonus, writes metrics, saves, evaluates, shows progress, heeds Ctrl-C.

    All of it but the progress happens before a rollout, when every decision counted so far has been
    learned from.

    Parameters
    ----------
    config
        The settings.
    metrics, progress, interrupt
        Where rows go, what is shown, and whether to stop.
    save
        Saves a checkpoint.
    """

    def __init__(
        self,
        config: TrainConfig,
        metrics: Metrics,
        progress: Progress,
        interrupt: Interrupt,
        save: Callable[[], None],
    ) -> None:
        super().__init__()
        self.model: MaskablePPO
        self._config = config
        self._metrics = metrics
        self._progress = progress
        self._interrupt = interrupt
        self._save = save
        self._games = RecentGames()
        self._start = self._last_row = 0.0
        self._learned = 0

    def _on_training_start(self) -> None:
        self._start = self._last_row = time.monotonic()
        self._learned = self.num_timesteps

    def _on_rollout_start(self) -> None:
        if self.model.num_timesteps > self._learned:
            self._after_update()

    def _on_step(self) -> bool:
        dones = self.locals["dones"]
        if dones.any():
            infos = self.locals["infos"]
            self._games.add(infos[row] for row in np.flatnonzero(dones))
        self._progress.advance(self.num_timesteps)
        if self._interrupt.wished:
            # The decisions of this rollout have taught nothing yet.
            self.model.num_timesteps = self._learned
            return False
        return True

    def _on_rollout_end(self) -> None:
        config = self._config
        self.model.ent_coef = config.at(config.entropy, config.entropy_end, self.num_timesteps)
        means = self._games.means()
        if means:
            self._progress.state(means["win_rate"], means["reward"])

    def _on_training_end(self) -> None:
        if self.model.num_timesteps > self._learned:
            self._after_update()

    def _after_update(self) -> None:
        steps = self.model.num_timesteps
        now = time.monotonic()
        row: dict[str, Any] = {
            "steps": steps,
            "seconds": self._metrics.seconds_before + now - self._start,
            "steps_per_second": (steps - self._learned) / (now - self._last_row),
            "games": self._games.finished,
            **self._games.means(),
            "learning_rate": self.model.policy.optimizer.param_groups[0]["lr"],
            "entropy_coefficient": self.model.ent_coef,
        }
        logged = self.model.logger.name_to_value
        row.update({name: float(logged[key]) for name, key in _OF_SB3.items() if key in logged})
        if "train/entropy_loss" in logged:
            row["entropy"] = -float(logged["train/entropy_loss"])
        if self._passed(self._config.eval_every, steps):
            row.update(self._evaluate(steps))
        self._metrics.write(row)
        if self._passed(self._config.checkpoint_every, steps):
            self._save()
        self._learned = steps
        self._last_row = time.monotonic()

    def _passed(self, interval: int, steps: int) -> bool:
        """Whether a multiple of ``interval`` lies among the steps since the last update."""
        return interval > 0 and steps // interval > self._learned // interval

    def _evaluate(self, steps: int) -> dict[str, float]:
        config = self._config
        rules = config.rule_set()
        seeds = held_out_seeds(rules, config.talk, config.eval_games, validation=True)
        agent = PolicyAgent(self.model, rules=rules, talk=config.talk)
        result = evaluate(agent, seeds=seeds, progress=False)
        low, high = result.interval
        self._progress.say(
            f"{steps:,} steps: greedy win rate {result.win_rate:.1%} ({low:.1%} to {high:.1%}), "
            f"{result.mean_doors:.2f} Doors"
        )
        return {
            "eval_win_rate": result.win_rate,
            "eval_low": low,
            "eval_high": high,
            "eval_doors": result.mean_doors,
        }

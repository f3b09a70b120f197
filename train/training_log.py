"""TrainingLog: what both trainers do after each update."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from torch import nn

from train.config import TrainConfig
from train.metrics import Metrics, RecentGames
from train.progress import Progress
from train.validation import validate


class TrainingLog:
    """Writes metrics, saves checkpoints, evaluates greedily, and shows progress.

    Parameters
    ----------
    config
        The settings.
    metrics, progress
        Where rows go, and what is shown.
    steps
        Decisions that the training begins with.
    """

    def __init__(self, config: TrainConfig, metrics: Metrics, progress: Progress, steps: int) -> None:
        self.learned = steps
        self._config = config
        self._metrics = metrics
        self._progress = progress
        self._games = RecentGames()
        self._start = self._last_row = time.monotonic()

    def step(self, steps: int, ended: Iterable[Mapping[str, Any]]) -> None:
        """Note that so many decisions have been taken, and the last infos of games that ended."""
        self._games.add(ended)
        self._progress.advance(steps)

    def rollout(self) -> None:
        """Show how the recent games went."""
        means = self._games.means()
        if means:
            self._progress.state(means["win_rate"], means["reward"])

    def update(
        self, steps: int, row: Mapping[str, float], policy: nn.Module, save: Callable[[], None]
    ) -> None:
        """Note an update.

        Parameters
        ----------
        steps
            Decisions learned from so far.
        row
            What the trainer knows of the columns of the metrics.
        policy
            Leads from observations to logits; it is evaluated when its time has come.
        save
            Saves a checkpoint.
        """
        now = time.monotonic()
        whole: dict[str, Any] = {
            "steps": steps,
            "seconds": self._metrics.seconds_before + now - self._start,
            "steps_per_second": (steps - self.learned) / (now - self._last_row),
            "games": self._games.finished,
            **self._games.means(),
            **row,
        }
        if passed(self._config.eval_every, self.learned, steps):
            whole.update(self._evaluate(steps, policy))
        self._metrics.write(whole)
        if passed(self._config.checkpoint_every, self.learned, steps):
            save()
        self.learned = steps
        self._last_row = time.monotonic()

    def _evaluate(self, steps: int, policy: nn.Module) -> dict[str, float]:
        result = validate(self._config, policy, self._config.eval_games)
        low, high = result.interval
        self._progress.say(
            f"{steps:,} steps: greedy win rate {result.win_rate:.1%} ({low:.1%} to {high:.1%}), "
            f"{result.doors:.2f} Doors"
        )
        return {
            "eval_win_rate": result.win_rate,
            "eval_low": low,
            "eval_high": high,
            "eval_doors": result.doors,
        }


def passed(interval: int, before: int, steps: int) -> bool:
    """Whether a multiple of ``interval`` lies among the steps after ``before``."""
    return interval > 0 and steps // interval > before // interval

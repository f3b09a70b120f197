"""Sweep: trials of settings that Optuna draws, each trained with some seeds, in one folder.

| file | holds |
|---|---|
| ``sweep.json`` | what is swept and how: the same when the sweep goes on |
| ``study.log`` | Optuna's journal of the trials |
| ``trial-<n>/seed-<s>/`` | the run folder of each training, with ``validation.json`` at its end |
| ``table.csv`` | the table, written after each trial |
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stderr, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.samplers import BaseSampler, RandomSampler, TPESampler
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, Trial, TrialState

from agents.workers.tasks import run_tasks
from agents.workers.workers import ALONE, Workers
from onirim_env.command import usage_errors
from onirim_env.errors import Busy, quoted
from onirim_env.files import check_output_folder, clear_folder, locked, shown
from train.config import TrainConfig
from train.errors import UserError
from train.interrupt import Interrupt
from train.run_folder import LOCK
from train.sweep_journal import mend_journal
from train.sweep_plan import LISTED, Plan, note_plan
from train.sweep_trial import Result, result_of, stored_result

_FAILURE = "failure"


@dataclass(frozen=True)
class Row:
    """A trial that has ended.

    Attributes
    ----------
    number
        Number of the trial.
    drawn
        What Optuna has drawn, by name of the setting.
    results
        What came out of its trainings; fewer than seeds when it was pruned or failed.
    pruned
        Whether it was ended early.
    failure
        Why it has failed, if so.
    """

    number: int
    drawn: dict[str, Any]
    results: list[Result]
    pruned: bool
    failure: str | None

    @property
    def win_rate(self) -> float:
        """Mean win rate over the seeds."""
        return _mean([result.win_rate for result in self.results])

    @property
    def doors(self) -> float:
        """Mean number of Doors over the seeds."""
        return _mean([result.doors for result in self.results])

    @property
    def seconds(self) -> float:
        """Time of all trainings together."""
        return sum(result.seconds for result in self.results)


class Sweep:
    """A sweep in its folder, new or going on, while :meth:`in_use` is entered.

    Parameters
    ----------
    plan
        What it does.
    path
        Its folder.
    workers
        Who trains.

    Raises
    ------
    UserError
        For a folder that holds something else, a sweep by another plan, or a damaged one.
    """

    def __init__(self, plan: Plan, path: Path, workers: Workers = ALONE) -> None:
        self.plan = plan
        self.path = path
        self._workers = workers
        note_plan(plan, path)
        log = path / "study.log"
        mend_journal(log)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        try:
            with _undisturbed():
                self._study = optuna.create_study(
                    storage=JournalStorage(JournalFileBackend(str(log))),
                    study_name="sweep",
                    direction="maximize",
                    load_if_exists=True,
                )
        except OSError:
            raise
        except Exception as error:  # Optuna says in many ways that its journal makes no sense
            raise UserError(f"{shown(log)} is no journal of a sweep: {quoted(error)}") from None
        self._study.pruner = optuna.pruners.MedianPruner(n_startup_trials=3)

    @classmethod
    @contextmanager
    def in_use(cls, plan: Plan, path: Path, workers: Workers = ALONE) -> Iterator[Sweep]:
        """Make or open a sweep; while entered, no other process may work in its folder.

        Raises
        ------
        UserError
            As for the class, and for a folder that cannot be made.
        Busy
            When another process works in it.
        """
        with usage_errors():
            check_output_folder("--folder", path)
        with locked(path / LOCK, wait=False, what=f"the sweep in {shown(path)}"):
            clear_folder(path)
            yield cls(plan, path, workers)

    def run(self, trials: int) -> Iterator[Row]:
        """Run what is missing of so many trials; yield each as it ends.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C; what is under way goes on when the sweep runs again.
        """
        if not self._workers.alone and self.plan.sampler != "tpe" and not self.plan.prune:
            drawn = foreseen(self.plan, trials)
            self._train_side_by_side([(drawn.index(one), one) for one in drawn])
        for begun in self._study.get_trials(states=(TrialState.RUNNING,)):
            # Optuna has no public way to go on with a trial of another process.
            yield self._run(Trial(self._study, begun._trial_id), trials)
        while len(self._ended()) < trials:
            yield self._run(self._ask(), trials)

    def rows(self) -> list[Row]:
        """Return the trials that have ended, best first; one for settings that were drawn again."""
        ended = self._ended()
        rows = [self._row(trial) for trial in ended if self._home(trial) == trial.number]
        return sorted(rows, key=_rank)

    def _ask(self) -> Trial:
        """Return a new trial. What it draws depends on its number and the trials before it alone."""
        number = len(self._ended())
        with _undisturbed():
            self._study.sampler = _sampler(self.plan, number)
            waiting = self._study.get_trials(deepcopy=False, states=(TrialState.WAITING,))
            if self.plan.sampler in LISTED and not waiting:
                self._study.enqueue_trial(LISTED[self.plan.sampler][1](self.plan.space, number))
            return self._study.ask()

    def _run(self, trial: Trial, trials: int) -> Row:
        with _undisturbed():
            for swept in self.plan.space.values():
                swept.draw(trial)
        drawn = dict(trial.params)
        _say(f"trial {trial.number + 1} of {trials}{_settings_text(drawn)}")
        value: float | None = None
        state = TrialState.FAIL
        try:
            value, state = self._train(trial, drawn)
        except Busy:  # somebody goes on with this training by hand
            raise
        # Settings that do not go together, and trainings that come to nothing but not-a-numbers.
        except (UserError, ValueError, RuntimeError, ArithmeticError) as error:
            failure = " ".join(str(error).split()) or type(error).__name__
            _say(f"trial {trial.number + 1} failed: {failure}")
            trial.set_user_attr(_FAILURE, failure)
        with _undisturbed():
            self._study.tell(trial, value, state=state)
        return self._row(self._study.trials[trial.number])

    def _train(self, trial: Trial, drawn: dict[str, Any]) -> tuple[float | None, TrialState]:
        """Train with each seed; return the value of the trial and how it ended."""
        home = self._home(self._study.trials[trial.number])
        if home != trial.number:
            _say(f"  the same settings as trial {home + 1}")
        if not self._workers.alone and not self.plan.prune:
            self._train_side_by_side([(home, drawn)])
        rates: list[float] = []
        for number in range(self.plan.seeds):
            config = self.plan.config(drawn, number)
            result = result_of(config, self._run_path(home, config.seed))
            _say(f"  seed {config.seed}: {result.win_rate:.2%} of {result.games:,} validation games")
            rates.append(result.win_rate)
            if self.plan.prune and number + 1 < self.plan.seeds:
                with _undisturbed():
                    if number not in self._study.trials[trial.number].intermediate_values:
                        trial.report(_mean(rates), number)
                if trial.should_prune():
                    _say("  below the median of the trials before: pruned")
                    return None, TrialState.PRUNED
        return _mean(rates), TrialState.COMPLETE

    def _train_side_by_side(self, trials: list[tuple[int, dict[str, Any]]]) -> None:
        """Have the trainings of trials, by their number and what they drew, done by all workers at once.

        The trials then find their results. One that fails is left to its trial, in which it fails again.
        """
        configs: dict[Path, TrainConfig] = {}
        for home, drawn in trials:
            with suppress(UserError):  # of settings that do not go together
                for number in range(self.plan.seeds):
                    config = self.plan.config(drawn, number)
                    configs[self._run_path(home, config.seed)] = config
        missing = [(config, path) for path, config in configs.items() if stored_result(path) is None]
        with closing(run_tasks(_trainer, missing, self._workers)) as ended:
            for number, result in ended:
                path = missing[number][1]
                found = "failed" if result is None else f"{result.win_rate:.2%} of {result.games:,} games"
                _say(f"{path.parent.name} {path.name}: {found}")

    def _run_path(self, trial: int, seed: int) -> Path:
        return self.path / f"trial-{trial + 1:03d}" / f"seed-{seed}"

    def _ended(self) -> list[FrozenTrial]:
        ended = (TrialState.COMPLETE, TrialState.PRUNED, TrialState.FAIL)
        return self._study.get_trials(deepcopy=False, states=ended)

    def _home(self, trial: FrozenTrial) -> int:
        """Return the number of the first trial with the settings of a trial: the trainings are its."""
        return min(other.number for other in self._study.trials if other.params == trial.params)

    def _row(self, trial: FrozenTrial) -> Row:
        failure = trial.user_attrs.get(_FAILURE)
        results = []
        if failure is None:
            home = self._home(trial)
            seeds = range(self.plan.first_seed, self.plan.first_seed + self.plan.seeds)
            paths = [self._run_path(home, seed) for seed in seeds]
            results = [result for path in paths if (result := stored_result(path)) is not None]
        pruned = trial.state == TrialState.PRUNED
        return Row(trial.number + 1, dict(trial.params), results, pruned, failure)


def _sampler(plan: Plan, number: int) -> BaseSampler:
    """Return what draws the settings of a trial."""
    seed = int(np.random.SeedSequence([plan.first_seed, number]).generate_state(1)[0])
    return TPESampler(seed=seed) if plan.sampler == "tpe" else RandomSampler(seed=seed)


def foreseen(plan: Plan, trials: int) -> list[dict[str, Any]]:
    """Return what the first so many trials will draw, of a sampler that heeds no results."""
    study = optuna.create_study(direction="maximize")
    drawn = []
    for number in range(trials):
        study.sampler = _sampler(plan, number)
        if plan.sampler in LISTED:
            study.enqueue_trial(LISTED[plan.sampler][1](plan.space, number))
        trial = study.ask()
        for swept in plan.space.values():
            swept.draw(trial)
        drawn.append(dict(trial.params))
        study.tell(trial, 0.0)
    return drawn


def _trainer() -> Callable[[tuple[TrainConfig, Path]], Result | None]:
    """Return what does a training, without a word, in a worker; None where it fails."""

    def train(task: tuple[TrainConfig, Path]) -> Result | None:
        with redirect_stderr(io.StringIO()), suppress(UserError, ValueError, RuntimeError, ArithmeticError):
            return result_of(*task)
        return None

    return train


def _rank(row: Row) -> tuple[bool, bool, float, float, int]:
    """Return what rows are sorted by: mean win rate, then Doors; a pruned one has fewer seeds."""
    return row.failure is not None, row.pruned, -row.win_rate, -row.doors, row.number


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Put Ctrl-C off until the block has ended."""
    with Interrupt() as interrupt:
        yield
    if interrupt.wished:
        raise KeyboardInterrupt


def _settings_text(drawn: dict[str, Any]) -> str:
    parts = [f"{name}={number_text(value)}" for name, value in drawn.items()]
    return f": {' '.join(parts)}" if parts else ""


def number_text(value: Any) -> str:
    """Return what Optuna has drawn as short text."""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)

"""Sweep: trials of settings that Optuna draws, each trained with some seeds, in one folder.

| file | holds |
|---|---|
| ``sweep.json`` | what is swept and how: the same when the sweep goes on |
| ``study.log`` | Optuna's journal of the trials |
| ``trial-<n>/seed-<s>/`` | the run folder of each training, with ``validation.json`` at its end |
| ``table.csv`` | the table, written after each trial |
"""

from __future__ import annotations

import itertools
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import optuna
from optuna.samplers import RandomSampler, TPESampler
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, Trial, TrialState

from onirim_env.files import write_json
from train.config import TrainConfig
from train.config_reading import make_config
from train.errors import UserError
from train.interrupt import Interrupt
from train.sweep_space import Space, drawn_settings, each, grid, value_text
from train.sweep_trial import Result, result_of, stored_result

SAMPLERS = ("random", "grid", "each", "tpe")
LISTED = {"grid": grid, "each": each}
"""Samplers that go through a list."""
TRIALS = 20
"""Trials of a sweep that is no grid, unless the command line says another number."""

_FAILURE = "failure"


@dataclass(frozen=True)
class Plan:
    """What a sweep does.

    Attributes
    ----------
    settings
        The settings that are fixed, those of the file included.
    space
        What is swept; nothing for a sweep over seeds alone.
    seeds
        With how many seeds each trial is trained.
    sampler
        One of :data:`SAMPLERS`.
    prune
        Whether a trial ends after a seed with which its mean win rate is below the median.
    """

    settings: dict[str, Any]
    space: Space
    seeds: int
    sampler: str
    prune: bool

    def config(self, drawn: dict[str, Any], number: int = 0) -> TrainConfig:
        """Return the configuration of the training with seed ``number`` of a trial.

        Raises
        ------
        UserError
            For settings that do not go together.
        """
        seed = {"seed": self.first_seed + number}
        return make_config(self.settings, drawn_settings(self.space, drawn), seed)

    @property
    def first_seed(self) -> int:
        """The seed of the first training of each trial."""
        seed: int = self.settings.get("seed", TrainConfig().seed)
        return seed

    def check(self) -> None:
        """Refuse a plan in which nothing goes together.

        Raises
        ------
        UserError
            When none of the combinations of choices and of ends of ranges does.
        """
        ends = itertools.product(*(swept.ends() for swept in self.space.values()))
        reasons = []
        for combination in itertools.islice(ends, 1000):
            try:
                self.config(dict(zip(self.space, combination)))
            except UserError as error:
                reasons.append(error)
            else:
                return
        raise reasons[0]

    def trials(self, wished: int | None) -> int:
        """Return how many trials the sweep has when so many are wished for."""
        if not self.space:
            return 1
        if self.sampler in LISTED:
            return min(wished or sys.maxsize, len(LISTED[self.sampler](self.space)))
        return wished or TRIALS

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values by name: the settings of the space under their own names."""
        values = {name: value for name, value in self.settings.items() if name != "runs_dir"}
        values.update({name: swept.text for name, swept in self.space.items()})
        options = {"--seeds": self.seeds, "--sampler": self.sampler, "--prune": self.prune}
        plain: dict[str, Any] = json.loads(json.dumps({**values, **options}))
        return plain


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
    """A sweep in its folder, new or going on. One process at a time may work in a folder.

    Parameters
    ----------
    plan
        What it does.
    path
        Its folder.

    Raises
    ------
    UserError
        For a folder that holds something else, or a sweep by another plan.
    """

    def __init__(self, plan: Plan, path: Path) -> None:
        self.plan = plan
        self.path = path
        _note_plan(plan, path)
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        storage = JournalStorage(JournalFileBackend(str(path / "study.log")))
        with _undisturbed():
            self._study = optuna.create_study(
                storage=storage, study_name="sweep", direction="maximize", load_if_exists=True
            )
        self._study.pruner = optuna.pruners.MedianPruner(n_startup_trials=3)

    def run(self, trials: int) -> Iterator[Row]:
        """Run what is missing of so many trials; yield each as it ends.

        Raises
        ------
        KeyboardInterrupt
            After Ctrl-C; what is under way goes on when the sweep runs again.
        """
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
        seed = int(np.random.SeedSequence([self.plan.first_seed, number]).generate_state(1)[0])
        sampler = TPESampler(seed=seed) if self.plan.sampler == "tpe" else RandomSampler(seed=seed)
        with _undisturbed():
            self._study.sampler = sampler
            waiting = self._study.get_trials(deepcopy=False, states=(TrialState.WAITING,))
            if self.plan.sampler in LISTED and not waiting:
                self._study.enqueue_trial(LISTED[self.plan.sampler](self.plan.space)[number])
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


def _rank(row: Row) -> tuple[bool, bool, float, float, int]:
    """Return what rows are sorted by: mean win rate, then Doors; a pruned one has fewer seeds."""
    return row.failure is not None, row.pruned, -row.win_rate, -row.doors, row.number


def _note_plan(plan: Plan, path: Path) -> None:
    """Write the plan into a new folder; refuse a folder that holds another one."""
    file = path / "sweep.json"
    now = plan.as_dict()
    if file.is_file():
        before = json.loads(file.read_text(encoding="utf-8"))
        for name in [*now, *before]:
            if now.get(name) != before.get(name):
                was, wished = _setting_text(name, before), _setting_text(name, now)
                raise UserError(
                    f"{path} holds a sweep with {was}, not {wished}; "
                    "give it as it was to go on, or another --folder"
                )
        return
    try:
        if path.is_dir() and any(path.iterdir()):
            raise UserError(f"{path} is not empty and holds no sweep; give another --folder")
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"cannot make the folder {path}: {error}") from None
    write_json(file, now)


def _setting_text(name: str, values: dict[str, Any]) -> str:
    sign = " " if name.startswith("--") else "="
    return f"{name}{sign}{value_text(values[name])}" if name in values else f"no {name}"


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

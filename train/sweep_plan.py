"""Plan: what a sweep does, and the file in which its folder keeps that."""

from __future__ import annotations

import itertools
import json
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from onirim_env.errors import LONGEST_QUOTE, quoted
from onirim_env.files import read_json, reason, shown, write_json
from train.config import TrainConfig
from train.config_reading import make_config
from train.errors import UserError
from train.run_folder import LOCK
from train.sweep_space import (
    Space,
    drawn_settings,
    each_point,
    each_size,
    grid_point,
    grid_size,
    value_text,
)

SAMPLERS = ("random", "grid", "each", "tpe")
LISTED = {"grid": (grid_size, grid_point), "each": (each_size, each_point)}
"""Samplers that go through a list: how many settings it has, and which one stands at a place."""
MOST_LISTED = 10_000
"""A list of more settings is gone through only as far as the command line says."""
TRIALS = 20
"""Trials of a sweep that is no grid, unless the command line says another number."""


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
        if self.sampler not in LISTED:
            return wished or TRIALS
        size = LISTED[self.sampler][0](self.space)
        if wished is None and size > MOST_LISTED:
            raise UserError(
                f"--sampler {self.sampler} would try {size:,} settings; say with --trials how many of them"
            )
        return min(wished or size, size)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON values by name: the settings of the space under their own names."""
        values = {name: value for name, value in self.settings.items() if name != "runs_dir"}
        values.update({name: swept.text for name, swept in self.space.items()})
        options = {"--seeds": self.seeds, "--sampler": self.sampler, "--prune": self.prune}
        plain: dict[str, Any] = json.loads(json.dumps({**values, **options}))
        return plain


def note_plan(plan: Plan, path: Path) -> None:
    """Write the plan into a new folder.

    Raises
    ------
    UserError
        For a folder that holds another plan, or something else.
    """
    file = path / "sweep.json"
    now = plan.as_dict()
    if file.is_file():
        before = read_json(file, "plan of a sweep")
        if not isinstance(before, dict):
            raise UserError(f"{shown(file)} is no plan of a sweep: {quoted(before)}")
        compared, wished = _comparable(before), _comparable(now)
        for name in [*now, *before]:
            if compared.get(name) != wished.get(name):
                raise UserError(
                    f"{shown(path)} holds a sweep with {_setting_text(name, before)}, "
                    f"not {_setting_text(name, now)}; give it as it was to go on, or another --folder"
                )
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(one.name != LOCK for one in path.iterdir()):
            raise UserError(f"{shown(path)} is not empty and holds no sweep; give another --folder")
    except OSError as error:
        raise UserError(f"cannot make the folder {shown(path)}: {reason(error)}") from None
    write_json(file, now)


def _comparable(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values of a plan with defaults filled in and rules as the rule set has them."""
    settings = {**TrainConfig().as_dict(), **values}
    rules = {name: values[name] for name in ("env", "rules") if name in values}
    with suppress(UserError):  # where env is swept, or the file is damaged, texts are compared
        settings["rules"] = make_config(rules).as_dict()["rules"]
    return settings


def _setting_text(name: str, values: dict[str, Any]) -> str:
    sign = " " if name.startswith("--") else "="
    return f"{name}{sign}{_cut(value_text(values[name]))}" if name in values else f"no {name}"


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}..."

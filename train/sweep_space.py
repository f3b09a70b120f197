"""Search spaces of sweeps: ``name=low..high`` and ``name=a,b,c``, and what Optuna draws from them."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from optuna import Trial

from onirim_env.files import shown
from train.config import TrainConfig
from train.config_reading import read_overrides, read_settings
from train.config_values import Integer, Number
from train.errors import UserError
from train.yaml_text import parse_yaml

LOG_FROM = 10.0
"""A range from above 0 whose high end is at least so many times the low one is drawn on a log scale."""

_KINDS = {field.name: field.metadata["value"] for field in dataclasses.fields(TrainConfig)}
_NUMBERS = {name for name, kind in _KINDS.items() if isinstance(kind, (Integer, Number))}
_NOT_SWEPT = {
    "seed": "seed cannot be swept: --seeds K trains each trial with K seeds, from seed on",
    "runs_dir": "runs_dir cannot be swept: --folder says where a sweep is kept",
}


@dataclass(frozen=True)
class Range:
    """A number from ``low`` to ``high``, both included; a whole one for settings that are whole.

    Learning rates, and ranges of :data:`LOG_FROM` and more, are drawn on a log scale.
    """

    name: str
    low: float
    high: float

    @property
    def log(self) -> bool:
        """Whether equal ratios are equally probable, instead of equal differences."""
        wide = self.low > 0 and self.high / self.low >= LOG_FROM
        return wide or (self.low > 0 and self.name.startswith("learning_rate"))

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are drawn."""
        return isinstance(self.low, int)

    @property
    def text(self) -> str:
        """The range as it may be given."""
        return f"{self.low}..{self.high}"

    def draw(self, trial: Trial) -> None:
        """Let Optuna draw for a trial, unless it has."""
        if self.whole:
            trial.suggest_int(self.name, int(self.low), int(self.high), log=self.log)
        else:
            trial.suggest_float(self.name, self.low, self.high, log=self.log)

    def grid(self) -> Sequence[Any]:
        """Return every value.

        Raises
        ------
        UserError
            Where there are too many to count.
        """
        if not self.whole:
            raise UserError(f"a grid needs choices, as in {self.name}={self.low},{self.high}, not a range")
        return range(int(self.low), int(self.high) + 1)

    def ends(self) -> Sequence[Any]:
        """Return the lowest and the highest value."""
        return self.low, self.high

    def setting(self, drawn: Any) -> Any:
        """Return the value of the setting for what Optuna has drawn."""
        return drawn


@dataclass(frozen=True)
class Choices:
    """Some values of a setting; Optuna knows them by their texts."""

    name: str
    values: tuple[Any, ...]

    @property
    def texts(self) -> list[str]:
        """The values as texts, each of them another one."""
        return [value_text(value) for value in self.values]

    @property
    def text(self) -> str:
        """The choices as they may be given."""
        return ",".join(self.texts)

    def draw(self, trial: Trial) -> None:
        """Let Optuna draw for a trial, unless it has."""
        trial.suggest_categorical(self.name, self.texts)

    def grid(self) -> Sequence[Any]:
        """Return every value as Optuna knows it."""
        return self.texts

    def ends(self) -> Sequence[Any]:
        """Return every value, since choices have no order."""
        return self.texts

    def setting(self, drawn: Any) -> Any:
        """Return the value of the setting for what Optuna has drawn."""
        return self.values[self.texts.index(drawn)]


Space = dict[str, "Range | Choices"]
"""What is swept, by the name of the setting."""


def value_text(value: Any) -> str:
    """Return a value of a setting as short text that YAML reads as the value."""
    if isinstance(value, (list, tuple)):
        return f"[{','.join(map(value_text, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def read_space(texts: Sequence[str]) -> tuple[Space, dict[str, Any]]:
    """Return what ``name=value`` texts say: what is swept, and the settings that are fixed.

    Raises
    ------
    UserError
        For a text that is not of this form, a setting that is unknown or cannot be swept, and values
        that are not allowed.
    """
    space: Space = {}
    fixed = []
    for text in texts:
        name, _, given = text.partition("=")
        swept = _read_range(name, given) or _read_choices(name, given)
        if swept is None:
            fixed.append(text)
            continue
        if name in _NOT_SWEPT:
            raise UserError(_NOT_SWEPT[name])
        if name in space:
            raise UserError(f"{name} is swept twice: {shown(space[name].text)} and {shown(swept.text)}")
        space[name] = swept
    settings = read_overrides(fixed)
    for name in space:
        if name in settings:
            raise UserError(
                f"{name} is both swept and fixed: {shown(space[name].text)} and {shown(str(settings[name]))}"
            )
    return space, settings


def drawn_settings(space: Space, drawn: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a trial for what Optuna has drawn."""
    settings: dict[str, Any] = {}
    for name, swept in space.items():
        _put(settings, name, swept.setting(drawn[name]))
    return settings


def grid_size(space: Space) -> int:
    """Return how many combinations there are.

    Raises
    ------
    UserError
        When something is swept that has no grid.
    """
    return math.prod(len(swept.grid()) for swept in space.values())


def grid_point(space: Space, number: int) -> dict[str, Any]:
    """Return one of the combinations as Optuna knows it, the last setting changing fastest.

    There may be very many; none is made before it is asked for.
    """
    point = {}
    for name, swept in reversed(space.items()):
        values = swept.grid()
        number, index = divmod(number, len(values))
        point[name] = values[index]
    return {name: point[name] for name in space}


def with_base(space: Space, base: TrainConfig) -> Space:
    """Return the space with the values of a configuration as the first choices.

    Raises
    ------
    UserError
        For a range, and for a rule option.
    """
    values = base.as_dict()
    widened: Space = {}
    for name, swept in space.items():
        if name not in values:
            raise UserError(f"{name} cannot be swept with --sampler each, only settings that have a default")
        own = value_text(values[name])
        if not isinstance(swept, Choices):
            raise UserError(
                f"--sampler each needs choices, as in {name}={swept.low},{swept.high}, not a range"
            )
        others = [value for value, text in zip(swept.values, swept.texts) if text != own]
        widened[name] = Choices(name, (_read(name, values[name]), *others))
    return widened


def each_size(space: Space) -> int:
    """Return how many settings :func:`each_point` has: the first choices of all, and each other one."""
    return 1 + sum(len(swept.grid()) - 1 for swept in space.values())


def each_point(space: Space, number: int) -> dict[str, Any]:
    """Return the first choices of all (0), or another choice alone beside the first ones of the others."""
    point = {name: swept.grid()[0] for name, swept in space.items()}
    for name, swept in space.items():
        others = swept.grid()[1:]
        if 0 < number <= len(others):
            point[name] = others[number - 1]
        number -= len(others)
    return point


def _read_range(name: str, given: str) -> Range | None:
    ends = re.fullmatch(r"(.+?)\.\.(.+)", given)
    if ends is None or name not in _NUMBERS:
        return None
    low, high = (_read(name, end.strip()) for end in ends.groups())
    if low >= high:
        raise UserError(f"{name}: the range {shown(given)} does not go up")
    return Range(name, low, high)


def _read_choices(name: str, given: str) -> Choices | None:
    """Return what a text of several values means, or None for a text of one."""
    known = name in _KINDS or name.startswith("rules.")
    if "," not in given or not known or name == "runs_dir":
        return None
    try:
        values = parse_yaml(f"[{given}]")
    except ValueError:
        return None
    if len(values) < 2:
        return None
    choices = Choices(name, tuple(_read(name, value) for value in values))
    if len(set(choices.texts)) < len(values):
        raise UserError(f"{name}: {shown(given)} has a value twice")
    return choices


def _read(name: str, given: Any) -> Any:
    """Return one value of a setting, read."""
    settings: dict[str, Any] = {}
    _put(settings, name, given)
    read = read_settings(settings)
    return read["rules"][name.partition(".")[2]] if name.startswith("rules.") else read[name]


def _put(settings: dict[str, Any], name: str, value: Any) -> None:
    section, dot, option = name.partition(".")
    if dot:
        settings.setdefault(section, {})[option] = value
    else:
        settings[name] = value

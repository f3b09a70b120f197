"""Agents with settings by name: ``search[playouts=5000]`` is the search agent with another budget.

What an agent can be set to are the keyword-only parameters of its class whose annotation is ``int``,
``float``, ``bool`` or ``str``, or several of these (``int | None``).
"""

from __future__ import annotations

import argparse
import inspect
import math
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple, Union

from agents.pair import SEPARATOR

TIME_SETTING = "milliseconds"
"""The setting, of whichever agent, that is a time for a decision: what it decides cannot be repeated."""

Value = Union[bool, int, float, str]

_SEPARATOR_OUTSIDE_BRACKETS = re.compile(re.escape(SEPARATOR) + r"(?![^\[\]]*\])")
_SPEC = re.compile(r"([^\[\]]*)(?:\[([^\[\]]*)\])?")
_WORD = re.compile(r"[A-Za-z0-9_.-]+")


class AgentSpec(NamedTuple):
    """An agent as it is written: its name, and its settings as texts.

    Attributes
    ----------
    name
        Name of the agent.
    settings
        Names and values.
    """

    name: str
    settings: tuple[tuple[str, str], ...] = ()

    @property
    def text(self) -> str:
        """How it is written."""
        settings = ",".join(f"{key}={value}" for key, value in self.settings)
        return f"{self.name}[{settings}]" if settings else self.name


def parse_specs(text: str) -> list[AgentSpec]:
    """Return the agents that a text names: one, or those of a pair.

    Names, settings and values are not checked: :func:`read_settings` does that.

    Raises
    ------
    ValueError
        For brackets or settings that are not well formed.
    """
    return [_parse_spec(part) for part in _SEPARATOR_OUTSIDE_BRACKETS.split(text)]


def _parse_spec(text: str) -> AgentSpec:
    match = _SPEC.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no agent; settings are written NAME[KEY=VALUE,KEY=VALUE]")
    name, settings = match.groups()
    if settings is None:
        return AgentSpec(name)
    return AgentSpec(name, tuple(map(parse_setting, settings.split(","))))


def parse_setting(text: str) -> tuple[str, str]:
    """Return name and value of a setting.

    Raises
    ------
    ValueError
        When it is not written ``KEY=VALUE``.
    """
    key, equals, value = (part.strip() for part in text.partition("="))
    if not (key and equals and value):
        raise ValueError(f"a setting is written KEY=VALUE, not {text!r}")
    return key, value


def allowed_settings(agent_class: type) -> dict[str, tuple[str, ...]]:
    """Return what an agent can be set to: for each setting the types that it may have, by name."""
    allowed = {}
    for name, parameter in sorted(inspect.signature(agent_class.__init__).parameters.items()):  # type: ignore[misc]
        if parameter.kind is parameter.KEYWORD_ONLY:
            words = inspect.formatannotation(parameter.annotation).strip("'\"").split("|")
            types = tuple(kind for kind in _READERS if kind in {word.strip() for word in words})
            if types:
                allowed[name] = types
    return allowed


def settings_text(name: str, agent_class: type) -> str:
    """Return in words what an agent can be set to."""
    allowed = [f"{key} ({' or '.join(types)})" for key, types in allowed_settings(agent_class).items()]
    return f"settings of {name} are {', '.join(allowed)}" if allowed else f"{name} has no settings"


def read_settings(spec: AgentSpec, agent_class: type) -> dict[str, Value]:
    """Return the settings of an agent as values, in alphabetical order.

    Raises
    ------
    ValueError
        For a setting that the agent has not or that is given twice, and for a value of another type.
    """
    allowed = allowed_settings(agent_class)
    values: dict[str, Value] = {}
    for key, text in sorted(spec.settings):
        problem = None
        if key not in allowed:
            problem = f"no setting {key!r}"
        elif key in values:
            problem = f"{key} is given twice"
        else:
            value = _read(text, allowed[key])
            if value is None:
                problem = f"{key} must be {' or '.join(allowed[key])}, not {text!r}"
            else:
                values[key] = value
        if problem is not None:
            raise ValueError(f"{spec.text}: {problem}; {settings_text(spec.name, agent_class)}")
    return values


def canonical_spec(spec: AgentSpec, agent_class: type) -> AgentSpec:
    """Return the one way to write an agent: its settings in alphabetical order, its numbers the shortest.

    Raises
    ------
    ValueError
        As :func:`read_settings`.
    """
    values = read_settings(spec, agent_class)
    return AgentSpec(spec.name, tuple((key, _value_text(value)) for key, value in values.items()))


def is_repeatable(name: str) -> bool:
    """Return whether an agent of this canonical name decides the same on every machine."""
    return not re.search(rf"[\[,]{TIME_SETTING}=", name)


def _read(text: str, types: Iterable[str]) -> Value | None:
    """Return the value that a text is in the first type that has it, None when none has."""
    for kind in types:
        try:
            return _READERS[kind](text)
        except ValueError:
            continue
    return None


def _read_bool(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError(text)
    return text == "true"


def _read_int(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        number = float(text)
        if not number.is_integer():
            raise
        return int(number)


def _read_float(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError(text)
    return number


def _read_word(text: str) -> str:
    """Return a text that may stand in the name of a file."""
    if not _WORD.fullmatch(text):
        raise ValueError(text)
    return text


_READERS: dict[str, Callable[[str], Value]] = {
    "bool": _read_bool,
    "int": _read_int,
    "float": _read_float,
    "str": _read_word,
}
"""What reads a value of each type; a value that several types have is of the first."""


def _value_text(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add the options that set the agents of a command line: texts ``KEY=VALUE`` in ``settings``."""
    parser.set_defaults(settings=[])
    parser.add_argument(
        "--set", action="append", dest="settings", metavar="KEY=VALUE",
        help="set each of the agents that has this setting, as NAME[KEY=VALUE,...] does for one",
    )  # fmt: skip
    for key, metavar in (("playouts", "N"), (TIME_SETTING, "M")):
        parser.add_argument(
            f"--{key}", action="append", dest="settings", type=f"{key}={{}}".format, metavar=metavar,
            help=f"the same as --set {key}={metavar}",
        )  # fmt: skip

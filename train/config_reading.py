"""From YAML files and ``name=value`` overrides to a :class:`TrainConfig`, or one clear line."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from train.config import TrainConfig
from train.errors import UserError

_FIELDS = {field.name: field for field in dataclasses.fields(TrainConfig)}


def read_yaml(path: str | Path) -> dict[str, Any]:
    """Return the settings of a YAML file as they stand there.

    Raises
    ------
    UserError
        For a missing or unreadable file, YAML that does not parse, or one that holds no settings.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise UserError(f"no configuration file {path}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise UserError(f"cannot read {path}: {error}") from None
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise UserError(f"{path} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(values, dict):
        raise UserError(f"{path} holds no settings: expected lines such as 'total_steps: 5e6'")
    return values


def read_overrides(texts: Sequence[str]) -> dict[str, Any]:
    """Return ``name=value`` texts as settings; ``rules.name=value`` sets one rule option.

    Raises
    ------
    UserError
        For a text that is not of this form.
    """
    values: dict[str, Any] = {}
    for text in texts:
        name, equals, given = text.partition("=")
        if not equals or not name:
            raise UserError(f"{text!r} is no override: expected name=value, as in total_steps=5e6")
        try:
            value = yaml.safe_load(given)
        except yaml.YAMLError:
            raise UserError(f"{name}: cannot read the value {given!r}") from None
        section, dot, option = name.partition(".")
        if dot and section == "rules" and option:
            values.setdefault("rules", {})[option] = value
        else:
            values[name] = value
    return values


def make_config(*layers: Mapping[Any, Any]) -> TrainConfig:
    """Return the configuration that layers of settings give, later ones first in rank.

    Rule options of all layers are joined.

    Raises
    ------
    UserError
        For an unknown name, a value that is not allowed, or values that do not go together.
    """
    return TrainConfig(**read_settings(*layers))


def read_settings(*layers: Mapping[Any, Any]) -> dict[str, Any]:
    """Return the settings that layers give, each read, but not checked against each other.

    Raises
    ------
    UserError
        For an unknown name or a value that is not allowed.
    """
    values: dict[str, Any] = {}
    for layer in layers:
        for name, given in layer.items():
            value = _read(name, given)
            values[name] = {**values.get(name, {}), **value} if isinstance(value, dict) else value
    return values


def resumed_config(saved: Mapping[str, Any], overrides: Mapping[str, Any]) -> TrainConfig:
    """Return the configuration of a training that goes on, with some settings changed.

    Raises
    ------
    UserError
        As :func:`make_config`, and for a setting that the weights depend on.
    """
    before = make_config(saved)
    after = make_config(saved, overrides)
    for name, field in _FIELDS.items():
        if field.metadata["fixed"] and getattr(before, name) != getattr(after, name):
            raise UserError(f"{name} cannot change in a resumed training; it is {getattr(before, name)!r}")
    return after


def config_text(config: TrainConfig) -> str:
    """Return the configuration as YAML, every setting in its order."""
    text: str = yaml.safe_dump(config.as_dict(), sort_keys=False, default_flow_style=None)
    return text


def _read(name: Any, given: Any) -> Any:
    field = _FIELDS.get(name) if isinstance(name, str) else None
    if field is None:
        close = difflib.get_close_matches(str(name), _FIELDS, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UserError(f"unknown setting {name!r}.{hint} Allowed are {', '.join(_FIELDS)}.")
    value = field.metadata["value"]
    try:
        return value.read(given)
    except (ValueError, OverflowError):
        raise UserError(f"{name} cannot be {given!r}; it must be {value.allowed}") from None

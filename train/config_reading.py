"""From YAML files and ``name=value`` overrides to a :class:`TrainConfig`, or one clear line."""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from onirim_env.command import usage_errors
from onirim_env.errors import quoted
from onirim_env.files import read_text, shown
from train.config import TrainConfig
from train.errors import UserError
from train.yaml_text import parse_yaml

MOST_CONFIG = 100_000
"""How many bytes a configuration has at most."""

_FIELDS = {field.name: field for field in dataclasses.fields(TrainConfig)}


def read_yaml(path: str | Path) -> dict[str, Any]:
    """Return the settings of a YAML file as they stand there.

    Raises
    ------
    UserError
        For a missing or unreadable file, YAML that does not parse, or one that holds no settings.
    """
    with usage_errors():
        text = read_text(Path(path), MOST_CONFIG, "configuration")
    try:
        values = parse_yaml(text)
    except ValueError as error:
        raise UserError(f"configuration {shown(path)} {error}") from None
    if not isinstance(values, dict):
        raise UserError(
            f"configuration {shown(path)} holds no settings: expected lines such as 'total_steps: 5e6'"
        )
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
            raise UserError(f"{quoted(text)} is no override: expected name=value, as in total_steps=5e6")
        try:
            value = parse_yaml(given)
        except ValueError as error:
            raise UserError(f"{quoted(name)}: cannot read the value {quoted(given)}: it {error}") from None
        section, dot, option = name.partition(".")
        if dot and section == "rules" and option:
            name, value = "rules", {option: value}
        if name == "rules":  # options that are given one by one are joined
            value = {**values.get("rules", {}), **_read("rules", value)}
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
    for name in changed_settings(before, after):
        if _FIELDS[name].metadata["fixed"]:
            raise UserError(
                f"{name} cannot change in a resumed training; it is {quoted(before.as_dict()[name])}"
            )
    return after


def changed_settings(before: TrainConfig, after: TrainConfig) -> list[str]:
    """Return the names of the settings that differ.

    Games are compared by their rule sets: the same rules may be written in several ways.
    """
    changed = [name for name in _FIELDS if getattr(before, name) != getattr(after, name)]
    if before.rule_set() == after.rule_set():
        changed = [name for name in changed if name not in ("env", "rules")]
    return changed


def config_text(config: TrainConfig) -> str:
    """Return the configuration as YAML, every setting in its order."""
    text: str = yaml.safe_dump(config.as_dict(), sort_keys=False, default_flow_style=None)
    return text


def _read(name: Any, given: Any) -> Any:
    field = _FIELDS.get(name) if isinstance(name, str) else None
    if field is None:
        close = difflib.get_close_matches(quoted(name).strip("'"), _FIELDS, n=1)
        hint = f" Did you mean {close[0]}?" if close else ""
        raise UserError(f"unknown setting {quoted(name)}.{hint} Allowed are {', '.join(_FIELDS)}.")
    value = field.metadata["value"]
    try:
        return value.read(given)
    except (ValueError, OverflowError):
        raise UserError(f"{name} cannot be {quoted(given)}; it must be {value.allowed}") from None

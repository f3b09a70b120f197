"""Arguments and options that every environment takes: what they may be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from onirim_env.errors import UnsupportedRenderMode, quoted


def check_choice(keyword: str, value: Any, allowed: tuple[str, ...]) -> None:
    """Raise a ValueError that lists the allowed values unless ``value`` is one of them."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"{keyword} cannot be {quoted(value)}; allowed are {', '.join(map(repr, allowed))}")


def check_render_mode(mode: str | None, allowed: tuple[str, ...]) -> None:
    """Raise an UnsupportedRenderMode that lists the modes unless ``mode`` is one of them or None."""
    if mode is not None and (not isinstance(mode, str) or mode not in allowed):
        names = ", ".join(map(repr, allowed))
        raise UnsupportedRenderMode(f"render_mode cannot be {quoted(mode)}; allowed are None, {names}")


def check_max_episode_steps(steps: int | None) -> None:
    """Raise a ValueError unless ``steps`` is None or a positive whole number."""
    if steps is None:
        return
    if isinstance(steps, bool) or not isinstance(steps, (int, np.integer)) or steps < 1:
        raise ValueError(f"max_episode_steps must be None or positive, not {quoted(steps)}")


def start_option(options: Mapping[str, Any] | None, others: tuple[str, ...] = ()) -> Any:
    """Return the position among the options of a reset as it was given; None without one.

    Parameters
    ----------
    options
        What ``reset`` was given. ``position`` may be a dict or the path of a JSON file.
    others
        Names of further options, which the caller reads.

    Raises
    ------
    TypeError
        For options that are no dict.
    ValueError
        For an unknown option.
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise TypeError(f"options must be a dict or None, not {quoted(options)}")
    for name in options:
        if name not in ("position", *others):
            allowed = ", ".join(map(repr, ("position", *others)))
            raise ValueError(f"unknown reset option {quoted(name)}; allowed are {allowed}")
    return options.get("position")

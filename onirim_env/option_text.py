"""Rule options as they are written on a command line."""

from __future__ import annotations

import json


def read_option(text: str) -> tuple[str, object]:
    """Return keyword and value of a text such as ``players=2`` or ``door_key=automatic``.

    Raises
    ------
    ValueError
        For a text without ``=``. What is allowed is for :class:`~onirim_env.rules.RuleSet` to say.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{text!r} is not of the form option=value")
    try:
        return name, json.loads(value.lower() if value in ("True", "False") else value)
    except ValueError:
        return name, value

"""Rule options as they are written on a command line."""

from __future__ import annotations

import json

from onirim_env.rules import EXPANSIONS

LISTS = ("expansions", "hard")
"""Keywords whose value is a list of words."""


def read_option(text: str) -> tuple[str, object]:
    """Return keyword and value of a text such as ``players=2`` or ``expansions=towers,glyphs``.

    ``expansions=all`` stands for every module.

    Raises
    ------
    ValueError
        For a text without ``=``. What is allowed is for :class:`~onirim_env.rules.RuleSet` to say.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"{text!r} is not of the form option=value")
    if name == "expansions" and value == "all":
        return name, list(EXPANSIONS)
    if name in LISTS and not value.startswith("["):
        return name, [word for word in value.split(",") if word]
    try:
        return name, json.loads(value.lower() if value in ("True", "False") else value)
    except ValueError:
        return name, value

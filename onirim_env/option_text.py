"""Rule options as they are written on a command line."""

from __future__ import annotations

import argparse
import difflib
import json
from collections.abc import Iterable, Sequence
from typing import Any

from onirim_env.errors import quoted
from onirim_env.rules import CAN_BE_HARD, EXPANSIONS

LISTS = ("expansions", "hard")
"""Keywords whose value is a list of words."""
ALL = "all"
"""Stands for every expansion; for those of a game that have a harder variant."""


def read_options(texts: Iterable[str]) -> dict[str, Any]:
    """Return the options of texts such as ``players=2`` or ``expansions=towers,glyphs``, by keyword.

    Raises
    ------
    ValueError
        For a text without ``=``, and for words that are no expansions. What is allowed else is for
        :class:`~onirim_env.rules.RuleSet` to say.
    """
    options: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"{quoted(text)} is not of the form option=value")
        options[name] = _read_value(name, value)
    return options | resolve_hard(options)


def _read_value(name: str, value: str) -> Any:
    if name in LISTS and not value.startswith("["):
        return read_expansions([value], name)
    try:
        return json.loads(value.lower() if value in ("True", "False") else value)
    except (ValueError, RecursionError):
        return value


def read_expansions(words: Sequence[str], name: str = "expansions") -> list[str]:
    """Return the expansions that words name: ``towers glyphs``, ``towers,glyphs`` or ``all``.

    Of ``hard``, ``all`` stays as it is: :func:`resolve_hard` knows what is played.

    Raises
    ------
    ValueError
        For a word that is none; the message lists what there is.
    """
    names = [part.strip() for word in words for part in word.split(",") if part.strip()]
    if names == [ALL]:
        return list(EXPANSIONS) if name == "expansions" else names
    for one in names:
        if one not in EXPANSIONS:
            near = difflib.get_close_matches(one, EXPANSIONS, 1)
            meant = f"did you mean {near[0]!r}? " if near else ""
            allowed = f"{', '.join(EXPANSIONS)}, or {ALL}"
            raise ValueError(f"{name} cannot have {quoted(one)}; {meant}allowed are {allowed}")
    return names


def resolve_hard(options: dict[str, Any]) -> dict[str, list[str]]:
    """Return ``hard`` of some options with the expansions that ``all`` stands for; else nothing."""
    if options.get("hard") != [ALL]:
        return {}
    return {"hard": [keyword for keyword in options.get("expansions", ()) if keyword in CAN_BE_HARD]}


class _Expansions(argparse.Action):
    """Reads words as :func:`read_expansions` does."""

    def __call__(
        self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, values: Any, *_: Any
    ) -> None:
        try:
            setattr(namespace, self.dest, read_expansions(values, self.dest))
        except ValueError as error:
            parser.error(str(error))


def add_expansions(parser: argparse.ArgumentParser, what: str) -> None:
    """Add the options ``--expansions`` and ``--hard``, the same for every command.

    Parameters
    ----------
    parser
        The command's.
    what
        What the expansions do there, for the help.
    """
    parser.add_argument(
        "--expansions", nargs="+", default=[], action=_Expansions, metavar="NAME",
        help=f"{what}: `towers,glyphs`, `towers glyphs` or `all`, of {', '.join(EXPANSIONS)}",
    )  # fmt: skip
    parser.add_argument(
        "--hard", nargs="+", default=[], action=_Expansions, metavar="NAME",
        help="those of them that are played in their harder variant; `all` takes each that has one",
    )  # fmt: skip


def expansion_options(arguments: argparse.Namespace) -> dict[str, list[str]]:
    """Return what the options of :func:`add_expansions` say, as keywords of a rule set."""
    given = {"expansions": arguments.expansions, "hard": arguments.hard}
    return given | resolve_hard(given)

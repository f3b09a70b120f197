"""Errors of this package, and how they repeat what was given."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable
from typing import Any

LONGEST_QUOTE = 120
"""How many characters of what was given a message repeats."""


class IllegalAction(ValueError):
    """An action that the rules do not allow now. The game is as it was; the message lists the legal ones."""


class PositionError(ValueError):
    """A position or record that cannot be. The message names the field and the card."""


class FileError(ValueError):
    """A file that cannot be read. The message is one line with its name."""


class Busy(ValueError):
    """Something that another process works with. The message is one line."""


class UserError(Exception):
    """A mistake in a configuration, an argument or a file; the message is the one line to show."""


class UnsupportedRenderMode(ValueError, TypeError):
    """A render mode that there is not.

    A TypeError too: stable-baselines3's ``make_vec_env`` asks for images first, and takes that as no.
    """


class UnknownKeyword(ValueError, TypeError):
    """A keyword that an environment does not have.

    A TypeError as Python's own: libraries offer keywords of theirs, and take that as no.
    """


_reprs = reprlib.Repr()
_reprs.maxlevel = 4
_reprs.maxstring = _reprs.maxother = _reprs.maxlong = LONGEST_QUOTE
_reprs.maxdict = _reprs.maxlist = _reprs.maxtuple = _reprs.maxset = _reprs.maxfrozenset = 8


def quoted(value: Any) -> str:
    """Return the ``repr`` of what was given, for a message: on one line, and cut where it is long."""
    try:
        text = " ".join(_reprs.repr(value).splitlines())
    except Exception:  # a number of more digits than Python prints, a repr that fails
        return f"<{type(value).__name__}>"
    if len(text) <= LONGEST_QUOTE:
        return text
    half = (LONGEST_QUOTE - 3) // 2
    return f"{text[:half]}...{text[-half:]}"


def told(what: str, reason: str, legal: Iterable[str], when: str = "") -> str:
    """Return the message for an action that is not legal: what it is, when, why not, and what is legal."""
    because = f": {reason}" if reason else ""
    return f"{what} is not legal{when}{because}; legal are: {', '.join(legal)}"

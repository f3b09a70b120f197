"""Colours of the terminal, for card names and signs; left out wherever they would not show."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import TextIO

from onirim_env.cards import COLOURS
from onirim_env.render.text import card_text

_CODE_OF = {"red": "\x1b[91m", "blue": "\x1b[94m", "green": "\x1b[92m", "brown": "\x1b[33m"}
_CODE_OF_LETTER = {card_text(f"{colour} sun")[0]: code for colour, code in _CODE_OF.items()}
_NIGHTMARE = "\x1b[95m"
_BOLD = "\x1b[1m"
_RESET = "\x1b[0m"

_CARD = re.compile(
    rf"(?P<name>(?i:\b(?:{'|'.join(COLOURS)})\b(?: (?:sun|moon|key|door|glyph|tower)s?\b)?))"
    r"|(?<![\w(])(?P<letter>[RBGN])(?:[*(+#^]+|[345](?!\w)|(?=\s))"
    r"|(?P<nightmare>!!|(?i:\bnightmares?\b))"
)


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal; where a program has no such stream, Python gives None."""
    return stream is not None and stream.isatty()


def wants_colour(stream: TextIO | None, environment: Mapping[str, str] = os.environ) -> bool:
    """Return whether a stream is a terminal with colours whose user has not refused them (NO_COLOR)."""
    return is_terminal(stream) and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"


def paint(text: str) -> str:
    """Return a text with its cards in their colours."""
    return _CARD.sub(_painted, text)


def bold(text: str) -> str:
    """Return a text in bold."""
    return f"{_BOLD}{text}{_RESET}"


def _painted(match: re.Match[str]) -> str:
    if match["name"]:
        code = _CODE_OF[match["name"].split()[0].lower()]
    else:
        code = _CODE_OF_LETTER[match["letter"]] if match["letter"] else _NIGHTMARE
    return f"{code}{match[0]}{_RESET}"

"""The replay page: one file with data, style and script in it, which loads nothing from anywhere."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from pathlib import Path
from typing import Any

from onirim_env.cards import COLOURS, DOORS_PER_COLOUR
from onirim_env.expansions import ALL_KIND_OF_NAME
from onirim_env.expansions.towers import edges_of
from onirim_env.files import check_output, reason, shown, write_file
from onirim_env.render import palette
from onirim_env.render.text import SHORT, card_text
from onirim_env.render.zones import doors_needed, doors_of_a_colour, kinds_of
from onirim_env.replay.steps import LETTERS
from onirim_env.rules import RuleSet

FOLDER = Path(__file__).parent
MARK = '<meta name="generator" content="onirim_env replay">'
"""What every page has near its beginning, and what tells a page from another file."""
MARK_WITHIN = 4096
"""The mark stands within so many bytes."""

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")
_COLOURS = ("CREAM", "INK", "NIGHT", "BACK", "BACK_LINE", "BACKGROUND", "PANEL", "PANEL_LINE", "FAINT",
            "BRIGHT", "WON", "LOST", "ANY", "DUSK")  # fmt: skip


def page_text(replay: dict[str, Any]) -> str:
    """Return the page of a replay.

    Parameters
    ----------
    replay
        As :func:`onirim_env.replay.steps.replay_steps` gives it.
    """
    style = _palette_style() + _read("page.css")
    script = _read("cards.js") + _read("page.js")
    parts = {
        "title": html.escape(replay["title"]),
        "mark": MARK,
        "policy": html.escape(_policy(style, script)),
        "style": style,
        "script": script,
        "data": _json({**replay, "cards": _cards(replay)}),
    }
    # One pass, so that nothing in the data is taken for a placeholder.
    return _PLACEHOLDER.sub(lambda match: parts[match[1]], _read("page.html"))


def check_page_file(option: str, file: Path) -> None:
    """Make sure that a page may be written to a file: a new one, or an older page.

    Raises
    ------
    ValueError
        When there is no such folder, when it cannot be written, or something else is in that place.
    """
    check_output(option, file)
    try:
        if not file.exists():
            return
        if not file.is_file():
            raise ValueError(f"{option} {shown(file)} is a device or a pipe, not a file")
        with file.open("rb") as opened:
            is_page = MARK.encode() in opened.read(MARK_WITHIN)
    except OSError as error:
        raise ValueError(f"{option} {shown(file)} cannot be read: {reason(error)}") from None
    if not is_page:
        raise ValueError(
            f"{option} {shown(file)} is there already and is no replay page; choose another name"
        )


def write_page(file: Path, replay: dict[str, Any]) -> None:
    """Write the page of a replay.

    Raises
    ------
    OSError
        When the file cannot be written; an older page is as it was.
    """
    write_file(file, page_text(replay))


def _read(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def _palette_style() -> str:
    """Return the colours of pictures as variables of the style."""
    colours = {
        **palette.COLOUR_OF,
        **{name.lower().replace("_", "-"): getattr(palette, name) for name in _COLOURS},
    }
    lines = [f"--{name}: rgb{colour};" for name, colour in colours.items()]
    return ":root { " + " ".join(lines) + " }\n"


def _cards(replay: dict[str, Any]) -> dict[str, Any]:
    """Return what the page has to know of cards: by letter name, sign, number, and edges of a Tower."""
    rules = RuleSet(expansions=replay.get("expansions", []))
    solo = len(replay["names"]) == 1
    return {
        "kinds": {
            LETTERS[ALL_KIND_OF_NAME[name]]: [name, _sign(name), number, *([edges] if any(edges) else [])]
            for name, number in kinds_of(rules).items()
            for edges in [edges_of(name)]
        },
        "colours": list(COLOURS),
        # In co-op a colour has one place before each player.
        "doorsPerColour": doors_of_a_colour(rules) if solo else DOORS_PER_COLOUR,
        "doors": doors_needed(rules),
    }


def _sign(name: str) -> str:
    """Return what stands in a card's corner: the letter of its colour, a Tower's value with it."""
    text = card_text(name)
    return text if name in SHORT or text[-1].isdigit() else text[0]


def _policy(style: str, script: str) -> str:
    """Return the Content-Security-Policy: this style, this script, and no network."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(value: Any) -> str:
    """Return JSON that can stand inside an element of a page, whatever texts are in it."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")

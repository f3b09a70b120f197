"""The sections of docs/libraries.md, to be run as they stand there."""

import re

from tests.docs.pages import LIBRARIES_PAGE, blocks

_TEXT = LIBRARIES_PAGE.read_text(encoding="utf-8")
_HEADINGS = [
    (_TEXT.count("\n", 0, one.start()) + 1, one[1]) for one in re.finditer(r"^## (.+)$", _TEXT, re.MULTILINE)
]
TITLES = [title for _, title in _HEADINGS]


def run_section(title: str) -> dict:
    """Run the code under a heading, by itself; return the names that it leaves."""
    first, last = ([line for line, _ in _HEADINGS] + [len(_TEXT)])[TITLES.index(title) :][:2]
    code = [
        block for block in blocks(LIBRARIES_PAGE) if block.language == "python" and first < block.line < last
    ]
    assert code
    names = {"__name__": "example"}
    for block in code:
        exec(compile(block.text, block.place, "exec"), names)
    return names

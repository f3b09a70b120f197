"""The examples of docs/libraries.md run as they stand there, each section by itself."""

import re

import pytest

from tests.docs.pages import LIBRARIES_PAGE, blocks

TEXT = LIBRARIES_PAGE.read_text(encoding="utf-8")
HEADINGS = [
    (TEXT.count("\n", 0, one.start()) + 1, one[1]) for one in re.finditer(r"^## (.+)$", TEXT, re.MULTILINE)
]


def sections():
    """Return the blocks of code under each heading."""
    found = {title: [] for _, title in HEADINGS}
    for block in blocks(LIBRARIES_PAGE):
        title = [title for line, title in HEADINGS if line < block.line][-1]
        found[title].append(block)
    return found


@pytest.mark.parametrize("title", [title for _, title in HEADINGS])
def test_the_example_runs(title, caplog):
    names = {"__name__": "example"}
    code = [block for block in sections()[title] if block.language == "python"]
    assert code
    for block in code:
        exec(compile(block.text, block.place, "exec"), names)
    if title.startswith("Gymnasium"):
        assert len(names["lengths"]) > 8

"""What the README and the pages of docs hold: blocks of code, and commands."""

import re
import shlex
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent.parent
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
LIBRARIES_PAGE = ROOT / "docs" / "libraries.md"
"""Its code needs other libraries: tests/clients runs it."""
EXPANSIONS_PAGE = ROOT / "docs" / "expansions.md"
LANGUAGES = ("python", "bash", "json", "text")
PROGRAMS = ("python", "make", "pip", "cp")

FENCE = re.compile(r"^( *)```([^\n]*)\n(.*?)^\1```$", re.DOTALL | re.MULTILINE)
NUMBER = re.compile(r"^(?:- |\| )\*\*([A-Z]{1,2}-\d+|O-D\d+)\*\*", re.MULTILINE)
INLINE = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")


class Block(NamedTuple):
    """A block: where it begins, what it is, what it says, and whether it is the output of code above it."""

    page: str
    line: int
    language: str
    text: str
    printed: bool

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def read(page):
    return page.read_text(encoding="utf-8")


def name_of(page):
    return page.relative_to(ROOT).as_posix()


def numbers_on(page):
    """Return the numbers of the rules that a page has."""
    return NUMBER.findall(read(page))


def words_of(command):
    return shlex.split(command, comments=True)


def is_command(text):
    """Whether a text is a command rather than the name of a program, or something else."""
    return text.split(" ")[0] in PROGRAMS and " " in text


def blocks(page):
    """Return the blocks of a page. One without a language is commands when it begins with one."""
    text = read(page)
    found = []
    end_of_code = None
    for match in FENCE.finditer(text):
        indent, language, body = match.groups()
        body = "\n".join(line.removeprefix(indent) for line in body.splitlines())
        language = language or ("bash" if is_command(body.splitlines()[0]) else "text")
        printed = end_of_code is not None and not text[end_of_code : match.start()].strip()
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(name_of(page), line, language, body, printed and language == "text"))
        end_of_code = match.end() if language == "python" else None
    return found


def commands(page):
    """Return the commands of a page, in blocks and inside sentences."""
    lines = [line for block in blocks(page) if block.language == "bash" for line in block.text.splitlines()]
    inside = INLINE.findall(FENCE.sub("", read(page)))
    return [line for line in lines if words_of(line)] + [text for text in inside if is_command(text)]

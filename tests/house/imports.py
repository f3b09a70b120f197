"""What each file imports, read from its code and from nothing else."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

HOUSE = Path(__file__).resolve().parents[2]
PACKAGES = ("onirim_env", "agents", "train")


def files(folders: Iterable[str] = PACKAGES) -> list[Path]:
    """Return the Python files of some folders of the repository, sorted."""
    return sorted(file for folder in folders for file in (HOUSE / folder).rglob("*.py"))


@cache
def imports(file: Path) -> frozenset[Path]:
    """Return the files of this repository that a file imports, at its top or in a function.

    What only a type checker reads does not count, nor does the ``__init__.py`` of a package on the way.
    """
    found = set()
    for node in _running(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {_file_of(name) or _file_of(str(node.module)) for name in names}
        elif isinstance(node, ast.Import):
            found |= {_file_of(alias.name) for alias in node.names}
    return frozenset(one for one in found if one is not None and one != file)


def _running(node: ast.AST) -> Iterator[ast.AST]:
    """Give all nodes of a tree but those under ``if TYPE_CHECKING``."""
    yield node
    if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
        return
    for child in ast.iter_child_nodes(node):
        yield from _running(child)


def _file_of(name: str) -> Path | None:
    path = HOUSE.joinpath(*name.split("."))
    for file in (path.with_suffix(".py"), path / "__init__.py"):
        if file.is_file():
            return file
    return None


def closure(file: Path) -> set[Path]:
    """Return a file and all that it imports, directly or not."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += imports(one)
    return found


def circles(arrows: Mapping[Path, Iterable[Path]]) -> list[list[Path]]:
    """Return the largest groups of files of which each reaches each other, sorted."""
    reach = {file: _reached(file, arrows) for file in arrows}
    groups = {
        tuple(sorted(other for other in reach if other in reach[file] and file in reach[other]))
        for file in reach
        if file in reach[file]
    }
    return [list(group) for group in sorted(groups)]


def _reached(file: Path, arrows: Mapping[Path, Iterable[Path]]) -> set[Path]:
    found: set[Path] = set()
    waiting = list(arrows[file])
    while waiting:
        one = waiting.pop()
        if one in arrows and one not in found:
            found.add(one)
            waiting += arrows[one]
    return found

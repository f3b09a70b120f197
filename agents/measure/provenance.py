"""What a result was measured with: a digest of the agent, the commit and versions."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import platform
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import onirim_env
from agents import FOLDER
from agents.agent_spec import AgentSpec, parse_specs
from agents.measure.protocols import PROTOCOLS
from agents.registry import Entry, find_agents, make_agent
from onirim_env.files import files_of, noting_reads

_RULES = (
    "actions.py", "cards.py", "game.py", "observation.py", "rules.py", "engine/*.py", "compiling/rng.py",
)  # fmt: skip
"""Files of the package that decide what happens in a game."""
_RULES_OF_EXPANSIONS = ("expansions/*.py", "engine/expansions/*.py")
"""What decides in addition where a protocol has expansions."""

_PACKAGES = ("numpy", "numba")


def agent_digest(name: str, protocol: str) -> str:
    """Return a digest of all that decides how an agent plays a protocol: 16 hexadecimal digits.

    It covers the agent's file and the files of this folder that it imports, the files that it reads
    when it is made (models, value networks), and the rules: every statement at the top of a file, imports
    left out, whatever the file. So code that moves to another file, or a file that moves to another folder,
    changes nothing. Neither do comments, docstrings and layout of code; another version of Python may write
    the same code otherwise, and so give another digest. Of a pair it covers both. Settings belong to it, too.
    """
    entries = find_agents()
    digest = hashlib.sha256()
    for spec in parse_specs(name):
        entry = entries[spec.name]
        if spec.settings:
            digest.update(spec.text.encode())
        digest.update(_code(_sources(entry.module)).encode())
        for file in data_files(entry, spec, protocol):
            digest.update(file.read_bytes())
    digest.update(_code(_rules(protocol)).encode())
    return digest.hexdigest()[:16]


def _rules(protocol: str) -> list[Path]:
    """Return the files of the package that decide what happens in the games of a protocol."""
    more = _RULES_OF_EXPANSIONS if PROTOCOLS[protocol].rules.expansions else ()
    return files_of(Path(onirim_env.__file__).parent, (*_RULES, *more))


def data_files(entry: Entry, spec: AgentSpec, protocol: str) -> list[Path]:
    """Return the files that an agent reads when it is made for a protocol, in the order of reading."""
    played = PROTOCOLS[protocol]
    with noting_reads() as files:
        make_agent(entry, spec, played.rules, played.talk)
    return list(files)


def _sources(module: str) -> list[Path]:
    """Return the files of this folder that an agent consists of: its own and those it imports."""
    found: set[Path] = set()
    waiting = [f"agents.{module}", "agents.games"]  # the seeds that every agent gets come from games.py
    while waiting:
        name = waiting.pop()
        file = FOLDER.joinpath(*name.split(".")[1:]).with_suffix(".py")
        if file in found or not file.is_file():
            continue
        found.add(file)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            imported: list[str] = []
            if isinstance(node, ast.ImportFrom):
                imported = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            waiting += [text for text in imported if text.startswith("agents.")]
    return sorted(found)


def _code(files: Iterable[Path]) -> str:
    """Return the statements at the top of files, without imports, comments, docstrings and layout.

    They are sorted, so that it does not matter in which file a statement stands.
    """
    statements: list[str] = []
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            body = getattr(node, "body", None)
            if isinstance(body, list):
                kept = [one for one in body if not _says_nothing(one)]
                node.body = kept or ([] if node is tree else [ast.Pass()])  # type: ignore[attr-defined]
        statements += map(ast.unparse, tree.body)
    return "\n".join(sorted(statements))


def _says_nothing(statement: ast.stmt) -> bool:
    """Whether a statement is an import or a docstring."""
    return isinstance(statement, (ast.Import, ast.ImportFrom)) or (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def commit(repository: Path = FOLDER.parent) -> str | None:
    """Return the first ten digits of the commit that is checked out, or None where there is none.

    Changes that are not committed yet do not show in it; they do in the digest.
    """
    folder = repository / ".git"
    try:
        if folder.is_file():  # a worktree: "gitdir: <folder>"
            folder = repository / folder.read_text(encoding="utf-8").removeprefix("gitdir:").strip()
        head = (folder / "HEAD").read_text(encoding="utf-8").strip()
        if not head.startswith("ref: "):
            return head[:10]
        reference = head.removeprefix("ref: ")
        shared = folder / "commondir"
        if shared.is_file():
            folder = folder / shared.read_text(encoding="utf-8").strip()
        if (folder / reference).is_file():
            return (folder / reference).read_text(encoding="utf-8").strip()[:10]
        for line in (folder / "packed-refs").read_text(encoding="utf-8").splitlines():
            if line.endswith(f" {reference}"):
                return line[:10]
    except OSError:
        pass
    return None


def versions() -> dict[str, Any]:
    """Return the versions of Python and of the packages that agents play with."""
    packages = {name: importlib.metadata.version(name) for name in _PACKAGES}
    return {"python": platform.python_version(), "onirim_env": onirim_env.__version__, **packages}

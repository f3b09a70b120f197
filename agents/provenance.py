"""What a result was measured with: a digest of the agent, the commit and versions."""

from __future__ import annotations

import ast
import hashlib
import importlib.metadata
import platform
from pathlib import Path
from typing import Any

import onirim_env
from agents.agent_spec import AgentSpec, parse_specs
from agents.protocols import PROTOCOLS
from agents.registry import FOLDER, Entry, find_agents, make_agent
from onirim_env.files import noting_reads

_RULES = ("actions.py", "cards.py", "game.py", "observation.py", "rules.py", "engine/*.py")
"""Files of the package that decide what happens in a game."""

_PACKAGES = ("numpy", "numba")


def agent_digest(name: str, protocol: str) -> str:
    """Return a digest of all that decides how an agent plays a protocol: 16 hexadecimal digits.

    It covers the agent's file and the files of this folder that it imports, the files that it reads
    when it is made (models, value networks), and the rules.
    Comments, docstrings and layout of code do not count; another version of Python may write the same
    code otherwise, and so give another digest. Of a pair it covers both. Settings belong to it, too.
    """
    entries = find_agents()
    digest = hashlib.sha256()
    for spec in parse_specs(name):
        entry = entries[spec.name]
        if spec.settings:
            digest.update(spec.text.encode())
        for file in _sources(entry.module):
            digest.update(_code(file).encode())
        for file in data_files(entry, spec, protocol):
            digest.update(file.read_bytes())
    package = Path(onirim_env.__file__).parent
    for file in sorted(file for pattern in _RULES for file in package.glob(pattern)):
        digest.update(_code(file).encode())
    return digest.hexdigest()[:16]


def data_files(entry: Entry, spec: AgentSpec, protocol: str) -> list[Path]:
    """Return the files that an agent reads when it is made for a protocol, in the order of reading."""
    played = PROTOCOLS[protocol]
    with noting_reads() as files:
        make_agent(entry, spec, played.rules, played.talk)
    return list(files)


def _sources(module: str) -> list[Path]:
    """Return the files of this folder that an agent consists of: its own and those it imports."""
    found: dict[str, Path] = {}
    waiting = [module, "games"]  # the seeds that every agent gets come from games.py
    while waiting:
        name = waiting.pop()
        file = FOLDER / f"{name}.py"
        if name in found or not file.is_file():
            continue
        found[name] = file
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            imported: list[str] = []
            if isinstance(node, ast.ImportFrom):
                imported = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                imported = [alias.name for alias in node.names]
            waiting += [text.split(".")[1] for text in imported if text.startswith("agents.")]
    return [found[name] for name in sorted(found)]


def _code(file: Path) -> str:
    """Return the code of a file without comments, docstrings and layout."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            statements = [one for one in body if not _is_text(one)]
            node.body = statements or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.unparse(tree)


def _is_text(statement: ast.stmt) -> bool:
    return (
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

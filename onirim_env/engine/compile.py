"""How the engine is compiled: numba, serial, without the GIL, cached where a folder can be written.

Two decorators. ``@rule`` marks a function that other compiled functions call; ``@kernel`` marks an
entry point that Python calls, whose machine code is cached on disk. numba's own cache notices a
change of the file that a kernel stands in, but not of the files it calls into, so an edited or
upgraded rule would go on with stale code. The cache here is stamped with all sources instead: those
of the engine, and those of the folder that the kernel's own file stands in.
"""

from __future__ import annotations

import hashlib
import inspect
import logging
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

RULE_OPTIONS: dict[str, Any] = {
    "nogil": True,
    # Python never calls a rule, and to compile its wrappers would double the time.
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
_logger = logging.getLogger("onirim_env")


@cache
def source_digest() -> str:
    """Return a digest of every source file that compiled code depends on."""
    package = Path(__file__).resolve().parent.parent
    digest = hashlib.sha256()
    tables = [package / f"{name}.py" for name in ("actions", "cards", "observation", "rewards", "rules")]
    sources = sorted([*tables, *package.glob("engine/**/*.py"), *package.glob("modules/*.py")])
    for source in sources:
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


@cache
def _folder_digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for source in sorted(folder.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()


class _StampedCache(caching.FunctionCache):
    """numba's cache, fresh as long as the engine and the folder of the kernel's file are the same."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        folder = Path(inspect.getfile(py_func)).parent
        self._cache_file._source_stamp = f"{source_digest()} {_folder_digest(folder)}"


@lru_cache(maxsize=1)
def _warn_uncached() -> None:
    _logger.warning(
        "no folder for compiled code can be written: the engine is compiled anew in every process. "
        "Set NUMBA_CACHE_DIR to a writable folder to keep it."
    )


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that only other compiled functions call."""
    compiled: Callable[..., Any] = numba.njit(**RULE_OPTIONS)(function)
    return compiled


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an entry point, and keep its machine code on disk where that is possible."""
    compiled: Any = numba.njit(nogil=True)(function)
    try:
        compiled._cache = _StampedCache(compiled.py_func)
    except RuntimeError:  # no cache folder can be written
        _warn_uncached()
    entry_point: Callable[..., Any] = compiled
    return entry_point

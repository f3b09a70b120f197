"""How the engine is compiled: numba, serial, without the GIL, cached where a folder can be written.

Two decorators. ``@rule`` marks a function that other compiled functions call; ``@kernel`` marks an
entry point that Python calls, whose machine code is cached on disk. numba's own cache notices a
change of the file that a kernel stands in, but not of the files it calls into, so an edited or
upgraded rule would go on with stale code. The cache here is stamped with all sources instead.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching

_RULE_OPTIONS: dict[str, Any] = {
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
    tables = [package / f"{name}.py" for name in ("actions", "cards", "observation", "rules")]
    sources = sorted([*tables, *package.glob("engine/*.py")])
    for source in sources:
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


def _stamped(locator: Any) -> Any:
    def get_source_stamp(self: Any) -> str:
        stamp: bytes | str = locator.get_source_stamp(self)  # type: ignore[attr-defined]
        return f"{source_digest()} {stamp!r}"

    return type(locator.__name__, (locator,), {"get_source_stamp": get_source_stamp})


class _StampedImpl(caching.CompileResultCacheImpl):
    _locator_classes = [_stamped(locator) for locator in caching.CacheImpl._locator_classes]


class _StampedCache(caching.FunctionCache):
    _impl_class = _StampedImpl


@lru_cache(maxsize=1)
def _warn_uncached() -> None:
    _logger.warning(
        "no folder for compiled code can be written: the engine is compiled anew in every process. "
        "Set NUMBA_CACHE_DIR to a writable folder to keep it."
    )


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that only other compiled functions call."""
    compiled: Callable[..., Any] = numba.njit(**_RULE_OPTIONS)(function)
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

"""How the engine is compiled: numba, serial, without the GIL, cached where a folder can be written.

Two decorators. ``@rule`` marks a function that other compiled functions call; ``@kernel`` marks an
entry point that Python calls, whose machine code is cached on disk. numba's own cache notices a
change of the file that a kernel stands in, but not of the files it calls into, so an edited or
upgraded rule would go on with stale code. The cache here is stamped with all sources instead: those
of the engine, and those of the folder that the kernel's own file stands in.

Of processes that start together with nothing compiled, one compiles a kernel and the others wait for it: as
many compilers side by side would take as many times as long.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import logging
import sys
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numba
from numba.core import caching, config, types
from numba.core.compiler_lock import global_compiler_lock

from onirim_env.errors import Busy
from onirim_env.files import locked


@cache
def _layout_digest(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def _named_by_layout(record: types.Record) -> tuple[str, tuple[str, ...]]:
    return "Record", (_layout_digest(record.name),)


# numba names compiled functions by the types of their arguments, and records by the order in which a process
# met them. Code that two processes have cached for records of two layouts could then bear one name, and a
# third process that loads both would run the wrong one: over the ends of its arrays.
types.Record.mangling_args = property(_named_by_layout)  # type: ignore[method-assign, assignment]

_settings: Any = config  # its names are set as numba reads its environment variables

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
        engine = Path(__file__).parent
        self._for_agents = engine != folder and engine not in folder.parents
        self._lock = Path(self._cache_file._index_path).with_suffix(".lock")
        self._held = contextlib.ExitStack()
        self._locked = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load machine code; where there is none, wait for the process that compiles it, or become that one.

        Whoever waits is told so.
        """
        loaded = super().load_overload(sig, target_context)
        if loaded is None and self._take_lock():
            loaded = super().load_overload(sig, target_context)
        if loaded is None:
            _announce("agents" if self._for_agents else "expansions" if _is_full(sig) else "base")
        return loaded

    def _take_lock(self) -> bool:
        """Take the lock of this kernel; return whether another process may have compiled it meanwhile."""
        if self._locked:
            return False
        # Where no lock can be had, as on some network drives, each process compiles for itself.
        with contextlib.suppress(OSError):
            try:
                self._held.enter_context(locked(self._lock, wait=False))
            except Busy:
                _announce("others")
                self._held.enter_context(locked(self._lock))
            self._locked = True
        return self._locked

    def _give_lock(self) -> None:
        self._locked = False
        self._held.close()

    def one_at_a_time(self, compile_: Callable[..., Any]) -> Callable[..., Any]:
        """Return the method of a kernel that compiles it, such that it gives the lock back at its end."""

        @global_compiler_lock  # threads of one process share the lock
        def compile_alone(signature: Any) -> Any:
            had_it = self._locked
            try:
                return compile_(signature)
            finally:
                if not had_it:
                    self._give_lock()

        compiling: Callable[..., Any] = compile_alone
        return compiling


_WAITS = {
    "base": "the engine: some fifteen seconds, once (python -m onirim_env warmup does it ahead)",
    "expansions": "the rules of expansions: some minutes, once "
    "(python -m onirim_env warmup --expansions does it ahead)",
    "agents": "what agents search with: up to some minutes, once",
    "others": "the engine: another process does it, and this one waits",
}
"""What is waited for, and how long."""


@cache
def _announce(what: str) -> None:
    """Say once a process that something is compiled: nothing else happens for a while."""
    with contextlib.suppress(OSError, ValueError, AttributeError):  # nobody can be told
        print(f"onirim_env: compiling {_WAITS[what]} ...", file=sys.stderr, flush=True)


def _is_full(signature: Any) -> bool:
    """Whether a signature is that of a kernel for games with expansions."""
    dtypes = [argument.dtype for argument in signature if hasattr(argument, "dtype")]
    return any("acted" in getattr(dtype, "fields", ()) for dtype in dtypes)


@lru_cache(maxsize=1)
def _warn_uncached() -> None:
    _logger.warning(
        "no folder for compiled code can be written: the engine is compiled anew in every process. "
        "Set NUMBA_CACHE_DIR to a writable folder to keep it."
    )


@contextlib.contextmanager
def _jit_enabled() -> Iterator[None]:
    """While entered, numba compiles even under ``NUMBA_DISABLE_JIT=1``.

    Users set that to debug functions of their own. The rules cannot run uncompiled: they take the fields
    of records as attributes.
    """
    disabled = _settings.DISABLE_JIT
    _settings.DISABLE_JIT = 0
    try:
        yield
    finally:
        _settings.DISABLE_JIT = disabled


def rule(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a function that only other compiled functions call."""
    with _jit_enabled():
        compiled: Callable[..., Any] = numba.njit(**RULE_OPTIONS)(function)
    return compiled


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an entry point, and keep its machine code on disk where that is possible."""
    with _jit_enabled():
        compiled: Any = numba.njit(nogil=True)(function)
    if _settings.DISABLE_JIT:
        compiled.compile = _jit_enabled()(compiled.compile)
    try:
        compiled._cache = _StampedCache(compiled.py_func)
    except RuntimeError:  # no cache folder can be written
        _warn_uncached()
    else:
        compiled.compile = compiled._cache.one_at_a_time(compiled.compile)
    entry_point: Callable[..., Any] = compiled
    return entry_point

"""How the engine is compiled: numba, serial, without the GIL, cached where a folder can be written.

Two decorators. ``@rule`` marks a function that other compiled functions call; ``@kernel`` marks an
entry point that Python calls, whose machine code is cached on disk. numba's own cache notices a
change of the file that a kernel stands in, but not of the files it calls into, so an edited or
upgraded rule would go on with stale code. The cache here is stamped with all sources instead: those
of the engine, and those of the folder that the kernel's own file stands in. What a kernel is compiled
from has to stand there.

Of processes that start together with nothing compiled, one compiles a kernel and the others wait for it: as
many compilers side by side would take as many times as long.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import logging
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import caching, config, types
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import overload

from onirim_env.errors import Busy
from onirim_env.files import files_of, locked


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

Function = TypeVar("Function", bound=Callable[..., Any])


_PACKAGE = Path(__file__).resolve().parent.parent
_SOURCES = (
    "actions.py", "cards.py", "observation.py", "partner_action.py", "rewards.py", "rules.py",
    "expansions/**/*.py", "engine/**/*.py",
)  # fmt: skip
"""What the machine code of every kernel depends on."""


def stamped_sources(file: Path) -> list[Path]:
    """Return the source files with which the machine code of a kernel is stamped.

    Parameters
    ----------
    file
        The file that the kernel stands in.

    Returns
    -------
    list of pathlib.Path
        The tables and the engine, and the folder of the file: with all inside where it is a package.
    """
    folder = file.resolve().parent
    inside = "**/*.py" if (folder / "__init__.py").is_file() else "*.py"
    return files_of(_PACKAGE, _SOURCES) + files_of(folder, (inside,))


def _digest(sources: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.name.encode())
        digest.update(source.read_bytes())
    return digest.hexdigest()


@cache
def _folder_digest(folder: Path) -> str:
    return _digest(stamped_sources(folder / "kernel.py"))


def source_digest() -> str:
    """Return a digest of every source file that the engine's machine code depends on."""
    return _folder_digest(_PACKAGE / "engine")


class _StampedCache(caching.FunctionCache):
    """numba's cache, fresh as long as the engine and the folder of the kernel's file are the same."""

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        folder = Path(inspect.getfile(py_func)).resolve().parent
        self._cache_file._source_stamp = _folder_digest(folder)
        engine = _PACKAGE / "engine"
        self._for_agents = engine != folder and engine not in folder.parents
        self._lock = Path(self._cache_file._index_path).with_suffix(".lock")
        self._held = contextlib.ExitStack()
        self._locked = False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Load machine code; where there is none, wait for the process that compiles it, or become that one.

        Whoever waits is told so.
        """
        loaded = self._load(sig, target_context)
        if loaded is None and self._take_lock():
            loaded = self._load(sig, target_context)
        if loaded is None:
            _announce("agents" if self._for_agents else "expansions" if _is_full(sig) else "base")
        return loaded

    def _load(self, signature: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(signature, target_context)
        except (ImportError, AttributeError):
            # numba reads types before the stamp: code of an older version may name some that are gone.
            self.flush()
            return None

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


def choosing(choose: Callable[..., Callable[..., Any]]) -> Callable[[Function], Function]:
    """Make a rule one of several, chosen while compiling.

    Parameters
    ----------
    choose
        Returns the Python function that the rule is, from the numba types of its arguments.

    Returns
    -------
    function
        A decorator. What it is put on gives the rule its name and its parameters; its own code is not used,
        unless ``choose`` returns it.
    """

    def declare(function: Function) -> Function:
        def chooser(*arguments: Any) -> Callable[..., Any]:
            return choose(*arguments)

        # numba wants the chooser to have the very parameters of what it chooses.
        chooser.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
        options: Any = dict(RULE_OPTIONS)
        overload(function, jit_options=options)(chooser)
        return function

    return declare


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

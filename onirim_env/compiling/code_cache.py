"""Machine code on disk: how it is known to be of the present sources, and who compiles it.

numba's own cache notices a change of the file that a kernel stands in, but not of the files it calls into, so
an edited or upgraded rule would go on with stale code. The cache here is stamped with all sources instead:
those of the game, and those of the folder that the kernel's own file stands in. What a kernel is compiled
from has to stand there.

Of processes that start together with nothing compiled, one compiles a kernel and the others wait for it: as
many compilers side by side would take as many times as long.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any

from numba.core import caching
from numba.core.compiler_lock import global_compiler_lock

from onirim_env.compiling.border import borders_called_by, provide
from onirim_env.compiling.second_compiler import start_beside
from onirim_env.errors import Busy
from onirim_env.files import files_of, locked

_HERE = Path(__file__).resolve().parent
_PACKAGE = _HERE.parent
_SHARED = ("compiling/*.py", "shells/layout.py", "shells/options.py")
"""What the machine code of every game depends on."""
_ENGINE = "engine"
"""The folder in which the rules of each game stand."""
_SOURCES = (
    "actions.py", "cards.py", "observation.py", "partner_action.py", "rewards.py", "rules.py",
    "expansions/**/*.py", "engine/**/*.py",
)  # fmt: skip
"""What the machine code of Onirim's rules depends on; in another's room it is all tables and rules."""


def stamped_sources(file: Path) -> list[Path]:
    """Return the source files with which the machine code of a kernel is stamped.

    Parameters
    ----------
    file
        The file that the kernel stands in.

    Returns
    -------
    list of pathlib.Path
        The tables and the engine of its game, or of all games where it is of none; and the folder of the
        file: with all inside where it is a package.
    """
    folder = file.resolve().parent
    inside = "**/*.py" if (folder / "__init__.py").is_file() else "*.py"
    found = files_of(_PACKAGE, _SHARED) + files_of(folder, (inside,))
    for engine in _engines_below(folder):
        patterns = _SOURCES if engine == _PACKAGE / _ENGINE else ("*.py", f"{_ENGINE}/**/*.py")
        found += files_of(engine.parent, patterns)
    return found


def _engines_below(folder: Path) -> list[Path]:
    """Return the folders of rules on which kernels in a folder may depend."""
    if folder == _HERE:
        return []
    engines = sorted([_PACKAGE / _ENGINE, *_PACKAGE.glob(f"*/{_ENGINE}")])
    of_one_game = [one for one in engines if one == folder or one in folder.parents]
    return of_one_game or engines


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


class _WithBorders(caching.CompileResultCacheImpl):
    """What is stored of a compiled function: also which borders it calls, as they have to be there first."""

    def reduce(self, made: Any) -> Any:
        return borders_called_by(made), super().reduce(made)

    def rebuild(self, target_context: Any, stored: Any) -> Any:
        borders, payload = stored
        for border in borders:
            provide(border)
        return super().rebuild(target_context, payload)


class StampedCache(caching.FunctionCache):
    """numba's cache, fresh as long as the engine and the folder of the kernel's file are the same."""

    _impl_class = _WithBorders

    def __init__(self, py_func: Callable[..., Any]) -> None:
        super().__init__(py_func)
        folder = Path(inspect.getfile(py_func)).resolve().parent
        self._cache_file._source_stamp = _folder_digest(folder)
        self._folder = folder
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
            self._tell_and_share(_is_full(sig))
        return loaded

    def _tell_and_share(self, full: bool) -> None:
        """Say what is compiled now, and start the process that helps with Onirim's rules."""
        if _PACKAGE not in self._folder.parents:
            _announce("agents")
        elif _engines_below(self._folder) not in ([], [_PACKAGE / _ENGINE]):
            _announce("another")
        else:
            _announce("expansions" if full else "base")
            start_beside(full)

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
    "base": "the engine: some ten seconds, once (python -m onirim_env warmup does it ahead)",
    "expansions": "the rules of expansions: up to a minute, once "
    "(python -m onirim_env warmup --expansions does it ahead)",
    "another": "the rules: some ten seconds, once",
    "agents": "what agents search with: up to a minute, once",
    "others": "the engine: another process does it, and this one waits",
}
"""What is waited for, and how long."""


_told: set[str] = set()


def _announce(what: str) -> None:
    """Say once a process that something is compiled: nothing else happens for a while."""
    if what in _told or (what == "others" and _told):  # who has been told to wait need not know for whom
        return
    _told.add(what)
    with contextlib.suppress(OSError, ValueError, AttributeError):  # nobody can be told
        print(f"onirim_env: compiling {_WAITS[what]} ...", file=sys.stderr, flush=True)


def _is_full(signature: Any) -> bool:
    """Whether a signature is that of a kernel for games with expansions."""
    dtypes = [getattr(argument, "dtype", argument) for argument in signature]
    return any("acted" in getattr(dtype, "fields", ()) for dtype in dtypes)

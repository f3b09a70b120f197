"""How the engine is compiled: numba, serial, without the GIL, cached where a folder can be written.

Four decorators. ``@rule`` marks a function that other compiled functions call, and is linked into them;
``@border`` one that they call by its address. ``@kernel`` marks an entry point that Python calls. Machine
code of kernels and borders is kept on disk. ``@choosing`` makes a rule one of several.
"""

from __future__ import annotations

import contextlib
import hashlib
import inspect
import logging
from collections.abc import Callable, Iterator
from functools import cache, lru_cache, partial
from typing import Any, TypeVar

import numba
from numba.core import config, types
from numba.extending import overload

from onirim_env.compiling.border import declare_border
from onirim_env.compiling.code_cache import StampedCache
from onirim_env.compiling.machine_code import RuleCompiler, WholeCompiler


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

# Python never calls a rule: what would wrap it for Python is left out.
_UNWRAPPED: dict[str, Any] = {"nogil": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_RULE: dict[str, Any] = {**_UNWRAPPED, "pipeline_class": RuleCompiler}
_logger = logging.getLogger("onirim_env")

Function = TypeVar("Function", bound=Callable[..., Any])


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
        compiled: Callable[..., Any] = numba.njit(**_RULE)(function)
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
        options: Any = dict(_RULE)
        overload(function, jit_options=options)(chooser)
        return function

    return declare


def border(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a rule that is large, and that many call: once, with machine code of its own."""
    declare_border(function, _stored(function, **_UNWRAPPED))
    return function


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile an entry point, and keep its machine code on disk where that is possible."""
    entry_point: Callable[..., Any] = _stored(function, nogil=True)
    return entry_point


def bound(kernel: Any, *arguments: Any) -> Callable[[], Any]:
    """Return a function without parameters that runs a kernel on these very arguments.

    numba finds out the types of all arguments at each call, which takes as long as a step of a game. This is
    for calls whose arrays stay the same.
    """
    types_of_all = tuple(map(numba.typeof, arguments))
    kernel.compile(types_of_all)
    return partial(kernel.overloads[types_of_all].entry_point, *arguments)


def _stored(function: Callable[..., Any], **options: Any) -> Any:
    """Return a function as numba compiles it, with machine code that is kept on disk."""
    with _jit_enabled():
        compiled: Any = numba.njit(pipeline_class=WholeCompiler, **options)(function)
    if _settings.DISABLE_JIT:
        compiled.compile = _jit_enabled()(compiled.compile)
    try:
        compiled._cache = StampedCache(function)
    except RuntimeError:  # no cache folder can be written
        _warn_uncached()
    else:
        compiled.compile = compiled._cache.one_at_a_time(compiled.compile)
    return compiled

"""Borders: rules with machine code of their own, which others call by its address.

numba links a rule into each function that calls it, and lets LLVM optimise it there. That makes small rules
free, and large ones dear: whatever plays games would compile all of the rules again. Where the work behind
a call is large, a border puts an end to it. Its machine code is stored on disk as that of a kernel is;
callers find it by name when they are loaded.
"""

from __future__ import annotations

import hashlib
import importlib
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import cgutils, types
from numba.core.imputils import impl_ret_new_ref
from numba.core.typing.templates import Signature
from numba.extending import lower_builtin, type_callable


class Border(NamedTuple):
    """A border for arguments of some types, as any process finds it."""

    module: str
    name: str
    types: tuple[types.Type, ...]

    @property
    def symbol(self) -> str:
        """The name of its machine code."""
        signature = ", ".join(map(str, self.types))
        digest = hashlib.sha256(signature.encode()).hexdigest()[:16]
        return f"{self.module}_{self.name}_{digest}".replace(".", "_")


_here: dict[str, tuple[Border, Any]] = {}
"""Of each symbol of this process: what it stands for, and what numba made of that."""


def declare_border(function: Callable[..., Any], dispatcher: Any) -> None:
    """Let calls of ``function`` by compiled functions be calls of the machine code of ``dispatcher``.

    Parameters
    ----------
    function
        What rules call. It gets an attribute ``dispatcher``.
    dispatcher
        The same function as numba compiles it.
    """
    function.dispatcher = dispatcher  # type: ignore[attr-defined]
    parameters = inspect.signature(function).parameters
    module, name = function.__module__, function.__name__

    def typer(context: Any) -> Callable[..., Any]:
        def type_call(*arguments: Any) -> Signature:
            border = Border(module, name, tuple(map(types.unliteral, arguments)))
            signature: Signature = provide(border).signature
            return signature

        # numba binds arguments to the parameters of what types a call.
        type_call.__signature__ = inspect.Signature(list(parameters.values()))  # type: ignore[attr-defined]
        return type_call

    def call(context: Any, builder: Any, signature: Signature, arguments: Any) -> Any:
        returned = signature.return_type
        convention = context.call_conv
        machine_code = cgutils.get_or_insert_function(
            builder.module,
            convention.get_function_type(returned, signature.args),
            Border(module, name, signature.args).symbol,
        )
        status, result = convention.call_function(builder, machine_code, returned, signature.args, arguments)
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return impl_ret_new_ref(context, builder, returned, result)

    type_callable(function)(typer)
    lower_builtin(function, types.VarArg(types.Any))(call)


def provide(border: Border) -> Any:
    """Compile a border or load it, unless it is there; return what numba made of it."""
    if border.symbol not in _here:
        dispatcher = getattr(importlib.import_module(border.module), border.name).dispatcher
        dispatcher.compile(border.types)
        made = dispatcher.overloads[border.types]
        llvm.add_symbol(border.symbol, made.library.get_pointer_to_function(made.fndesc.llvm_func_name))
        _here[border.symbol] = border, made
    return _here[border.symbol][1]


def borders_called_by(made: Any) -> list[Border]:
    """Return the borders that the machine code of a compiled function calls."""
    functions = made.library._final_module.functions
    return [_here[one.name][0] for one in functions if one.is_declaration and one.name in _here]

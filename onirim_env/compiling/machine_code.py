"""Where machine code is made: of entry points and of borders, not of the rules that they are made of.

numba optimises each function, and makes machine code of it and of all that is linked into it. That of a rule
would never run: each of its callers has it again. So a rule stays intermediate code, with nothing linked
into it; optimisation and machine code come once, where all of it is together. With this and with borders,
which are not linked into their callers at all, the rules of all expansions compile in a third of the time.
"""

from __future__ import annotations

from typing import Any, ClassVar

from numba import _dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class _RuleLibrary(JITCodeLibrary):
    """The intermediate code of one rule."""

    def add_llvm_module(self, ll_module: Any) -> None:
        self._final_module.link_in(ll_module)

    def finalize(self) -> None:
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True


class _WholeLibrary(JITCodeLibrary):
    """Machine code of a function, and of all the rules that it comes to call."""

    def finalize(self) -> None:
        libraries = dict.fromkeys(self._linking_libraries)
        waiting = list(libraries)
        while waiting:
            library = waiting.pop()
            if isinstance(library, _RuleLibrary):
                new = [one for one in library._linking_libraries if one not in libraries]
                libraries.update(dict.fromkeys(new))
                waiting.extend(new)
        self._linking_libraries = list(libraries)
        super().finalize()


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerRule(NativeLowering):
    _name = "lower_rule"

    def run_pass(self, state: Any) -> bool:
        """Make intermediate code, and let callers know where it is."""
        name = state.func_id.func_qualname
        state.library = library = _RuleLibrary(state.targetctx.codegen(), name)
        state.flags.no_compile = True
        super().run_pass(state)
        library._ensure_finalized()
        lowered = state["cr"]
        # numba knows what it compiled by a function of Python's; nobody calls this one.
        module = lowered.fndesc.lookup_module()
        function = _dynfunc.make_function(module, name, "", 0, lowered.env, (library,))
        state.targetctx.insert_user_function(function, lowered.fndesc, [library])
        state.reload_init.extend(library._reload_init)
        state["cr"] = lowered._replace(cfunc=function)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _LowerWhole(NativeLowering):
    _name = "lower_whole"

    def run_pass(self, state: Any) -> bool:
        """Make machine code that can be stored."""
        state.library = _WholeLibrary(state.targetctx.codegen(), state.func_id.func_qualname)
        state.library.enable_object_caching()
        done: bool = super().run_pass(state)
        return done


class _Compiler(CompilerBase):  # type: ignore[misc]
    """numba's compiler, with another step where code is made."""

    lowering: ClassVar[type[NativeLowering]]

    def define_pipelines(self) -> list[Any]:
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.passes = [
            (self.lowering if one is NativeLowering else one, name) for one, name in passes.passes
        ]
        passes._finalized = False
        passes.finalize()
        return [passes]


class RuleCompiler(_Compiler):
    """For functions that only compiled functions call."""

    lowering = _LowerRule


class WholeCompiler(_Compiler):
    """For functions that have machine code of their own."""

    lowering = _LowerWhole

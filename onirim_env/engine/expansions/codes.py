"""Codes of the actions of expansions: a family, and its argument."""

from __future__ import annotations

from onirim_env.actions import EXPANSION_VERB_INDEX, FIRST_EXPANSION_CODE, STRIDE
from onirim_env.cards import N_KINDS, N_LOCATION_KINDS
from onirim_env.compiling.compile import rule
from onirim_env.engine.listing import list_code
from onirim_env.expansions import N_ALL_KINDS


def family(name: str) -> int:
    """Return the code of argument 0 of a family."""
    return FIRST_EXPANSION_CODE + STRIDE * EXPANSION_VERB_INDEX[name]


@rule
def first_of(code):
    """Return the code of argument 0 of the family of a code."""
    return code - (code - FIRST_EXPANSION_CODE) % STRIDE


@rule
def argument_of(code):
    """Return the argument of a code."""
    return (code - FIRST_EXPANSION_CODE) % STRIDE


@rule
def list_kinds(kinds, first, legal):
    """List ``first + kind`` for each of a set of kinds."""
    for kind in range(N_ALL_KINDS):
        if kinds >> kind & 1:
            list_code(first + kind, legal)


@rule
def list_new_kinds(kinds, first, legal):
    """List ``first + kind`` for each kind of a set that the base game does not have."""
    for kind in range(N_KINDS, N_ALL_KINDS):
        if kinds >> kind & 1:
            list_code(first + kind, legal)


@rule
def list_mixed(kinds, base_first, first, legal):
    """List actions for a set of kinds of Locations: those of the base game have its codes."""
    for kind in range(N_LOCATION_KINDS):
        if kinds >> kind & 1:
            list_code(base_first + kind, legal)
    list_new_kinds(kinds, first, legal)

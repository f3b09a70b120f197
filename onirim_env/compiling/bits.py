"""Counting the bits of a 64-bit number, by the processor's own instructions."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic


@intrinsic
def count_ones(typing_context: Any, bits: Any) -> Any:
    """Return how many bits of a uint64 are set: int64."""
    return types.int64(types.uint64), lambda context, builder, signature, given: builder.ctpop(given[0])


@intrinsic
def lowest_one(typing_context: Any, bits: Any) -> Any:
    """Return the place of the lowest bit that is set in a uint64, which must not be 0: int64."""

    def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        is_zero_undefined = context.get_constant(types.boolean, True)
        return builder.cttz(given[0], is_zero_undefined)

    return types.int64(types.uint64), generate

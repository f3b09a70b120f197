"""Freed memory stays with the process: what a training allocates and frees at every step is its own.

The allocator of glibc gives arrays of megabytes back to the system as soon as they are freed, and the
system clears every page of them when they are asked for again.
"""

from __future__ import annotations

import ctypes

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3
"""Parameters of ``mallopt`` (malloc.h of glibc)."""
LARGEST_KEPT = 32 * 2**20
"""Larger arrays still come from the system itself; glibc allows no more."""


def keep_freed_memory() -> bool:
    """Tell the allocator to keep what is freed; return whether it is one that can be told."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError, TypeError):  # other systems, other allocators
        return False
    told: bool = mallopt(MMAP_THRESHOLD, LARGEST_KEPT) and mallopt(TRIM_THRESHOLD, 2**31 - 1)
    return told

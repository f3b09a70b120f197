"""The numbers of actions, and lists of them."""

from __future__ import annotations

import numpy as np

from onirim_env.actions import N_CODES, ORDERS, first_code
from onirim_env.engine.compile import rule

PLAY = first_code("PLAY")
DISCARD = first_code("DISCARD")
PROPHECY_DISCARD = first_code("PROPHECY_DISCARD")
PROPHECY_PLACE = first_code("PROPHECY_PLACE")
OPEN_DOOR = first_code("OPEN_DOOR")
REFUSE_DOOR = first_code("REFUSE_DOOR")
NIGHTMARE_KEY = first_code("NIGHTMARE_KEY")
NIGHTMARE_DOOR = first_code("NIGHTMARE_DOOR")
NIGHTMARE_REVEAL = first_code("NIGHTMARE_REVEAL")
NIGHTMARE_HAND = first_code("NIGHTMARE_HAND")
PROPHECY_NOTHING = first_code("PROPHECY_NOTHING")
SEARCH = first_code("SEARCH")
PASS = first_code("PASS")
PLAY_SHARED = first_code("PLAY_SHARED")
DISCARD_SHARED = first_code("DISCARD_SHARED")
OPEN_DOOR_SHARED = first_code("OPEN_DOOR_SHARED")
NIGHTMARE_KEY_SHARED = first_code("NIGHTMARE_KEY_SHARED")
NO_SWAP = first_code("NO_SWAP")
SWAP_OUT = first_code("SWAP_OUT")
SWAP_IN = first_code("SWAP_IN")
TAKE = first_code("TAKE")
PROPHECY_ORDER = first_code("PROPHECY_ORDER")
N_ORDERS = len(ORDERS)

LEGAL = np.dtype([("n", np.int64), ("codes", np.int16, (N_CODES + 1,))], align=True)
"""A list of codes and its length. A record, not an array: numba counts references to arrays wherever
they are passed, which costs more than the list itself. The array that holds the record must stay
alive while it is used, so callers keep it and pass ``room[0]``."""


@rule
def list_code(code, legal):
    """List one code."""
    legal.codes[legal.n] = code
    legal.n += 1


@rule
def list_set(kinds, n_kinds, first, legal):
    """List ``first + kind`` for each of a set of kinds below ``n_kinds``; bit k stands for kind k.

    Every kind writes its code and only those of the set advance: branches would cost more.
    """
    n = legal.n
    for kind in range(n_kinds):
        legal.codes[n] = first + kind
        n += kinds >> kind & 1
    legal.n = n

"""What is legal, as a list of codes or as a set of them.

Games without expansions have few codes: there a set is quicker to make and to ask. Which of the two a rule
works on is decided while compiling, by the record that it is given.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from onirim_env.actions import N_CODES
from onirim_env.compiling.bits import count_ones, lowest_one
from onirim_env.compiling.compile import choosing
from onirim_env.engine.points import has_expansions

LEGAL = np.dtype([("n", np.int64), ("codes", np.int16, (N_CODES + 1,))], align=True)
"""A list of codes and its length. A record, not an array: numba counts references to arrays wherever
they are passed, which costs more than the list itself. The array that holds the record must stay
alive while it is used, so callers keep it and pass ``room[0]``."""

N_WORDS = -(-N_CODES // 64)
LEGAL_SET = np.dtype([("bits", np.uint64, (N_WORDS,))], align=True)
"""A set of codes of the base game: bit ``code % 64`` of word ``code // 64``."""

_ONE = np.uint64(1)


def _either(of_list: Callable[..., Any], of_set: Callable[..., Any]) -> Callable[..., Any]:
    """Make a rule, declared by its signature, one of two: by the record that is its last argument."""
    return choosing(lambda *arguments: of_set if "bits" in arguments[-1].fields else of_list)


def _append_code(code, legal):
    legal.codes[legal.n] = code
    legal.n += 1


def _set_code(code, legal):
    legal.bits[code >> 6] |= _ONE << np.uint64(code & 63)


@_either(_append_code, _set_code)
def list_code(code, legal):
    """List one code."""


def _append_set(kinds, n_kinds, first, legal):
    # Every kind writes its code and only those of the set advance: branches would cost more.
    n = legal.n
    for kind in range(n_kinds):
        legal.codes[n] = first + kind
        n += kinds >> kind & 1
    legal.n = n


def _set_set(kinds, n_kinds, first, legal):
    bits = np.uint64(kinds & ((1 << n_kinds) - 1))
    word, place = first >> 6, first & 63
    legal.bits[word] |= bits << np.uint64(place)
    if place + n_kinds > 64:
        legal.bits[word + 1] |= bits >> np.uint64(64 - place)


@_either(_append_set, _set_set)
def list_set(kinds, n_kinds, first, legal):
    """List ``first + kind`` for each of a set of kinds below ``n_kinds``; bit k stands for kind k."""


def _clear_list(legal):
    legal.n = 0


def _clear_set(legal):
    for word in range(N_WORDS):
        legal.bits[word] = 0


@_either(_clear_list, _clear_set)
def clear(legal):
    """List nothing any more."""


def _is_in_list(code, legal):
    for index in range(legal.n):
        if legal.codes[index] == code:
            return True
    return False


def _is_in_set(code, legal):
    return 0 <= code < N_CODES and legal.bits[code >> 6] >> np.uint64(code & 63) & _ONE != 0


@_either(_is_in_list, _is_in_set)
def has_code(code, legal):
    """Whether a code is listed."""


def _length(legal):
    return legal.n


def _size(legal):
    n = 0
    for word in range(N_WORDS):
        n += count_ones(legal.bits[word])
    return n


@_either(_length, _size)
def count(legal):
    """Return how many codes are listed."""


def _at_place(index, legal):
    return np.int64(legal.codes[index])


def _after_smaller(index, legal):
    left = index
    for word in range(N_WORDS):
        bits = legal.bits[word]
        here = count_ones(bits)
        if left < here:
            for _ in range(left):
                bits &= bits - _ONE
            return np.int64(64 * word + lowest_one(bits))
        left -= here
    return np.int64(-1)


@_either(_at_place, _after_smaller)
def code_at(index, legal):
    """Return the code at a place of the list, from 0 on; of a set, the one that so many are smaller than."""


def _mark_list(ids, masks, row, legal):
    for index in range(legal.n):
        action = ids[legal.codes[index]]
        if action >= 0:  # phases of expansions are so many that a record which was not dealt may list others
            masks[row, action] = 1


def _mark_set(ids, masks, row, legal):
    for word in range(N_WORDS):
        bits = legal.bits[word]
        while bits != 0:
            masks[row, ids[64 * word + lowest_one(bits)]] = 1
            bits &= bits - _ONE


@_either(_mark_list, _mark_set)
def mark(ids, masks, row, legal):
    """Write ones into a row of ``masks`` at the ids of what is listed and offered."""


def _list_room(states):
    return np.empty(1, LEGAL)


def _set_room(states):
    return np.empty(1, LEGAL_SET)


@choosing(lambda states: _list_room if has_expansions(states.dtype) else _set_room)
def make_room(states):
    """Return an array of one record that takes what is legal in the games of an array."""

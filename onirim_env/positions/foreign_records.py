"""Engine records from outside: compiled code trusts them, so one that no game has must not reach it."""

from __future__ import annotations

from typing import Any

import numpy as np

from onirim_env.engine.records import state_dtype
from onirim_env.engine.state import KIND_BITS
from onirim_env.errors import PositionError, quoted
from onirim_env.expansions import EXPANSION_TABLES
from onirim_env.positions.expansion_records import lay_revealed_aside
from onirim_env.positions.reading import read_position
from onirim_env.positions.records import write_position
from onirim_env.rules import RuleSet

_USED = {
    "hand": "hand_size",
    "looked": "looked_size",
    **{name: size for expansion in EXPANSION_TABLES for name, size in expansion.lists.items()},
}
"""Lists of cards, and the fields that say how much of them counts."""
_FREE = ("rng", "seed", "deck", "top_size", "bottom_size")
"""Fields that a position does not fix: random numbers, and how much of the deck's order is decided."""

_SEEN = ("hand", "looked")
"""Lists whose cards also note who has seen them, which matters to nobody where everybody sees them."""


def check_record(states: np.ndarray, rules: RuleSet) -> None:
    """Refuse a record that no game of a rule set has.

    It is written as a position, which is read with every check; the record of that position must be
    the one that was given.

    Parameters
    ----------
    states
        Shape (1,), of the dtype of the rules' records.
    rules
        The rule set.

    Raises
    ------
    PositionError
        The message names the field.
    """
    dtype = state_dtype(rules)
    if not isinstance(states, np.ndarray) or states.dtype != dtype or states.shape != (1,):
        what = (
            f"dtype {states.dtype} and shape {states.shape}"
            if isinstance(states, np.ndarray)
            else quoted(states)
        )
        raise PositionError(f"state: an array of one record of {rules}, not one of {quoted(what)}")
    given = states[0]
    if given["rules"] != rules.flags:
        raise PositionError(f"state: it is of other rules than {rules}")
    _check_sizes(given)
    try:
        position = write_position(states, rules)
    except (IndexError, ValueError, KeyError) as error:
        raise PositionError(f"state: a card or number that no game has ({error})") from None
    expected = read_position(position, np.uint64(0))[0][0]
    if rules.expansions and given["revealed"] and position["phase"] == "lost":
        # A position of a lost game does not tell a Prophecy from another look at the deck.
        given = given.copy()
        lay_revealed_aside(given)
    for field in dtype.names or ():
        if field not in _FREE and _used(given, field) != _used(expected, field):
            raise PositionError(f"state: field {field} does not agree with the cards")


def _check_sizes(record: np.void) -> None:
    """Refuse numbers of cards that would lead out of the lists that they belong to."""
    names = record.dtype.names or ()
    deck, top = int(record["deck_size"]), int(record["top_size"])
    bottom = int(record["bottom_size"]) if "bottom_size" in names else 0
    if not (0 <= deck <= record["deck"].size and top >= 0 and bottom >= 0 and top + bottom <= deck):
        raise PositionError(
            f"state: a deck of {deck} cards, {top} of its top and {bottom} of its bottom decided"
        )
    if not 0 <= record["placed"] <= record["revealed"] <= top:
        raise PositionError(f"state: {record['placed']} of {record['revealed']} revealed cards placed")
    rows = record["row_size"]
    if (rows < 0).any() or rows.sum(dtype=np.int64) > record["row"].size:
        raise PositionError(f"state: rows of {rows.tolist()} cards")
    for cards, size in _USED.items():
        if cards in names and not ((record[size] >= 0) & (record[size] <= record[cards].shape[-1])).all():
            raise PositionError(f"state: {size} of {record[size].tolist()}")


def _used(record: np.void, field: str) -> Any:
    """Return what counts of a field, as something that can be compared."""
    if field == "row":
        left, right = record["row_size"].tolist()
        return [*record["row"][:left].tolist(), *record["row"][::-1][:right].tolist()]
    values = record[field]
    if field not in _USED:
        return values.tolist()
    sizes = record[_USED[field]]
    if field in _SEEN:
        values = values & KIND_BITS
    if values.ndim == 1:
        return values[:sizes].tolist()
    return [sorted(row[:size].tolist()) for row, size in zip(values, sizes)]

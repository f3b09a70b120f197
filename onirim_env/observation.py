# ruff: noqa: E501  (the table of fields has one line each)
"""The layout of an observation: which numbers of the vector mean what, by rule set.

An observation is a float32 vector of what one player may know, and nothing more. The engine fills
it (``engine/observe.py``) at the places that this table gives; documentation, spaces and
``Game.describe`` are made from the same table.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from onirim_env.cards import (
    COLOURS,
    DOORS_PER_COLOUR,
    FACE_UP,
    FIRST_DOOR,
    KIND_COUNTS,
    KIND_NAMES,
    LOCATION_NAMES,
    N_CARDS,
    PERSONAL_HAND,
    PROPHECY_SIZE,
    SERIES_LENGTH,
    SOLO_HAND,
    SYMBOLS,
)
from onirim_env.rules import RuleSet

SOLO_PHASES = (
    "action",
    "prophecy_discard",
    "prophecy_order",
    "series",
    "door",
    "nightmare",
    "won",
    "lost",
)
CO_OP_PHASES = ("draft", "swap", "swap_in")

TOP_PLACES = PROPHECY_SIZE
"""How many places of the deck's top an observation shows."""

_SERIES = tuple(f"{colour} {length}" for colour in COLOURS for length in range(1, SERIES_LENGTH + 1))
_DOORS = tuple(f"{colour} {number}" for colour in COLOURS for number in range(1, DOORS_PER_COLOUR + 1))


class Field(NamedTuple):
    """A run of entries of the observation.

    Attributes
    ----------
    name
        Name of the field.
    labels
        What each entry stands for.
    units
        What one of a thing adds to its entry; 1 for entries that are 0 or 1.
    highest
        The largest value that each entry can take.
    meaning
        One line for the documentation.
    start
        Index of the first entry in the vector.
    """

    name: str
    labels: tuple[str, ...]
    units: tuple[float, ...]
    highest: tuple[float, ...]
    meaning: str
    start: int = 0

    @property
    def size(self) -> int:
        """Number of entries."""
        return len(self.labels)

    @property
    def stop(self) -> int:
        """Index behind the last entry."""
        return self.start + self.size


def _flags(name: str, labels: tuple[str, ...], meaning: str) -> Field:
    return Field(name, labels, (1.0,) * len(labels), (1.0,) * len(labels), meaning)


def _counts(name: str, labels: tuple[str, ...], most: int, meaning: str) -> Field:
    return Field(name, labels, (1.0,) * len(labels), (float(most),) * len(labels), meaning)


def _shares(name: str, labels: tuple[str, ...], totals: tuple[int, ...], meaning: str) -> Field:
    units = tuple(1.0 / total for total in totals)
    return Field(name, labels, units, (1.0,) * len(labels), meaning)


_TOP_LABELS = tuple(f"place {place} {kind}" for place in range(1, TOP_PLACES + 1) for kind in KIND_NAMES)

_SOLO_FIELDS = (
    _counts("hand", LOCATION_NAMES, SOLO_HAND, "cards of the own (in co-op: personal) hand, by kind"),
    _shares("unseen", KIND_NAMES, KIND_COUNTS, "cards that the player cannot see, by kind, as a share of all of the kind"),
    _flags("top", _TOP_LABELS, "the cards that the player knows at the first five places of the deck"),
    _flags("last_symbol", SYMBOLS, "symbol of the last card of the own row; none for an empty row"),
    _flags("series", _SERIES, "colour and length of the running series of the own row; length 3 only while a search is asked for"),
    _flags("doors", _DOORS, "own Doors in play: at least one, at least two of a colour"),
    _shares("limbo", KIND_NAMES[FIRST_DOOR:], KIND_COUNTS[FIRST_DOOR:], "cards in Limbo, as a share of all of the kind"),
    _counts("revealed", KIND_NAMES, PROPHECY_SIZE, "cards of a Prophecy that are still to be discarded or placed, by kind"),
    _flags("drawn", KIND_NAMES[FIRST_DOOR:], "the Door or Nightmare being decided"),
    _flags("phase", SOLO_PHASES, "the phase of the game"),
    _shares("deck_size", ("deck",), (N_CARDS,), "cards in the deck, as a share of all cards"),
)  # fmt: skip

_CO_OP_FIELDS = (
    _flags("co_op_phase", CO_OP_PHASES, "the phase of the game, continued"),
    _flags("to_move", ("self",), "whether the player is to decide"),
    _counts("shared", LOCATION_NAMES, FACE_UP, "shared (in the draft: face-up) cards, by kind"),
    _flags("swapping", LOCATION_NAMES, "the personal card put up for a swap"),
    _flags("prophecy_follows", ("yes",), "whether a Prophecy follows the swap"),
    _counts("public", LOCATION_NAMES, PERSONAL_HAND, "own personal cards that the partner knows, by kind"),
    _counts("partner_hand", LOCATION_NAMES, PERSONAL_HAND, "the partner's personal cards that the player knows, by kind"),
    _counts("partner_hidden", ("cards",), PERSONAL_HAND, "how many of the partner's cards the player does not know"),
    _flags("partner_last_symbol", SYMBOLS, "symbol of the last card of the partner's row"),
    _flags("partner_series", _SERIES, "colour and length of the running series of the partner's row"),
    _flags("partner_doors", _DOORS, "the partner's Doors in play"),
    _flags("partner_top", tuple(f"place {place}" for place in range(1, TOP_PLACES + 1)), "the first five places of the deck that the partner knows"),
)  # fmt: skip


def _placed(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    placed = []
    start = 0
    for field in fields:
        placed.append(field._replace(start=start))
        start += field.size
    return tuple(placed)


_SOLO = _placed(_SOLO_FIELDS)
_CO_OP = _placed(_SOLO_FIELDS + _CO_OP_FIELDS)


def observation_layout(rules: RuleSet | None = None, *, partner_action: bool = False) -> tuple[Field, ...]:
    """Return the fields of an observation, in order.

    Parameters
    ----------
    rules
        A rule set; the default solo rules when it is not given. The layout of co-op begins with
        that of solo; no other option changes it.
    partner_action
        Whether what the partner did last comes after all other fields (co-op only).

    Examples
    --------
    >>> sum(field.size for field in observation_layout())
    173
    """
    if partner_action:
        from onirim_env.partner_action import partner_field

        others = observation_layout(rules)
        return (*others, partner_field(rules)._replace(start=others[-1].stop))
    if rules is not None and rules.expansions:
        from onirim_env.modules.layout import module_layout

        return module_layout(rules)
    return _SOLO if rules is None or rules.players == 1 else _CO_OP


@cache
def highest_values(rules: RuleSet, partner_action: bool = False) -> np.ndarray:
    """Return the upper bounds of an observation: float32, shape (observation size,), read-only."""
    layout = observation_layout(rules, partner_action=partner_action)
    values = np.array([high for field in layout for high in field.highest], dtype=np.float32)
    values.flags.writeable = False
    return values


def observation_size(rules: RuleSet) -> int:
    """Return the number of entries of an observation."""
    return observation_layout(rules)[-1].stop


def field_start(name: str) -> int:
    """Return the index of a field's first entry (the same in solo and co-op)."""
    return next(field.start for field in _CO_OP if field.name == name)


def field_units(name: str) -> np.ndarray:
    """Return what one of a thing adds to each entry of a field: float32."""
    return np.array(next(field.units for field in _CO_OP if field.name == name), dtype=np.float32)

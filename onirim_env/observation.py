# ruff: noqa: E501  (the table of fields has one line each)
"""The layout of an observation: which numbers of the vector mean what, by rule set.

An observation is a float32 vector of what one player may know, and nothing more. The engine fills
it (``engine/observe.py``) at the places that this table gives; documentation, spaces and
``Game.describe`` are made from the same table.

With expansions the engine writes the whole layout: the fields of the base game, co-op included, then
those of all expansions. A rule set shows the entries whose cards and expansions it has; ``layout="full"``
shows all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from onirim_env.actions import action_table
from onirim_env.cards import (
    CO_OP_PHASES,
    COLOURS,
    DOORS_PER_COLOUR,
    FACE_UP,
    FIRST_DOOR,
    KIND_COUNTS,
    KIND_NAMES,
    LOCATION_NAMES,
    N_CARDS,
    N_KINDS,
    PERSONAL_HAND,
    PROPHECY_SIZE,
    SERIES_LENGTH,
    SOLO_HAND,
    SOLO_PHASES,
    SYMBOLS,
    TOP_PLACES,
)
from onirim_env.expansions import (
    ALL_KIND_NAMES,
    EXPANSION_PHASES,
    EXPANSION_TABLES,
    kind_counts,
    names_of,
    shared,
)
from onirim_env.expansions.form import Entries, SeenField
from onirim_env.rules import CAN_BE_HARD, EXPANSIONS, RuleSet

PARTNER_ACTION = "partner_action"
"""The field of what the partner did last, in co-op only."""

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


_BEFORE_THE_ACTION = [(*SOLO_PHASES, *CO_OP_PHASES).index(phase) for phase in ("draft", "action")]


class MoreField(NamedTuple):
    """A field that expansions add.

    Attributes
    ----------
    name, labels, highest, meaning
        As of :class:`~onirim_env.observation.Field`; the highest value is that of each entry.
    expansions
        It is there where one of these expansions is.
    needs
        Of each entry the card or the expansion that a rule set must have for it; empty where all entries
        are always there.
    co_op
        Whether it is there with two players only.
    """

    name: str
    labels: tuple[str, ...]
    highest: float
    meaning: str
    expansions: tuple[str, ...]
    needs: tuple[str, ...] = ()
    co_op: bool = False


def _field(field: SeenField, expansions: Iterable[str]) -> MoreField:
    common: dict[str, Any] = {"highest": field.highest, "meaning": field.meaning, "co_op": field.co_op}
    if not isinstance(field.entries, Entries):
        return MoreField(field.name, field.entries, expansions=tuple(expansions), **common)
    names, places = names_of(field.entries.cards), range(1, field.entries.places + 1)
    labels = tuple(f"{field.entries.word} {place} {name}" for place in places for name in names)
    needs = names * max(1, field.entries.places)
    return MoreField(field.name, labels or names, expansions=tuple(expansions), needs=needs, **common)


MORE_FIELDS: tuple[MoreField, ...] = (
    *(_field(field, EXPANSIONS) for field in shared.SEEN_WITH_ANY),
    MoreField("module_phase", EXPANSION_PHASES, 1, "the phase of the game, continued", EXPANSIONS),
    *(
        _field(field, (expansion.keyword for expansion in EXPANSION_TABLES if field.name in expansion.uses))
        for field in shared.SEEN_USED
    ),
    *(_field(field, (expansion.keyword,)) for expansion in EXPANSION_TABLES for field in expansion.seen),
    MoreField("expansions", EXPANSIONS, 1, "which expansions the game has", EXPANSIONS, EXPANSIONS),
    MoreField("hard", CAN_BE_HARD, 1, "which of them are in their harder variant", EXPANSIONS, CAN_BE_HARD),
)
"""The fields in their order: those with any expansion, those of several, and each expansion's."""

BASE_SIZE = _CO_OP[-1].stop
"""Entries of the base game in the whole layout: those of solo, then those of co-op."""


def _starts() -> dict[str, int]:
    starts, start = {}, BASE_SIZE
    for field in MORE_FIELDS:
        starts[field.name] = start
        start += len(field.labels)
    return starts


MORE_STARTS = _starts()
"""The first entry of each field in the whole layout."""
FULL_SIZE = BASE_SIZE + sum(len(field.labels) for field in MORE_FIELDS)


def _entries(field: MoreField, rules: RuleSet) -> list[int]:
    """Return the entries of a field that a rule set has, from 0 on."""
    if not set(field.expansions) & set(rules.expansions) or (field.co_op and rules.players == 1):
        return []
    if not field.needs:
        return list(range(len(field.labels)))
    counts = dict(zip(ALL_KIND_NAMES, kind_counts(rules.expansions)))
    return [index for index, name in enumerate(field.needs) if counts.get(name) or name in rules.expansions]


@cache
def _expansion_layout(rules: RuleSet) -> tuple[Field, ...]:
    """Return the fields of an observation of a rule set with expansions."""
    base = _SOLO if rules.players == 1 else _CO_OP
    fields = []
    for field in base:
        highest = (
            tuple(2 * high for high in field.highest)
            if field.name in ("unseen", "limbo", "deck_size")
            else field.highest
        )
        fields.append(field._replace(highest=highest))
    start = base[-1].stop
    for more in MORE_FIELDS:
        entries = _entries(more, rules)
        if entries:
            labels = tuple(more.labels[entry] for entry in entries)
            size = len(labels)
            fields.append(
                Field(more.name, labels, (1.0,) * size, (float(more.highest),) * size, more.meaning, start)
            )
            start += size
    return tuple(fields)


def check_partner_action(partner_action: bool, rules: RuleSet) -> None:
    """Refuse anything else than a bool, and the field where there is no partner.

    Raises
    ------
    ValueError
        The message says what is allowed.
    """
    if not isinstance(partner_action, (bool, np.bool_)):
        raise ValueError(f"{PARTNER_ACTION} must be True or False, not {partner_action!r}")
    if partner_action and rules.players == 1:
        raise ValueError(f"{PARTNER_ACTION} needs two players: alone there is no partner")


def _partner_field(rules: RuleSet | None) -> Field:
    """Return the field: an entry for each action of the rule set's table.

    Raises
    ------
    ValueError
        For rules of one player.
    """
    rules = RuleSet() if rules is None else rules
    check_partner_action(True, rules)
    texts = action_table(rules).texts
    ones = (1.0,) * len(texts)
    return Field(
        PARTNER_ACTION, texts, ones, ones, "what the partner did when last to decide, one decision or several"
    )


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
        others = observation_layout(rules)
        return (*others, _partner_field(rules)._replace(start=others[-1].stop))
    if rules is not None and rules.expansions:
        return _expansion_layout(rules)
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


@cache
def columns(rules: RuleSet) -> np.ndarray:
    """Return the entries of the whole layout that a rule set shows: int64, read-only."""
    base = (_SOLO if rules.players == 1 else _CO_OP)[-1].stop
    shown = list(range(base))
    for more in MORE_FIELDS:
        shown += [MORE_STARTS[more.name] + entry for entry in _entries(more, rules)]
    result = np.array(shown, dtype=np.int64)
    result.flags.writeable = False
    return result


def widened(written: np.ndarray, states: np.ndarray, rules: RuleSet) -> np.ndarray:
    """Return observations of base games as a rule set with expansions shows them.

    The engine writes nothing of expansions for games without them. Their fields come last; of these, a base
    game has the discard pile, and whether the action of the turn is taken.

    Parameters
    ----------
    written
        float32, shape (n, size of a base observation).
    states
        Records of base games, shape (n,).
    rules
        The rule set whose layout is asked for.
    """
    wide = np.zeros((len(written), FULL_SIZE), dtype=np.float32)
    wide[:, : written.shape[1]] = written
    discarded, acted = MORE_STARTS["discarded"], MORE_STARTS["acted"]
    wide[:, discarded : discarded + N_KINDS] = states["discard"]
    wide[:, acted] = ~np.isin(states["phase"], _BEFORE_THE_ACTION)
    shown: np.ndarray = wide[:, columns(rules)]
    return shown

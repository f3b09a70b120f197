"""What modules add to an observation.

The engine writes the whole layout: the fields of the base game, co-op included, then those here. A rule
set shows the entries whose cards and modules it has; ``layout="full"`` shows all.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from onirim_env.cards import N_KINDS
from onirim_env.modules import ALL_KIND_NAMES, MODULE_PHASES, MODULES, kind_counts, names_of, shared
from onirim_env.modules.shared import BOTTOM_PLACES
from onirim_env.modules.table import Entries, Group, SeenField
from onirim_env.observation import CO_OP_PHASES, SOLO_PHASES, Field, observation_layout
from onirim_env.rules import EXPANSIONS, RuleSet

__all__ = [
    "BOTTOM_PLACES",
    "CAN_BE_HARD",
    "FULL_SIZE",
    "MORE_FIELDS",
    "MORE_STARTS",
    "NEW_KINDS",
    "MoreField",
]

NEW_KINDS = names_of(Group.NEW)
CAN_BE_HARD = tuple(module.keyword for module in MODULES if module.hard)
"""Keywords of the modules that have a harder variant."""
_BEFORE_THE_ACTION = [(*SOLO_PHASES, *CO_OP_PHASES).index(phase) for phase in ("draft", "action")]


class MoreField(NamedTuple):
    """A field that modules add.

    Attributes
    ----------
    name, labels, highest, meaning
        As of :class:`~onirim_env.observation.Field`; the highest value is that of each entry.
    modules
        It is there where one of these modules is.
    needs
        Of each entry the card or the module that a rule set must have for it; empty where all entries
        are always there.
    co_op
        Whether it is there with two players only.
    """

    name: str
    labels: tuple[str, ...]
    highest: float
    meaning: str
    modules: tuple[str, ...]
    needs: tuple[str, ...] = ()
    co_op: bool = False


def _field(field: SeenField, modules: Iterable[str]) -> MoreField:
    common: dict[str, Any] = {"highest": field.highest, "meaning": field.meaning, "co_op": field.co_op}
    if not isinstance(field.entries, Entries):
        return MoreField(field.name, field.entries, modules=tuple(modules), **common)
    names, places = names_of(field.entries.cards), range(1, field.entries.places + 1)
    labels = tuple(f"{field.entries.word} {place} {name}" for place in places for name in names)
    needs = names * max(1, field.entries.places)
    return MoreField(field.name, labels or names, modules=tuple(modules), needs=needs, **common)


MORE_FIELDS: tuple[MoreField, ...] = (
    *(_field(field, EXPANSIONS) for field in shared.SEEN_WITH_ANY),
    MoreField("module_phase", MODULE_PHASES, 1, "the phase of the game, continued", EXPANSIONS),
    *(
        _field(field, (module.keyword for module in MODULES if field.name in module.uses))
        for field in shared.SEEN_USED
    ),
    *(_field(field, (module.keyword,)) for module in MODULES for field in module.seen),
    MoreField("expansions", EXPANSIONS, 1, "which expansions the game has", EXPANSIONS, EXPANSIONS),
    MoreField("hard", CAN_BE_HARD, 1, "which of them are in their harder variant", EXPANSIONS, CAN_BE_HARD),
)
"""The fields in their order: those with any module, those of several, and each module's."""

BASE_SIZE = observation_layout(RuleSet(players=2))[-1].stop
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
    if not set(field.modules) & set(rules.expansions) or (field.co_op and rules.players == 1):
        return []
    if not field.needs:
        return list(range(len(field.labels)))
    counts = dict(zip(ALL_KIND_NAMES, kind_counts(rules.expansions)))
    return [index for index, name in enumerate(field.needs) if counts.get(name) or name in rules.expansions]


@cache
def module_layout(rules: RuleSet) -> tuple[Field, ...]:
    """Return the fields of an observation of a rule set with modules."""
    base = observation_layout(RuleSet(players=rules.players))
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


@cache
def columns(rules: RuleSet) -> np.ndarray:
    """Return the entries of the whole layout that a rule set shows: int64, read-only."""
    base = observation_layout(RuleSet(players=rules.players))[-1].stop
    shown = list(range(base))
    for more in MORE_FIELDS:
        shown += [MORE_STARTS[more.name] + entry for entry in _entries(more, rules)]
    result = np.array(shown, dtype=np.int64)
    result.flags.writeable = False
    return result


def widened(written: np.ndarray, states: np.ndarray, rules: RuleSet) -> np.ndarray:
    """Return observations of base games as a rule set with modules shows them.

    The engine writes nothing of modules for games without them. Their fields come last; of these, a base
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

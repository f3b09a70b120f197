# ruff: noqa: E501  (the table of fields has one line each)
"""What modules add to an observation.

The engine writes the whole layout: the fields of the base game, co-op included, then those here. A rule
set shows the entries whose cards and modules it has; ``layout="full"`` shows all.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from onirim_env.cards import COLOURS, N_KINDS
from onirim_env.modules import ALL_KIND_NAMES, MODULE_PHASES, MODULES, kind_counts
from onirim_env.modules.book_of_steps import MAX_GOALS, SPELLS
from onirim_env.modules.dreamcatchers import BOOKS, CATCHERS
from onirim_env.modules.oniverse import DENIZENS
from onirim_env.modules.premonitions import KEYS_LOST, PREMONITIONS
from onirim_env.modules.verbs import DOORS
from onirim_env.observation import CO_OP_PHASES, SOLO_PHASES, TOP_PLACES, Field, observation_layout
from onirim_env.rules import EXPANSIONS, RuleSet

NEW_KINDS = ALL_KIND_NAMES[N_KINDS:]
BOTTOM_PLACES = 5
"""How many places of the deck's bottom an observation shows."""
_BOOK, _GLYPHS, _CATCH, _TOWERS, _PREMONITIONS, _CROSSROADS, _ONIVERSE = (
    (keyword,) for keyword in EXPANSIONS
)
_ALL = EXPANSIONS
CAN_BE_HARD = tuple(module.keyword for module in MODULES if module.hard)
"""Keywords of the modules that have a harder variant."""
_TOWER_NAMES = tuple(name for name, _ in MODULES[3].cards)
_PENDING = tuple(f"{place} {colour}" for place in ("last", "before") for colour in (*COLOURS, "crossroad"))


_BEFORE_THE_ACTION = [(*SOLO_PHASES, *CO_OP_PHASES).index(phase) for phase in ("draft", "action")]


class MoreField(NamedTuple):
    """A field that modules add.

    Attributes
    ----------
    name, labels, highest, meaning
        As of :class:`~onirim_env.observation.Field`; the highest value is that of each entry.
    modules
        It is there where one of these modules is.
    of
        ``"kind"`` or ``"module"`` where its labels name kinds of cards or modules; entries of those that
        a rule set lacks are left out.
    co_op
        Whether it is there with two players only.
    """

    name: str
    labels: tuple[str, ...]
    highest: float
    modules: tuple[str, ...]
    meaning: str
    of: str = ""
    co_op: bool = False


def _places(words: str, number: int, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{words} {place} {name}" for place in range(1, number + 1) for name in names)


MORE_FIELDS: tuple[MoreField, ...] = (
    MoreField("new_hand", NEW_KINDS, 5, _ALL, "cards of modules in the own (in co-op: personal) hand", "kind"),
    MoreField("new_unseen", NEW_KINDS, 10, _ALL, "cards of modules that the player cannot see, by kind", "kind"),
    MoreField("new_top", _places("place", TOP_PLACES, NEW_KINDS), 1, _ALL, "cards of modules known at the first five places of the deck", "kind"),
    MoreField("new_revealed", NEW_KINDS, 5, _ALL, "cards of modules that a Prophecy shows", "kind"),
    MoreField("new_drawn", NEW_KINDS, 1, _ALL, "the Dream or the Oniverse Door being decided", "kind"),
    MoreField("new_limbo", NEW_KINDS, 10, _ALL, "cards of modules in Limbo", "kind"),
    MoreField("new_shared", NEW_KINDS, 8, _ALL, "shared cards of modules", "kind", True),
    MoreField("new_swapping", NEW_KINDS, 1, _ALL, "the card of a module put up for a swap", "kind", True),
    MoreField("new_public", NEW_KINDS, 3, _ALL, "own cards of modules that the partner knows", "kind", True),
    MoreField("new_partner_hand", NEW_KINDS, 3, _ALL, "the partner's cards of modules that the player knows", "kind", True),
    MoreField("discarded", ALL_KIND_NAMES, 16, _ALL, "cards on the discard pile, by kind", "kind"),
    MoreField("bottom", _places("place", BOTTOM_PLACES, ALL_KIND_NAMES), 1, (*_BOOK, *_GLYPHS, *_ONIVERSE), "cards known at the lowest places of the deck, the last card first", "kind"),
    MoreField("looked", ALL_KIND_NAMES, 7, _ALL, "cards beside the deck that are still to be placed, by kind", "kind"),
    MoreField("placed", ALL_KIND_NAMES, 7, _ALL, "cards beside the deck that are placed, by kind", "kind"),
    MoreField("module_phase", MODULE_PHASES, 1, _ALL, "the phase of the game, continued"),
    MoreField("acted", ("yes",), 1, _ALL, "whether the action of the turn is taken"),
    MoreField("follows", ("incantation", "look 3", "look 4", "look 5"), 1, (*_GLYPHS, *_TOWERS), "what follows the swap after a discard"),
    MoreField("third_doors", COLOURS, 1, _GLYPHS, "own third Doors of a colour in play"),
    MoreField("partner_third_doors", COLOURS, 1, _GLYPHS, "the partner's third Doors of a colour in play", "", True),
    MoreField("oniverse_door", ("self", "partner"), 1, _ONIVERSE, "whether the Oniverse Door is in play, and before whom"),
    MoreField("last_glyph", ("self", "partner"), 1, _GLYPHS, "whether the last card of a row bears a glyph"),
    MoreField("goals", _places("goal", MAX_GOALS, DOORS), 1, _BOOK, "the Goals in their row"),
    MoreField("goals_met", tuple(f"goal {place}" for place in range(1, MAX_GOALS + 1)), 1, _BOOK, "Goals that lie face down"),
    MoreField("spell", SPELLS, 1, _BOOK, "the spell being paid"),
    MoreField("to_pay", ("cards",), 12, _BOOK, "how many cards are still to be paid"),
    MoreField("swapped_goal", tuple(f"goal {place}" for place in range(1, MAX_GOALS + 1)), 1, _BOOK, "the first Goal that Parallel Planning moves"),
    MoreField("removed", ALL_KIND_NAMES, 16, _BOOK, "cards out of the game, by kind", "kind"),
    MoreField("catchers", _places("dreamcatcher", CATCHERS, ALL_KIND_NAMES), 10, _CATCH, "cards under each Dreamcatcher, by kind", "kind"),
    MoreField("n_catchers", ("dreamcatchers",), CATCHERS, _CATCH, "how many Dreamcatchers there are"),
    MoreField("books", ("books",), BOOKS, _CATCH, "Failsafe Books that are left"),
    MoreField("kept", tuple(f"dreamcatcher {place}" for place in range(1, CATCHERS + 1)), 1, _CATCH, "the Dreamcatcher that this search may not free"),
    MoreField("towers", _places("place", 12, _TOWER_NAMES), 1, _TOWERS, "the row of Towers, from the left"),
    MoreField("rightmost_tower", _TOWER_NAMES, 1, _TOWERS, "the Tower at the right end"),
    MoreField("premonitions", PREMONITIONS, 1, _PREMONITIONS, "Premonitions face up"),
    MoreField("reserve", PREMONITIONS, 1, _PREMONITIONS, "Premonitions face down"),
    MoreField("premonition", PREMONITIONS, 1, _PREMONITIONS, "the Premonition that takes a Door"),
    MoreField("premonition_keys", ("keys",), KEYS_LOST, _PREMONITIONS, "Keys still to be discarded from the deck"),
    MoreField("fetched", ALL_KIND_NAMES, 1, _PREMONITIONS, "the card that a Happy Dream has found", "kind"),
    MoreField("pending", _PENDING, 1, _CROSSROADS, "colours of the last two cards of the own row that serve in no series yet"),
    MoreField("partner_pending", _PENDING, 1, _CROSSROADS, "the same of the partner's row", "", True),
    MoreField("denizens", DENIZENS, 2, _ONIVERSE, "own rallied Denizens"),
    MoreField("partner_denizens", DENIZENS, 2, _ONIVERSE, "the partner's rallied Denizens", "", True),
    MoreField("stored", ALL_KIND_NAMES, 2, _ONIVERSE, "own stored cards", "kind"),
    MoreField("partner_stored", ALL_KIND_NAMES, 2, _ONIVERSE, "the partner's stored cards", "kind", True),
    MoreField("given", ALL_KIND_NAMES, 1, _ONIVERSE, "the card that a Cyclobot takes", "kind"),
    MoreField("given_shared", ("yes",), 1, _ONIVERSE, "whether that is a shared card", "", True),
    MoreField("expansions", EXPANSIONS, 1, _ALL, "which expansions the game has", "module"),
    MoreField("hard", CAN_BE_HARD, 1, _ALL, "which of them are in their harder variant", "module"),
)  # fmt: skip

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
    if field.of == "module":
        return [index for index, keyword in enumerate(field.labels) if keyword in rules.expansions]
    if field.of != "kind":
        return list(range(len(field.labels)))
    names = NEW_KINDS if field.name.startswith("new_") else ALL_KIND_NAMES
    counts = dict(zip(ALL_KIND_NAMES, kind_counts(rules.expansions)))
    return [index for index in range(len(field.labels)) if counts[names[index % len(names)]]]


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

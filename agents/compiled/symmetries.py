"""How a game stays the same when its colours, or Sun and Moon, are renamed.

The rules treat the four colours alike, and Sun and Moon alike; only the numbers of cards differ, and
those are in the observation. A game with colours (and Sun and Moon) renamed in every zone has the same
value, and the renamed best action. Networks that share their weights over colours are built on what is
here: which entries of an observation and which actions are the same of another colour, read off the
labels of the tables, so of any rule set.

Expansions tie some cards to their colours (the faces of Towers, Premonitions): what stands in
``TIED_FIELDS`` then belongs to no colour, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np

from onirim_env.actions import action_table
from onirim_env.cards import COLOURS
from onirim_env.observation import observation_layout
from onirim_env.rules import RuleSet

SWAPPED = {"sun": "moon", "moon": "sun"}
ANY = "*"
"""Stands in a name where a label has a colour."""
TIED_FIELDS = ("towers", "new_hand", "doors", "third_doors", "partner_doors")
"""Fields whose entries matter by their colour with some expansion."""


@dataclass(frozen=True)
class Renaming:
    """New names of the colours and of Sun and Moon.

    Attributes
    ----------
    colours
        What each of ``COLOURS`` is called, in their order.
    swapped
        Whether Sun is called Moon, and Moon Sun.
    """

    colours: tuple[str, ...]
    swapped: bool

    def of(self, text: str) -> str:
        """Return a label or text with its words renamed."""
        words = dict(zip(COLOURS, self.colours)) | (SWAPPED if self.swapped else {})
        return " ".join(words.get(word, word) for word in text.split())


def all_renamings() -> list[Renaming]:
    """Return the 48 renamings, the one that changes nothing first."""
    return [Renaming(colours, swapped) for swapped in (False, True) for colours in permutations(COLOURS)]


@dataclass(frozen=True, eq=False)
class Names:
    """Some named numbers (entries of observations, or actions), sorted by colour.

    Attributes
    ----------
    of_colours
        int64, shape (4, n): a row a colour, a column a name.
    of_none
        int64, shape (m,): those of no colour.
    swapped, none_swapped
        int64, shapes (n,) and (m,): where a column, or one of no colour, is when Sun and Moon are
        swapped; its own place where there is no such name.
    """

    of_colours: np.ndarray
    of_none: np.ndarray
    swapped: np.ndarray
    none_swapped: np.ndarray

    @property
    def sizes(self) -> tuple[int, int]:
        """How many numbers each colour has, and how many are of none."""
        return self.of_colours.shape[1], len(self.of_none)

    @property
    def order(self) -> np.ndarray:
        """All numbers, colour by colour, then those of no colour: int64, shape (4 n + m,)."""
        return np.concatenate([self.of_colours.ravel(), self.of_none])


@dataclass(frozen=True, eq=False)
class Symmetries:
    """How the tables of a rule set stay the same under renamings.

    Attributes
    ----------
    entries
        The entries of an observation; ones of ``TIED_FIELDS`` may be in it twice.
    scales
        float32, in the order of ``entries``: what an entry has to be multiplied by so that equal
        counts are equal numbers whatever the colour.
    actions
        The actions, each once.
    n_entries, n_actions
        The sizes of the tables.
    """

    entries: Names
    scales: np.ndarray
    actions: Names
    n_entries: int
    n_actions: int


def symmetries(rules: RuleSet, ignored_fields: Sequence[str] = ()) -> Symmetries:
    """Return the symmetries of the tables of a rule set; the scales of ignored fields are 0."""
    layout = observation_layout(rules)
    labels = [f"{field.name}: {label}" for field in layout for label in field.labels]
    units = np.array([unit for field in layout for unit in field.units], dtype=np.float64)
    tied = TIED_FIELDS if rules.expansions else ()
    twice = [number for number, label in enumerate(labels) if label.split(": ")[0] in tied]
    entries = _names(labels, twice)
    actions = _names(action_table(rules).texts)
    scales = _scales(labels, units)
    scales[[label.split(": ")[0] in ignored_fields for label in labels]] = 0.0
    return Symmetries(entries, scales[entries.order], actions, len(labels), len(actions.order))


def _names(texts: Sequence[str], twice: Iterable[int] = ()) -> Names:
    """Sort texts by colour; those of ``twice`` are of no colour, too."""
    found: dict[str, dict[str, int]] = {}
    for number, text in enumerate(texts):
        words = text.split()
        colours = [word for word in words if word in COLOURS]
        if len(colours) == 1:
            name = " ".join(ANY if word in COLOURS else word for word in words)
            found.setdefault(name, {})[colours[0]] = number
    names = [name for name, numbers in found.items() if len(numbers) == len(COLOURS)]
    of_colours = np.array([[found[name][colour] for name in names] for colour in COLOURS], dtype=np.int64)
    of_colours = of_colours.reshape(len(COLOURS), len(names))
    others = sorted((set(range(len(texts))) - set(of_colours.ravel().tolist())) | set(twice))
    return Names(
        of_colours,
        np.array(others, dtype=np.int64),
        _swapped(names),
        _swapped([texts[number] for number in others]),
    )


def _swapped(names: Sequence[str]) -> np.ndarray:
    """Return where each name is when Sun and Moon are swapped: int64, shape (n,)."""
    swap = Renaming(tuple(COLOURS), True)
    places = {name: place for place, name in enumerate(names)}
    return np.array([places.get(swap.of(name), place) for place, name in enumerate(names)], dtype=np.int64)


def _scales(labels: Sequence[str], units: np.ndarray) -> np.ndarray:
    """Return by what to multiply each entry: float32, shape (n,)."""
    alike: dict[str, list[int]] = {}
    for number, label in enumerate(labels):
        names = (ANY if word in COLOURS else "sun" if word in SWAPPED else word for word in label.split())
        alike.setdefault(" ".join(names), []).append(number)
    scales = np.ones(len(labels), dtype=np.float32)
    for numbers in alike.values():
        scales[numbers] = units[numbers].min() / units[numbers]
    return scales


def renamed_places(texts: Sequence[str], renaming: Renaming) -> np.ndarray:
    """Return where what a text names stands after a renaming: int64, shape (n,).

    A text that has no renamed one stays where it is.
    """
    places = {text: place for place, text in enumerate(texts)}
    return np.array(
        [places.get(renaming.of(text), place) for place, text in enumerate(texts)], dtype=np.int64
    )

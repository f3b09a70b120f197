"""Where the cards of games with expansions stand in a picture: smaller cards, and a strip for the zones.

Games without expansions are laid out by ``layout.py`` alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from onirim_env.cards import COLOURS
from onirim_env.expansions.form import Zone
from onirim_env.render.places import DISCARD_Y, GAP, LIMBO_Y, SIDE_LEFT, Block, CardPlace, Note, Rect
from onirim_env.render.zones import by_kind, doors_of_a_colour, kinds_of
from onirim_env.rules import RuleSet

ZONE_SIZES = ((24, 34), (20, 28), (17, 24), (14, 20), (11, 16))
"""Sizes of the cards in the strip, the first that lets all zones have room."""
LABEL_HEIGHT = 14
CAPITAL, LETTER = 7.6, 6.2
"""Width of a capital in a label and of a letter in its words, in pixels."""
BETWEEN = 12
"""Pixels between two zones, and between two groups of one."""
CLOSE = 2
"""Pixels between two cards of a zone."""
LIMBO_SIZE, LIMBO_ACROSS = (19, 27), 8
DISCARD_SIZE, DISCARD_ACROSS = (23, 32), 6
SHOWN_BESIDE = ("looked at", "placed")
"""Zones that stand among the cards of the decision."""


class Table(NamedTuple):
    """The parts of a picture.

    Attributes
    ----------
    blocks
        Where the cards of each player stand.
    area, start
        The part of what is being decided, and its first card.
    strip
        The part of the zones of expansions.
    labels
        How high the labels of Doors, row and hand stand: in solo on the picture, in co-op in a block.
    """

    blocks: tuple[Block, ...]
    area: Rect
    start: Rect
    strip: Rect
    labels: tuple[int, int, int]


def table_of(rules: RuleSet) -> Table:
    """Return the parts of a picture under a rule set with expansions."""
    if rules.players == 1:
        block = Block(
            Rect(8, 62, 592, 530), Rect(16, 391, 62, 87), Rect(16, 86, 30, 42), Rect(16, 154, 44, 62),
            doors_of_a_colour(rules),
        )  # fmt: skip
        return Table(
            (block,), Rect(8, 218, 592, 144), Rect(16, 242, 52, 73), Rect(14, 483, 580, 108), (68, 134, 365)
        )
    blocks = tuple(
        Block(
            # Raised cards stay below the name of the player.
            Rect(8, y, 592, 150), Rect(16, y + 29, 41, 58), Rect(300, y + 29, 41, 58),
            Rect(64, y + 92, 40, 56), 1,
        )
        for y in (62, 442)
    )  # fmt: skip
    return Table(blocks, Rect(8, 213, 592, 124), Rect(16, 242, 41, 58), Rect(14, 339, 580, 99), (5, 92, 108))


def oniverse_door(
    names: Sequence[str], doors: list[CardPlace], rules: RuleSet, player: int
) -> list[CardPlace]:
    """Return the place of the Oniverse Door, behind the other Doors of a player."""
    there = "oniverse door" in names
    if "oniverse" not in rules.expansions or (rules.players > 1 and not there):
        return []
    last = doors[-1].rect
    rect = last._replace(x=last.right + 2 * GAP)
    return [CardPlace("doors", "oniverse door", rect, player, doors[-1].ordinal + 1, int(there))]


def limbo_places(names: Sequence[str]) -> list[CardPlace]:
    """Return the kinds that lie in Limbo."""
    width, height = LIMBO_SIZE
    places = []
    for index, (name, number) in enumerate(Counter(by_kind(names)).items()):
        line, column = divmod(index, LIMBO_ACROSS)
        rect = Rect(SIDE_LEFT + 8 + column * (width + 2), LIMBO_Y + line * (height + 3), width, height)
        places.append(CardPlace("limbo", name, rect, ordinal=index, number=number))
    return places


def discard_places(names: Sequence[str], rules: RuleSet) -> list[CardPlace]:
    """Return the discard pile: a place for each kind of the rule set, colour by colour."""
    width, height = DISCARD_SIZE
    kinds = sorted(kinds_of(rules), key=_colour_of)
    places = []
    for index, name in enumerate(kinds):
        line, column = divmod(index, DISCARD_ACROSS)
        rect = Rect(SIDE_LEFT + 8 + column * (width + 5), DISCARD_Y + line * (height + 5), width, height)
        places.append(CardPlace("discard", name, rect, ordinal=index, number=names.count(name)))
    return places


def _colour_of(name: str) -> int:
    colour = name.split()[0]
    return COLOURS.index(colour) if colour in COLOURS else len(COLOURS)


def strip_places(zones: Sequence[Zone], strip: Rect) -> tuple[list[CardPlace], list[Note]]:
    """Return the cards and the words of zones in a strip: side by side, line by line.

    Cards get smaller until everything has room; in the worst case the last zones are left out, and
    a note counts them.
    """
    flow, left = _flow(zones, strip)
    if left:
        flow.words.append(Note(f"+{left}", Rect(strip.right - 24, strip.bottom - 14, 24, 14)))
    return flow.cards, flow.words


def all_have_room(zones: Sequence[Zone], strip: Rect) -> bool:
    """Whether no zone is left out of a strip."""
    return _flow(zones, strip)[1] == 0


def _flow(zones: Sequence[Zone], strip: Rect) -> tuple[_Flow, int]:
    """Return zones in a strip, and how many are left out."""
    shown = [zone for zone in zones if zone.label not in SHOWN_BESIDE and not _nobody(zone)]
    shown.sort(key=lambda zone: not _counted(zone))  # zones of words take lower lines
    # Words have lines of their own, as long as there is room for these.
    smallest = ZONE_SIZES[-1]
    ways = [*((shown, size, False) for size in ZONE_SIZES), (_packed(shown, strip, smallest), smallest, True)]
    tried = []
    for ordered, size, mixed in ways:
        flow = _Flow(strip, size, mixed)
        left = sum(not flow.add(zone) for zone in ordered)
        if not left:
            return flow, 0
        tried.append((flow, left))
    return tried[len(ZONE_SIZES) - 1]


def _packed(zones: Sequence[Zone], strip: Rect, size: tuple[int, int]) -> list[Zone]:
    """Return zones in an order in which lines are filled: the widest first, then what has room beside it."""
    left = sorted(zones, key=lambda zone: -_width(zone, size))
    ordered: list[Zone] = []
    while left:
        x = 0
        line: list[Zone] = []
        for zone in left:
            if not line or x + _width(zone, size) <= strip.width:
                line.append(zone)
                x += _width(zone, size) + BETWEEN
        left = [zone for zone in left if zone not in line]
        ordered += line
    return ordered


def _width(zone: Zone, size: tuple[int, int]) -> int:
    """Return the width of a zone with cards of a size: that of its label, or of its cards."""
    label, groups = _label(zone), _counted(zone)
    words = round(CAPITAL * len(zone.label) + LETTER * (len(label) - len(zone.label)))
    cards = sum(max(1, len(group)) * (size[0] + CLOSE) for group in groups)
    return max(words, cards + BETWEEN * max(0, len(groups) - 1))


class _Flow:
    """Puts zones into a strip.

    Parameters
    ----------
    strip
        The room.
    size
        Size of a card.
    mixed
        Whether zones of words may stand in one line with cards.
    """

    def __init__(self, strip: Rect, size: tuple[int, int], mixed: bool) -> None:
        self._strip, self._size, self._mixed = strip, size, mixed
        self._x, self._y = strip.x, strip.y
        self._cards_in_line = False
        self.cards: list[CardPlace] = []
        self.words: list[Note] = []

    def add(self, zone: Zone) -> bool:
        """Add a zone; return whether it has room."""
        label, groups = _label(zone), _counted(zone)
        width = _width(zone, self._size)
        card_height = self._size[1] if groups else 0
        full = self._x + width > self._strip.right or (self._cards_in_line and not groups and not self._mixed)
        if self._x > self._strip.x and full:
            below = self._size[1] + 4 if self._cards_in_line else 0
            self._x, self._y = self._strip.x, self._y + LABEL_HEIGHT + below
            self._cards_in_line = False
        self._cards_in_line |= bool(groups)
        if self._x + width > self._strip.right or self._y + LABEL_HEIGHT + card_height > self._strip.bottom:
            return False
        self.words.append(Note(label, Rect(self._x, self._y, width, LABEL_HEIGHT)))
        self._add_cards(zone, groups)
        self._x += width + BETWEEN
        return True

    def _add_cards(self, zone: Zone, groups: Sequence[Sequence[tuple[str | None, int]]]) -> None:
        x, y = self._x, self._y + LABEL_HEIGHT
        ordinal = 0
        for group in groups:
            if not group:
                self.words.append(Note("-", Rect(x, y, self._size[0], self._size[1])))
                x += self._size[0] + CLOSE
            for name, number in group:
                shown = 0 if ordinal in zone.marked else number
                self.cards.append(
                    CardPlace("expansion", name, Rect(x, y, *self._size), zone.player, ordinal, shown)
                )
                x += self._size[0] + CLOSE
                ordinal += 1
            x += BETWEEN


def _label(zone: Zone) -> str:
    label = zone.label.upper()
    if zone.label == "removed":
        return f"{label}  {len(zone.groups[0])}"
    if zone.label == "goals":
        return f"{label}  {len(zone.marked)} of {len(zone.groups[0])} met"
    return f"{label}  {zone.words}" if zone.words else label


def _nobody(zone: Zone) -> bool:
    """Whether a zone belongs to a player and is empty: its label would only take room."""
    return zone.player is not None and zone.groups == ((),)


def _counted(zone: Zone) -> list[list[tuple[str | None, int]]]:
    """Return the cards of a zone with their numbers; in Dreamcatchers equal cards lie on each other."""
    if zone.label == "removed":
        return []
    if zone.label == "catchers":
        return [list(Counter(group).items()) for group in zone.groups]
    return [[(name, 1) for name in group] for group in zone.groups]

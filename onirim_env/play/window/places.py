"""Where everything stands in the window, in units that grow with it.

The window shows the cards that :func:`onirim_env.render.layout.layout` gives, with what one player may
know, and puts them where a hand with a mouse wants them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from onirim_env.cards import COLOURS, N_LOCATION_KINDS, N_SYMBOLS, NIGHTMARE
from onirim_env.render.places import CardPlace, Layout, Rect

if TYPE_CHECKING:
    from onirim_env.play.session import Advice
    from onirim_env.play.window.ordering import Ordering

MIN_WIDTH, MIN_HEIGHT = 800, 600
"""The smallest window in which everything has its full size, in units."""
HEADER, FOOTER = 58, 34
EDGE = 8
SIDE_WIDTH = 210
SIDE_SHARE = 0.4
"""Which part of the room beyond MIN_WIDTH the side gets."""

QUESTION_SIZE, CHOICE_SIZE, NEWS_SIZE, LABEL_SIZE = 20, 20, 18, 18
LINE = {20: 16, 18: 15}
"""Height of a line of text, by the size of the text."""

GAP = 6
RAISED = 8
BETWEEN_COLOURS = 10
"""Room between the Doors of two colours."""
HAND = (76, 106)
ROW = (54, 76)
SMALL = (36, 50)
DECIDED = (56, 78)
COUNTED = (24, 33)
MANY_COUNTED, MANY_ACROSS = (20, 27), 8
"""The size of counted cards, and how many stand side by side, where expansions bring more kinds."""
STRIPS = (76, 92, 108, 124)
"""Heights of the strip that shows the zones of expansions, the first in which all have room."""
HAND_BAND = 134
"""Height of the hand and its label."""
TOP_BAND, ROW_BAND = 72, 100
NUMBER_WIDTH = 26
"""Room for the number before the words of a choice."""
VALUE_WIDTH, COUNTED_VALUE_WIDTH = 60, 96
"""Room for an adviser's value behind it, and for one with the number of its playouts."""

Wrap = Callable[[str, int, float], list[str]]


class Frame(NamedTuple):
    """The parts of the window."""

    width: int
    height: int
    header: Rect
    footer: Rect
    top: Rect
    row: Rect
    decision: Rect
    hand: Rect
    side: Rect
    news: Rect
    strip: Rect


def frame(width: int, height: int, strip_height: int = 0) -> Frame:
    """Return the parts of a window of a size in units; with expansions a strip has their zones."""
    side_width = SIDE_WIDTH + round(SIDE_SHARE * (width - MIN_WIDTH))
    side = Rect(width - EDGE - side_width, HEADER + 4, side_width, height - HEADER - FOOTER - 8)
    main = side.x - 2 * EDGE
    top = Rect(EDGE, side.y, main, TOP_BAND)
    row = Rect(EDGE, top.bottom, main, ROW_BAND)
    hand = Rect(EDGE, side.bottom - HAND_BAND, main, HAND_BAND)
    strip = Rect(EDGE + 4, row.bottom + 2, main - 8, strip_height)
    top_of_decision = row.bottom + (strip_height + 4 if strip_height else 0)
    decision = Rect(EDGE, top_of_decision, main, hand.y - top_of_decision)
    news = Rect(side.x + EDGE, side.y + 346, side_width - 2 * EDGE, side.height - 350)
    header, footer = Rect(0, 0, width, HEADER), Rect(0, height - FOOTER, width, FOOTER)
    return Frame(width, height, header, footer, top, row, decision, hand, side, news, strip)


class ChoicePlace(NamedTuple):
    """A numbered choice on the screen: its index in the question, and its words line by line."""

    choice: int
    rect: Rect
    lines: tuple[str, ...]


def zones_of(where: Layout, row: Sequence[str], viewer: int) -> dict[tuple[str, int | None], list[CardPlace]]:
    """Return the cards by zone and player, rows in full."""
    zones: dict[tuple[str, int | None], list[CardPlace]] = {}
    for place in where.cards:
        zones.setdefault((place.zone, place.player), []).append(place)
    zones["row", viewer] = [
        CardPlace("row", name, Rect(0, 0, 0, 0), viewer, index) for index, name in enumerate(row)
    ]
    return zones


def in_line(
    cards: Sequence[CardPlace], x: float, y: int, size: tuple[int, int], right: float, gap: int = GAP
) -> list[CardPlace]:
    """Return cards side by side from a point on; they get smaller where there is no room."""
    width, height = size
    if cards and (width + gap) * len(cards) - gap > right - x:
        narrow = max(8, int((right - x + gap) / len(cards)) - gap)
        width, height = narrow, height * narrow // width
    return [
        place._replace(rect=Rect(int(x) + index * (width + gap), y - RAISED * place.playable, width, height))
        for index, place in enumerate(cards)
    ]


def scrolled_row(
    cards: Sequence[CardPlace], area: Rect, size: tuple[int, int], scroll: int
) -> tuple[list[CardPlace], int, int]:
    """Return the part of a row that has room, and how many cards are left of it and right of it.

    Parameters
    ----------
    cards
        The whole row.
    area
        Where it lies.
    size
        Size of a card.
    scroll
        How many cards the row is moved to the right, as far as there are any.
    """
    step = size[0] + GAP
    room = (area.width + GAP) // step
    if len(cards) <= room:
        return in_line(cards, area.x, area.y, size, area.right), 0, 0
    room = (area.width - 60 + GAP) // step  # signs at both sides tell of the others
    scroll = min(scroll, len(cards) - room)
    first = len(cards) - room - scroll
    shown = in_line(cards[first : first + room], area.x + 30, area.y, size, area.right)
    return shown, first, scroll


def doors_in_line(cards: Sequence[CardPlace], x: int, y: int, right: int) -> list[CardPlace]:
    """Return the places for Doors; those of a colour stand together, as far as there is room.

    Parameters
    ----------
    cards
        The places, colour by colour.
    x, y
        Where the first one stands.
    right
        Where the last one has to end.
    """
    kinds = list(dict.fromkeys(place.name for place in cards))
    width, step = SMALL[0], SMALL[0] + 4
    # Doors that stand alone need no room between their colours.
    between = BETWEEN_COLOURS if len(kinds) < len(cards) else 0
    room = right - x - width - step * (len(cards) - 1)
    between = max(0, min(between, room // max(1, len(kinds) - 1)))
    if room < 0:
        return in_line(cards, x, y, SMALL, right, 4)
    return [
        place._replace(rect=Rect(x + index * step + between * kinds.index(place.name), y, *SMALL))
        for index, place in enumerate(cards)
    ]


def side_cards(
    zones: dict[tuple[str, int | None], list[CardPlace]], counted: Sequence[CardPlace], side: Rect
) -> list[CardPlace]:
    """Return deck, known top, Limbo and the counted cards in the side of the window."""
    x = side.x + EDGE
    cards = [place._replace(rect=Rect(x, side.y + 20, 46, 64)) for place in zones["deck", None]]
    cards += in_line(zones.get(("top", None), []), x + 58, side.y + 20, (30, 42), side.right - 4, 3)
    cards += in_line(zones.get(("limbo", None), []), x, side.y + 108, (28, 39), side.right)
    many = len(counted) > NIGHTMARE + 1
    across, size = (MANY_ACROSS, MANY_COUNTED) if many else (N_SYMBOLS + 1, COUNTED)
    step = (side.width - 2 * EDGE) // across
    for index, place in enumerate(counted):
        line, column = divmod(index, across) if many else _count_cell(place.ordinal)
        rect = Rect(x + column * step, side.y + 170 + line * (size[1] + 2), *size)
        cards.append(place._replace(rect=rect))
    return cards


def _count_cell(kind: int) -> tuple[int, int]:
    """Return line and column of a kind: a line for each colour, the Nightmare below."""
    if kind < N_LOCATION_KINDS:
        return divmod(kind, N_SYMBOLS)
    return (kind - N_LOCATION_KINDS, N_SYMBOLS) if kind < NIGHTMARE else (len(COLOURS), 0)


def value_width(advice: Advice | None) -> int:
    """Return the room that the values of an advice need before the choices."""
    if advice is None:
        return 0
    return COUNTED_VALUE_WIDTH if advice.playouts else VALUE_WIDTH


def choice_places(
    words: Sequence[str], area: Rect, wrap: Wrap, first: int, split: int, value_width: int
) -> list[ChoicePlace]:
    """Return the numbered choices, in one column or two, from a choice on as far as there is room.

    Parameters
    ----------
    words
        What each choice says.
    area
        The room.
    wrap
        Breaks a text into lines, given the size of the text and the width.
    first
        Index of the choice that stands first.
    split
        Where a second column would begin, if the choices have two parts.
    value_width
        Room for an adviser's value before the words.
    """
    before = NUMBER_WIDTH + value_width + 8
    for columns, pad in ((1, 8), (2, 8), (2, 3), (2, 0)):
        width = (area.width - GAP * (columns - 1)) // columns
        half = split if 0 < split < len(words) and first == 0 else (len(words) - first + 1) // 2 + first
        ends = [len(words)] if columns == 1 else [half, len(words)]
        column = _Column(words, wrap, width - before, pad)
        places, start = [], first
        for number, end in enumerate(ends):
            part = area._replace(x=area.x + number * (width + GAP), width=width)
            places += column.fill(part, start, end)
            start = end
        if len(places) == len(words) - first:
            return places
    left, right = (area._replace(x=area.x + number * (width + GAP), width=width) for number in (0, 1))
    places = column.fill(left, first, len(words))
    places += column.fill(right, first + len(places), len(words))
    wide = _Column(words, wrap, area.width - before, 0).fill(area, first, len(words))
    return max(places, wide, key=len)


class _Column:
    """Puts choices below each other."""

    def __init__(self, words: Sequence[str], wrap: Wrap, width: float, pad: int) -> None:
        self._words, self._wrap, self._width, self._pad = words, wrap, width, pad

    def fill(self, area: Rect, start: int, end: int) -> list[ChoicePlace]:
        """Return the places of the choices from ``start`` to ``end`` that have room in an area."""
        places: list[ChoicePlace] = []
        y = area.y
        for choice in range(start, end):
            lines = tuple(self._wrap(self._words[choice], CHOICE_SIZE, self._width))
            height = len(lines) * LINE[CHOICE_SIZE] + self._pad
            if y + height > area.bottom:
                break
            places.append(ChoicePlace(choice, Rect(area.x, y, area.width, height), lines))
            y += height + 2
        return places


class OrderingPlaces(NamedTuple):
    """Where the cards of a Prophecy lie: those in place, those to be ordered, the one thrown away."""

    placed: list[CardPlace]
    row: list[CardPlace]
    thrown: Rect | None
    bottom: int


def ordering_places(ordering: Ordering, placed: Sequence[str], area: Rect) -> OrderingPlaces:
    """Return where a Prophecy that is being ordered lies in the decision's part of the window."""
    y = area.y + 15
    size = DECIDED
    names = [("placed", name) for name in placed] + [("revealed", name) for name in ordering.row]
    cards = in_line(
        [CardPlace(zone, name, Rect(0, 0, 0, 0), None, index) for index, (zone, name) in enumerate(names)],
        area.x + EDGE, y, size, area.right, GAP + 4,
    )  # fmt: skip
    most = len(names) + (ordering.thrown is not None)
    thrown = Rect(area.x + EDGE + most * (size[0] + GAP + 4) + 18, y, *size) if ordering.throws else None
    return OrderingPlaces(cards[: len(placed)], cards[len(placed) :], thrown, y + size[1])

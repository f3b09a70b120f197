"""Where everything of a game stands on the screen, for a picture and for a mouse alike.

:func:`layout` gives the rectangle of every card and of every choice, holding what one player may
know and nothing more. It needs no pygame; ``image.py`` draws it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any, NamedTuple

from onirim_env.cards import (
    COLOURS,
    DOOR_NAMES,
    DOORS_PER_COLOUR,
    KIND_NAMES,
    N_LOCATION_KINDS,
    N_SYMBOLS,
    NIGHTMARE,
)
from onirim_env.render.zones import counted_names, expansion_zones, known_top, running_series

if TYPE_CHECKING:
    from onirim_env.game import Game

WIDTH, HEIGHT = 800, 600
"""Size of the picture in pixels."""
MARGIN = 16
MAIN_RIGHT = 592
"""Where the players' side ends; deck, Limbo and discard pile stand right of it."""
SIDE_LEFT, SIDE_RIGHT = 608, 784
GAP = 6
SERIES_WIDTH = 90
"""Room for the words of the running series, right of the row."""
SCROLLED = 34
"""Width of the note of how many cards of a row are scrolled away."""
RAISED = 8
"""How far a card that can be played stands out of its hand."""

CHOICE_HEIGHT = 19
PHASE_WORDS = ("prophecy ", "nightmare ", "look ")
"""Words at the beginning of actions that say no more than the phase."""
LOW_CHOICES = (19, 16, 14)
"""The same where there are many choices, the first that lets all have room."""
CHOICE_GAPS = (5, 1)
"""Pixels between choices, and where that leaves too little room."""
CHARACTER = 6.5
"""Width of a character in a choice, in pixels."""

SMALL = (34, 48)
KNOWN_TOP = (28, 39)
KNOWN_TOP_ACROSS = 3
DECK = (56, 78)
DECK_Y, LIMBO_Y, DISCARD_Y = 90, 206, 290


class Rect(NamedTuple):
    """A rectangle in pixels: left, top, width, height."""

    x: int
    y: int
    width: int
    height: int

    @property
    def right(self) -> int:
        """Where it ends."""
        return self.x + self.width

    @property
    def bottom(self) -> int:
        """Where it ends below."""
        return self.y + self.height

    def holds(self, x: int, y: int) -> bool:
        """Whether a point is inside."""
        return self.x <= x < self.right and self.y <= y < self.bottom


class CardPlace(NamedTuple):
    """A card on the screen.

    Attributes
    ----------
    zone
        ``"row"``, ``"hand"``, ``"doors"``, ``"shared"``, ``"revealed"``, ``"placed"``, ``"drawn"``,
        ``"swapping"``, ``"deck"``, ``"top"``, ``"limbo"``, ``"discard"`` or ``"expansion"``.
    name
        Its word, such as ``"red sun"``; None for a card that the viewer does not know.
    rect
        Where it is.
    player
        Whose it is, or None.
    ordinal
        Its number in the zone, counted from the zone's first card even when that is scrolled away;
        in ``"top"``, 0 is the next card.
    number
        How many cards lie there; 0 is an empty place.
    playable
        Whether it can be played now.
    """

    zone: str
    name: str | None
    rect: Rect
    player: int | None = None
    ordinal: int = 0
    number: int = 1
    playable: bool = False


class Choice(NamedTuple):
    """A legal action and its button.

    Attributes
    ----------
    action, text
        Its id and its text.
    label
        What the button says: the text without the word for the phase.
    rect
        Where it is.
    """

    action: int
    text: str
    label: str
    rect: Rect


class Note(NamedTuple):
    """A short text on the screen, such as how many cards of a row are scrolled away."""

    text: str
    rect: Rect


class Layout(NamedTuple):
    """A game on the screen as one player sees it.

    Attributes
    ----------
    viewer
        Whose view it is.
    cards
        Every card and every empty place.
    n_legal
        How many actions are legal; None where it would tell the viewer of the partner's hidden cards.
    choices
        The legal actions that have room, in the order of their ids; none where ``n_legal`` is None.
    notes
        Texts for what has no room.
    blocks
        The part of the screen of each player.
    decision
        The part of the screen of what is being decided.
    series
        For each player the colour and the length of the running series, or None.
    labels
        What the zones of expansions are called, above their cards.
    """

    viewer: int
    cards: list[CardPlace]
    n_legal: int | None
    choices: list[Choice]
    notes: list[Note]
    blocks: list[Rect]
    decision: Rect
    series: list[tuple[str, int] | None]
    labels: Sequence[Note] = ()


class Block(NamedTuple):
    """Where the cards of a player stand: top left corner and size of the cards of each zone."""

    area: Rect
    hand: Rect
    doors: Rect
    row: Rect
    doors_side_by_side: int


_SOLO_BLOCKS = (
    Block(
        Rect(8, 62, 592, 530), Rect(16, 460, 84, 118), Rect(16, 90, 50, 70), Rect(16, 192, 56, 78),
        DOORS_PER_COLOUR,
    ),
)  # fmt: skip
_SOLO_DECISION = (Rect(8, 282, 592, 146), Rect(16, 308, 64, 90))
_CO_OP_BLOCKS = tuple(
    Block(
        Rect(8, y, 592, 178), Rect(16, y + 28, 56, 78), Rect(320, y + 28, 56, 78), Rect(64, y + 112, 44, 62),
        1,
    )
    for y in (62, 414)
)  # fmt: skip
_CO_OP_DECISION = (Rect(8, 242, 592, 168), Rect(16, 273, 56, 78))


def layout(game: Game, player: int | None = None) -> Layout:
    """Return where everything of a game stands on a screen of ``WIDTH`` x ``HEIGHT`` pixels.

    Parameters
    ----------
    game
        The game.
    player
        Whose view (default: the one to move); cards that this player cannot know have no name.
    """
    player = game.player if player is None else player
    position = game.position()
    seen = game.describe(player)
    rules = game.rules
    solo = rules.players == 1
    blocks = _SOLO_BLOCKS if solo else _CO_OP_BLOCKS
    area, start = _SOLO_DECISION if solo else _CO_OP_DECISION
    if rules.expansions:
        from onirim_env.render import expansion_layout  # it builds on this expansion

        blocks, area, start, strip, _ = expansion_layout.table_of(rules)
    # What a partner can do tells the partner's hand.
    told = player == game.player or game.talk == "open"
    legal = game.legal_actions() if told else []
    n_legal = len(legal) if told else None
    texts = [game.table.texts[action] for action in legal]

    cards: list[CardPlace] = []
    notes: list[Note] = []
    for index, block in enumerate(blocks):
        own = position["players"][index]
        playable = _named_after("play ", texts) if index == game.player else ()
        doors = _doors(own["doors"], block, index)
        cards += doors
        if rules.expansions:
            cards += expansion_layout.oniverse_door(own["doors"], doors, rules, index)
        cards += _row(own["row"], block, index, notes)
        hand = own["hand"] if index == player else _partner_hand(own["hand"], seen)
        cards += _line("hand", hand, block.hand, index, playable)
    decided = _decided(position, seen, start, _named_after("play shared ", texts))
    choices = _choices(legal, texts, area, start, decided, notes)
    cards += decided + _deck(position, seen)
    labels: list[Note] = []
    if rules.expansions:
        cards += expansion_layout.limbo_places(position["limbo"])
        cards += expansion_layout.discard_places(position["discard"], rules)
        zones = expansion_zones(game, player, position, seen)
        beside, labels = expansion_layout.strip_places(zones, strip)
        cards += beside
    else:
        cards += _limbo(position["limbo"]) + _discard(position["discard"])
    series = [
        running_series(rules, one, seen["series" if index == player else "partner_series"])
        for index, one in enumerate(position["players"])
    ]
    return Layout(
        player, cards, n_legal, choices, notes, [block.area for block in blocks], area, series, labels
    )


def _named_after(start: str, texts: list[str]) -> tuple[str, ...]:
    """Return the cards that actions beginning with ``start`` name."""
    return tuple(text.removeprefix(start) for text in texts if text.startswith(start))


def _partner_hand(hand: list[str], seen: dict[str, dict[str, int]]) -> list[str | None]:
    """Return the partner's cards as the viewer knows them: hidden ones last, as None."""
    hidden = seen["partner_hidden"].get("cards", 0)
    if not hidden:
        return list(hand)
    known = counted_names({**seen["partner_hand"], **seen.get("new_partner_hand", {})})
    return [*known, *[None] * hidden]


def _line(
    zone: str,
    names: Sequence[str | None],
    start: Rect,
    player: int | None = None,
    playable: tuple[str, ...] = (),
) -> list[CardPlace]:
    """Return cards side by side; those that can be played stand a little higher."""
    places = []
    for index, name in enumerate(names):
        up = RAISED if name in playable else 0
        rect = Rect(start.x + index * (start.width + GAP), start.y - up, start.width, start.height)
        places.append(CardPlace(zone, name, rect, player, index, playable=up > 0))
    return places


def _doors(names: list[str], block: Block, player: int) -> list[CardPlace]:
    """Return a place for each Door that is needed, with the Doors in play on them."""
    places = []
    first, across = block.doors, block.doors_side_by_side
    for colour, name in enumerate(DOOR_NAMES):
        number = names.count(name)
        for copy in range(across):
            x = (
                first.x
                + colour * (across * (first.width + GAP) + GAP * (across - 1))
                + copy * (first.width + GAP)
            )
            rect = Rect(x, first.y, first.width, first.height)
            # Where Doors have one place, a second one of the colour (option O-20) lies on the first.
            lying = number if across == 1 else int(copy < number)
            places.append(CardPlace("doors", name, rect, player, colour * across + copy, lying))
    return places


def _row(names: list[str], block: Block, player: int, notes: list[Note]) -> list[CardPlace]:
    """Return the last cards of a row, as many as there is room for."""
    first = block.row
    room = MAIN_RIGHT - SERIES_WIDTH - first.x
    hidden = 0
    if len(names) * (first.width + GAP) - GAP > room:
        hidden = len(names) - (room - SCROLLED) // (first.width + GAP)
        notes.append(Note(f"+{hidden}", first._replace(width=SCROLLED)))
        first = first._replace(x=first.x + SCROLLED + GAP)
    return [
        place._replace(ordinal=place.ordinal + hidden)
        for place in _line("row", names[hidden:], first, player)
    ]


def _decided(
    position: dict[str, Any], seen: dict[str, dict[str, int]], start: Rect, playable: tuple[str, ...]
) -> list[CardPlace]:
    """Return the shared cards and the cards that a decision is about."""
    places = _line("shared", position["shared"], start, None, playable)

    def add(zone: str, names: Sequence[str | None]) -> None:
        x = places[-1].rect.right + 3 * GAP if places else start.x
        places.extend(_line(zone, names, start._replace(x=x)))

    for zone in ("drawn", "swapping"):
        if position[zone] is not None:
            add(zone, [position[zone]])
    under_way = len(position["revealed"])
    if under_way and not any(seen.get(field) for field in ("revealed", "new_revealed", "looked")):
        add("revealed", [None] * under_way)
        add("placed", [None] * len(position["placed"]))
    else:
        add("revealed", position["revealed"])
        add("placed", position["placed"])
    return places


def _choices(
    legal: list[int], texts: list[str], area: Rect, start: Rect, cards: list[CardPlace], notes: list[Note]
) -> list[Choice]:
    """Return buttons beside the cards of a decision or beneath them, where more of them have room."""
    if not legal:
        return []
    labels = [reduce(str.removeprefix, PHASE_WORDS, text) for text in texts]
    widths = [round(len(label) * CHARACTER) + 10 for label in labels]
    beside, below = [(start.x, start.y)], []
    if cards:
        right = cards[-1].rect.right + 2 * GAP
        beside = [(right, start.y)]
        below = [(start.x, start.y + start.height + CHOICE_GAPS[0])]
    even = [max(widths)] * len(widths)
    ways = [(even, corner, CHOICE_HEIGHT, gap) for gap in CHOICE_GAPS for corner in (*beside, *below)]
    # What does not find room in columns of one width does so in columns as wide as their words.
    high = [(beside[0][0], area.y + CHOICE_GAPS[0])] if cards else []
    for height in LOW_CHOICES:
        ways += [(widths, corner, height, CHOICE_GAPS[-1]) for corner in (*beside, *high, *below)]
    tried = [_columns(each, corner, area.bottom, height, gap) for each, corner, height, gap in ways]
    places = next((places for places in tried if len(places) >= len(legal)), max(tried, key=len))
    shown = len(legal)
    if shown > len(places):
        shown = len(places) - 1
        notes.append(Note(f"{len(legal) - shown} more", places[shown]))
    return [Choice(legal[index], texts[index], labels[index], places[index]) for index in range(shown)]


def _columns(
    widths: Sequence[int], corner: tuple[int, int], bottom: int, height: int, gap: int
) -> list[Rect]:
    """Return the places of buttons from a corner on, column by column, as many as have room."""
    x, top = corner
    in_column = max(0, (bottom - top + gap) // (height + gap))
    places: list[Rect] = []
    while in_column and len(places) < len(widths):
        column = widths[len(places) : len(places) + in_column]
        width = max(column)
        if x + width > MAIN_RIGHT:
            break
        places += [Rect(x, top + row * (height + gap), width, height) for row in range(len(column))]
        x += width + CHOICE_GAPS[0]
    return places


def _deck(position: dict[str, Any], seen: dict[str, dict[str, int]]) -> list[CardPlace]:
    """Return the deck and, beside it, its first cards as far down as the viewer knows one."""
    size = sum(len(position[zone]) for zone in ("deck", "revealed", "placed"))
    places = [CardPlace("deck", None, Rect(SIDE_LEFT + 8, DECK_Y, *DECK), number=size)]
    width, height = KNOWN_TOP
    for index, name in enumerate(known_top(seen)):
        line, column = divmod(index, KNOWN_TOP_ACROSS)
        x = SIDE_LEFT + 78 + column * (width + 4)
        places.append(CardPlace("top", name, Rect(x, DECK_Y + line * height, width, height), ordinal=index))
    return places


def _limbo(names: list[str]) -> list[CardPlace]:
    kinds = (*DOOR_NAMES, KIND_NAMES[NIGHTMARE])
    width, height = 30, 42
    return [
        CardPlace(
            "limbo", name, Rect(SIDE_LEFT + 8 + index * (width + 4), LIMBO_Y, width, height),
            ordinal=index, number=names.count(name),
        )
        for index, name in enumerate(kinds)
    ]  # fmt: skip


def _discard(names: list[str]) -> list[CardPlace]:
    """Return the discard pile by kind: a line for each colour, Nightmares below."""
    width, height = SMALL
    places = []
    for kind, name in enumerate(KIND_NAMES):
        if kind < N_LOCATION_KINDS:
            line, column = divmod(kind, N_SYMBOLS)
        elif kind < NIGHTMARE:
            line, column = kind - N_LOCATION_KINDS, N_SYMBOLS
        else:
            line, column = len(COLOURS), 0
        rect = Rect(SIDE_LEFT + 8 + column * (width + 8), DISCARD_Y + line * (height + 10), width, height)
        places.append(CardPlace("discard", name, rect, ordinal=kind, number=names.count(name)))
    return places

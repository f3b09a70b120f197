"""Where everything of a game stands on the screen, for a picture and for a mouse alike.

:func:`layout` gives the rectangle of every card and of every choice, holding what one player may
know and nothing more. It needs no pygame; ``image.py`` draws it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import TYPE_CHECKING, Any

from onirim_env.cards import (
    COLOURS,
    DOOR_NAMES,
    DOORS_PER_COLOUR,
    KIND_NAMES,
    N_LOCATION_KINDS,
    N_SYMBOLS,
    NIGHTMARE,
)
from onirim_env.render import expansion_layout
from onirim_env.render.places import (
    CHARACTER,
    CHOICE_GAPS,
    CHOICE_HEIGHT,
    DECK,
    DECK_Y,
    DISCARD_Y,
    GAP,
    KNOWN_TOP,
    KNOWN_TOP_ACROSS,
    LIMBO_Y,
    LOW_CHOICES,
    MAIN_RIGHT,
    PHASE_WORDS,
    RAISED,
    SCROLLED,
    SERIES_WIDTH,
    SIDE_LEFT,
    SMALL,
    Block,
    CardPlace,
    Choice,
    Layout,
    Note,
    Rect,
)
from onirim_env.render.zones import counted_names, expansion_zones, known_top, running_series

if TYPE_CHECKING:
    from onirim_env.game import Game

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

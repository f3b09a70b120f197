"""Places on the screen: rectangles, cards, choices, and the sizes that all pictures share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

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

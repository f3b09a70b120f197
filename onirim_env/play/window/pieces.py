"""The pieces that a desk is shown with: each has its rectangle, for drawing and for the mouse."""

from __future__ import annotations

from typing import NamedTuple

from onirim_env.play.window.places import LABEL_SIZE, ChoicePlace, Frame
from onirim_env.render.places import CardPlace, Rect


class Button(NamedTuple):
    """Something to click on.

    Attributes
    ----------
    name
        The command: one of :class:`Desk`, or ``"take"`` with the text of an action.
    rect
        Where it is.
    label
        What it says.
    below
        A smaller line under it.
    words
        What the status line says of it.
    action
        Text of the action, for ``"take"``.
    active
        Whether it can be used; a click on another one gives the reason.
    marked
        Whether it stands out.
    """

    name: str
    rect: Rect
    label: str
    below: str = ""
    words: str = ""
    action: str = ""
    active: bool = True
    marked: bool = False


class Words(NamedTuple):
    """A line of text: where it begins, its size, and its tone: ``"faint"``, ``"plain"`` or ``"bright"``."""

    text: str
    x: int
    y: int
    size: int = LABEL_SIZE
    tone: str = "faint"


class Scene(NamedTuple):
    """A desk in a window, in the order in which it is drawn.

    Attributes
    ----------
    frame
        The parts of the window.
    words
        Lines of text.
    cards
        Cards of the table.
    choices
        The numbered choices that have room.
    revealed
        Cards of a Prophecy, which are dragged.
    thrown, thrown_card
        The place for the card that a Prophecy throws away, and the card there.
    series
        A line above the cards of the running series.
    buttons, menu
        Buttons, and those beside a card, which lie over everything.
    veil
        Lines that cover everything: the help, or another person's turn.
    """

    frame: Frame
    words: list[Words]
    cards: list[CardPlace]
    choices: list[ChoicePlace]
    revealed: list[CardPlace]
    thrown: Rect | None
    thrown_card: str | None
    series: list[Rect]
    buttons: list[Button]
    menu: list[Button]
    veil: list[str]

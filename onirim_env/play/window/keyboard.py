"""The keyboard on a desk: a number takes a choice, letters are commands, arrows and Enter do everything."""

from __future__ import annotations

from collections.abc import Callable

from onirim_env.play.window.desk import Desk

ROW_STEP = 3
"""How many cards Page Up and Page Down move the row."""
ENTER = ("return", "enter", "space")

COMMANDS: dict[str, Callable[[Desk], None]] = {
    "u": Desk.undo,
    "s": Desk.save,
    "h": Desk.hint,
    "n": Desk.new_game,
    "q": Desk.leave,
    "escape": Desk.leave,
    "f1": Desk.help,
    "tab": Desk.counts,
    "page up": lambda desk: desk.scroll_row(ROW_STEP),
    "page down": lambda desk: desk.scroll_row(-ROW_STEP),
}
"""What a key does at any time, by its name."""


def press_key(desk: Desk, name: str, text: str = "", shift: bool = False) -> None:
    """Carry out a key.

    Parameters
    ----------
    desk
        The game.
    name
        Name of the key, such as ``"return"``, ``"left"`` or ``"u"``.
    text
        What it writes, such as ``"?"``.
    shift
        Whether shift is held.
    """
    digit = _digit_of(name, text)
    if desk.helping:
        desk.helping = False
    elif desk.cover is not None and name in ENTER:
        desk.uncover()
    elif digit and desk.question is not None:
        _add_digit(desk, digit)
    elif text == "?":
        desk.help()
    elif name in COMMANDS:
        COMMANDS[name](desk)
    elif desk.question is not None:
        _decide(desk, name, shift)


def _digit_of(name: str, text: str) -> str:
    """Return the digit of a key, of the number pad too (``"[7]"``), or an empty text."""
    for one in (text, name.strip("[]")):
        if len(one) == 1 and one in "0123456789":
            return one
    return ""


def _decide(desk: Desk, name: str, shift: bool) -> None:
    """Carry out a key that concerns the decision."""
    ordering = desk.ordering
    if name == "d":
        if ordering is not None and desk.picked is not None:
            desk.throw(desk.picked)
        elif desk.session.game.phase == "action":
            desk.discard_mode()
    elif name in ("left", "right") and ordering is not None and ordering.row:
        _move_picked(desk, 1 if name == "right" else -1, shift)
    elif name in ("up", "down", "left", "right"):
        _move_focus(desk, 1 if name in ("down", "right") else -1)
    elif name in ENTER:
        _enter(desk)


def _move_picked(desk: Desk, step: int, carry: bool) -> None:
    """Go to the next card of a Prophecy, or move the card itself."""
    assert desk.ordering is not None
    last = len(desk.ordering.row) - 1
    start, desk.focus = desk.picked, None
    desk.picked = min(max(0, start + step), last) if start is not None else (0 if step > 0 else last)
    if carry and start is not None:
        desk.ordering.move(start, desk.picked)


def _move_focus(desk: Desk, step: int) -> None:
    assert desk.question is not None
    number = len(desk.question.choices)
    start = -1 if step > 0 else 0
    desk.focus = ((start if desk.focus is None else desk.focus) + step) % number
    desk.message, desk.typed = "", ""


def _enter(desk: Desk) -> None:
    if desk.typed:
        typed, desk.typed = desk.typed, ""
        _take_number(desk, int(typed))
    elif desk.focus is not None:
        desk.take_choice(desk.focus)
    elif desk.ordering is not None and (desk.ordering.touched or not desk.ordering.throws):
        desk.confirm_order()
    else:
        desk.message = "Up and Down move to a choice, Enter takes it; or type its number."


def _add_digit(desk: Desk, digit: str) -> None:
    """Add a digit to a number, and take the choice once no longer number can be meant."""
    assert desk.question is not None
    typed = desk.typed + digit
    if int(typed) == 0 or int(typed) * 10 > len(desk.question.choices):
        desk.typed = ""
        _take_number(desk, int(typed))
    else:
        desk.typed = typed
        desk.message = f"{typed}: Enter takes choice {typed}, another digit goes on"


def _take_number(desk: Desk, number: int) -> None:
    assert desk.question is not None
    last = len(desk.question.choices)
    if 1 <= number <= last:
        desk.take_choice(number - 1)
    else:
        desk.message = f"There is no choice {number}: the numbers go from 1 to {last}."

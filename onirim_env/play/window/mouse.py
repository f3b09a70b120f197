"""The mouse on a desk: what it points at, what its buttons do, and what it drags."""

from __future__ import annotations

from typing import Any

from onirim_env.play.window.desk import Desk
from onirim_env.play.window.pieces import Button, Scene
from onirim_env.render.places import CardPlace

LEFT, RIGHT = 1, 3
"""Numbers of the buttons."""
MOVED = 5
"""How far a card is moved before it is dragged rather than clicked, in units."""
THROWN = -1
"""What is dragged when it is the card that a Prophecy throws away."""


class Mouse:
    """A mouse over one desk.

    Attributes
    ----------
    x, y
        Where it points.
    dragged
        The place in the Prophecy of the card that is dragged, ``THROWN``, or None.
    words
        What would happen, in words.
    """

    def __init__(self) -> None:
        self.x = self.y = -1
        self.dragged: int | None = None
        self.words = ""
        self._target: Any = None
        self._pressed: tuple[int, int, int] | None = None  # a card of a Prophecy, and where it was pressed

    @property
    def drags_thrown(self) -> bool:
        """Whether the card that would be thrown away is dragged."""
        return self.dragged == THROWN

    def over(self, target: Any) -> bool:
        """Whether the mouse points at something of the scene."""
        return self._target is not None and self._target == target

    def uses(self, desk: Desk) -> list[str]:
        """Return the actions of the card that the mouse points at."""
        return desk.uses(self._target) if isinstance(self._target, CardPlace) else []

    def dragged_card(self, desk: Desk) -> str | None:
        """Return the card that is dragged."""
        ordering = desk.ordering
        if ordering is None or self.dragged is None:
            return None
        return ordering.thrown if self.dragged == THROWN else ordering.row[self.dragged]

    def point(self, desk: Desk, scene: Scene, x: int, y: int) -> bool:
        """Move to a point; return whether anything looks different now."""
        self.x, self.y = x, y
        if self._pressed is not None and self.dragged is None:
            index, from_x, from_y = self._pressed
            if abs(x - from_x) + abs(y - from_y) >= MOVED:
                self.dragged = index
                desk.picked, desk.message = None, ""
        before = (self._target, self.words)
        self.look(desk, scene)
        changed = before != (self._target, self.words)
        if changed and self.words:
            desk.message = ""
        return changed or self.dragged is not None

    def look(self, desk: Desk, scene: Scene) -> None:
        """Find out what lies under the mouse, which may have changed without it."""
        self._target = self._find(desk, scene)
        self.words = self._words(desk, self._target)

    def _find(self, desk: Desk, scene: Scene) -> Any:
        def at(places: Any) -> Any:
            return next((one for one in reversed(places) if one.rect.holds(self.x, self.y)), None)

        if desk.helping:
            return None
        found = at(scene.menu) or at(scene.buttons) or at(scene.choices) or at(scene.revealed)
        if found is None and scene.thrown is not None and scene.thrown.holds(self.x, self.y):
            return "thrown"
        return found or at(scene.cards)

    def _words(self, desk: Desk, target: Any) -> str:
        if isinstance(target, Button):
            return target.words
        if target == "thrown":
            return "The card here is thrown away for good"
        if isinstance(target, CardPlace) and desk.question is not None and target.zone != "revealed":
            return desk.describe(target)
        return ""

    def press(self, desk: Desk, scene: Scene, button: int, shift: bool = False) -> None:
        """Press a button of the mouse."""
        if desk.helping:
            desk.helping = False
            return
        target, desk.typed = self._target, ""
        if not isinstance(target, (Button, CardPlace)) or target not in [*scene.menu, *scene.cards]:
            desk.menu = None
        if isinstance(target, Button):
            if button == LEFT:
                self._push(desk, target)
        elif target == "thrown":
            self._pressed = (THROWN, self.x, self.y) if button == LEFT else None
        elif isinstance(target, CardPlace) and target in scene.revealed:
            index = scene.revealed.index(target)
            if button == RIGHT:
                desk.throw(index)
            else:
                self._pressed = (index, self.x, self.y)
        elif isinstance(target, CardPlace):
            desk.message = ""
            if target.zone != "unseen":
                desk.use(target, discard=button == RIGHT or shift)
        elif target is not None and button == LEFT:
            desk.take_choice(target.choice)

    def _push(self, desk: Desk, button: Button) -> None:
        if button.name == "take":
            desk.take(button.action)
        elif button.name == "inert":
            desk.message = button.words
        elif button.name in ("row_back", "row_on"):
            desk.scroll_row(3 if button.name == "row_back" else -3)
        else:
            desk.message = ""
            getattr(desk, button.name)()

    def release(self, desk: Desk, scene: Scene) -> None:
        """Let go: a dragged card falls where the mouse points, one that was not moved is clicked."""
        pressed, dragged = self._pressed, self.dragged
        self._pressed = self.dragged = None
        if pressed is None or desk.ordering is None:
            return
        over_thrown = scene.thrown is not None and scene.thrown.holds(self.x, self.y)
        if dragged is None:
            if pressed[0] == THROWN:
                desk.click_thrown()
            else:
                desk.pick(pressed[0])
        elif dragged == THROWN:
            if not over_thrown:
                desk.ordering.take_back(self._place_in_row(scene, len(scene.revealed)))
        elif over_thrown:
            desk.throw(dragged)
        elif scene.frame.decision.holds(self.x, self.y):
            end = self._place_in_row(scene, len(scene.revealed) - 1, without=dragged)
            desk.ordering.move(dragged, end)

    def let_fall(self) -> None:
        """Drag nothing any more: keys have changed what lies on the desk."""
        self._pressed = self.dragged = None

    def _place_in_row(self, scene: Scene, last: int, without: int | None = None) -> int:
        """Return where in the row a card falls: behind those whose middle is left of the mouse."""
        others = [place.rect for index, place in enumerate(scene.revealed) if index != without]
        return min(last, sum(rect.x + rect.width // 2 < self.x for rect in others))

    def wheel(self, desk: Desk, scene: Scene, amount: int) -> None:
        """Turn the wheel: upwards shows earlier cards of the row, or choices further up."""
        if scene.frame.decision.holds(self.x, self.y) and desk.question is not None:
            last = len(desk.question.choices) - 1
            if len(scene.choices) <= last or desk.first_choice:
                desk.focus = None
                desk.first_choice = min(max(0, desk.first_choice - amount), last)
        else:
            desk.scroll_row(amount)

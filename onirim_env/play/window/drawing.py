"""Draws a desk: ``scene.py`` says what and where, ``cards.py`` how a card looks."""

from __future__ import annotations

from functools import lru_cache

import pygame

from onirim_env.play.window.desk import Desk
from onirim_env.play.window.mouse import Mouse
from onirim_env.play.window.pieces import Button, Scene
from onirim_env.play.window.places import (
    CHOICE_SIZE,
    COUNTED,
    DECIDED,
    EDGE,
    LINE,
    MIN_HEIGHT,
    MIN_WIDTH,
    NUMBER_WIDTH,
    value_width,
)
from onirim_env.play.window.scene import build
from onirim_env.render.cards import card, text
from onirim_env.render.palette import (
    BACKGROUND,
    BRIGHT,
    CREAM,
    FAINT,
    INK,
    LOST,
    PANEL,
    PANEL_LINE,
    WON,
    Colour,
)
from onirim_env.render.places import CardPlace, Rect

TONES: dict[str, Colour] = {"faint": FAINT, "plain": CREAM, "bright": BRIGHT}
HOVERED: Colour = (88, 98, 138)
DIMMED = 120
"""Opacity of cards that nothing can be done with."""
SMALLEST = 0.4
"""Pixels of a unit at least: nobody could read less, and the edge of a tiny window cuts things off."""
KEYS_WIDTH = 140
"""Room for the names of keys in the help."""


def scale_of(width: int, height: int) -> float:
    """Return how many pixels a unit has in a window of a size in pixels."""
    return max(SMALLEST, min(width / MIN_WIDTH, height / MIN_HEIGHT))


def _width(word: str, size: int) -> int:
    """Return the width of a word, or of a space, in pixels."""
    return text(word, size, CREAM).get_width()


@lru_cache(maxsize=4096)
def _wrap(words: str, size: int, width: int) -> tuple[str, ...]:
    """Break a text where its lines, in pixels, would be too wide."""
    line = words[: len(words) - len(words.lstrip())]
    lines, used, space = [], 0, _width(" ", size)
    for word in words.split():
        needed = _width(word, size)
        if used and used + space + needed > width:
            lines.append(line)
            line, used = "", 0
        line, used = (f"{line} {word}", used + space + needed) if used else (line + word, needed)
    return (*lines, line)


@lru_cache(maxsize=256)
def _dimmed(name: str | None, width: int, height: int) -> pygame.Surface:
    surface = card(name, width, height).copy()
    surface.set_alpha(DIMMED)
    return surface


class Painter:
    """Draws desks on one surface.

    Parameters
    ----------
    surface
        The surface, of any size.
    """

    def __init__(self, surface: pygame.Surface) -> None:
        self._surface = surface
        self.scale = scale_of(*surface.get_size())
        self.width, self.height = (int(side / self.scale) for side in surface.get_size())

    def scene(self, desk: Desk) -> Scene:
        """Return what this surface shows of a desk."""
        return build(desk, self.width, self.height, self._wrapped)

    def _wrapped(self, words: str, size: int, width: float) -> list[str]:
        return list(_wrap(words, round(size * self.scale), int(width * self.scale)))

    def draw(self, desk: Desk, scene: Scene, mouse: Mouse) -> None:
        """Draw a desk.

        Parameters
        ----------
        desk
            The desk.
        scene
            What :meth:`scene` gave for it.
        mouse
            Where the mouse is and what it drags.
        """
        self._surface.fill(BACKGROUND)
        if desk.cover is None:
            self._draw_panels(desk, scene)
            for place in scene.cards:
                self._draw_card(place, desk, mouse)
            for rect in scene.series:
                self._box(rect, BRIGHT, 1)
            self._draw_ordering(desk, scene, mouse)
            self._draw_choices(desk, scene, mouse)
        for words in scene.words:
            self._text(words.text, words.x, words.y, words.size, TONES[words.tone])
        if scene.veil:
            self._draw_veil(scene, wide=desk.cover is None)
        if scene.menu:
            first, last = scene.menu[0].rect, scene.menu[-1].rect
            self._box(Rect(first.x - 5, first.y - 5, first.width + 10, last.bottom - first.y + 10), INK, 9)
        for button in [*scene.buttons, *scene.menu]:
            if not scene.veil or desk.cover is not None:
                self._draw_button(button, mouse)
        self._draw_status(desk, scene, mouse)
        if mouse.dragged is not None:
            width, height = DECIDED
            at = Rect(mouse.x - width // 2, mouse.y - height // 2, width, height)
            self._card(mouse.dragged_card(desk), at)

    def _pixels(self, rect: Rect) -> pygame.Rect:
        left, top = round(rect.x * self.scale), round(rect.y * self.scale)
        right, bottom = round(rect.right * self.scale), round(rect.bottom * self.scale)
        return pygame.Rect(left, top, right - left, bottom - top)

    def _box(self, rect: Rect, colour: Colour, corner: int = 6, line: int = 0) -> None:
        width = max(1, round(line * self.scale)) if line else 0
        pygame.draw.rect(
            self._surface, colour, self._pixels(rect), width, border_radius=round(corner * self.scale)
        )

    def _text(self, words: str, x: float, y: float, size: int, colour: Colour) -> None:
        """Draw a line of text word by word: pictures of words are kept, lines are too many."""
        pixels = round(size * self.scale)
        left, top, space = round(x * self.scale), round(y * self.scale), _width(" ", pixels)
        for word in words.split(" "):
            if word:
                drawn = text(word, pixels, colour)
                self._surface.blit(drawn, (left, top))
                left += drawn.get_width()
            left += space

    def _centred(self, words: str, rect: Rect, size: int, colour: Colour) -> None:
        pixels = round(size * self.scale)
        height = text("X", pixels, colour).get_height() / self.scale
        width = sum(_width(word, pixels) for word in words.split()) + words.count(" ") * _width(" ", pixels)
        x = rect.x + (rect.width - width / self.scale) / 2
        self._text(words, x, rect.y + (rect.height - height) / 2, size, colour)

    def _card(self, name: str | None, rect: Rect, empty: bool = False) -> None:
        box = self._pixels(rect)
        self._surface.blit(card(name, box.width, box.height, empty), box)

    def _draw_panels(self, desk: Desk, scene: Scene) -> None:
        parts, game = scene.frame, desk.session.game
        colour = PANEL if not game.over else WON if game.won else LOST
        self._box(parts.header, colour, 0)
        self._box(parts.side, PANEL)
        decision = parts.decision
        self._box(Rect(decision.x, decision.y, decision.width, decision.height - 8), PANEL)

    def _draw_card(self, place: CardPlace, desk: Desk, mouse: Mouse) -> None:
        if place.zone == "unseen":
            self._draw_count(place)
            return
        uses = desk.uses(place)
        rect = place.rect
        inert = place.zone in ("hand", "shared") and not uses and place.player in (None, desk.where.viewer)
        if inert and desk.question is not None:
            box = self._pixels(rect)
            self._surface.blit(_dimmed(place.name, box.width, box.height), box)
        else:
            self._card(place.name, rect, place.number == 0)
        if place.zone == "deck":
            self._centred(str(place.number), rect, 30, CREAM)
        elif place.number > 1:
            badge = Rect(rect.right - 15, rect.bottom - 15, 18, 18)
            self._box(badge, INK, 9)
            self._centred(str(place.number), badge, 18, CREAM)
        if uses and (mouse.over(place) or desk.menu == place):
            around = Rect(rect.x - 3, rect.y - 3, rect.width + 6, rect.height + 6)
            self._box(around, BRIGHT, 10, 3)

    def _draw_count(self, place: CardPlace) -> None:
        rect = place.rect
        self._card(place.name, rect, place.number == 0)
        if rect.width < COUNTED[0]:  # no room beside it
            badge = Rect(rect.right - 11, rect.bottom - 13, 13, 13)
            self._box(badge, INK, 6)
            self._centred(str(place.number), badge, 16, CREAM if place.number else FAINT)
            return
        colour = CREAM if place.number else FAINT
        self._text(str(place.number), rect.right + 4, rect.y + 10, 20, colour)

    def _draw_ordering(self, desk: Desk, scene: Scene, mouse: Mouse) -> None:
        for index, place in enumerate(scene.revealed):
            if mouse.dragged == index:
                self._box(place.rect, PANEL_LINE, 8, 2)
                continue
            self._card(place.name, place.rect)
            if desk.picked == index or mouse.over(place):
                rect = place.rect
                around = Rect(rect.x - 3, rect.y - 3, rect.width + 6, rect.height + 6)
                self._box(around, BRIGHT if desk.picked == index else CREAM, 10, 3)
        if scene.thrown is not None:
            if scene.thrown_card is None or mouse.drags_thrown:
                self._box(scene.thrown, LOST, 8)
                self._centred("?", scene.thrown, 40, CREAM)
            else:
                self._card(scene.thrown_card, scene.thrown)
            self._box(scene.thrown, LOST, 8, 3)

    def _draw_choices(self, desk: Desk, scene: Scene, mouse: Mouse) -> None:
        if desk.question is None:
            return
        advice, related = desk.advice, mouse.uses(desk)
        for place in scene.choices:
            choice, rect = desk.question.choices[place.choice], place.rect
            chosen = place.choice == desk.focus
            hovered = mouse.over(place) or desk.session.game.table.text(choice.action) in related
            self._box(rect, HOVERED if hovered else PANEL_LINE, 5)
            if chosen:
                self._box(rect, BRIGHT, 5, 2)
            x, y = rect.x + EDGE, rect.y + (rect.height - len(place.lines) * LINE[CHOICE_SIZE]) // 2 + 2
            self._text(str(place.choice + 1), x, y, CHOICE_SIZE, BRIGHT)
            x += NUMBER_WIDTH - 4
            if advice is not None:
                best = choice.action == advice.action
                value = advice.value_text(choice.action) + (" *" if best else "")
                self._text(value, x, y, CHOICE_SIZE, BRIGHT if best else FAINT)
                x += value_width(advice)
            for number, line in enumerate(place.lines):
                self._text(line, x, y + number * LINE[CHOICE_SIZE], CHOICE_SIZE, CREAM)

    def _draw_button(self, button: Button, mouse: Mouse) -> None:
        hovered = mouse.over(button) and button.active
        self._box(button.rect, HOVERED if hovered else PANEL_LINE if button.active else PANEL, 6)
        self._box(button.rect, BRIGHT if button.marked else BACKGROUND, 6, 2 if button.marked else 1)
        colour = CREAM if button.active else FAINT
        rect, size = button.rect, 24 if button.rect.height > 30 else 18
        if button.below:
            half = rect.height // 2
            self._centred(button.label, Rect(rect.x, rect.y + 3, rect.width, half), 24, colour)
            self._centred(button.below, Rect(rect.x, rect.y + half, rect.width, half - 2), 17, colour)
        else:
            self._centred(button.label, rect, min(size, 22), colour)

    def _draw_veil(self, scene: Scene, wide: bool) -> None:
        width, height = scene.frame.width, scene.frame.height
        area = Rect(EDGE, EDGE, width - 2 * EDGE, height - 2 * EDGE)
        self._box(area, PANEL)
        self._box(area, BRIGHT, 6, 1)
        size, step = (20, 16) if wide else (24, 24)
        x, y = (width - 690) // 2, 18 if wide else height // 4
        for number, line in enumerate(scene.veil):
            tone = BRIGHT if number == 0 and not wide else CREAM
            keys, _, what = line.partition("\t")
            indent = 5 * (len(line) - len(line.lstrip()))
            self._text(keys, x + indent, y + number * step, size, BRIGHT if what else tone)
            self._text(what, x + KEYS_WIDTH, y + number * step, size, tone)

    def _draw_status(self, desk: Desk, scene: Scene, mouse: Mouse) -> None:
        footer = scene.frame.footer
        room = footer.width - 380
        if desk.helping:
            return
        lines = self._wrapped(desk.message or mouse.words or desk.wanted, 18, room)[:2]
        y = footer.y + (footer.height - len(lines) * 15) // 2
        for number, line in enumerate(lines):
            self._text(line, EDGE + 2, y + number * 15 + 1, 18, BRIGHT if desk.message else CREAM)

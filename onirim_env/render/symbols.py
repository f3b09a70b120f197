"""The symbols of cards of expansions, drawn from simple shapes."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

import pygame

from onirim_env.cards import COLOURS
from onirim_env.render.palette import COLOUR_OF, CREAM, Colour

Draw = Callable[[pygame.Surface, int, Colour, tuple[int, ...]], None]


def draw_colours(surface: pygame.Surface) -> None:
    """Draw the four colours in the upper right corner: the card counts for any of them."""
    width, height = surface.get_size()
    size = round(width * 0.17)
    left, top = width - 2 * size - round(width * 0.12), round(height * 0.08)
    frame = (left - size // 6, top - size // 6, 2 * size + size // 3, 2 * size + size // 3)
    pygame.draw.rect(surface, CREAM, frame)
    for place, colour in enumerate(COLOURS):
        line, column = divmod(place, 2)
        pygame.draw.rect(surface, COLOUR_OF[colour], (left + column * size, top + line * size, size, size))


def _glyph(surface: pygame.Surface, size: int, paint: Colour, face: tuple[int, ...]) -> None:
    """Draw a spiral between two strokes."""
    middle, line = size / 2, round(size * 0.09)
    points = []
    for step in range(40):
        angle, reach = step * pi / 9, size * (0.04 + 0.34 * step / 39)
        points.append((middle + cos(angle) * reach, middle + sin(angle) * reach))
    for point in points:
        pygame.draw.circle(surface, paint, point, line / 2)
    pygame.draw.lines(surface, paint, False, points, line)
    for y in (0.03, 0.88):
        pygame.draw.rect(surface, paint, (size * 0.2, size * y, size * 0.6, line))


def _tower(surface: pygame.Surface, size: int, paint: Colour, face: tuple[int, ...]) -> None:
    pygame.draw.rect(surface, paint, (size * 0.36, size * 0.3, size * 0.28, size * 0.64))
    for x in (0.3, 0.45, 0.6):
        pygame.draw.rect(surface, paint, (size * x, size * 0.1, size * 0.1, size * 0.12))
    pygame.draw.rect(surface, paint, (size * 0.3, size * 0.2, size * 0.4, size * 0.14))
    pygame.draw.rect(surface, face, (size * 0.46, size * 0.68, size * 0.08, size * 0.26))


def _dream(surface: pygame.Surface, size: int, paint: Colour, face: tuple[int, ...]) -> None:
    """Draw a cloud with two bubbles."""
    for x, y, reach in ((0.32, 0.42, 0.2), (0.54, 0.32, 0.24), (0.72, 0.46, 0.18)):
        pygame.draw.circle(surface, paint, (size * x, size * y), size * reach)
    pygame.draw.rect(surface, paint, (size * 0.3, size * 0.42, size * 0.42, size * 0.2))
    for x, y, reach in ((0.32, 0.76, 0.08), (0.2, 0.9, 0.05)):
        pygame.draw.circle(surface, paint, (size * x, size * y), size * reach)


def _dead_end(surface: pygame.Surface, size: int, paint: Colour, face: tuple[int, ...]) -> None:
    """Draw a way that a bar closes."""
    pygame.draw.rect(surface, paint, (size * 0.42, size * 0.34, size * 0.16, size * 0.6))
    pygame.draw.rect(surface, paint, (size * 0.1, size * 0.14, size * 0.8, size * 0.2))


def _denizen(surface: pygame.Surface, size: int, paint: Colour, face: tuple[int, ...]) -> None:
    """Draw a head and shoulders."""
    pygame.draw.circle(surface, paint, (size * 0.5, size * 0.36), size * 0.2)
    shoulders = pygame.Rect(round(size * 0.18), round(size * 0.6), round(size * 0.64), round(size * 0.34))
    pygame.draw.rect(
        surface, paint, shoulders,
        border_top_left_radius=shoulders.width // 2, border_top_right_radius=shoulders.width // 2,
    )  # fmt: skip


EXPANSION_SYMBOLS: dict[str, Draw] = {
    "glyph": _glyph,
    "tower": _tower,
    "dream": _dream,
    "dead end": _dead_end,
    "denizen": _denizen,
}
"""How each symbol is drawn on a square of a size."""

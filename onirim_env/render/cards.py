"""The look of a card, drawn from simple shapes; nothing of the published game's art is used."""

from __future__ import annotations

from functools import lru_cache
from math import cos, pi, sin

import pygame

from onirim_env.cards import KIND_NAMES, NIGHTMARE
from onirim_env.expansions.towers import edges_of
from onirim_env.render.palette import ANY, BACK, BACK_LINE, COLOUR_OF, CREAM, DUSK, HAPPY, INK, NIGHT, Colour
from onirim_env.render.symbols import EXPANSION_SYMBOLS, draw_colours
from onirim_env.render.text import SHORT, card_text

Clear = tuple[int, int, int, int]

FINER = 4
"""Cards are drawn so many times larger and scaled down: pygame's shapes have hard edges."""
EMPTY_ALPHA = 105
"""Opacity of a place where no card lies."""
CLEAR: Clear = (0, 0, 0, 0)
TEXTS_KEPT = 4096
CARDS_KEPT = 1024
"""Pictures kept: a window that changes its size asks for new ones."""


@lru_cache(maxsize=TEXTS_KEPT)
def text(words: str, size: int, colour: Colour) -> pygame.Surface:
    """Return a line of text in pygame's own font; it is kept, so it must not be drawn on."""
    # Fonts are not kept: after somebody else's pygame.quit() they would end the process.
    pygame.font.init()
    return pygame.font.Font(None, size).render(words, True, colour)


@lru_cache(maxsize=CARDS_KEPT)
def card(name: str | None, width: int, height: int, empty: bool = False) -> pygame.Surface:
    """Return the picture of a card; it is kept, so it must not be drawn on.

    Parameters
    ----------
    name
        The card's word, such as ``"red sun"``; None is a card's back.
    width, height
        Size in pixels.
    empty
        Whether only the place of the card is meant: it is outlined faintly.
    """
    large = pygame.Surface((width * FINER, height * FINER), pygame.SRCALPHA)
    if name is None:
        _draw_back(large)
    else:
        letter, symbol, face, paint, border = _look(name)
        if empty:
            paint = _lighter(face if symbol not in ("door", "nightmare") else paint)
            _draw_face(large, CLEAR, paint, letter, symbol, paint)
        else:
            _draw_face(large, face, border, letter, symbol, paint)
        draw_marks(large, name, paint)
    small = pygame.transform.smoothscale(large, (width, height))
    if empty:
        small.set_alpha(EMPTY_ALPHA)
    return small


def _look(name: str) -> tuple[str, str, Colour, Colour, Colour]:
    """Return letter, symbol, and the colours of a card's face, of what is on it, and of its border."""
    if name == KIND_NAMES[NIGHTMARE]:
        return "!!", name, NIGHT, CREAM, CREAM
    if name in _LOOKS:
        symbol, face, paint = _LOOKS[name]
        return card_text(name), symbol, face, paint, paint
    colour, *_, symbol = name.split()
    if symbol.isdigit():
        return card_text(name), "tower", COLOUR_OF[colour], CREAM, CREAM
    letter = card_text(name)[0]
    if colour == "crossroad":
        return letter, symbol, ANY, CREAM, CREAM
    paint = ANY if colour == "oniverse" else COLOUR_OF[colour]
    if symbol == "door":
        return letter, symbol, CREAM, paint, paint
    return letter, symbol, paint, CREAM, CREAM


_LOOKS: dict[str, tuple[str, Colour, Colour]] = {
    "lost dream": ("dream", DUSK, CREAM),
    "happy dream": ("dream", HAPPY, INK),
    "dead end": ("dead end", BACK, CREAM),
    **dict.fromkeys(list(SHORT)[4:], ("denizen", DUSK, HAPPY)),
}
"""Symbol, face and what is on it, of cards that have no colour."""


def draw_marks(surface: pygame.Surface, name: str, paint: Colour) -> None:
    """Draw what only cards of expansions bear: the edges of a Tower, the four colours of any colour."""
    width, height = surface.get_size()
    if name.startswith(("crossroad", "oniverse")):
        draw_colours(surface)
    for edge, symbols in enumerate(edges_of(name)):
        size = round(width * 0.27)
        x = round(width * 0.04) if edge == 0 else width - size - round(width * 0.04)
        for place, symbol in enumerate(symbols):
            y = round(height * 0.44) + place * round(size * 1.05)
            surface.blit(_symbol(symbol, size, paint, CLEAR), (x, y))


def _lighter(colour: Colour) -> Colour:
    red, green, blue = ((part + light) // 2 for part, light in zip(colour, CREAM))
    return red, green, blue


def _draw_plain(surface: pygame.Surface, face: Colour | Clear, border: Colour) -> None:
    """Draw a card with nothing on it."""
    line = max(surface.get_width() // 22, FINER)
    corner = surface.get_width() // 8
    pygame.draw.rect(surface, border, surface.get_rect(), border_radius=corner)
    inside = surface.get_rect().inflate(-2 * line, -2 * line)
    pygame.draw.rect(surface, face, inside, border_radius=corner - line)


def _draw_face(
    surface: pygame.Surface, face: Colour | Clear, border: Colour, letter: str, symbol: str, paint: Colour
) -> None:
    _draw_plain(surface, face, border)
    width, height = surface.get_size()
    words = text(letter, round(height * 0.34), paint)
    surface.blit(words, (round(width * 0.11), round(height * 0.06)))
    size = round(width * 0.76)
    corner = ((width - size) // 2, round(height * 0.95) - size - (height - width) // 10)
    surface.blit(_symbol(symbol, size, paint, face), corner)


def _draw_back(surface: pygame.Surface) -> None:
    _draw_plain(surface, BACK, BACK_LINE)
    width, height = surface.get_size()
    centre = (width // 2, height // 2)
    for part in (0.36, 0.24, 0.12):
        reach = width * part
        points = [
            (centre[0], centre[1] - reach * 1.4), (centre[0] + reach, centre[1]),
            (centre[0], centre[1] + reach * 1.4), (centre[0] - reach, centre[1]),
        ]  # fmt: skip
        pygame.draw.polygon(surface, BACK_LINE, points, max(width // 30, FINER))


def _symbol(symbol: str, size: int, paint: Colour, face: Colour | Clear) -> pygame.Surface:
    """Return a symbol on a transparent square."""
    surface = pygame.Surface((size, size), pygame.SRCALPHA)
    _DRAWN[symbol](surface, size, paint, face)
    return surface


def _sun(surface: pygame.Surface, size: int, paint: Colour, face: Colour | Clear) -> None:
    middle = size / 2
    pygame.draw.circle(surface, paint, (middle, middle), size * 0.24)
    for ray in range(8):
        angle = ray * pi / 4
        tip = (middle + cos(angle) * size * 0.48, middle + sin(angle) * size * 0.48)
        feet = [
            (middle + cos(angle + turn) * size * 0.3, middle + sin(angle + turn) * size * 0.3)
            for turn in (-0.27, 0.27)
        ]
        pygame.draw.polygon(surface, paint, [tip, *feet])


def _moon(surface: pygame.Surface, size: int, paint: Colour, face: Colour | Clear) -> None:
    pygame.draw.circle(surface, paint, (size * 0.46, size * 0.5), size * 0.4)
    pygame.draw.circle(surface, CLEAR, (size * 0.64, size * 0.42), size * 0.34)


def _key(surface: pygame.Surface, size: int, paint: Colour, face: Colour | Clear) -> None:
    line = round(size * 0.1)
    pygame.draw.circle(surface, paint, (size * 0.5, size * 0.26), size * 0.22, line)
    pygame.draw.rect(surface, paint, (size * 0.5 - line / 2, size * 0.45, line, size * 0.5))
    for tooth, length in ((0.84, 0.22), (0.68, 0.16)):
        pygame.draw.rect(surface, paint, (size * 0.5, size * tooth, size * length, line))


def _door(surface: pygame.Surface, size: int, paint: Colour, face: Colour | Clear) -> None:
    frame = pygame.Rect(round(size * 0.2), round(size * 0.04), round(size * 0.6), round(size * 0.92))
    round_top = frame.width // 2
    pygame.draw.rect(
        surface, paint, frame, border_top_left_radius=round_top, border_top_right_radius=round_top
    )
    line = round(size * 0.05)
    leaf = frame.inflate(-4 * line, -4 * line)
    pygame.draw.rect(
        surface, face, leaf, line,
        border_top_left_radius=leaf.width // 2, border_top_right_radius=leaf.width // 2,
    )  # fmt: skip
    pygame.draw.circle(surface, face, (frame.right - 4.4 * line, size * 0.58), size * 0.05)


def _nightmare(surface: pygame.Surface, size: int, paint: Colour, face: Colour | Clear) -> None:
    def at(*points: tuple[float, float]) -> list[tuple[float, float]]:
        return [(size * x, size * y) for x, y in points]

    pygame.draw.polygon(surface, paint, at((0.06, 0.2), (0.44, 0.42), (0.3, 0.5), (0.12, 0.42)))
    pygame.draw.polygon(surface, paint, at((0.94, 0.2), (0.56, 0.42), (0.7, 0.5), (0.88, 0.42)))
    upper = [(0.08, 0.62), (0.24, 0.72), (0.37, 0.62), (0.5, 0.74), (0.63, 0.62), (0.76, 0.72), (0.92, 0.62)]
    lower = [(0.76, 0.92), (0.63, 0.82), (0.5, 0.94), (0.37, 0.82), (0.24, 0.92)]
    pygame.draw.polygon(surface, paint, at(*upper, *lower))


_DRAWN = {
    "sun": _sun,
    "moon": _moon,
    "key": _key,
    "door": _door,
    "nightmare": _nightmare,
    **EXPANSION_SYMBOLS,
}

"""The colours of pictures and pages, the same for both; it needs no pygame."""

from __future__ import annotations

Colour = tuple[int, int, int]

COLOUR_OF: dict[str, Colour] = {
    "red": (213, 94, 0),
    "blue": (0, 114, 178),
    "green": (0, 158, 115),
    "brown": (92, 58, 33),
}
"""Okabe and Ito's vermillion, blue and bluish green, and a dark brown: told apart without red or green."""
CREAM: Colour = (250, 244, 228)
INK: Colour = (24, 26, 38)
NIGHT: Colour = (46, 30, 62)
BACK: Colour = (58, 68, 104)
BACK_LINE: Colour = (112, 124, 168)

ANY: Colour = (104, 84, 140)
"""Cards of any colour: Crossroads and the Oniverse Door."""
DUSK: Colour = (64, 70, 112)
HAPPY: Colour = (232, 190, 96)

BACKGROUND: Colour = (28, 32, 50)
PANEL: Colour = (42, 48, 72)
PANEL_LINE: Colour = (66, 74, 106)
FAINT: Colour = (164, 172, 200)
BRIGHT: Colour = (240, 228, 66)
"""Okabe and Ito's yellow, for what can be done now."""
WON: Colour = (0, 120, 88)
LOST: Colour = (120, 44, 60)

"""Happy Dreams and Dark Premonitions: effects that Doors in play bring about."""

from __future__ import annotations

from onirim_env.modules.table import Module

PREMONITIONS = ("red2", "blue2", "green2", "brown2", "pair2", "doors3", "doors5", "rainbow4")
FACE_UP_AT_FIRST = (4, 5)
"""Premonitions face up after the set-up: normal, hard (HP-1)."""
HAPPY_LOOK_SIZE = 7
KEYS_LOST = 2

MODULE = Module(
    "premonitions",
    "Happy Dreams and Dark Premonitions",
    cards=(("happy dream", 4),),
    phases=("premonition", "premonition_keys", "premonition_door", "happy_dream", "happy_search"),
    hard="five Premonitions lie face up at first",
)

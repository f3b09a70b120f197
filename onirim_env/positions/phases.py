"""The phases of games with expansions: which fields and cards each of them has, as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from onirim_env.expansions import EXPANSION_TABLES
from onirim_env.expansions.form import DOORS
from onirim_env.expansions.shared import MOST_LOOKED

DRAWN: dict[str, tuple[str, ...]] = {
    "door": DOORS,
    "nightmare": ("nightmare",),
    **{phase: cards for expansion in EXPANSION_TABLES for phase, cards in expansion.drawn.items()},
}
"""Cards of which one is drawn in a phase, and has to be."""
MAY_BE_DRAWN = {"payment": ("nightmare",)}
"""Cards of which one may be drawn: a Nightmare is punished, other spells come before the action."""
REVEALED = (
    "prophecy_discard", "prophecy_order", "look_discard", "look_order", "bottom_order", "incantation",
    "paradox",
)  # fmt: skip
"""Phases in which cards lie revealed."""
PLACED = ("prophecy_order", "look_order", "bottom_order")
"""Phases in which some of them may be placed already."""
PHASES_OF_FIELD: dict[str, tuple[str, ...]] = {
    "swapping": ("swap_in",),
    **{field: phases for expansion in EXPANSION_TABLES for field, phases in expansion.said_in.items()},
}
"""Fields that say something in these phases, and have to; in no other phase they do."""
ONLY_IN: dict[str, tuple[str, ...]] = {
    "follows": ("swap", "swap_in"),
    "prophecy_follows": ("swap", "swap_in"),
    **{field: phases for expansion in EXPANSION_TABLES for field, phases in expansion.only_in.items()},
}
"""Fields that may say something in these phases only."""
BY_A_BOOK = ("premonition", "premonition_keys", "premonition_door", "free")
"""Phases that a Failsafe Book may lead to, where a Premonition is due in a position."""
OF_TWO = ("draft", "swap", "swap_in")
"""Phases of co-op."""

NEVER_ACTED = (
    "draft", "action", "paradox", "planning", "architect", "cyclobot_give", "cyclobot_take", "keeper_store",
)  # fmt: skip
"""Phases before the action of the turn (T-2); the hand is whole. ``payment`` without a Nightmare is one."""
FREE = ("book_of_steps", "dreamcatchers", "oniverse")
"""Expansions with actions before it."""
MAY_BE_OPEN: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("premonition", "premonition_keys", "premonition_door"), FREE),
    "bottom_order": ("book_of_steps", "oniverse"),
    **dict.fromkeys(
        (
            "door", "nightmare", "payment", "tower_loss", "look_discard", "look_order", "happy_dream",
            "happy_search", "denizen",
        ),
        ("oniverse",),
    ),
    "free": ("oniverse", "premonitions"),
}  # fmt: skip
"""Phases that may come before or after it: before it with one of these expansions."""
AFTER_A_CARD = ("swap", "swap_in", "prophecy_discard", "prophecy_order", "series", "incantation")
"""Phases after a card was played or discarded, before the refill."""
WHILE_FILLING = ("door", "nightmare", "look_discard", "happy_dream", "happy_search", "denizen")
"""Phases while the hand is filled."""
MOST_REVEALED = {"look_discard": MOST_LOOKED, "look_order": MOST_LOOKED}
"""How many cards lie revealed, placed ones included, if not five."""
WHOLE_LOOK = ("incantation", "paradox")
"""Phases in which exactly five do, fewer only when the deck has no other."""

QUESTIONS: dict[str, str] = {
    "prophecy_discard": "revealed: no card",
    "series": "row: no series has just been completed that could search",
    "door": "drawn: a Door that asks nothing: no Key fits, it is not accepted, or of no use",
    **{phase: words for expansion in EXPANSION_TABLES for phase, words in expansion.missing.items()},
}
"""What is missing where a phase would not have come about."""


def comes_before_action(position: Mapping[str, Any]) -> bool:
    """Return whether the phase is one in which the action of the turn is never taken yet (O-42)."""
    phase = position.get("phase", "action")
    return phase in NEVER_ACTED or (phase == "payment" and "drawn" not in position)


def is_acted(position: Mapping[str, Any]) -> bool:
    """Return whether the action of the turn is taken; where it is not said, what the phase says."""
    acted: bool = position.get("acted", not comes_before_action(position))
    return acted


def may_be_first(position: Mapping[str, Any]) -> bool:
    """Return whether nothing but Failsafe Books may have been used in the turn so far (O-41)."""
    phase = position.get("phase", "action")
    return phase in ("draft", "action") or (phase in BY_A_BOOK and not is_acted(position))


def is_begun(position: Mapping[str, Any]) -> bool:
    """Return whether something else has been done in the turn; where it is not said, what the phase says."""
    begun: bool = position.get("begun", not may_be_first(position))
    return begun

"""The phases of games with modules: which fields and cards each of them has, as tables."""

from __future__ import annotations

from onirim_env.modules.oniverse import DENIZENS
from onirim_env.modules.premonitions import HAPPY_LOOK_SIZE
from onirim_env.modules.table import DOORS

DRAWN: dict[str, tuple[str, ...]] = {
    "door": DOORS,
    "nightmare": ("nightmare",),
    "tower_loss": ("nightmare",),
    "happy_dream": ("happy dream",),
    "denizen": DENIZENS,
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
    "spell": ("payment",),
    "to_pay": ("payment",),
    "premonition": ("premonition_door",),
    "premonition_keys": ("premonition_keys",),
    "given": ("cyclobot_take",),
}
"""Fields that say something in these phases, and have to; in no other phase they do."""
ONLY_IN: dict[str, tuple[str, ...]] = {
    "swapped_goal": ("planning",),
    "kept_dreamcatcher": ("free",),
    "follows": ("swap", "swap_in"),
    "prophecy_follows": ("swap", "swap_in"),
    "fetched": ("free",),
}
"""Fields that may say something in these phases only."""
TAKING = ("brown2", "pair2")
"""Premonitions that take a Door."""
BY_A_BOOK = ("premonition", "premonition_keys", "premonition_door", "free")
"""Phases that a Failsafe Book may lead to, where a Premonition is due in a position."""
OF_TWO = ("draft", "swap", "swap_in")
"""Phases of co-op."""

NEVER_ACTED = (
    "draft", "action", "paradox", "planning", "architect", "cyclobot_give", "cyclobot_take", "keeper_store",
)  # fmt: skip
"""Phases before the action of the turn (T-2); the hand is whole. ``payment`` without a Nightmare is one."""
FREE = ("book_of_steps", "dreamcatchers", "oniverse")
"""Modules with actions before it."""
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
"""Phases that may come before or after it: before it with one of these modules."""
AFTER_A_CARD = ("swap", "swap_in", "prophecy_discard", "prophecy_order", "series", "incantation")
"""Phases after a card was played or discarded, before the refill."""
WHILE_FILLING = ("door", "nightmare", "look_discard", "happy_dream", "happy_search", "denizen")
"""Phases while the hand is filled."""
MOST_REVEALED = {"look_discard": HAPPY_LOOK_SIZE, "look_order": HAPPY_LOOK_SIZE}
"""How many cards lie revealed, placed ones included, if not five."""
WHOLE_LOOK = ("incantation", "paradox")
"""Phases in which exactly five do, fewer only when the deck has no other."""

QUESTIONS = {
    "prophecy_discard": "revealed: no card",
    "series": "row: no series has just been completed that could search",
    "door": "drawn: a Door that asks nothing: no Key fits, it is not accepted, or of no use",
    "incantation": "revealed: no Door that may be put in play",
    "payment": "to_pay: nothing is left to choose on the discard pile, or the spell does nothing",
    "planning": "goals: not two of them can change places",
    "free": "dreamcatchers: none can be freed",
    "overload": "dreamcatchers: there is no choice which is given up",
    "tower_loss": "towers: none has to be lost",
    "premonition": "premonitions: the conditions of at least two must hold",
    "premonition_keys": "deck: no choice of Keys, or the condition of 'blue2' does not hold",
    "premonition_door": "premonition: its condition does not hold",
    "happy_search": "deck: no card to search for",
    "denizen": "hand: no card to rally a Denizen with",
    "architect": "hand: no card that an Architect may play",
    "cyclobot_give": "discard: no Location to exchange, or none in the hand",
    "cyclobot_take": "discard: no Location to exchange",
    "keeper_store": "denizens: no Treasure Keeper without a card",
}
"""What is missing where a phase would not have come about."""

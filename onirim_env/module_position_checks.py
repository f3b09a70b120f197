"""Positions of games with modules: refusing what cannot lie as it does in a phase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from onirim_env.cards import FACE_UP, PERSONAL_HAND, SHARED_HAND, SOLO_HAND
from onirim_env.errors import PositionError
from onirim_env.modules import MODULES
from onirim_env.modules.oniverse import DENIZENS
from onirim_env.modules.premonitions import HAPPY_LOOK_SIZE
from onirim_env.modules.table import DOORS
from onirim_env.rules import RuleSet

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
    "redraw": ("tower_loss",),
}
"""Fields that may say something in these phases only."""
_OF_TWO = ("draft", "swap", "swap_in")


def check_module_position(rules: RuleSet, phase: str, position: Mapping[str, Any], cards: Any) -> None:
    """Refuse cards and fields that cannot be there in the phase, and phases of modules that are not.

    Parameters
    ----------
    rules, phase
        Those of the position.
    position
        The position as it was given.
    cards
        Its cards, as ``position.py`` has read them.

    Raises
    ------
    PositionError
        The message names the field.
    """
    for module in MODULES:
        if phase in module.phases and module.keyword not in rules.expansions:
            raise PositionError(f"phase: {phase} is one of {module.keyword}, which is not among expansions")
    if phase in _OF_TWO and rules.players == 1:
        raise PositionError(f"phase: {phase} needs two players")
    if phase in ("won", "lost"):  # a game may end in the middle of anything
        return
    _check_drawn(phase, position.get("drawn"))
    for field, phases in PHASES_OF_FIELD.items():
        _check_field(field, phase, phases, position.get(field), required=True)
    for field, phases in ONLY_IN.items():
        _check_field(field, phase, phases, position.get(field), required=False)
    _check_field("revealed", phase, REVEALED, position.get("revealed"), required=True)
    _check_field("placed", phase, PLACED, position.get("placed"), required=False)
    if phase == "overload" and not cards.limbo:
        raise PositionError("limbo: no card, but phase overload has some")


def _check_drawn(phase: str, drawn: Any) -> None:
    allowed = DRAWN.get(phase, MAY_BE_DRAWN.get(phase, ()))
    if drawn is None and phase not in DRAWN:
        return
    if drawn not in allowed:
        names = " or ".join(map(repr, allowed)) or "nothing"
        raise PositionError(f"drawn: {drawn!r} in phase {phase}, which draws {names}")


def _check_field(field: str, phase: str, phases: tuple[str, ...], value: Any, required: bool) -> None:
    says = value is not None if field == "swapped_goal" else bool(value)  # that is a place, from 0 on
    if says and phase not in phases:
        raise PositionError(f"{field}: {value!r} in phase {phase}; it is for {', '.join(phases)} only")
    if required and not says and phase in phases:
        raise PositionError(f"{field}: {value!r}, but phase {phase} needs it")


def check_sizes(rules: RuleSet, phase: str, cards: Any) -> None:
    """Refuse more cards than can lie in a zone."""
    hand = SOLO_HAND if rules.players == 1 else PERSONAL_HAND
    shared = 0 if rules.players == 1 else FACE_UP if phase == "draft" else SHARED_HAND
    for player, kinds in enumerate(cards.hands):
        check_number(f"players[{player}].hand", kinds, hand)
    check_number("shared", cards.shared, shared)
    check_number("revealed", cards.revealed + cards.placed, HAPPY_LOOK_SIZE)


def check_number(field: str, cards: list[int], most: int) -> None:
    """Refuse more than so many cards in a field."""
    if len(cards) > most:
        raise PositionError(f"{field}: {len(cards)} of them; {most} at most")

"""Which looks at hidden cards there are: who sees them in closed talk, and what else a look hides (C-11)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Look(NamedTuple):
    """A way to see cards of the deck.

    Attributes
    ----------
    name
        What is carried out.
    rule
        Where the rules tell of it.
    expansion
        The expansion that brings it; empty for the base game.
    phases
        The decisions that are taken about the cards.
    public
        Whether everybody sees the cards. Otherwise only the player to move does.
    secret_verbs
        Names of the families of actions that say of a card where it is put: only the player to move sees
        that, whoever has seen the cards.
    """

    name: str
    rule: str
    expansion: str
    phases: tuple[str, ...]
    public: bool = False
    secret_verbs: tuple[str, ...] = ()


LOOKS: tuple[Look, ...] = (
    Look(
        "Prophecy", "P-8", "", ("prophecy_discard", "prophecy_order"),
        secret_verbs=("PROPHECY_PLACE", "PROPHECY_ORDER"),
    ),
    Look(
        "Paradoxical Prophecy", "B-4", "book_of_steps", ("paradox", "bottom_order"),
        secret_verbs=("ON_TOP", "AT_BOTTOM"),
    ),
    Look(
        "Incantation", "G-3", "glyphs", ("incantation", "bottom_order"), public=True,
        secret_verbs=("AT_BOTTOM",),
    ),
    Look("Tower", "TW-3", "towers", ("look_order",), secret_verbs=("ON_TOP",)),
    Look("Keys of a Premonition", "HP-2", "premonitions", ("premonition_keys",)),
    Look(
        "Happy Dream that looks", "HP-4", "premonitions", ("look_discard", "look_order"),
        secret_verbs=("ON_TOP",),
    ),
    Look("Happy Dream that searches", "HP-4", "premonitions", ("happy_search",), secret_verbs=("ON_TOP",)),
    Look("Squirrel Spies", "O-D4", "oniverse", ("look_order",), secret_verbs=("ON_TOP",)),
    Look(
        "Harpoon Hunter", "O-D4", "oniverse", ("bottom_order",), public=True, secret_verbs=("AT_BOTTOM",)
    ),
)  # fmt: skip
"""The one table of looks: what is secret in closed talk, and what is public."""

SECRET_VERBS = frozenset(verb for look in LOOKS for verb in look.secret_verbs)
"""The families of actions that a partner in closed talk does not see."""
PUBLIC_PHASES = tuple(sorted({phase for look in LOOKS if look.public for phase in look.phases}))
"""Phases in which everybody may see the cards that lie revealed."""


def may_be_public(phase: str, expansions: Iterable[str]) -> set[bool]:
    """Return whether the cards of a phase are public: what the looks say that a game has, perhaps both."""
    played = ("", *expansions)
    return {look.public for look in LOOKS if phase in look.phases and look.expansion in played}

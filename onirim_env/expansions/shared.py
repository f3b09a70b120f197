# ruff: noqa: E501  (the tables have one line each)
"""Actions, entries of the observation and fields of the state that several expansions need.

:data:`WITH_ANY` and :data:`SEEN_WITH_ANY` are there with any expansion, those of :data:`USED` and
:data:`SEEN_USED` with expansions whose ``uses`` names them.
"""

from __future__ import annotations

from onirim_env.cards import FACE_UP, PERSONAL_HAND, SOLO_HAND, TOP_PLACES
from onirim_env.expansions.form import ALL_KINDS, Entries, Group, SeenField, StateField, Verb
from onirim_env.rules import RuleSet

PHASES = ("look_discard", "look_order", "bottom_order")
"""Decisions in which cards that were looked at go back to the deck."""
MOST_LOOKED = 7
BOTTOM_PLACES = 5
"""How many places of the deck's bottom an observation shows."""


def _opens(rules: RuleSet, text: str) -> bool:
    """Any Key may open the Oniverse Door, and a Crossroad Key any Door."""
    return "oniverse" in rules.expansions or text.endswith("crossroad key")


def _asks(rules: RuleSet, text: str) -> bool:
    """With O-6 the base game has these actions already."""
    return rules.series_search != "choice"


WITH_ANY = (
    Verb("PLAY", "play {}", Group.NEW_ROW, "put a card of the hand in the row (G-1, X-1)"),
    Verb("DISCARD", "discard {}", Group.NEW_LOCATIONS, "discard a card of the hand: a Glyph gives an Incantation (G-3), a Tower a look at the deck (TW-3)"),
    Verb("PROPHECY_DISCARD", "prophecy discard {}", Group.NEW, "discard one of the revealed cards (P-8)"),
    Verb("PROPHECY_PLACE", "prophecy place {}", Group.NEW, "put the next revealed card back (P-8)"),
    Verb("PLAY_SHARED", "play shared {}", Group.NEW_ROW, "put a shared card in the own row (C-3)", True),
    Verb("DISCARD_SHARED", "discard shared {}", Group.NEW_LOCATIONS, "discard a shared card (C-3)", True),
    Verb("SWAP_OUT", "swap out {}", Group.NEW_HAND, "put up a personal card for a swap (C-7)", True),
    Verb("SWAP_IN", "swap in {}", Group.NEW_HAND, "take a shared card for it (C-7)", True),
    Verb("TAKE", "take {}", Group.NEW_HAND, "pick a face-up card in the draft (C-1)", True),
)  # fmt: skip
"""Actions of the base game with cards of expansions."""

USED = (
    Verb("ON_TOP", "put {} on top", Group.ANY, "put a card on top of the deck; first put is drawn first"),
    Verb("AT_BOTTOM", "put {} at the bottom", Group.ANY, "put a card at the bottom of the deck; first put is drawn first"),
    Verb("OPEN_WITH", "open door with {}", Group.KEYS, "spend another Key than the one of the Door's colour (X-2, O-D2)", when=_opens),
    Verb("OPEN_WITH_SHARED", "open door with shared {}", Group.KEYS, "spend a shared one (X-2, O-D2)", True, when=_opens),
    Verb("SEARCH", "{}", {0: "search", 1: "pass"}, "search by a series, or leave it, where there is something to decide", when=_asks),
)  # fmt: skip
"""Actions of expansions that several of them have."""

SEEN_WITH_ANY = (
    SeenField("new_hand", Entries(Group.NEW), SOLO_HAND, "cards of expansions in the own (in co-op: personal) hand"),
    SeenField("new_unseen", Entries(Group.NEW), 10, "cards of expansions that the player cannot see, by kind"),
    SeenField("new_top", Entries(Group.NEW, TOP_PLACES), 1, "cards of expansions known at the first five places of the deck"),
    SeenField("new_revealed", Entries(Group.NEW), 5, "cards of expansions that a Prophecy shows"),
    SeenField("new_drawn", Entries(Group.NEW), 1, "the Dream or the Oniverse Door being decided"),
    SeenField("new_limbo", Entries(Group.NEW), 10, "cards of expansions in Limbo"),
    SeenField("new_shared", Entries(Group.NEW), FACE_UP, "shared cards of expansions", True),
    SeenField("new_swapping", Entries(Group.NEW), 1, "the card of an expansion put up for a swap", True),
    SeenField("new_public", Entries(Group.NEW), PERSONAL_HAND, "own cards of expansions that the partner knows", True),
    SeenField("new_partner_hand", Entries(Group.NEW), PERSONAL_HAND, "the partner's cards of expansions that the player knows", True),
    SeenField("discarded", Entries(Group.ANY), 16, "cards on the discard pile, by kind"),
    SeenField("looked", Entries(Group.ANY), MOST_LOOKED, "cards beside the deck that are still to be placed, by kind"),
    SeenField("placed", Entries(Group.ANY), MOST_LOOKED, "cards beside the deck that are placed, by kind"),
    SeenField("acted", ("yes",), 1, "whether the action of the turn is taken"),
)  # fmt: skip
"""Fields of an observation that are there with any expansion; the phases and the expansions themselves come in addition."""

FOLLOWS: dict[str | None, int] = {"incantation": 1, "look 3": 3, "look 4": 4, "look 5": 5}
"""What follows the swap after a discard, as the state numbers it; from 3 on, a look at as many cards."""

SEEN_USED = (
    SeenField("bottom", Entries(Group.ANY, BOTTOM_PLACES), 1, "cards known at the lowest places of the deck, the last card first"),
    SeenField("follows", tuple(map(str, FOLLOWS)), 1, "what follows the swap after a discard"),
)  # fmt: skip
"""Fields that several expansions have."""

STATE: tuple[StateField, ...] = (
    ("bottom_size", "int16", ()),  # how many of the deck's bottom cards are decided
    ("acted", "int8", ()),  # 1 once the action of the turn is taken (O-42)
    ("follows", "int8", ()),  # what follows the swap after a discard
    ("looked", "uint8", (MOST_LOOKED,)),  # cards beside the deck: placed ones first, then the others
    ("looked_size", "int8", ()),
    ("looked_placed", "int8", ()),
    ("removed", "int8", (ALL_KINDS,)),  # out of the game, by kind
)
"""Fields of the state that games with any expansion have."""

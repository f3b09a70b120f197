"""Happy Dreams and Dark Premonitions: effects that Doors in play bring about."""

from __future__ import annotations

from onirim_env.expansions.form import DOORS, Entries, Expansion, Group, SeenField, Verb
from onirim_env.rules import RuleSet

PREMONITIONS = ("red2", "blue2", "green2", "brown2", "pair2", "doors3", "doors5", "rainbow4")
FACE_UP_AT_FIRST = (4, 5, 6)
"""Premonitions face up after the set-up: normal, hard, and by the option of six (HP-1)."""
HAPPY_LOOK_SIZE = 7
KEYS_LOST = 2


def _can_be_there(rules: RuleSet, text: str) -> bool:
    return "oniverse" in rules.expansions or "oniverse" not in text


EXPANSION = Expansion(
    "premonitions",
    cards=(("happy dream", 4),),
    phases=("premonition", "premonition_keys", "premonition_door", "happy_dream", "happy_search"),
    uses=("ON_TOP",),
    verbs=(
        Verb("LOOK_DISCARD", "look discard {}", Group.ANY, "discard a card that a Happy Dream shows (HP-4)"),
        Verb("PREMONITION_KEY", "premonition discard {}", Group.KEYS, "discard a Key from the deck (blue2)"),
        Verb(
            "PREMONITION", "premonition {}", dict(enumerate(PREMONITIONS)),
            "which Premonition is carried out first (HP-2)",
        ),
        Verb(
            "REMOVE_PREMONITION", "remove premonition {}", dict(enumerate(PREMONITIONS)),
            "a Happy Dream removes a Premonition (HP-4)",
        ),
        Verb(
            "PREMONITION_RETURN", "premonition return {}", dict(enumerate(DOORS)),
            "the Door that a Premonition takes", when=_can_be_there,
        ),
        Verb(
            "PREMONITION_RETURN_PARTNER", "premonition return partner {}", dict(enumerate(DOORS)),
            "the partner's Door that it takes", True, when=_can_be_there,
        ),
        Verb("LOOK_DONE", "{}", {0: "look done"}, "discard no more of the cards seen (HP-4)"),
        Verb(
            "HAPPY", "happy {}", {0: "look", 1: "search"},
            "look at the next seven cards, or search for one (HP-4)",
        ),
    ),
    seen=(
        SeenField("premonitions", PREMONITIONS, 1, "Premonitions face up"),
        SeenField("reserve", PREMONITIONS, 1, "Premonitions face down"),
        SeenField("premonition", PREMONITIONS, 1, "the Premonition that takes a Door"),
        SeenField("premonition_keys", ("keys",), KEYS_LOST, "Keys still to be discarded from the deck"),
        SeenField("fetched", Entries(Group.ANY), 1, "the card that a Happy Dream has found"),
    ),
    state=(
        ("premonitions", "int16", ()),  # bit i: Premonition i lies face up
        ("reserve", "int8", (len(PREMONITIONS),)),  # face down, in their order
        ("n_reserve", "int8", ()),
        ("premonition", "int8", ()),  # the one that takes a Door, from 1 on; 0 for none
        ("premonition_keys", "int8", ()),
        ("fetched", "int8", ()),  # the card that a Happy Dream has found, or NO_CARD
    ),
    position=("premonitions", "premonition_reserve", "premonition", "premonition_keys", "fetched"),
)  # fmt: skip

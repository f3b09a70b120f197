# ruff: noqa: E501  (the tables have one line each)
"""Crossroads and Dead Ends: Locations of any colour, and cards that only fill the hand."""

from __future__ import annotations

from onirim_env.cards import COLOURS, MAX_PLAYERS
from onirim_env.expansions.form import Expansion, SeenField, Verb

CROSSROADS = ("crossroad sun", "crossroad moon", "crossroad key")
KEY = CROSSROADS[-1]
DEAD_END = "dead end"

_PENDING = tuple(f"{place} {colour}" for place in ("last", "before") for colour in (*COLOURS, "crossroad"))

EXPANSION = Expansion(
    "crossroads",
    cards=(*zip(CROSSROADS, (3, 2, 1)), (DEAD_END, 10)),
    hand=(*CROSSROADS, DEAD_END),
    row=CROSSROADS,
    locations=CROSSROADS,
    keys=(KEY,),
    uses=("OPEN_WITH", "OPEN_WITH_SHARED"),
    verbs=(
        Verb("NIGHTMARE_KEY", "nightmare discard {}", (KEY,), "resolve a Nightmare with the Crossroad Key (N-1)"),
        Verb(
            "NIGHTMARE_KEY_SHARED", "nightmare discard shared {}", (KEY,),
            "resolve a Nightmare with a shared one (N-1)", True,
        ),
        Verb("ESCAPE", "{}", {0: "escape"}, "discard the whole hand and draw a new one (X-4)"),
    ),
    seen=(
        SeenField(
            "pending", _PENDING, 1,
            "colours of the last two cards of the own row that serve in no series yet",
        ),
        SeenField("partner_pending", _PENDING, 1, "the same of the partner's row", True),
    ),
    state=(
        ("used", "int8", (MAX_PLAYERS,)),  # cards of the row that serve in no series any more
    ),
    player_position=("used",),
)  # fmt: skip

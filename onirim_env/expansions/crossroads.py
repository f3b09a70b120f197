# ruff: noqa: E501  (the tables have one line each)
"""Crossroads and Dead Ends: Locations of any colour, and cards that only fill the hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from onirim_env.cards import COLOURS, MAX_PLAYERS, SERIES_LENGTH
from onirim_env.errors import PositionError
from onirim_env.expansions.form import Expansion, SeenField, Verb
from onirim_env.expansions.given import Cards, Reader, Writer
from onirim_env.json_kinds import NUMBER, check_range

CROSSROADS = ("crossroad sun", "crossroad moon", "crossroad key")
KEY = CROSSROADS[-1]
DEAD_END = "dead end"

_PENDING = tuple(f"{place} {colour}" for place in ("last", "before") for colour in (*COLOURS, "crossroad"))


def check_second_places(field: str, row: Sequence[str]) -> None:
    """Refuse a row in which a Crossroad is not the second card of a series (X-7)."""
    pending: list[str] = []
    for place, card in enumerate(row):
        colours = {one.split()[0] for one in (*pending, card) if one not in CROSSROADS}
        if card in CROSSROADS and (len(pending) != 1 or not colours):
            raise PositionError(
                f"{field}: {card!r} at place {place}, but not as the second card of a series (X-7)"
            )
        pending = [*pending, card] if len(colours) == 1 else [card]
        if len(pending) == SERIES_LENGTH:
            pending = []


def _read(reader: Reader, cards: Cards) -> dict[str, Any]:
    """Check what is given: the engine counts what a row has used, and compares."""
    for player, entry in enumerate(reader.players()):
        check_range(f"players[{player}].used", entry.get("used", 0), 0, len(entry.get("row", ())))
    return {}


def _write_player(writer: Writer, player: int) -> dict[str, Any]:
    return {"used": int(writer.record["used"][player])}


EXPANSION = Expansion(
    "crossroads",
    goal="Crossroads count for any colour; Dead Ends fill the hand, Escape discards it",
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
    player_position={"used": NUMBER},
    read=_read,
    write_player=_write_player,
    words=(("escape", "Escape: discard your whole hand and draw a new one"),),
)  # fmt: skip

"""What records of games with expansions have beyond those of base games, to positions and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from onirim_env.cards import FIRST_DOOR
from onirim_env.engine.state import KIND_BITS, SEEN_BY_0, SEEN_BY_1, SEEN_BY_ALL
from onirim_env.errors import PositionError
from onirim_env.expansions import ALL_KIND_NAMES, expansion_of
from onirim_env.expansions.crossroads import check_second_places
from onirim_env.expansions.looks import PUBLIC_PHASES, may_be_public
from onirim_env.expansions.shared import FOLLOWS
from onirim_env.positions.words import Described
from onirim_env.rules import RuleSet


class Writer:
    """Writes fields of a record in the words of positions.

    The ``write`` of an expansion is given one (``onirim_env/expansions``).

    Parameters
    ----------
    record
        The record, with its deck decided.
    """

    def __init__(self, record: np.void) -> None:
        self.record = record

    def names(self, kinds: Iterable[Any]) -> list[str]:
        """Return the names of cards, of which players may have seen some."""
        return [ALL_KIND_NAMES[kind & KIND_BITS] for kind in kinds]

    def counted(self, counts: Iterable[int], names: Sequence[str]) -> list[str]:
        """Return each of some names as often as it is counted."""
        return [names[index] for index, n in enumerate(counts) for _ in range(n)]

    def counted_in_limbo(self, counts: Iterable[int]) -> list[str]:
        """Return the names of cards that are counted by kind, from the first Door on."""
        return self.counted(counts, ALL_KIND_NAMES[FIRST_DOOR:])

    def card(self, field: str) -> str | None:
        """Return the name of the card of a field, or None where it has none."""
        kind = int(self.record[field])
        return ALL_KIND_NAMES[kind] if kind < len(ALL_KIND_NAMES) else None


def write_expansions(writer: Writer, rules: RuleSet, fields: dict[str, Any]) -> None:
    """Add the fields of expansions to a position, and to its players."""
    record = writer.record
    looked = record["looked"][: record["looked_size"]]
    if len(looked):
        placed = int(record["looked_placed"])
        fields.update(revealed=writer.names(looked[placed:]), placed=writer.names(looked[:placed]))
    follows = int(record["follows"])
    fields["removed"] = writer.counted(record["removed"], ALL_KIND_NAMES)
    fields["follows"] = next((words for words, number in FOLLOWS.items() if number == follows), None)
    fields["acted"] = bool(record["acted"])
    if rules.players > 1:
        fields["revealed_public"] = _is_public(record, fields["phase"])
    for expansion in map(expansion_of, rules.expansions):
        fields.update(expansion.write(writer))
        for player, entry in enumerate(fields["players"]):
            entry.update(expansion.write_player(writer, player))


def _is_public(record: np.void, phase: str) -> bool:
    """Return whether both players see the cards that lie beside the deck."""
    cards = record["looked"][: record["looked_size"]]
    return phase in PUBLIC_PHASES and bool(len(cards)) and bool((cards & SEEN_BY_ALL == SEEN_BY_ALL).all())


def finish_expansions(record: np.void, described: Described) -> None:
    """Write what expansions have into a record, whose cards lie as those of a base game."""
    rules, phase = described.rules, described.phase
    for field, value in described.state.items():
        _put(record, field, value)
    if not phase.startswith("prophecy"):
        lay_revealed_aside(record)
        public = described.fields.get("revealed_public")
        if public is None:
            public = may_be_public(phase, rules.expansions) == {True}
        if rules.players > 1 and public:
            record["looked"][: record["looked_size"]] |= SEEN_BY_ALL
    for player, places in enumerate(described.known_bottom):
        for place in places:
            record["deck"][place] |= (SEEN_BY_0, SEEN_BY_1)[player]
    if "crossroads" in rules.expansions:
        _use_rows(record, rules, described.players)
    if rules.players > 1 and phase == "cyclobot_take" and not record["given_shared"]:
        _show_given(record)


def _put(target: Any, field: str | int, value: Any) -> None:
    """Put a value into a field, or the values of a list into its first entries."""
    if not isinstance(value, list):
        target[field] = value
        return
    for index, one in enumerate(value):
        _put(target[field], index, one)


def lay_revealed_aside(record: np.void) -> None:
    """Put the cards that lie revealed on top of the deck beside it, as for a look of an expansion."""
    size, number = int(record["deck_size"]), int(record["revealed"])
    looked = record["deck"][size - number : size][::-1].copy()
    record["looked"][:number] = looked
    record["looked_size"], record["looked_placed"] = number, record["placed"]
    record["deck"][size - number : size] = 0
    record["deck_size"] -= number
    record["top_size"] -= number
    record["revealed"] = record["placed"] = 0
    for kind in looked & KIND_BITS:
        record["deck_count"][kind] -= 1


def _use_rows(record: np.void, rules: RuleSet, players: list[dict[str, Any]]) -> None:
    """Note how many cards of each row are used; only a Hammer Bird makes them others than the row tells."""
    from onirim_env.engine.expansions.counting import count_used  # it loads the rules of expansions

    if "crossroads" in rules.hard and "oniverse" not in rules.expansions:  # no Hammer Bird shortens a row
        for player, entry in enumerate(players):
            check_second_places(f"players[{player}].row", entry.get("row", ()))
    counted = count_used(record)
    record["used"] = counted
    for player, entry in enumerate(players):
        used = entry.get("used")
        if used is None:
            continue
        field = f"players[{player}].used"
        if "oniverse" not in rules.expansions and used != counted[player]:
            raise PositionError(f"{field}: {used}, but {counted[player]} cards of this row are used")
        record["used"][player] = used
        if count_used(record, begin=record["used"])[player] != used:
            raise PositionError(f"{field}: {used}, but a series lies behind them")


def _show_given(record: np.void) -> None:
    """Let the partner know the personal card that a Cyclobot takes: it lies open."""
    player, given = int(record["player"]), int(record["given"])
    hand = record["hand"][player, : record["hand_size"][player]]
    seen_by_partner = (SEEN_BY_1, SEEN_BY_0)[player]
    if given | seen_by_partner not in hand:
        hand[np.flatnonzero(hand == given)[:1]] |= seen_by_partner

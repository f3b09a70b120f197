"""Positions and the engine's records: from one to the other, and back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from onirim_env.cards import FIRST_DOOR, KIND_NAMES, N_LOCATION_KINDS, N_SYMBOLS, NO_CARD
from onirim_env.engine.batch import decide_decks
from onirim_env.engine.records import phase_names, state_dtype
from onirim_env.engine.state import KIND_BITS, SEEN_BY_0, SEEN_BY_1, SHARED
from onirim_env.expansions import ALL_KIND_NAMES
from onirim_env.expansions.form import DOORS
from onirim_env.positions.expansion_records import Writer, finish_expansions, write_expansions
from onirim_env.positions.words import Described, series_length
from onirim_env.rules import RuleSet

SEEN_BITS = (SEEN_BY_0, SEEN_BY_1)


def build(described: Described, seed: np.uint64) -> np.ndarray:
    """Return the record of a position that has been checked.

    Parameters
    ----------
    described
        The position.
    seed
        Seed of the random numbers from here on.

    Returns
    -------
    numpy.ndarray
        One record of the dtype of the rules (``engine/records.py``), shape (1,).
    """
    rules = described.rules
    state = np.zeros(1, dtype=state_dtype(rules))
    record = state[0]
    record["rules"] = rules.flags
    record["seed"] = record["rng"] = seed
    record["phase"] = phase_names(rules).index(described.phase)
    record["player"] = described.to_move
    record["turns"] = described.turns
    record["prophecy_follows"] = described.fields.get("prophecy_follows", False)
    for player, doors in enumerate(described.cards.doors):
        for kind in doors:
            record["doors"][player, min(kind - FIRST_DOOR, record["doors"].shape[1] - 1)] += 1
    _set_cards(record, described)
    if rules.expansions:
        finish_expansions(record, described)
    return state


def _set_cards(record: np.void, described: Described) -> None:
    cards, rest = described.cards, described.rest
    colours = _colours(record)
    for player, row in enumerate(cards.rows):
        order = row if player == 0 else row[::-1]
        start = 0 if player == 0 else record["row"].size - len(row)
        record["row"][start : start + len(row)] = order
        record["row_size"][player] = len(row)
        record["series"][player] = series_length(row, colours)
        shown = Counter(cards.public[player])
        for place, kind in enumerate(cards.hands[player]):
            public = shown[kind] > 0
            shown[kind] -= public
            record["hand"][player, place] = kind | (SEEN_BITS[1 - player] if public else 0)
        record["hand_size"][player] = len(cards.hands[player])
    record["hand"][SHARED, : len(cards.shared)] = cards.shared
    record["hand_size"][SHARED] = len(cards.shared)
    for kind in cards.limbo:
        record["limbo"][kind - FIRST_DOOR] += 1
    for kind in cards.discard:
        record["discard"][kind] += 1
    record["drawn"] = NO_CARD if cards.drawn is None else cards.drawn
    record["swapping"] = NO_CARD if cards.swapping is None else cards.swapping

    under_way = cards.placed + cards.revealed
    top = [kind | SEEN_BITS[described.to_move] for kind in under_way]
    beneath = list(cards.deck)
    for player, places in enumerate(described.known):
        for place in places:
            beneath[place] |= SEEN_BITS[player]
    deck = rest + (top + beneath)[::-1]
    record["deck"][: len(deck)] = deck
    record["deck_size"] = len(deck)
    record["top_size"] = len(top) + len(beneath)
    record["revealed"] = len(under_way)
    record["placed"] = len(cards.placed)
    for kind in under_way + cards.deck + rest:
        record["deck_count"][kind] += 1


def _colours(record: np.void) -> Sequence[int]:
    """Return the colour of each kind of Location."""
    if record["deck_count"].size == len(KIND_NAMES):
        return [kind // N_SYMBOLS for kind in range(N_LOCATION_KINDS)]
    from onirim_env.engine.expansions.cards import COLOUR_OF

    colours: Sequence[int] = COLOUR_OF.tolist()
    return colours


def write_position(state: np.ndarray, rules: RuleSet) -> dict[str, Any]:
    """Return the position of a state (shape (1,)) with every field; the state is not changed.

    The deck is in the order in which its cards would come if nothing shuffled.
    """
    state = state.copy()
    decide_decks(state)
    record = state[0]
    deck = record["deck"][: record["deck_size"]][::-1]
    revealed, placed = int(record["revealed"]), int(record["placed"])
    writer = Writer(record)
    names, card = writer.names, writer.card
    players = []
    for player in range(rules.players):
        size = int(record["row_size"][player])
        row = record["row"][:size] if player == 0 else record["row"][::-1][:size]
        hand = record["hand"][player, : record["hand_size"][player]]
        entry: dict[str, Any] = {
            "row": names(row),
            "hand": names(hand),
            "doors": writer.counted(record["doors"][player], DOORS),
        }
        if rules.players > 1:
            entry["public"] = names(sorted(byte for byte in hand if byte > KIND_BITS))
        players.append(entry)
    known = [_known_places(deck[revealed:], player) for player in range(rules.players)]
    fields = {
        "rules": rules.as_dict(),
        "phase": phase_names(rules)[record["phase"]],
        "to_move": int(record["player"]),
        "turns": int(record["turns"]),
        "players": players,
        "shared": names(record["hand"][SHARED, : record["hand_size"][SHARED]]),
        "limbo": writer.counted_in_limbo(record["limbo"]),
        "discard": writer.counted(record["discard"], ALL_KIND_NAMES),
        "deck": names(deck[revealed:]),
        "known": known[0] if rules.players == 1 and isinstance(known[0], int) else known,
        "revealed": names(deck[placed:revealed]),
        "placed": names(deck[:placed]),
        "drawn": card("drawn"),
        "swapping": card("swapping"),
        "prophecy_follows": bool(record["prophecy_follows"]),
    }
    if rules.expansions:
        write_expansions(writer, rules, fields)
    return fields


def _known_places(deck: np.ndarray, player: int) -> int | list[int]:
    places = [int(place) for place in np.flatnonzero(deck & SEEN_BITS[player])]
    return len(places) if places == list(range(len(places))) else places

"""Positions as JSON: reading them with every check, and writing them (docs/positions.md)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from onirim_env.actions import action_table
from onirim_env.cards import (
    DOOR_NAMES,
    FIRST_DOOR,
    KIND_NAMES,
    N_LOCATION_KINDS,
    N_SYMBOLS,
    SERIES_LENGTH,
)
from onirim_env.errors import FileError, PositionError, quoted
from onirim_env.expansion_position_checks import (
    check_expansion_position,
    check_fields,
    check_question,
    check_sizes,
)
from onirim_env.expansion_positions import (
    ExpansionReader,
    check_played,
    fields_of,
    finish_expansions,
    player_fields_of,
    write_expansions,
)
from onirim_env.expansions import ALL_KIND_NAMES, ALL_KIND_OF_NAME
from onirim_env.files import read_json
from onirim_env.position_checks import check_phase
from onirim_env.position_fields import KINDS, PLAYER_KINDS, checked
from onirim_env.position_reader import Cards, Reader
from onirim_env.rules import RuleSet

FIELDS = (
    "rules", "phase", "to_move", "turns", "players", "shared", "limbo", "discard", "deck",
    "deck_top", "known", "revealed", "placed", "drawn", "swapping", "prophecy_follows",
)  # fmt: skip
PLAYER_FIELDS = ("row", "hand", "doors", "public")


def load_json(source: Any, what: str) -> Any:
    """Return ``source`` itself, or what the JSON file of that path holds.

    Raises
    ------
    PositionError
        When there is no plain file of that name, or when it is too large or no JSON.
    """
    if not isinstance(source, (str, os.PathLike)):
        return source
    try:
        return read_json(Path(source), f"{what} file")
    except (FileError, TypeError) as error:  # the latter for a path of bytes
        raise PositionError(str(error)) from None


def plain_position(position: Any) -> dict[str, Any]:
    """Return a position with each field of its kind, as plain values that can be written as JSON.

    Parameters
    ----------
    position
        A mapping in the schema of docs/positions.md, or the path of a JSON file with one. It is not
        changed.

    Raises
    ------
    PositionError
        For a field that there is not, and a value of another kind; the message names the field.
    """
    position = load_json(position, "position")
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is a dict, not {type(position).__name__}")
    rules = read_rules(position.get("rules"))
    check_played(position, rules)
    plain = checked(position, (*FIELDS, *fields_of(rules)), KINDS)
    if plain.get("players") is not None:
        fields = (*PLAYER_FIELDS, *player_fields_of(rules))
        for number, player in enumerate(plain["players"]):
            check_played(player, rules, f"players[{number}].")
        plain["players"] = [
            checked(player, fields, PLAYER_KINDS, f"players[{number}]")
            for number, player in enumerate(plain["players"])
        ]
    return plain


def read_rules(options: Any) -> RuleSet:
    """Return the rule set of the options in a position or a record; None stands for the default ones.

    Raises
    ------
    PositionError
        For anything else than options of a rule set.
    """
    try:
        return RuleSet(**({} if options is None else KINDS["rules"].read("rules", options)))
    except PositionError:
        raise
    except (TypeError, ValueError) as error:
        raise PositionError(f"rules: {error}") from None


def read_position(position: Any, seed: np.uint64) -> tuple[np.ndarray, RuleSet]:
    """Return the state of a position, and its rules.

    Parameters
    ----------
    position
        As for :func:`plain_position`.
    seed
        Seed of the random numbers from here on.

    Returns
    -------
    state : numpy.ndarray
        One record of ``onirim_env.engine.state.STATE``, shape (1,).
    rules : RuleSet

    Raises
    ------
    PositionError
        For a position that cannot be; the message names the field and the card.
    """
    from onirim_env.engine.records import phase_names, state_dtype

    position = plain_position(position)
    rules = read_rules(position.get("rules"))
    reader = Reader(position, rules)
    phases = phase_names(rules)
    phase: str = reader.position.get("phase", "action")
    if phase not in phases:
        raise PositionError(f"phase: {quoted(phase)} is none of {', '.join(phases)}")
    to_move = reader.number("to_move", 0, rules.players - 1)
    follows = reader.position.get("prophecy_follows", False)
    cards = reader.cards()
    state = np.zeros(1, dtype=state_dtype(rules))
    record = state[0]
    if rules.expansions:
        check_sizes(rules, phase, cards)
        _read_doors(record, cards)
        ExpansionReader(reader, rules).read(record)
        check_fields(rules, phase, reader.position, cards)
    decided = len(cards.deck)
    known = reader.known(decided)
    rest = list(reader.left.elements())
    if "deck" in reader.position:
        cards.discard.extend(rest)
        rest = []
    deck_size = len(rest) + decided
    if rules.expansions:
        check_expansion_position(rules, phase, to_move, reader.position, cards, deck_size)
    else:
        check_phase(rules, phase, to_move, follows, cards, deck_size)
        _read_doors(record, cards)
    record["rules"] = rules.flags
    record["seed"] = record["rng"] = seed
    record["phase"] = phases.index(phase)
    record["player"] = to_move
    record["turns"] = reader.number("turns", 0, _most_turns(rules, reader, cards))
    record["prophecy_follows"] = follows
    _set_cards(record, cards, rest, to_move, known)
    if rules.expansions:
        bottom = reader.known(0 if rest else decided, "known_bottom")
        public = reader.position.get("revealed_public")
        finish_expansions(record, rules, phase, bottom, reader.players(), public)
        check_question(state, rules, phase)
    _check_choice(state, rules, phase)
    return state, rules


def _most_turns(rules: RuleSet, reader: Reader, cards: Cards) -> int:
    """Return how many turns may be completed, so that those to come can still be counted.

    Each of them puts a card of a hand away for good: in a row, on the discard pile, out of the game.
    """
    from onirim_env.engine.state import STATE

    away = Counter(kind for zone in (*cards.rows, cards.discard) for kind in zone)
    for zone in ("removed", "towers"):
        away.update(ALL_KIND_OF_NAME[word] for word in reader.position.get(zone, ()))
    kinds = [ALL_KIND_OF_NAME[name] for name in reader.words.hand]
    to_come = sum(reader.words.counts[kind] - away[kind] for kind in kinds)
    return int(np.iinfo(STATE["turns"]).max) - to_come


def _check_choice(state: np.ndarray, rules: RuleSet, phase: str) -> None:
    """Refuse a game that goes on, but in which nothing can be done."""
    from onirim_env.engine.batch import mask_games

    table = action_table(rules)
    masks = np.empty((1, len(table)), dtype=np.int8)
    mask_games(state, table.ids, masks)
    if not masks.any():
        raise PositionError(f"phase: {phase} with these cards leaves no action")


def _read_doors(record: np.void, cards: Cards) -> None:
    for player, doors in enumerate(cards.doors):
        for kind in doors:
            record["doors"][player, min(kind - FIRST_DOOR, record["doors"].shape[1] - 1)] += 1


def _set_cards(record: np.void, cards: Cards, rest: list[int], to_move: int, known: list[list[int]]) -> None:
    from onirim_env.engine.state import NO_CARD, SEEN_BY_0, SEEN_BY_1, SHARED

    seen_bits = (SEEN_BY_0, SEEN_BY_1)
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
            record["hand"][player, place] = kind | (seen_bits[1 - player] if public else 0)
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
    top = [kind | seen_bits[to_move] for kind in under_way]
    beneath = list(cards.deck)
    for player, places in enumerate(known):
        for place in places:
            beneath[place] |= seen_bits[player]
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


def series_length(row: list[int], colours: Sequence[int] | None = None) -> int:
    """Return the length of the running series of a row of kinds: every third card ends one."""
    run = 0
    colours = [kind // N_SYMBOLS for kind in range(N_LOCATION_KINDS)] if colours is None else colours
    for kind in reversed(row):
        if colours[kind] != colours[row[-1]]:
            break
        run += 1
    return (run - 1) % SERIES_LENGTH + 1 if run else 0


def write_position(state: np.ndarray, rules: RuleSet) -> dict[str, Any]:
    """Return the position of a state (shape (1,)) with every field; the state is not changed.

    The deck is in the order in which its cards would come if nothing shuffled.
    """
    from onirim_env.engine.batch import decide_decks
    from onirim_env.engine.records import phase_names
    from onirim_env.engine.state import KIND_BITS, SHARED

    state = state.copy()
    decide_decks(state)
    record = state[0]
    deck = record["deck"][: record["deck_size"]][::-1]
    revealed, placed = int(record["revealed"]), int(record["placed"])

    def names(kinds: Any) -> list[str]:
        return [ALL_KIND_NAMES[kind & KIND_BITS] for kind in kinds]

    def counted(counts: Any, first: int = 0) -> list[str]:
        return [ALL_KIND_NAMES[first + index] for index, n in enumerate(counts) for _ in range(n)]

    def card(kind: int) -> str | None:
        return ALL_KIND_NAMES[kind] if kind != KIND_BITS else None

    def doors_of(counts: Any) -> list[str]:
        words = (*DOOR_NAMES, "oniverse door")
        return [words[door] for door, n in enumerate(counts) for _ in range(n)]

    players = []
    for player in range(rules.players):
        size = int(record["row_size"][player])
        row = record["row"][:size] if player == 0 else record["row"][::-1][:size]
        hand = record["hand"][player, : record["hand_size"][player]]
        entry: dict[str, Any] = {
            "row": names(row),
            "hand": names(hand),
            "doors": doors_of(record["doors"][player]),
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
        "limbo": counted(record["limbo"], FIRST_DOOR),
        "discard": counted(record["discard"]),
        "deck": names(deck[revealed:]),
        "known": known[0] if rules.players == 1 and isinstance(known[0], int) else known,
        "revealed": names(deck[placed:revealed]),
        "placed": names(deck[:placed]),
        "drawn": card(int(record["drawn"])),
        "swapping": card(int(record["swapping"])),
        "prophecy_follows": bool(record["prophecy_follows"]),
    }
    if rules.expansions:
        looked = record["looked"][: record["looked_size"]]
        if len(looked):
            placed = int(record["looked_placed"])
            fields.update(revealed=names(looked[placed:]), placed=names(looked[:placed]))
        write_expansions(record, rules, fields)
    return fields


def _known_places(deck: np.ndarray, player: int) -> int | list[int]:
    from onirim_env.engine.state import SEEN_BY_0, SEEN_BY_1

    seen = SEEN_BY_0 if player == 0 else SEEN_BY_1
    places = [int(place) for place in np.flatnonzero(deck & seen)]
    return len(places) if places == list(range(len(places))) else places

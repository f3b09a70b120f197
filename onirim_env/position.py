"""Positions as JSON: reading them with every check, and writing them (docs/positions.md)."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from onirim_env.cards import (
    DOOR_NAMES,
    FIRST_DOOR,
    KIND_COUNTS,
    KIND_NAMES,
    KIND_OF_NAME,
    LOCATION_NAMES,
    N_LOCATION_KINDS,
    N_SYMBOLS,
    SERIES_LENGTH,
)
from onirim_env.errors import PositionError
from onirim_env.module_position_checks import check_module_position, check_sizes
from onirim_env.module_positions import ModuleReader, finish_modules, write_modules
from onirim_env.position_checks import check_phase, check_row
from onirim_env.rules import RuleSet

FIELDS = (
    "rules", "phase", "to_move", "turns", "players", "shared", "limbo", "discard", "deck",
    "deck_top", "known", "revealed", "placed", "drawn", "swapping", "prophecy_follows",
)  # fmt: skip
PLAYER_FIELDS = ("row", "hand", "doors", "public")

_LIMBO_NAMES = KIND_NAMES[N_LOCATION_KINDS:]


class Cards(NamedTuple):
    """A position's cards by zone, as kinds; ``deck`` and ``revealed`` are top first."""

    rows: list[list[int]]
    hands: list[list[int]]
    doors: list[list[int]]
    public: list[list[int]]
    shared: list[int]
    limbo: list[int]
    discard: list[int]
    deck: list[int]
    revealed: list[int]
    placed: list[int]
    drawn: int | None
    swapping: int | None


def load_json(source: Any, what: str) -> Any:
    """Return ``source`` itself, or what the JSON file of that path holds."""
    if not isinstance(source, (str, Path)):
        return source
    try:
        return json.loads(Path(source).read_text(encoding="utf-8"))
    except OSError as error:
        raise PositionError(f"{what} file {str(source)!r}: {error.strerror}") from None
    except ValueError as error:
        raise PositionError(f"{what} file {str(source)!r} is not JSON: {error}") from None


def _read_rules(position: Any) -> RuleSet:
    """Return the rules of a position."""
    if not isinstance(position, Mapping):
        raise PositionError(f"a position is a dict, not {type(position).__name__}")
    given = position.get("rules") or {}
    if not isinstance(given, Mapping):
        raise PositionError(f"rules: a dict of options, not {given!r}")
    try:
        return RuleSet(**given)
    except (TypeError, ValueError) as error:
        raise PositionError(f"rules: {error}") from None


class _Words(NamedTuple):
    """The names of the cards that may lie in a zone, and how many there are of each kind."""

    row: tuple[str, ...]
    hand: tuple[str, ...]
    doors: tuple[str, ...]
    limbo: tuple[str, ...]
    any: tuple[str, ...]
    counts: tuple[int, ...]


_BASE_WORDS = _Words(LOCATION_NAMES, LOCATION_NAMES, DOOR_NAMES, _LIMBO_NAMES, KIND_NAMES, KIND_COUNTS)


def _words_of(rules: RuleSet) -> _Words:
    if not rules.expansions:
        return _BASE_WORDS
    from onirim_env.modules import ALL_KIND_NAMES, kind_counts
    from onirim_env.modules.verbs import DOORS, HAND_CARDS, LOCATIONS, ROW_CARDS

    counts = kind_counts(rules.expansions)
    there = {name for name, count in zip(ALL_KIND_NAMES, counts) if count}
    row, hand, doors = (
        tuple(name for name in names if name in there) for names in (ROW_CARDS, HAND_CARDS, DOORS)
    )
    every = tuple(name for name in ALL_KIND_NAMES if name in there)
    limbo = tuple(name for name in every if name not in LOCATIONS)
    return _Words(row, hand, doors, limbo, every, counts)


class _Reader:
    """Reads the fields of one position, and counts the cards that it names."""

    def __init__(self, position: Any, rules: RuleSet) -> None:
        self.position = position
        self.rules = rules
        self.words = _words_of(rules)
        self.kind_of = KIND_OF_NAME
        self.left = Counter(dict(enumerate(self.words.counts)))
        fields: tuple[str, ...] = FIELDS
        self.player_fields: tuple[str, ...] = PLAYER_FIELDS
        if rules.expansions:
            from onirim_env.module_positions import fields_of, player_fields_of
            from onirim_env.modules import ALL_KIND_OF_NAME

            fields = (*fields, *fields_of(rules))
            self.player_fields = (*PLAYER_FIELDS, *player_fields_of(rules))
            self.kind_of = ALL_KIND_OF_NAME
        for field in position:
            if field not in fields:
                raise PositionError(f"unknown field {field!r}; fields are {', '.join(fields)}")

    def number(self, field: str, low: int, high: int, default: int = 0) -> int:
        value = self.position.get(field, default)
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
            raise PositionError(f"{field}: {value!r} is not a number from {low} to {high}")
        return int(value)

    def kinds(self, field: str, value: Any, words: tuple[str, ...], take: bool = True) -> list[int]:
        """Return the kinds of a list of card words, and take the cards off those left."""
        if value is None:
            return []
        if isinstance(value, str) or not isinstance(value, (list, tuple)):
            raise PositionError(f"{field}: a list of cards, not {value!r}")
        return [self.kind(field, word, words, take) for word in value]

    def kind(self, field: str, word: Any, words: tuple[str, ...], take: bool = True) -> int:
        if word not in words:
            allowed = ", ".join(words)
            raise PositionError(f"{field}: {word!r} cannot be here; cards are {allowed}")
        kind = self.kind_of[word]
        if take:
            if self.left[kind] == 0:
                raise PositionError(f"{field}: one {word!r} too many; the game has {self.words.counts[kind]}")
            self.left[kind] -= 1
        return kind

    def card(self, field: str, words: tuple[str, ...]) -> int | None:
        word = self.position.get(field)
        return None if word is None else self.kind(field, word, words)

    def players(self, n_players: int) -> list[Mapping[str, Any]]:
        players = self.position.get("players", [{}] * n_players)
        if not isinstance(players, (list, tuple)) or len(players) != n_players:
            raise PositionError(f"players: a list of {n_players}, not {players!r}")
        for index, player in enumerate(players):
            if not isinstance(player, Mapping):
                raise PositionError(f"players[{index}]: a dict, not {player!r}")
            for field in player:
                if field not in self.player_fields:
                    names = ", ".join(self.player_fields)
                    raise PositionError(f"players[{index}]: unknown field {field!r}; fields are {names}")
        return list(players)

    def cards(self, n_players: int) -> Cards:
        rows, hands, doors, public = [], [], [], []
        for index, player in enumerate(self.players(n_players)):
            at = f"players[{index}]"
            rows.append(self.kinds(f"{at}.row", player.get("row"), self.words.row))
            hands.append(self.kinds(f"{at}.hand", player.get("hand"), self.words.hand))
            doors.append(self.kinds(f"{at}.doors", player.get("doors"), self.words.doors))
            shown = self.kinds(f"{at}.public", player.get("public"), self.words.hand, take=False)
            missing = Counter(shown) - Counter(hands[-1])
            if missing:
                word = _name(next(iter(missing)))
                raise PositionError(f"{at}.public: {word!r} is not in that hand")
            public.append(shown)
        get = self.position.get
        return Cards(
            rows, hands, doors, public,
            shared=self.kinds("shared", get("shared"), self.words.hand),
            limbo=self.kinds("limbo", get("limbo"), self.words.limbo),
            discard=self.kinds("discard", get("discard"), self.words.any),
            revealed=self.kinds("revealed", get("revealed"), self.words.any),
            placed=self.kinds("placed", get("placed"), self.words.any),
            drawn=self.card("drawn", self.words.limbo),
            swapping=self.card("swapping", self.words.hand),
            deck=self.deck(),
        )  # fmt: skip

    def deck(self) -> list[int]:
        if self.position.get("deck") is None:
            return self.kinds("deck_top", self.position.get("deck_top"), self.words.any)
        if self.position.get("deck_top") is not None:
            raise PositionError("deck_top: not together with deck, which gives the whole order")
        return self.kinds("deck", self.position["deck"], self.words.any)

    def known(self, n_players: int, decided: int, field: str = "known") -> list[list[int]]:
        """Return the places of the deck's top (or bottom) that each player knows, 0 being the top."""
        value = self.position.get(field, 0)
        if not isinstance(value, (list, tuple)):
            value = [value] * n_players
        if len(value) != n_players:
            raise PositionError(f"{field}: a number, or one for each of {n_players} players, not {value!r}")
        result = []
        for one in value:
            places = one if isinstance(one, (list, tuple)) else None
            number = [one] if places is None else places
            top = decided if places is None else decided - 1
            for entry in number:
                if (
                    isinstance(entry, bool)
                    or not isinstance(entry, (int, np.integer))
                    or not 0 <= entry <= top
                ):
                    raise PositionError(f"{field}: {entry!r} is not a number from 0 to {top}")
            result.append(list(range(one)) if places is None else list(places))
        return result


def read_position(position: Any, seed: np.uint64) -> tuple[np.ndarray, RuleSet]:
    """Return the state of a position, and its rules.

    Parameters
    ----------
    position
        A dict in the schema of docs/positions.md, or the path of a JSON file with one. It is not
        changed.
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

    position = load_json(position, "position")
    rules = _read_rules(position)
    reader = _Reader(position, rules)
    phases = phase_names(rules)
    phase = reader.position.get("phase", "action")
    if phase not in phases:
        raise PositionError(f"phase: {phase!r} is none of {', '.join(phases)}")
    to_move = reader.number("to_move", 0, rules.players - 1)
    turns = reader.number("turns", 0, 127)
    follows = reader.position.get("prophecy_follows") or False
    if not isinstance(follows, bool):
        raise PositionError(f"prophecy_follows: true or false, not {follows!r}")
    cards = reader.cards(rules.players)
    state = np.zeros(1, dtype=state_dtype(rules))
    record = state[0]
    if rules.expansions:
        check_sizes(rules, phase, cards)
        _read_doors(record, cards)
        ModuleReader(reader, rules).read(record)
        check_module_position(rules, phase, reader.position, cards)
    whole_deck = reader.position.get("deck") is not None
    rest = list(reader.left.elements())
    decided = len(cards.deck)
    known = reader.known(rules.players, decided)
    if whole_deck:
        cards.discard.extend(rest)
        rest = []
    if not rules.expansions:
        for index, row in enumerate(cards.rows):
            check_row(f"players[{index}].row", row)
        check_phase(rules, phase, to_move, follows, cards, len(rest) + decided)
        _read_doors(record, cards)
    record["rules"] = rules.flags
    record["seed"] = record["rng"] = seed
    record["phase"] = phases.index(phase)
    record["player"] = to_move
    record["turns"] = turns
    record["prophecy_follows"] = follows
    _set_cards(record, cards, rest, to_move, known)
    if rules.expansions:
        bottom = reader.known(rules.players, decided, "known_bottom")
        finish_modules(record, cards, rules, phase, bottom, reader.players(rules.players))
    return state, rules


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
    from onirim_env.engine.modules.cards import COLOUR_OF

    colours: Sequence[int] = COLOUR_OF.tolist()
    return colours


def _name(kind: int) -> str:
    if kind < len(KIND_NAMES):
        return KIND_NAMES[kind]
    from onirim_env.modules import ALL_KIND_NAMES

    return ALL_KIND_NAMES[kind]


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
        return [_name(kind & KIND_BITS) for kind in kinds]

    def counted(counts: Any, first: int = 0) -> list[str]:
        return [_name(first + index) for index, n in enumerate(counts) for _ in range(n)]

    def card(kind: int) -> str | None:
        return _name(kind) if kind != KIND_BITS else None

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
        write_modules(record, rules, fields)
    return fields


def _known_places(deck: np.ndarray, player: int) -> int | list[int]:
    from onirim_env.engine.state import SEEN_BY_0, SEEN_BY_1

    seen = SEEN_BY_0 if player == 0 else SEEN_BY_1
    places = [int(place) for place in np.flatnonzero(deck & seen)]
    return len(places) if places == list(range(len(places))) else places

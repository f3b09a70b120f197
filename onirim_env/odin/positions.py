"""Positions of Odin as JSON: read, checked, and written (section 7 of the rules; OD-P1 to OD-P8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from onirim_env.errors import PositionError, quoted
from onirim_env.json_kinds import CARDS, NUMBER, OPTIONS, PLACES, PLAYERS, TEXT, Kind, check_range, checked
from onirim_env.odin.cards import (
    CARD_NAMES,
    CARD_OF_NAME,
    GOAT,
    GOAT_POINTS,
    HAND_SIZE,
    MAX_PLAYERS,
    N_CARDS,
    N_PLAIN,
    bits_of,
    names_of,
)
from onirim_env.odin.engine import batch
from onirim_env.odin.engine.state import (
    NOBODY,
    PHASE_ADD,
    PHASE_FOLLOW,
    PHASE_LEAD,
    PHASE_OVER,
    PHASE_TAKE,
    STATE,
)
from onirim_env.odin.observation import PHASES
from onirim_env.odin.rules import RuleSet

GAME = "odin"
FIELDS: dict[str, Kind] = {
    "game": TEXT, "rules": OPTIONS, "phase": TEXT, "to_move": NUMBER, "leader": NUMBER, "owner": NUMBER,
    "hand_leader": NUMBER, "passed": PLACES, "players": PLAYERS, "table": CARDS, "beaten": CARDS,
    "chosen": CARDS, "discard": CARDS, "undealt": CARDS, "hands_played": NUMBER,
}  # fmt: skip
"""Every field of a position."""
PLAYER_FIELDS: dict[str, Kind] = {"hand": CARDS, "public": CARDS, "points": NUMBER}
"""Every field of a player in it."""

MOST_HANDS = 30_000
"""How many finished hands a position can have: more than any game, and few enough for the record."""


def check_game(name: Any) -> None:
    """Refuse a position or a record of another game."""
    if name not in (None, GAME):
        raise PositionError(f"game: {quoted(name)} is not {GAME!r}")


def read_rules(given: Mapping[str, Any] | None, players: int | None = None) -> RuleSet:
    """Return the rule set of a field ``rules`` (OD-P2).

    Parameters
    ----------
    given
        The field.
    players
        How many players a position has; a record without one has the default.
    """
    options = dict(given or {})
    if players is not None:
        check_range("players", players, 2, MAX_PLAYERS)
        options.setdefault("players", players)
    try:
        rules = RuleSet(**options)
    except ValueError as error:
        raise PositionError(f"rules: {error}") from None
    if players not in (None, rules.players):
        raise PositionError(f"rules: players is {rules.players}, but {players} players are given")
    return rules


def read_position(position: Mapping[str, Any], seed: np.uint64) -> tuple[np.ndarray, RuleSet]:
    """Return the record of a position (shape (1,)) and its rules.

    Parameters
    ----------
    position
        The fields; see docs/odin.md.
    seed
        64 bits from which later hands are dealt.

    Raises
    ------
    PositionError
        For a position that cannot be; the message names the field and the card.
    """
    given = _given(position, FIELDS)
    check_game(given.get("game"))
    if "players" not in given:
        raise PositionError("players: missing; a position gives the hand of each player")
    players = [_given(one, PLAYER_FIELDS, f"players[{seat}]") for seat, one in enumerate(given["players"])]
    rules = read_rules(given.get("rules"), len(players))
    states = np.zeros(1, dtype=STATE)
    state = states[0]
    state["seed"] = state["rng"] = seed
    state["offender"] = NOBODY
    state["players"], state["limit"], state["options"] = rules.players, rules.limit, rules.flags >> 8
    _read_cards(state, given, players, rules)
    _read_seats(state, given, position, rules)
    _read_points(state, given, players, rules)
    _check_phase(states, given, rules)
    return states, rules


def _given(fields: Mapping[str, Any], kinds: dict[str, Kind], at: str = "") -> dict[str, Any]:
    """Return the fields that are given and not null, as plain values."""
    return {
        name: value for name, value in checked(fields, tuple(kinds), kinds, at).items() if value is not None
    }


class _Places:
    """Where each card lies, so that none lies in two places (OD-P3)."""

    def __init__(self, rules: RuleSet) -> None:
        self._goat = rules.goat
        self._place: dict[int, str] = {}

    def read(self, field: str, names: Sequence[str]) -> int:
        """Return the cards of a field as bits, which lie nowhere else."""
        cards = self.cards(field, names)
        for card in cards:
            if card in self._place:
                raise PositionError(f"{field}: {CARD_NAMES[card]} is in {self._place[card]}, too")
            self._place[card] = field
        return bits_of(cards)

    def part(self, field: str, names: Sequence[str], whole: int, place: str) -> int:
        """Return the cards of a field as bits, which are some of another field's."""
        cards = self.cards(field, names)
        for index, card in enumerate(cards):
            if not whole >> card & 1:
                raise PositionError(f"{field}: {CARD_NAMES[card]} is not in {place}")
            if card in cards[:index]:
                raise PositionError(f"{field}: {CARD_NAMES[card]} twice")
        return bits_of(cards)

    def cards(self, field: str, names: Sequence[str]) -> list[int]:
        """Return the cards of some words."""
        for name in names:
            if name not in CARD_OF_NAME:
                raise PositionError(f"{field}: there is no card {quoted(name)}")
            if CARD_OF_NAME[name] == GOAT and not self._goat:
                raise PositionError(f"{field}: the goat is played with the option goat=True only")
        return [CARD_OF_NAME[name] for name in names]

    def nowhere(self) -> int:
        """Return the cards that no field names, as bits."""
        n = N_CARDS if self._goat else N_PLAIN
        return bits_of(card for card in range(n) if card not in self._place)


def _read_cards(state: Any, given: dict[str, Any], players: list[dict[str, Any]], rules: RuleSet) -> None:
    places = _Places(rules)
    for seat, player in enumerate(players):
        field = f"players[{seat}].hand"
        hand = places.read(field, player.get("hand", ()))
        if len(player.get("hand", ())) > HAND_SIZE:
            raise PositionError(f"{field}: {len(player['hand'])} cards; a hand has {HAND_SIZE} at most")
        state["hand"][seat] = hand
        state["public"][seat] = places.part(
            f"players[{seat}].public", player.get("public", ()), hand, f"the hand of player {seat}"
        )
    for field in ("table", "beaten", "discard", "undealt"):
        state[field] = places.read(field, given.get(field, ()))
    rest = "discard" if "undealt" in given else "undealt"  # OD-P8
    state[rest] |= np.uint64(places.nowhere())
    places.cards("chosen", given.get("chosen", ()))


def _read_seats(state: Any, given: dict[str, Any], position: Mapping[str, Any], rules: RuleSet) -> None:
    has_table = bool(given.get("table"))
    name = given.get("phase", "follow" if has_table else "lead")
    if name not in PHASES:
        raise PositionError(f"phase: {quoted(name)} is none; phases are {', '.join(PHASES)}")
    phase = PHASES.index(name)
    ended = phase == PHASE_OVER
    if ended and "to_move" in given:
        raise PositionError(f"to_move: {given['to_move']}, but nobody is to move at the end")
    if not ended and "to_move" in position and position["to_move"] is None:
        raise PositionError("to_move: nobody, before the end")
    to_move = NOBODY if ended else given.get("to_move", 0)
    if ended and has_table and "owner" not in given:
        raise PositionError("owner: missing; at the end it is to be given")
    last = to_move if phase == PHASE_TAKE else (to_move - 1) % rules.players
    owner = given.get("owner", last if has_table else NOBODY)
    leader = given.get("leader", owner if owner != NOBODY else max(to_move, 0))
    hand_leader = given.get("hand_leader", leader)
    for field, seat in (
        ("to_move", to_move),
        ("owner", owner),
        ("leader", leader),
        ("hand_leader", hand_leader),
    ):
        if seat != NOBODY or field in given:
            check_range(field, seat, 0, rules.players - 1)
    state["phase"], state["player"], state["leader"] = phase, to_move, leader
    state["owner"], state["hand_leader"] = owner, hand_leader
    if (owner == NOBODY) == has_table:
        raise PositionError(
            f"owner: {'nobody owns the table' if has_table else f'{owner} owns no table'} (OD-P5)"
        )
    if owner != NOBODY and not ended and (owner == to_move) != (phase == PHASE_TAKE):
        raise PositionError(
            f"owner: {owner}, to move: {to_move}; the owner of the table is to move exactly in phase take"
        )
    state["passed"] = _passed(given, owner, to_move, phase, rules)


def _passed(given: dict[str, Any], owner: int, to_move: int, phase: int, rules: RuleSet) -> int:
    """Return the flags of those who have passed (OD-P5)."""
    between = []
    if owner != NOBODY and to_move != NOBODY:
        n = (to_move - owner - 1) % rules.players if phase != PHASE_TAKE else 0
        between = [(owner + 1 + step) % rules.players for step in range(n)]
    passed = given.get("passed", sorted(between))
    for seat in passed:
        check_range("passed", seat, 0, rules.players - 1)
    if list(passed) != sorted(set(passed)):
        raise PositionError(f"passed: {passed} are not seats in rising order, each once")
    if passed and owner == NOBODY:
        raise PositionError(f"passed: {passed}, before a lead")
    for seat in between:
        if seat not in passed:
            raise PositionError(f"passed: player {seat} sits between the owner and the player to move")
    if owner in passed:
        raise PositionError(f"passed: player {owner} owns the table")
    return sum(1 << seat for seat in passed)


def _read_points(state: Any, given: dict[str, Any], players: list[dict[str, Any]], rules: RuleSet) -> None:
    ended = state["phase"] == PHASE_OVER
    points = [player.get("points", 0) for player in players]
    highest = rules.limit - 1
    if ended:
        highest += HAND_SIZE + (GOAT_POINTS - 1) * rules.goat
    elif rules.episode == "hand":
        highest = 0
    for seat, one in enumerate(points):
        check_range(f"players[{seat}].points", one, 0, highest)
    if ended and rules.episode == "game" and max(points) < rules.limit:
        raise PositionError(f"points: {points}, but the game ends only when somebody has {rules.limit}")
    state["points"][: rules.players] = points
    state["hands_played"] = hands = given.get("hands_played", int(ended))
    check_range("hands_played", hands, 0, MOST_HANDS)


def _check_phase(states: np.ndarray, given: dict[str, Any], rules: RuleSet) -> None:
    """Check what depends on the phase (OD-P4 to OD-P6), and note what is legal."""
    state = states[0]
    phase, mover = int(state["phase"]), int(state["player"])
    name = PHASES[phase]
    for seat in range(rules.players):
        empty = not state["hand"][seat]
        if empty != (phase == PHASE_OVER and seat == state["owner"]):
            why = "no cards, before the end" if empty else "cards, but this player has gone out"
            if phase == PHASE_OVER and empty:
                why = f"no cards, but player {state['owner']} has gone out"
            raise PositionError(f"players[{seat}].hand: {why}")
    for field, phases in (
        ("table", (PHASE_FOLLOW, PHASE_ADD, PHASE_TAKE, PHASE_OVER)),
        ("beaten", (PHASE_TAKE,)),
        ("chosen", (PHASE_ADD,)),
    ):
        if given.get(field) and phase not in phases:
            raise PositionError(f"{field}: {', '.join(given[field])}, in phase {name}")
    table = int(state["table"])
    if phase in (PHASE_FOLLOW, PHASE_TAKE, PHASE_OVER) and not table:
        raise PositionError(f"table: no cards, in phase {name}")
    if table and not batch.is_play(np.uint64(table)):
        raise PositionError(f"table: {', '.join(names_of(table))} are no set")
    if mover != NOBODY and not table and state["leader"] != mover:
        raise PositionError(f"leader: {state['leader']}, but player {mover} is about to lead")
    if phase == PHASE_TAKE:
        _check_take(state, mover)
    if phase == PHASE_ADD:
        _check_chosen(states, given.get("chosen", ()), rules)
    batch.list_games(states)
    if phase in (PHASE_ADD, PHASE_TAKE) and int(state["legal"]).bit_count() + state["may_end"] < 2:
        raise PositionError(f"phase: {name} leaves no choice here; give the position before or after it")


def _check_take(state: Any, mover: int) -> None:
    beaten = int(state["beaten"])
    if not beaten or not batch.is_play(np.uint64(beaten)):
        raise PositionError(f"beaten: {', '.join(names_of(beaten)) or 'no cards'} are no set")
    if not batch.beats_play(state["table"], state["beaten"]):
        raise PositionError(
            f"beaten: {', '.join(names_of(beaten))} are not beaten by {', '.join(names_of(state['table']))}"
        )
    if int(state["hand"][mover]).bit_count() >= HAND_SIZE:
        raise PositionError(f"players[{mover}].hand: {HAND_SIZE} cards, and one is to be taken")


def _check_chosen(states: np.ndarray, names: Sequence[str], rules: RuleSet) -> None:
    state = states[0]
    if rules.play_actions == "whole":
        raise PositionError("phase: add does not occur with whole plays")
    if not names:
        raise PositionError("chosen: no cards, in phase add")
    hand = int(state["hand"][state["player"]])
    state["phase"] = PHASE_FOLLOW if state["table"] else PHASE_LEAD
    batch.list_games(states)
    for name in names:
        card = CARD_OF_NAME[name]
        if not hand >> card & 1:
            raise PositionError(f"chosen: {name} is not in the hand of the player to move")
        if not batch.begin_play(states, card):
            raise PositionError(f"chosen: {', '.join(names)} begin no legal play, because of {name}")


def write_position(states: np.ndarray, rules: RuleSet) -> dict[str, Any]:
    """Return the position of a record (shape (1,)) with every field."""
    state = states[0]
    ended = state["phase"] == PHASE_OVER

    def seat(field: str) -> int | None:
        return None if state[field] == NOBODY else int(state[field])

    return {
        "game": GAME,
        "rules": rules.as_dict(),
        "phase": PHASES[state["phase"]],
        "to_move": None if ended else seat("player"),
        "leader": seat("leader"),
        "owner": seat("owner"),
        "hand_leader": seat("hand_leader"),
        "passed": [one for one in range(rules.players) if state["passed"] >> one & 1],
        "players": [
            {
                "hand": names_of(state["hand"][one]),
                "public": names_of(state["public"][one]),
                "points": int(state["points"][one]),
            }
            for one in range(rules.players)
        ],
        **{field: names_of(state[field]) for field in ("table", "beaten", "chosen", "discard", "undealt")},
        "hands_played": int(state["hands_played"]),
    }

"""What a position must satisfy to be one that can occur in a game."""

from __future__ import annotations

import itertools

from onirim_env.cards import (
    DOORS_PER_COLOUR,
    FACE_UP,
    FIRST_DOOR,
    KEY,
    N_COLOURS,
    N_SYMBOLS,
    NIGHTMARE,
    PERSONAL_HAND,
    PROPHECY_SIZE,
    SERIES_LENGTH,
    SHARED_HAND,
    SOLO_HAND,
)
from onirim_env.errors import PositionError
from onirim_env.expansions import ALL_KIND_NAMES
from onirim_env.json_kinds import check_number
from onirim_env.positions.words import Cards, Described, series_length
from onirim_env.rules import RuleSet

_PHASE_1 = ("action", "swap", "swap_in", "prophecy_discard", "prophecy_order", "series", "draft")
"""Phases in which Limbo is always empty."""

_MISSING = {"action": 0, "swap": 1, "swap_in": 2, "prophecy_discard": 1, "prophecy_order": 1, "series": 1}
"""How many cards of the hand that the player to move fills are missing in a phase."""


def check_rows(rows: list[list[int]], architects: int = 0) -> None:
    """Refuse two equal symbols side by side (P-1), but for as many as Architects have put there."""
    for player, row in enumerate(rows):
        for before, after in itertools.pairwise(ALL_KIND_NAMES[kind] for kind in row):
            if before.split()[-1] == after.split()[-1]:
                architects -= 1
                if architects < 0:
                    raise PositionError(f"players[{player}].row: {after!r} cannot follow {before!r} (P-1)")


def check_described(described: Described) -> None:
    """Refuse cards that cannot lie as they do in the phase; a lost game may have ended in any of them.

    Parameters
    ----------
    described
        A position of a base game.

    Raises
    ------
    PositionError
        The message names the field.
    """
    rules, phase, to_move, _, fields, _, cards, *_ = described
    follows = fields.get("prophecy_follows", False)
    check_rows(cards.rows)
    if phase in _PHASE_1 and cards.limbo:
        raise PositionError(f"limbo: {ALL_KIND_NAMES[cards.limbo[0]]!r} cannot be there in phase {phase}")
    if rules.players == 1 and cards.shared:
        raise PositionError(f"shared: {ALL_KIND_NAMES[cards.shared[0]]!r} in a solo game")
    if phase in ("swap", "swap_in") and rules.players == 1:
        raise PositionError(f"phase: {phase} needs two players")
    if phase != "lost" and (cards.swapping is not None) != (phase == "swap_in"):
        raise PositionError(f"swapping: a card in phase swap_in only, and always there, not in {phase}")
    if follows and phase not in ("swap", "swap_in", "lost"):
        raise PositionError(f"prophecy_follows: true in phases swap and swap_in only, not in {phase}")
    if phase == "draft":
        check_draft(rules, to_move, cards)
    else:
        _check_hands(rules, phase, to_move, cards)
    _check_doors(rules, phase, cards)
    _check_drawn(rules, phase, to_move, cards)
    check_prophecy(rules, phase, cards, described.deck_size)
    if phase == "series":
        _check_series(rules, to_move, cards)


def _check_hands(rules: RuleSet, phase: str, to_move: int, cards: Cards) -> None:
    size = SOLO_HAND if rules.players == 1 else PERSONAL_HAND
    shared_size = 0 if rules.players == 1 else FACE_UP if phase == "lost" else SHARED_HAND
    for player, hand in enumerate(cards.hands):
        if len(hand) > size:
            raise PositionError(
                f"players[{player}].hand: {len(hand)} cards, {ALL_KIND_NAMES[hand[size]]!r} is one too many; "
                f"{size} at most"
            )
        if player != to_move and len(hand) != size and phase not in ("won", "lost"):
            raise PositionError(f"players[{player}].hand: {len(hand)} cards; the partner holds {size}")
    if len(cards.shared) > shared_size and rules.players > 1:
        raise PositionError(
            f"shared: {len(cards.shared)} cards, {ALL_KIND_NAMES[cards.shared[shared_size]]!r} is one too "
            f"many; {shared_size} at most"
        )
    held = len(cards.hands[to_move]) + len(cards.shared)
    full = size + shared_size
    where = f"players[{to_move}].hand" + (" and shared" if rules.players > 1 else "")
    if phase in _MISSING and held != full - _MISSING[phase]:
        raise PositionError(f"{where}: {held} cards; phase {phase} has {full - _MISSING[phase]}")
    if phase in ("door", "nightmare") and held == full:
        raise PositionError(f"{where}: {held} cards; phase {phase} has fewer than {full}")


def check_draft(rules: RuleSet, to_move: int, cards: Cards) -> None:
    """Refuse a draft that cannot be: who picks, from how many cards, and what is there already (C-1)."""
    if rules.players == 1 or rules.draft != "choice":
        raise PositionError('phase: draft needs two players and the option draft="choice"')
    sizes = [len(hand) for hand in cards.hands]
    if sum(sizes) + len(cards.shared) != FACE_UP:
        raise PositionError(
            f"shared: {len(cards.shared)} cards and hands of {sizes}; the draft has {FACE_UP}"
        )
    if sizes[0] - sizes[1] != to_move or sum(sizes) >= 2 * PERSONAL_HAND:
        raise PositionError(f"players: hands of {sizes} cards when player {to_move} picks in the draft")
    for player in range(rules.players):
        for field, kinds in (("row", cards.rows[player]), ("doors", cards.doors[player])):
            if kinds:
                raise PositionError(f"players[{player}].{field}: {ALL_KIND_NAMES[kinds[0]]!r} in the draft")


def _check_doors(rules: RuleSet, phase: str, cards: Cards) -> None:
    counts = [[doors.count(FIRST_DOOR + colour) for colour in range(N_COLOURS)] for doors in cards.doors]
    if rules.players == 1:
        won = min(counts[0]) >= DOORS_PER_COLOUR
    else:
        won = min(min(one) for one in counts) > 0
        check_duplicates(rules, cards.doors, 1)
    if won != (phase == "won"):
        state = "all Doors are in play" if won else "Doors are missing"
        raise PositionError(f"phase: {phase} when {state}; that is a won game exactly with all of them")


def check_duplicates(rules: RuleSet, doors: list[list[int]], most: int) -> None:
    """Refuse more Doors of a colour before a player of co-op than are of use (O-20, G-2)."""
    if rules.players == 1 or rules.duplicate_door == "kept":
        return
    for player, kinds in enumerate(doors):
        for kind in kinds:
            if kinds.count(kind) > most:
                number = "second" if most == 1 else "third"
                raise PositionError(
                    f"players[{player}].doors: a {number} {ALL_KIND_NAMES[kind]!r} "
                    'needs duplicate_door="kept"'
                )


def _check_drawn(rules: RuleSet, phase: str, to_move: int, cards: Cards) -> None:
    drawn = cards.drawn
    name = None if drawn is None else ALL_KIND_NAMES[drawn]
    if phase == "nightmare":
        if drawn != NIGHTMARE:
            raise PositionError(f"drawn: {name!r}; phase nightmare needs 'nightmare'")
    elif phase == "door":
        if drawn is None or drawn == NIGHTMARE:
            raise PositionError(f"drawn: {name!r}; phase door needs a Door")
        if rules.door_key == "automatic":
            raise PositionError('phase: there is no phase door with door_key="automatic"')
        key = (drawn - FIRST_DOOR) * N_SYMBOLS + KEY
        if key not in cards.hands[to_move] + cards.shared:
            raise PositionError(f"drawn: {name!r} without a {ALL_KIND_NAMES[key]!r} in the hand asks nothing")
        if _useless(rules, cards.doors[to_move], drawn):
            raise PositionError(f"drawn: {name!r} is in play already and asks nothing")
    elif drawn is not None and phase != "lost":
        raise PositionError(f"drawn: {name!r} in phase {phase}; only door and nightmare have one")


def _useless(rules: RuleSet, doors: list[int], door: int) -> bool:
    return rules.players > 1 and rules.duplicate_door == "limbo" and door in doors


def check_prophecy(rules: RuleSet, phase: str, cards: Cards, deck_size: int) -> None:
    """Refuse cards of a Prophecy that cannot be under way so (P-8, P-9)."""
    revealed, placed = cards.revealed, cards.placed
    if phase == "lost":
        check_number("revealed", revealed + placed, PROPHECY_SIZE)
        return
    if phase not in ("prophecy_discard", "prophecy_order"):
        for field, kinds in (("revealed", revealed), ("placed", placed)):
            if kinds:
                raise PositionError(f"{field}: {ALL_KIND_NAMES[kinds[0]]!r} in phase {phase}")
        return
    number = len(revealed) + len(placed)
    sizes = {PROPHECY_SIZE}
    if phase == "prophecy_discard":
        if placed:
            raise PositionError(f"placed: {ALL_KIND_NAMES[placed[0]]!r} before a card was discarded")
        if not revealed:
            raise PositionError("revealed: empty in phase prophecy_discard")
    else:
        sizes = {PROPHECY_SIZE - 1, PROPHECY_SIZE if rules.prophecy_discard == "optional" else 0}
        if len(set(revealed)) < 2:
            raise PositionError("revealed: cards of at least two kinds in phase prophecy_order")
    if number > max(sizes) or (number not in sizes and deck_size):
        raise PositionError(
            f"revealed: {number} cards with those placed; phase {phase} has {max(sizes)}, "
            "fewer only when the deck has no other"
        )


def _check_series(rules: RuleSet, to_move: int, cards: Cards) -> None:
    row = cards.rows[to_move]
    if rules.series_search != "choice":
        raise PositionError('phase: series needs the option series_search="choice"')
    if series_length(row) != SERIES_LENGTH:
        raise PositionError(f"players[{to_move}].row: no series has just been completed")
    if _useless(rules, cards.doors[to_move], FIRST_DOOR + row[-1] // N_SYMBOLS):
        raise PositionError(f"players[{to_move}].doors: a series of a colour in play asks nothing")

"""Positions of games with expansions: refusing what cannot lie as it does in a phase."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from onirim_env.cards import FACE_UP, PERSONAL_HAND, PROPHECY_SIZE, SHARED_HAND, SOLO_HAND
from onirim_env.engine.expansions.asking import question_of
from onirim_env.errors import PositionError, quoted
from onirim_env.expansions import ALL_KIND_NAMES, EXPANSION_TABLES, expansion_of
from onirim_env.expansions.looks import may_be_public
from onirim_env.expansions.shared import MOST_LOOKED
from onirim_env.json_kinds import check_number
from onirim_env.positions.checks import check_draft, check_duplicates, check_prophecy, check_rows
from onirim_env.positions.phases import (
    AFTER_A_CARD,
    DRAWN,
    FREE,
    MAY_BE_DRAWN,
    MAY_BE_OPEN,
    MOST_REVEALED,
    OF_TWO,
    ONLY_IN,
    PHASES_OF_FIELD,
    PLACED,
    QUESTIONS,
    REVEALED,
    WHILE_FILLING,
    WHOLE_LOOK,
    comes_before_action,
    is_acted,
    is_begun,
    may_be_first,
)
from onirim_env.positions.words import Cards, Described
from onirim_env.rules import RuleSet


def _check_fields(rules: RuleSet, phase: str, position: Mapping[str, Any], cards: Cards) -> None:
    """Refuse fields that cannot be there in the phase, and phases of expansions that are not.

    Parameters
    ----------
    rules, phase
        Those of the position.
    position
        The fields of the position that are given, as plain values.
    cards
        Its cards.

    Raises
    ------
    PositionError
        The message names the field.
    """
    for expansion in EXPANSION_TABLES:
        if phase in expansion.phases and expansion.keyword not in rules.expansions:
            raise PositionError(
                f"phase: {phase} is one of {expansion.keyword}, which is not among expansions"
            )
    if phase in OF_TWO and rules.players == 1:
        raise PositionError(f"phase: {phase} needs two players")
    if phase in ("won", "lost"):  # a game may end in the middle of anything
        return
    _check_public(rules, phase, position.get("revealed_public"))
    _check_drawn(phase, position.get("drawn"))
    for field, phases in PHASES_OF_FIELD.items():
        _check_field(field, phase, phases, position.get(field), required=True)
    for field, phases in ONLY_IN.items():
        _check_field(field, phase, phases, position.get(field), required=False)
    _check_field("revealed", phase, REVEALED, position.get("revealed"), required=True)
    _check_field("placed", phase, PLACED, position.get("placed"), required=False)


def _check_public(rules: RuleSet, phase: str, public: bool | None) -> None:
    """Refuse cards shown to both players where a look is secret, and cards shown to one where it is not."""
    choices = may_be_public(phase, rules.expansions) if rules.players > 1 else set()
    wrong = True not in choices if public else public is False and choices == {True}
    if wrong:
        raise PositionError(f"revealed_public: {str(public).lower()}, but phase {phase} has no such look")


def _check_drawn(phase: str, drawn: str | None) -> None:
    allowed = DRAWN.get(phase, MAY_BE_DRAWN.get(phase, ()))
    if drawn is None and phase not in DRAWN:
        return
    if drawn not in allowed:
        names = " or ".join(map(repr, allowed)) or "nothing"
        raise PositionError(f"drawn: {drawn!r} in phase {phase}, which draws {names}")


def _check_field(field: str, phase: str, phases: tuple[str, ...], value: Any, required: bool) -> None:
    says = value is not None if field == "swapped_goal" else bool(value)  # that is a place, from 0 on
    if says and phase not in phases:
        raise PositionError(f"{field}: {quoted(value)} in phase {phase}; it is for {', '.join(phases)} only")
    if required and not says and phase in phases:
        raise PositionError(f"{field}: {quoted(value)}, but phase {phase} needs it")


def _check_sizes(rules: RuleSet, phase: str, cards: Cards) -> None:
    """Refuse more cards than can lie in a zone."""
    hand = SOLO_HAND if rules.players == 1 else PERSONAL_HAND
    shared = 0 if rules.players == 1 else FACE_UP if phase in ("draft", "lost") else SHARED_HAND
    for player, kinds in enumerate(cards.hands):
        check_number(f"players[{player}].hand", kinds, hand)
    check_number("shared", cards.shared, shared)
    check_number("revealed", cards.revealed + cards.placed, MOST_LOOKED)


def check_described(described: Described) -> None:
    """Refuse zones that cannot be, and cards that cannot lie as they do in the phase.

    Parameters
    ----------
    described
        A position of a game with expansions.

    Raises
    ------
    PositionError
        The message names the field.
    """
    rules, phase, to_move, _, position, _, cards, *_ = described
    played = [expansion_of(keyword) for keyword in rules.expansions]
    _check_sizes(rules, phase, cards)
    _check_fields(rules, phase, position, cards)
    check_rows(cards.rows, sum(expansion.equal_symbols(described) for expansion in played))
    check_duplicates(rules, cards.doors, 2 if "glyphs" in rules.expansions else 1)
    for expansion in played:
        expansion.check(described)
    if phase in ("won", "lost"):
        return
    _check_acted(rules, phase, position)
    if "dreamcatchers" in rules.expansions:
        _check_begun(rules, phase, position)
    if phase == "draft":
        check_draft(rules, to_move, cards)
    else:
        _check_hands(rules, phase, to_move, position, cards)
    _check_limbo(rules, phase, position, cards)
    _check_revealed(rules, phase, cards, described.deck_size)
    for expansion in played:
        expansion.check_under_way(described)
    _check_follows(rules, position)


def _check_acted(rules: RuleSet, phase: str, position: Mapping[str, Any]) -> None:
    acted = is_acted(position)
    before = comes_before_action(position)
    if acted and before:
        raise PositionError(f"acted: true in phase {phase}, which comes before the action of the turn")
    if not acted and not before and not set(MAY_BE_OPEN.get(phase, ())) & set(rules.expansions):
        raise PositionError(f"acted: false in phase {phase}, which comes after the action of the turn")


def _check_begun(rules: RuleSet, phase: str, position: Mapping[str, Any]) -> None:
    """Refuse a turn that has begun with nothing, and one that has not when something has been done."""
    first = may_be_first(position)
    others = set(FREE) & set(rules.expansions) - {"dreamcatchers"}
    if is_begun(position) and first and (phase == "draft" or not others):
        raise PositionError(f"begun: true in phase {phase}, before which nothing but a Book can be used")
    # A Premonition that a Book brings about may have a hand drawn anew, which leads to any open phase.
    may_follow_a_book = first or (phase in MAY_BE_OPEN and not is_acted(position))
    if not is_begun(position) and not may_follow_a_book:
        raise PositionError(f"begun: false in phase {phase}, before which something else has been done")


def _check_hands(rules: RuleSet, phase: str, to_move: int, position: Mapping[str, Any], cards: Cards) -> None:
    size = SOLO_HAND if rules.players == 1 else PERSONAL_HAND
    for player, hand in enumerate(cards.hands):
        if player != to_move and len(hand) != size:
            raise PositionError(f"players[{player}].hand: {len(hand)} cards; the partner holds {size}")
    held = len(cards.hands[to_move]) + len(cards.shared)
    least, most = _hand_sizes(rules, phase, position)
    if not least <= held <= most:
        where = f"players[{to_move}].hand" + (" and shared" if rules.players > 1 else "")
        range_of = f"{most}" if least == most else f"{least} to {most}"
        raise PositionError(f"{where}: {held} cards; phase {phase} has {range_of}")


def _hand_sizes(rules: RuleSet, phase: str, position: Mapping[str, Any]) -> tuple[int, int]:
    """Return how many cards of the hand there are at least and at most."""
    full = SOLO_HAND if rules.players == 1 else PERSONAL_HAND + SHARED_HAND
    # A Keeper is refilled before the action, and a stored card that is played leaves the hand whole.
    stored = "oniverse" in rules.expansions
    if phase == "overload" or comes_before_action(position):
        return full, full
    if not is_acted(position) and (phase == "bottom_order" or not stored):
        return full, full
    if phase in AFTER_A_CARD or phase == "bottom_order":
        swapping = phase == "swap_in"
        return full - 1 - swapping, full - (not stored) - swapping
    if phase in WHILE_FILLING or phase == "payment" or "fetched" in position:
        return 0, full - 1
    if phase == "look_order" or (phase == "free" and "premonitions" not in rules.expansions):
        return 0, full - (not stored)
    return 0, full


def _check_limbo(rules: RuleSet, phase: str, position: Mapping[str, Any], cards: Cards) -> None:
    """Refuse cards in Limbo before a refill (T-1).

    A refill comes before the action with a Treasure Keeper, and Premonitions that are due in a position
    are carried out after any free action.
    """
    due = "premonitions" in rules.expansions and set(FREE) & set(rules.expansions)
    if phase == "draft" or ("oniverse" not in rules.expansions and not due):
        early = phase in AFTER_A_CARD or comes_before_action(position)
        if early and cards.limbo:
            raise PositionError(f"limbo: {ALL_KIND_NAMES[cards.limbo[0]]!r} cannot be there in phase {phase}")


def _check_revealed(rules: RuleSet, phase: str, cards: Cards, deck_size: int) -> None:
    if phase.startswith("prophecy"):
        check_prophecy(rules, phase, cards, deck_size)
        return
    revealed = cards.revealed + cards.placed
    most = MOST_REVEALED.get(phase, PROPHECY_SIZE) if "premonitions" in rules.expansions else PROPHECY_SIZE
    check_number("revealed", revealed, most)
    if phase in WHOLE_LOOK and len(revealed) < PROPHECY_SIZE and deck_size:
        raise PositionError(
            f"revealed: {len(revealed)} cards; phase {phase} has {PROPHECY_SIZE}, "
            "fewer only when the deck has no other"
        )


def _check_follows(rules: RuleSet, position: Mapping[str, Any]) -> None:
    follows = position.get("follows")
    if follows is None:
        return
    if position.get("prophecy_follows"):
        raise PositionError(f"follows: {follows!r} together with prophecy_follows")
    expansion = "glyphs" if follows == "incantation" else "towers"
    if expansion not in rules.expansions:
        raise PositionError(f"follows: {follows!r} is one of {expansion}, which is not among expansions")


def check_question(state: np.ndarray, phase: str) -> None:
    """Refuse a state (shape (1,)) that is won and goes on, or the reverse, and one that would ask nothing."""
    asks, won = question_of(state.copy())
    if won != (phase == "won"):
        met = "all conditions of victory are met" if won else "conditions of victory are missing"
        raise PositionError(f"phase: {phase} when {met}; that is a won game exactly with all of them")
    if not asks and phase != "lost":
        reason = QUESTIONS.get(phase, "revealed: cards of at least two kinds are needed")
        raise PositionError(f"{reason}, which phase {phase} needs")

"""Positions of games with modules: refusing what cannot lie as it does in a phase."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from onirim_env.cards import (
    DOORS_PER_COLOUR,
    FACE_UP,
    N_COLOURS,
    PERSONAL_HAND,
    PROPHECY_SIZE,
    SERIES_LENGTH,
    SHARED_HAND,
    SOLO_HAND,
)
from onirim_env.errors import PositionError, quoted
from onirim_env.module_phases import (
    AFTER_A_CARD,
    BY_A_BOOK,
    DRAWN,
    FREE,
    MAY_BE_DRAWN,
    MAY_BE_OPEN,
    MOST_REVEALED,
    NEVER_ACTED,
    OF_TWO,
    ONLY_IN,
    PHASES_OF_FIELD,
    PLACED,
    QUESTIONS,
    REVEALED,
    WHILE_FILLING,
    WHOLE_LOOK,
)
from onirim_env.modules import ALL_KIND_NAMES, MODULES
from onirim_env.modules.crossroads import CROSSROADS
from onirim_env.modules.looks import may_be_public
from onirim_env.modules.premonitions import HAPPY_LOOK_SIZE
from onirim_env.modules.table import DOORS
from onirim_env.modules.towers import edges_of
from onirim_env.position_checks import (
    check_draft,
    check_duplicates,
    check_number,
    check_prophecy,
    check_rows,
)
from onirim_env.position_reader import Cards
from onirim_env.rules import RuleSet


def comes_before_action(position: Mapping[str, Any]) -> bool:
    """Return whether the phase is one in which the action of the turn is never taken yet (T-2)."""
    phase = position.get("phase", "action")
    return phase in NEVER_ACTED or (phase == "payment" and "drawn" not in position)


def is_acted(position: Mapping[str, Any]) -> bool:
    """Return whether the action of the turn is taken; where it is not said, what the phase says."""
    acted: bool = position.get("acted", not comes_before_action(position))
    return acted


def may_be_first(position: Mapping[str, Any]) -> bool:
    """Return whether nothing but Failsafe Books may have been used in the turn so far (D-8)."""
    phase = position.get("phase", "action")
    return phase in ("draft", "action") or (phase in BY_A_BOOK and not is_acted(position))


def is_begun(position: Mapping[str, Any]) -> bool:
    """Return whether something else has been done in the turn; where it is not said, what the phase says."""
    begun: bool = position.get("begun", not may_be_first(position))
    return begun


def check_fields(rules: RuleSet, phase: str, position: Mapping[str, Any], cards: Cards) -> None:
    """Refuse fields that cannot be there in the phase, and phases of modules that are not.

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
    for module in MODULES:
        if phase in module.phases and module.keyword not in rules.expansions:
            raise PositionError(f"phase: {phase} is one of {module.keyword}, which is not among expansions")
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
    if phase == "overload" and not cards.limbo:
        raise PositionError("limbo: no card, but phase overload has some")


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


def check_sizes(rules: RuleSet, phase: str, cards: Cards) -> None:
    """Refuse more cards than can lie in a zone."""
    hand = SOLO_HAND if rules.players == 1 else PERSONAL_HAND
    shared = 0 if rules.players == 1 else FACE_UP if phase in ("draft", "lost") else SHARED_HAND
    for player, kinds in enumerate(cards.hands):
        check_number(f"players[{player}].hand", kinds, hand)
    check_number("shared", cards.shared, shared)
    check_number("revealed", cards.revealed + cards.placed, HAPPY_LOOK_SIZE)


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


def check_premonitions(position: Mapping[str, Any]) -> None:
    """Refuse a Premonition at two places: each is there once."""
    for field in ("premonitions", "premonition_reserve"):
        others = list(position.get("premonitions", ()))
        others += position.get("premonition_reserve", ()) if field != "premonitions" else ()
        for name, number in Counter(others).items():
            if number > 1:
                raise PositionError(f"{field}: {name!r} twice; each Premonition is there once")
    face_up = (*position.get("premonitions", ()), *position.get("premonition_reserve", ()))
    under_way = {position.get("premonition"), "blue2" if position.get("premonition_keys") else None}
    for name in face_up:
        if name in under_way:
            raise PositionError(f"premonitions: {name!r} is out of the game once it is carried out")


def check_module_position(
    rules: RuleSet, phase: str, to_move: int, position: Mapping[str, Any], cards: Cards, deck_size: int
) -> None:
    """Refuse zones that cannot be, and cards that cannot lie as they do in the phase.

    Parameters
    ----------
    rules, phase, to_move
        Those of the position.
    position
        The fields of the position that are given, as plain values.
    cards
        Its cards; those named nowhere have been put on the discard pile, if that is where they go.
    deck_size
        How many cards the deck has, those that lie revealed not counted.

    Raises
    ------
    PositionError
        The message names the field.
    """
    check_rows(cards.rows, _architects_used(phase, position, cards))
    check_duplicates(rules, cards.doors, 2 if "glyphs" in rules.expansions else 1)
    if "book_of_steps" in rules.expansions:
        _check_goals(rules, position, cards)
    if "towers" in rules.expansions:
        _check_towers(position.get("towers", []))
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
    _check_revealed(rules, phase, cards, deck_size)
    _check_under_way(rules, phase, to_move, position, cards)


def _architects_used(phase: str, position: Mapping[str, Any], cards: Cards) -> int:
    """Return how many Architects may have put a card in a row; one may be about to."""
    used = [ALL_KIND_NAMES[kind] for kind in cards.discard].count("architect")
    used += position.get("removed", []).count("architect") - (phase == "architect")
    if used < 0:
        raise PositionError("discard: no Architect, which is used in phase architect")
    return used


def _check_goals(rules: RuleSet, position: Mapping[str, Any], cards: Cards) -> None:
    number = DOORS_PER_COLOUR + ("glyphs" in rules.expansions)
    wanted = dict.fromkeys(DOORS[:N_COLOURS], number)
    if "oniverse" in rules.expansions:
        wanted[DOORS[N_COLOURS]] = 1
    goals = position.get("goals", [])
    for door, least in wanted.items():
        if goals.count(door) != least:
            raise PositionError(f"goals: {goals.count(door)} of {door!r}; the game has {least}")
    if len(goals) > sum(wanted.values()):
        raise PositionError("goals: an 'oniverse door', which the game does not have")
    if "goals_met" not in position:
        return
    met = Counter(goals[place] for place in position["goals_met"])
    doors = Counter(ALL_KIND_NAMES[kind] for one in cards.doors for kind in one)
    for door in wanted:
        if met[door] != doors[door]:
            raise PositionError(
                f"goals_met: {met[door]} Goals of {door!r} with {doors[door]} such Doors in play; "
                "as many have to lie face down"
            )


def _check_towers(towers: list[str]) -> None:
    for left, right in itertools.pairwise(towers):
        if set(edges_of(left)[1]) & set(edges_of(right)[0]):
            raise PositionError(f"towers: {right!r} cannot touch {left!r} (TW-2)")


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
    if not is_begun(position) and not first:
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
    """Refuse cards in Limbo before a refill (rules 1.9).

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


def _check_under_way(
    rules: RuleSet, phase: str, to_move: int, position: Mapping[str, Any], cards: Cards
) -> None:
    """Refuse what a module has begun and cannot go on with."""
    if phase == "payment" and ("punishment" in position["spell"]) != ("drawn" in position):
        raise PositionError(f"drawn: {position.get('drawn')!r} while {position['spell']!r} is paid")
    _check_follows(rules, position)
    groups = position.get("dreamcatchers")
    if groups is not None and not groups:
        raise PositionError("dreamcatchers: none is left, but the game is not lost")
    kept = position.get("kept_dreamcatcher")
    if kept is not None:
        if "fetched" in position:
            raise PositionError(
                f"kept_dreamcatcher: {kept}, but this search has found {position['fetched']!r}"
            )
        if groups is None or not groups[kept - 1]:
            raise PositionError(f"kept_dreamcatcher: {kept} has no cards")
    given = position.get("given")
    if given is not None:
        shared = given.startswith("shared ")
        hand = cards.shared if shared else cards.hands[to_move]
        if given.removeprefix("shared ") not in [ALL_KIND_NAMES[kind] for kind in hand]:
            raise PositionError(f"given: {given!r} is not in the hand")


def _check_follows(rules: RuleSet, position: Mapping[str, Any]) -> None:
    follows = position.get("follows")
    if follows is None:
        return
    if position.get("prophecy_follows"):
        raise PositionError(f"follows: {follows!r} together with prophecy_follows")
    module = "glyphs" if follows == "incantation" else "towers"
    if module not in rules.expansions:
        raise PositionError(f"follows: {follows!r} is one of {module}, which is not among expansions")


def check_question(state: np.ndarray, rules: RuleSet, phase: str) -> None:
    """Refuse a state (shape (1,)) that is won and goes on, or the reverse, and one that would ask nothing."""
    from onirim_env.engine.modules.asking import question_of

    asks, won = question_of(state.copy())
    if won != (phase == "won"):
        met = "all conditions of victory are met" if won else "conditions of victory are missing"
        raise PositionError(f"phase: {phase} when {met}; that is a won game exactly with all of them")
    if not asks and phase != "lost":
        reason = QUESTIONS.get(phase, "revealed: cards of at least two kinds are needed")
        raise PositionError(f"{reason}, which phase {phase} needs")

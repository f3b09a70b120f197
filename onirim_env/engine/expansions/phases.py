"""What may be done in games with expansions beyond the base game, and how it is carried out.

Here stands what base actions do with the cards of expansions. What an expansion brings itself stands in its
own file, and comes in at ``list_action``, ``list_nightmare`` and ``list_door`` (further actions in phases of
the base game), ``list_phase`` (the actions of its own phases), ``apply_more`` (what each action does), and
``after_discard`` and ``after_swap`` (what follows a discarded card).
"""

from __future__ import annotations

import numpy as np

from onirim_env.actions import FIRST_EXPANSION_CODE
from onirim_env.compiling.compile import rule
from onirim_env.engine.action import swap_in, swap_out
from onirim_env.engine.expansions import (
    book_of_steps,
    crossroads,
    denizens,
    dreamcatchers,
    glyphs,
    looking,
    oniverse,
    premonitions,
    towers,
)
from onirim_env.engine.expansions.cards import DEAD_END, KEY_KINDS, door_of, is_in
from onirim_env.engine.expansions.codes import argument_of, family, first_of, list_new_kinds
from onirim_env.engine.expansions.declared import DONE, GO_ON, NOT_MINE, put_in_row
from onirim_env.engine.expansions.effects import open_with
from onirim_env.engine.expansions.series import apply_series
from onirim_env.engine.expansions.state import BOOK, CATCHING, CROSSROADS, NOTHING_FOLLOWS, ONIVERSE, TOWERS
from onirim_env.engine.hand import discard_from, kinds_in, remove
from onirim_env.engine.prophecy import (
    discard_revealed,
    discardable_kinds,
    kinds_to_place,
    place_revealed,
    prophesy,
)
from onirim_env.engine.row import playable_kinds
from onirim_env.engine.setup import take
from onirim_env.engine.state import (
    PHASE_ACTION,
    PHASE_DOOR,
    PHASE_DRAFT,
    PHASE_NIGHTMARE,
    PHASE_PROPHECY_DISCARD,
    PHASE_PROPHECY_ORDER,
    PHASE_SERIES,
    PHASE_SWAP,
    PHASE_SWAP_IN,
    PHASES,
    SHARED,
    TWO_PLAYERS,
    WHOLE_PROPHECIES,
)
from onirim_env.engine.turn import refill

PLAY, DISCARD = family("PLAY"), family("DISCARD")
PLAY_SHARED, DISCARD_SHARED = family("PLAY_SHARED"), family("DISCARD_SHARED")
PROPHECY_DISCARD, PROPHECY_PLACE = family("PROPHECY_DISCARD"), family("PROPHECY_PLACE")
SWAP_OUT, SWAP_IN, TAKE = family("SWAP_OUT"), family("SWAP_IN"), family("TAKE")
OPEN_WITH, OPEN_WITH_SHARED = family("OPEN_WITH"), family("OPEN_WITH_SHARED")
DISCARDABLE = ~(1 << DEAD_END)
N_BASE_PHASES = len(PHASES)


@rule
def list_more(state, legal):
    """List what expansions bring: further actions in the base phases, and those of their own phases."""
    phase = state.phase
    player = np.int64(state.player)
    if phase == PHASE_ACTION:
        list_action(state, player, legal)
    elif phase == PHASE_NIGHTMARE:
        list_nightmare(state, player, legal)
    elif phase == PHASE_DOOR:
        list_door(state, player, legal)
    elif phase == PHASE_PROPHECY_DISCARD:
        if state.rules & WHOLE_PROPHECIES == 0:
            list_new_kinds(discardable_kinds(state), PROPHECY_DISCARD, legal)
    elif phase == PHASE_PROPHECY_ORDER:
        list_new_kinds(kinds_to_place(state), PROPHECY_PLACE, legal)
    elif phase == PHASE_SWAP:
        list_new_kinds(kinds_in(state, player), SWAP_OUT, legal)
    elif phase == PHASE_SWAP_IN:
        list_new_kinds(kinds_in(state, SHARED), SWAP_IN, legal)
    elif phase == PHASE_DRAFT:
        list_new_kinds(kinds_in(state, SHARED), TAKE, legal)
    else:
        list_phase(state, legal)


@rule
def list_action(state, player, legal):
    """List what else may be done in phase 1. What a seed picks at random depends on the order."""
    list_new_cards(state, player, legal)
    if state.rules & ONIVERSE:
        denizens.list_stored(state, player, legal)
    if state.rules & BOOK:
        book_of_steps.list_spells(state, legal)
    if state.rules & CATCHING:
        dreamcatchers.list_books(state, legal)
    if state.rules & TOWERS:
        towers.list_towers(state, player, legal)
    if state.rules & CROSSROADS:
        crossroads.list_escape(state, legal)
    if state.rules & ONIVERSE:
        denizens.list_powers(state, player, legal)


@rule
def list_nightmare(state, player, legal):
    """List further answers to a Nightmare."""
    if state.rules & CROSSROADS:
        crossroads.list_nightmare(state, player, legal)
    if state.rules & ONIVERSE:
        oniverse.list_return(state, player, legal)
    if state.rules & BOOK:
        book_of_steps.list_punishment(state, legal)
    if state.rules & ONIVERSE:
        oniverse.list_mirror(state, legal)


@rule
def list_door(state, player, legal):
    """List further Keys for the drawn Door."""
    door = door_of(np.int64(state.drawn))
    if state.rules & CROSSROADS:
        crossroads.list_door(state, player, legal)
    if state.rules & ONIVERSE:
        oniverse.list_door(state, player, door, legal)


@rule
def list_phase(state, legal):
    """List the actions of the phases that expansions bring."""
    looking.list_phase(state, legal)
    book_of_steps.list_phase(state, legal)
    glyphs.list_phase(state, legal)
    dreamcatchers.list_phase(state, legal)
    towers.list_phase(state, legal)
    premonitions.list_phase(state, legal)
    oniverse.list_phase(state, legal)


@rule
def list_new_cards(state, player, legal):
    """List plays and discards of the cards of expansions in phase 1."""
    playable = playable_kinds(state, player)
    own, shared = kinds_in(state, player), kinds_in(state, SHARED)
    list_new_kinds(own & playable, PLAY, legal)
    list_new_kinds(own & DISCARDABLE, DISCARD, legal)
    list_new_kinds(shared & playable, PLAY_SHARED, legal)
    list_new_kinds(shared & DISCARDABLE, DISCARD_SHARED, legal)


@rule
def apply_more(state, player, code):
    """Carry out an action that an expansion brings; return whether it was one."""
    if state.phase == PHASE_SERIES:
        apply_series(state, code)
        return True
    if state.phase == PHASE_ACTION and state.rules & CATCHING:
        dreamcatchers.note_begin(state, code)
    if code < FIRST_EXPANSION_CODE and state.phase < N_BASE_PHASES:
        return False
    follows = (
        apply_new_card(state, player, code)
        or looking.apply(state, code)
        or book_of_steps.apply(state, code)
        or glyphs.apply(state, code)
        or dreamcatchers.apply(state, code)
        or towers.apply(state, code)
        or premonitions.apply(state, code)
        or crossroads.apply(state, code)
        or oniverse.apply(state, code)
    )
    if follows == GO_ON:
        refill(state)
    return True


@rule
def apply_new_card(state, player, code):
    """Carry out a base action with a card of an expansion; return what follows (``declared.py``)."""
    phase = state.phase
    verb, kind = first_of(code), argument_of(code)
    if phase == PHASE_ACTION:
        return apply_action(state, player, verb, kind)
    if phase == PHASE_DOOR and (verb == OPEN_WITH or verb == OPEN_WITH_SHARED):
        return open_with(state, SHARED if verb == OPEN_WITH_SHARED else player, kind)
    if phase == PHASE_PROPHECY_DISCARD:
        discard_revealed(state, kind)
    elif phase == PHASE_PROPHECY_ORDER:
        place_revealed(state, kind)
    elif phase == PHASE_SWAP:
        swap_out(state, kind)
    elif phase == PHASE_SWAP_IN:
        swap_in(state, kind)
    elif phase == PHASE_DRAFT:
        take(state, kind)
    else:
        return NOT_MINE
    return DONE


@rule
def apply_action(state, player, verb, kind):
    """Phase 1: play or discard a card of an expansion, if that is the action; return what follows."""
    if verb == PLAY:
        play(state, player, kind)
    elif verb == PLAY_SHARED:
        play(state, SHARED, kind)
    elif verb == DISCARD:
        discard(state, player, kind)
    elif verb == DISCARD_SHARED:
        discard(state, SHARED, kind)
    else:
        return NOT_MINE
    return DONE


@rule
def play(state, hand, kind):
    """Put a card of a hand at the end of the own row."""
    remove(state, hand, kind)
    put_in_row(state, kind)


@rule
def discard(state, hand, kind):
    """Discard a card of a hand (P-7, G-3, TW-3)."""
    discard_from(state, hand, kind)
    after_discard(state, kind)


@rule
def after_discard(state, kind):
    """Note what a discarded card brings; in co-op the swap comes first (C-7, O-22)."""
    state.acted = 1
    state.prophecy_follows = 1 if is_in(kind, KEY_KINDS) else 0
    state.follows = NOTHING_FOLLOWS
    glyphs.note_discard(state, kind)
    towers.note_discard(state, kind)
    if state.rules & TWO_PLAYERS:
        state.phase = PHASE_SWAP
    else:
        after_swap(state)


@rule
def after_swap(state):
    """Go on after the swap: a Prophecy, what expansions bring, or the refill."""
    prophecy, follows = state.prophecy_follows, np.int64(state.follows)
    state.prophecy_follows = 0
    state.follows = NOTHING_FOLLOWS
    if prophecy:
        prophesy(state)
    elif not (glyphs.asks_after_discard(state, follows) or towers.asks_after_discard(state, follows)):
        refill(state)

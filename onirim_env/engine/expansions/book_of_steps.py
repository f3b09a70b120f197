"""The Book of Steps Lost and Found: Goals and spells."""

from __future__ import annotations

import numpy as np

from onirim_env.cards import N_COLOURS
from onirim_env.compiling.compile import rule
from onirim_env.compiling.rng import random_below
from onirim_env.engine.expansions.codes import argument_of, family, first_of, list_kinds
from onirim_env.engine.expansions.deck import put_on_top
from onirim_env.engine.expansions.declared import DONE, GO_ON, NOT_MINE
from onirim_env.engine.expansions.effects import end_nightmare
from onirim_env.engine.expansions.glyphs import doors_of_colour
from onirim_env.engine.expansions.looking import (
    BOTTOM_ORDER,
    ON_TOP,
    ask_order,
    lift_bottom,
    looked_kinds,
    take_looked,
)
from onirim_env.engine.expansions.state import (
    ANY_GOALS_SWAP,
    HARD_BOOK,
    N_ALL_DOORS,
    NO_GOAL,
    ONIVERSE,
    ONIVERSE_DOOR,
    PHASE,
)
from onirim_env.engine.listing import list_code
from onirim_env.expansions import N_ALL_KINDS
from onirim_env.expansions.book_of_steps import COSTS, PARADOX_SIZE
from onirim_env.observation import MORE_STARTS

PAYMENT, PARADOX, PLANNING = PHASE["payment"], PHASE["paradox"], PHASE["planning"]
SPELL, PAY, GOAL = family("SPELL"), family("PAY"), family("GOAL")
PARADOXICAL_PROPHECY, PARALLEL_PLANNING, POWERFUL_PUNISHMENT = range(1, 4)
SPELL_COSTS = np.array(COSTS, dtype=np.int64)
# Where its fields of an observation begin.
GOALS_AT, GOALS_MET_AT, SWAPPED_AT = (MORE_STARTS[name] for name in ("goals", "goals_met", "swapped_goal"))
SPELL_AT, TO_PAY_AT, REMOVED_AT = (MORE_STARTS[name] for name in ("spell", "to_pay", "removed"))


@rule
def clear(state):
    """Empty the zones of this expansion."""
    state.removed[:] = 0
    state.goals[:] = 0
    state.n_goals = 0
    state.goals_met = 0
    state.spell = 0
    state.to_pay = 0
    state.swapped_goal = NO_GOAL


@rule
def set_goals(state):
    """Shuffle the Goals into a row (B-1, B-5)."""
    for colour in range(N_COLOURS):
        for _ in range(doors_of_colour(state)):
            state.goals[state.n_goals] = colour
            state.n_goals += 1
    if state.rules & ONIVERSE:
        state.goals[state.n_goals] = ONIVERSE_DOOR
        state.n_goals += 1
    for last in range(state.n_goals - 1, 0, -1):
        chosen = random_below(state, last + 1)
        goal = state.goals[last]
        state.goals[last] = state.goals[chosen]
        state.goals[chosen] = goal


@rule
def is_met(state, goal):
    """Whether a Goal lies face down."""
    return state.goals_met >> goal & 1 != 0


@rule
def next_goal(state):
    """Return the first face-up Goal, or NO_GOAL."""
    for goal in range(state.n_goals):
        if not is_met(state, goal):
            return goal
    return NO_GOAL


@rule
def accepts(state, door):
    """Whether a Door is that of the first face-up Goal (B-2)."""
    goal = next_goal(state)
    return goal != NO_GOAL and state.goals[goal] == door


@rule
def close_goal(state):
    """Turn the Goal down that has been met."""
    state.goals_met |= 1 << next_goal(state)


@rule
def open_goal(state, door):
    """Turn the first face-down Goal of a lost Door up again (B-3)."""
    for goal in range(state.n_goals):
        if is_met(state, goal) and state.goals[goal] == door:
            state.goals_met &= ~(1 << goal)
            return


@rule
def cost_of(state, spell):
    """Return what a spell costs (B-4)."""
    return SPELL_COSTS[1 if state.rules & HARD_BOOK else 0, spell - 1]


@rule
def can_pay(state, spell):
    """Whether the discard pile can pay for a spell."""
    cards = 0
    for kind in range(N_ALL_KINDS):
        cards += state.discard[kind]
    return cards >= cost_of(state, spell)


@rule
def may_move(state, goal):
    """Whether Parallel Planning may move a Goal (O-30)."""
    return state.rules & ANY_GOALS_SWAP or not is_met(state, goal)


@rule
def list_spells(state, legal):
    """List the spells of phase 1 that can be paid and do something."""
    if state.deck_size > 0 and can_pay(state, PARADOXICAL_PROPHECY):
        list_code(SPELL + PARADOXICAL_PROPHECY - 1, legal)
    movable = 0
    for goal in range(state.n_goals):
        movable += may_move(state, goal)
    if movable > 1 and can_pay(state, PARALLEL_PLANNING):
        list_code(SPELL + PARALLEL_PLANNING - 1, legal)


@rule
def list_punishment(state, legal):
    """List the spell that answers a Nightmare."""
    if can_pay(state, POWERFUL_PUNISHMENT):
        list_code(SPELL + POWERFUL_PUNISHMENT - 1, legal)


@rule
def discarded_kinds(state):
    """Return the set of kinds on the discard pile, and the number of cards there."""
    kinds, cards = 0, 0
    for kind in range(N_ALL_KINDS):
        if state.discard[kind] > 0:
            kinds |= 1 << kind
        cards += state.discard[kind]
    return kinds, cards


@rule
def pay(state, kind):
    """Remove a discarded card from the game."""
    state.discard[kind] -= 1
    state.removed[kind] += 1
    state.to_pay -= 1


@rule
def is_paid(state):
    """Pay what can be paid in one way only; return whether the spell is paid. If not, ask."""
    kinds, cards = discarded_kinds(state)
    if state.to_pay > 0 and cards > state.to_pay and kinds & (kinds - 1):
        state.phase = PAYMENT
        return False
    for kind in range(N_ALL_KINDS):
        while state.to_pay > 0 and state.discard[kind] > 0:
            pay(state, kind)
    return True


@rule
def begin_spell(state, spell):
    """Begin to pay for a spell; carry it out where that needs no decision. Return what follows."""
    state.spell = spell
    state.to_pay = cost_of(state, spell)
    return cast_if_paid(state)


@rule
def cast_if_paid(state):
    """Carry out the spell under way once it is paid; return what follows."""
    if not is_paid(state):
        return DONE
    spell = state.spell
    state.spell = 0
    if spell == POWERFUL_PUNISHMENT:
        end_nightmare(state, False)
        return GO_ON
    if spell == PARADOXICAL_PROPHECY:
        lift_bottom(state, PARADOX_SIZE)
        state.phase = PARADOX
    else:
        state.phase = PLANNING
    return DONE


@rule
def list_phase(state, legal):
    """List the actions of the phases of this expansion."""
    if state.phase == PAYMENT:
        list_kinds(discarded_kinds(state)[0], PAY, legal)
    elif state.phase == PARADOX:
        list_kinds(looked_kinds(state), ON_TOP, legal)
    elif state.phase == PLANNING:
        last = NO_GOAL
        for goal in range(state.n_goals):
            if may_move(state, goal):
                last = goal
        for goal in range(state.n_goals):
            named_first = state.swapped_goal == NO_GOAL and goal != last
            if may_move(state, goal) and (named_first or goal > state.swapped_goal > NO_GOAL):
                list_code(GOAL + goal, legal)


@rule
def apply(state, code):
    """Carry out an action of this expansion; return what follows (``declared.py``)."""
    verb, argument = first_of(code), argument_of(code)
    if verb == SPELL:
        return begin_spell(state, argument + 1)
    if verb == PAY:
        pay(state, argument)
        return cast_if_paid(state)
    if verb == GOAL:
        return apply_planning(state, argument)
    if state.phase == PARADOX:
        return apply_paradox(state, argument)
    return NOT_MINE


@rule
def apply_paradox(state, kind):
    """Put one of the bottom cards on top, the others back; return what follows."""
    put_on_top(state, take_looked(state, kind))
    return DONE if ask_order(state, BOTTOM_ORDER) else GO_ON


@rule
def apply_planning(state, second):
    """Name a Goal; the second one changes places with the first. Return what follows."""
    first = np.int64(state.swapped_goal)
    if first == NO_GOAL:
        state.swapped_goal = second
        return DONE
    state.swapped_goal = NO_GOAL
    goal = state.goals[first]
    state.goals[first] = state.goals[second]
    state.goals[second] = goal
    if is_met(state, first) != is_met(state, second):
        state.goals_met ^= (1 << first) | (1 << second)
    return GO_ON


@rule
def observe(state, out, row):
    """Write the Goals, the spell under way, and what has been paid."""
    for goal in range(state.n_goals):
        out[row, GOALS_AT + goal * N_ALL_DOORS + state.goals[goal]] = 1.0
        if is_met(state, goal):
            out[row, GOALS_MET_AT + goal] = 1.0
    if state.spell > 0:
        out[row, SPELL_AT + state.spell - 1] = 1.0
    out[row, TO_PAY_AT] = state.to_pay
    if state.swapped_goal != NO_GOAL:
        out[row, SWAPPED_AT + state.swapped_goal] = 1.0
    for kind in range(N_ALL_KINDS):
        out[row, REMOVED_AT + kind] = state.removed[kind]

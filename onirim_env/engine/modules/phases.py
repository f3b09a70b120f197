"""What may be done in games with modules, beyond the base actions, and how it is carried out."""

from __future__ import annotations

import numpy as np

from onirim_env.actions import FIRST_MODULE_CODE
from onirim_env.cards import KEY, N_LOCATION_KINDS, N_SYMBOLS
from onirim_env.engine.action import swap_in, swap_out
from onirim_env.engine.compile import rule
from onirim_env.engine.hand import discard_from, kinds_in, remove
from onirim_env.engine.legal import (
    PLAY,
    PLAY_SHARED,
    list_code,
)
from onirim_env.engine.modules import (
    book_of_steps,
    crossroads,
    dreamcatchers,
    looking,
    oniverse,
    premonitions,
    series,
    towers,
)
from onirim_env.engine.modules.cards import (
    CROSSROAD_KEY,
    DEAD_END,
    DOOR_KINDS,
    FIRST_GLYPH,
    ONIVERSE_KIND,
    door_of,
    is_in,
)
from onirim_env.engine.modules.codes import (
    argument_of,
    family,
    first_of,
    list_kinds,
    list_mixed,
    list_new_kinds,
)
from onirim_env.engine.modules.deck import take_out
from onirim_env.engine.modules.doors import can_keep, check_victory, gain_door, return_door
from onirim_env.engine.modules.flow import (
    discard_hand,
    end_nightmare,
    finish_search,
    nightmare_paid,
    open_with,
    refill,
    shuffle_after_search,
)
from onirim_env.engine.modules.state import (
    BOOK,
    CATCHING,
    CROSSROADS,
    INCANTATION_FOLLOWS,
    INCANTATION_FORCED,
    NOTHING_FOLLOWS,
    ONIVERSE,
    ONIVERSE_DOOR,
    PHASE,
    TOWERS,
)
from onirim_env.engine.prophecy import (
    discard_revealed,
    discardable_kinds,
    kinds_to_place,
    place_revealed,
    prophesy,
)
from onirim_env.engine.setup import take
from onirim_env.engine.state import (
    NO_RETURN_DOOR,
    PHASE_ACTION,
    PHASE_DOOR,
    PHASE_DRAFT,
    PHASE_LOST,
    PHASE_NIGHTMARE,
    PHASE_PROPHECY_DISCARD,
    PHASE_PROPHECY_ORDER,
    PHASE_SERIES,
    PHASE_SWAP,
    PHASE_SWAP_IN,
    SHARED,
    TWO_PLAYERS,
    WHOLE_PROPHECIES,
)
from onirim_env.engine.turn import end_turn
from onirim_env.modules.glyphs import INCANTATION_SIZE
from onirim_env.modules.oniverse import SPIES_SIZE

INCANTATION = PHASE["incantation"]
N_DOOR_END = ONIVERSE_KIND + 1
M_PLAY, M_DISCARD = family("PLAY"), family("DISCARD")
M_PLAY_SHARED, M_DISCARD_SHARED = family("PLAY_SHARED"), family("DISCARD_SHARED")
PLAY_STORED, DISCARD_STORED = family("PLAY_STORED"), family("DISCARD_STORED")
M_PROPHECY_DISCARD, M_PROPHECY_PLACE = family("PROPHECY_DISCARD"), family("PROPHECY_PLACE")
M_SWAP_OUT, M_SWAP_IN, M_TAKE = family("SWAP_OUT"), family("SWAP_IN"), family("TAKE")
M_NIGHTMARE_KEY, M_NIGHTMARE_KEY_SHARED = family("NIGHTMARE_KEY"), family("NIGHTMARE_KEY_SHARED")
M_NIGHTMARE_DOOR = family("NIGHTMARE_DOOR")
TAKE_REVEALED, TAKE_NOTHING = family("INCANTATION"), family("INCANTATION_NOTHING")
DISCARDABLE = ~(1 << DEAD_END)


@rule
def list_more(state, legal):
    """List what modules bring: further actions in the base phases, and those of their own phases."""
    phase = state.phase
    player = np.int64(state.player)
    if phase == PHASE_ACTION:
        list_action(state, player, legal)
    elif phase == PHASE_NIGHTMARE:
        list_nightmare(state, player, legal)
    elif phase == PHASE_DOOR:
        list_door(state, legal)
    elif phase == PHASE_PROPHECY_DISCARD:
        if state.rules & WHOLE_PROPHECIES == 0:
            list_new_kinds(discardable_kinds(state), M_PROPHECY_DISCARD, legal)
    elif phase == PHASE_PROPHECY_ORDER:
        list_new_kinds(kinds_to_place(state), M_PROPHECY_PLACE, legal)
    elif phase == PHASE_SWAP:
        list_new_kinds(kinds_in(state, player), M_SWAP_OUT, legal)
    elif phase == PHASE_SWAP_IN:
        list_new_kinds(kinds_in(state, SHARED), M_SWAP_IN, legal)
    elif phase == PHASE_DRAFT:
        list_new_kinds(kinds_in(state, SHARED), M_TAKE, legal)
    elif phase == INCANTATION:
        list_incantation(state, legal)
    elif phase == oniverse.ARCHITECT:
        list_architect(state, player, legal)
    else:
        looking.list_looking(state, legal)
        book_of_steps.list_book(state, legal)
        dreamcatchers.list_catching(state, legal)
        premonitions.list_premonitions(state, legal)
        oniverse.list_oniverse(state, legal)
        if phase == towers.TOWER_LOSS:
            towers.list_tower_loss(state, legal)


@rule
def list_action(state, player, legal):
    """Phase 1: plays and discards of new cards, and what modules let a player do."""
    playable = series.playable_kinds(state, player)
    own, shared = kinds_in(state, player), kinds_in(state, SHARED)
    stored = oniverse.stored_kinds(state)
    list_new_kinds(own & playable, M_PLAY, legal)
    list_new_kinds(own & DISCARDABLE, M_DISCARD, legal)
    list_new_kinds(shared & playable, M_PLAY_SHARED, legal)
    list_new_kinds(shared & DISCARDABLE, M_DISCARD_SHARED, legal)
    list_kinds(stored & playable, PLAY_STORED, legal)
    list_kinds(stored & DISCARDABLE, DISCARD_STORED, legal)
    if state.rules & BOOK:
        book_of_steps.list_spells(state, legal)
    if state.rules & CATCHING:
        dreamcatchers.list_books(state, legal)
    if state.rules & TOWERS:
        towers.list_towers(state, player, stored, legal)
    if state.rules & CROSSROADS:
        list_code(crossroads.ESCAPE, legal)
    if state.rules & ONIVERSE:
        architect = (own | shared | stored) & series.architect_kinds(state, player)
        oniverse.list_powers(state, architect, legal)


@rule
def list_architect(state, player, legal):
    """List the Locations that an Architect puts in the row."""
    kinds = series.architect_kinds(state, player)
    list_mixed(kinds_in(state, player) & kinds, PLAY, M_PLAY, legal)
    list_mixed(kinds_in(state, SHARED) & kinds, PLAY_SHARED, M_PLAY_SHARED, legal)
    list_kinds(oniverse.stored_kinds(state) & kinds, PLAY_STORED, legal)


@rule
def list_nightmare(state, player, legal):
    """List further answers to a Nightmare."""
    if kinds_in(state, player) >> CROSSROAD_KEY & 1:
        list_code(M_NIGHTMARE_KEY + CROSSROAD_KEY, legal)
    if kinds_in(state, SHARED) >> CROSSROAD_KEY & 1:
        list_code(M_NIGHTMARE_KEY_SHARED + CROSSROAD_KEY, legal)
    if may_return_oniverse(state):
        list_code(M_NIGHTMARE_DOOR + ONIVERSE_KIND, legal)
    if state.rules & BOOK:
        book_of_steps.list_punishment(state, legal)
    if state.rules & ONIVERSE and oniverse.mirror_holder(state) >= 0:
        list_code(oniverse.POWER + oniverse.MIRROR, legal)


@rule
def may_return_oniverse(state):
    """Whether the Oniverse Door may pay for the Nightmare (N-2, O-13)."""
    from_rules = state.rules & NO_RETURN_DOOR == 0
    return from_rules and state.doors[state.player, ONIVERSE_DOOR] > 0


@rule
def list_door(state, legal):
    """List further Keys for the drawn Door."""
    door = door_of(np.int64(state.drawn))
    if kinds_in(state, np.int64(state.player)) >> CROSSROAD_KEY & 1:
        list_code(oniverse.OPEN_WITH + CROSSROAD_KEY, legal)
    if kinds_in(state, SHARED) >> CROSSROAD_KEY & 1:
        list_code(oniverse.OPEN_WITH_SHARED + CROSSROAD_KEY, legal)
    if state.rules & ONIVERSE:
        oniverse.list_more_keys(state, door, oniverse.is_any_colour(door), legal)


@rule
def list_incantation(state, legal):
    """List the revealed Doors of use (G-3, G-4, O-31)."""
    for kind in range(N_DOOR_END):
        if is_in(kind, looking.looked_kinds(state) & DOOR_KINDS) and can_keep(state, door_of(kind)):
            list_code(TAKE_REVEALED + kind, legal)
    if state.rules & INCANTATION_FORCED == 0:
        list_code(TAKE_NOTHING, legal)


@rule
def finds_doors(state):
    """Whether an Incantation has revealed a Door of use."""
    for kind in range(N_DOOR_END):
        if is_in(kind, looking.looked_kinds(state) & DOOR_KINDS) and can_keep(state, door_of(kind)):
            return True
    return False


@rule
def discard(state, hand, kind):
    """Discard a card of a hand (P-7, G-3, TW-3)."""
    discard_from(state, hand, kind)
    after_discard(state, kind)


@rule
def after_discard(state, kind):
    """Note what a discarded card brings; in co-op the swap comes first (C-7, O-22)."""
    state.acted = 1
    is_key = kind == CROSSROAD_KEY or (kind < N_LOCATION_KINDS and kind % N_SYMBOLS == KEY)
    state.prophecy_follows = 1 if is_key else 0
    state.follows = NOTHING_FOLLOWS
    if FIRST_GLYPH <= kind < FIRST_GLYPH + 4:
        state.follows = INCANTATION_FOLLOWS
    elif towers.is_tower(kind):
        state.follows = towers.tower_value(kind)
    if state.rules & TWO_PLAYERS:
        state.phase = PHASE_SWAP
    else:
        after_swap(state)


@rule
def after_swap(state):
    """Go on after the swap: a Prophecy, an Incantation, a look at the deck, or the refill."""
    prophecy, follows = state.prophecy_follows, np.int64(state.follows)
    state.prophecy_follows = 0
    state.follows = NOTHING_FOLLOWS
    if prophecy:
        prophesy(state)
    elif follows == INCANTATION_FOLLOWS:
        looking.reveal(state, INCANTATION_SIZE)
        state.phase = INCANTATION
        if not finds_doors(state) and not looking.ask_order(state, looking.BOTTOM_ORDER):
            refill(state)
    elif follows == NOTHING_FOLLOWS or not looking.look(state, follows):
        refill(state)


@rule
def apply_more(state, player, code):
    """Carry out an action that a module brings; return whether it was one."""
    phase = state.phase
    if phase == PHASE_SERIES:
        series.apply_series(state, code)
        return True
    if phase == oniverse.ARCHITECT:
        apply_architect(state, player, code)
        return True
    if code < FIRST_MODULE_CODE:
        return False
    if phase == PHASE_ACTION:
        apply_action(state, player, code)
    elif phase == PHASE_NIGHTMARE:
        apply_nightmare(state, player, code)
    elif phase == PHASE_DOOR:
        apply_door(state, player, code)
    elif phase == PHASE_PROPHECY_DISCARD:
        discard_revealed(state, argument_of(code))
    elif phase == PHASE_PROPHECY_ORDER:
        place_revealed(state, argument_of(code))
    elif phase == PHASE_SWAP:
        swap_out(state, argument_of(code))
    elif phase == PHASE_SWAP_IN:
        swap_in(state, argument_of(code))
    elif phase == PHASE_DRAFT:
        take(state, argument_of(code))
    else:
        apply_own_phase(state, code)
    return True


@rule
def apply_own_phase(state, code):
    """Carry out an action of a phase that a module brings."""
    phase = state.phase
    asks = False
    if phase <= looking.BOTTOM_ORDER:
        asks = looking.apply_looking(state, code)
    elif phase == book_of_steps.PAYMENT:
        apply_payment(state, code)
        return
    elif phase == book_of_steps.PARADOX:
        asks = book_of_steps.apply_paradox(state, code)
    elif phase == book_of_steps.PLANNING:
        asks = book_of_steps.apply_planning(state, code)
    elif phase == INCANTATION:
        asks = apply_incantation(state, code)
    elif phase == dreamcatchers.FREEING:
        dreamcatchers.apply_freeing(state, code)
        shuffle_after_search(state)
        return
    elif phase == dreamcatchers.OVERLOAD:
        apply_overload(state, code)
        return
    elif phase == towers.TOWER_LOSS:
        if code != towers.FALSE_DESTRUCTION:
            towers.lose_tower(state, argument_of(code))
        end_nightmare(state, code == towers.FALSE_DESTRUCTION)
        return
    elif phase == premonitions.CHOICE:
        asks = premonitions.carry_out(state, argument_of(code))
    elif phase == premonitions.KEYS:
        asks = premonitions.apply_keys(state, code)
    elif phase == premonitions.DOOR:
        premonitions.apply_return(state, code)
    elif phase == premonitions.HAPPY:
        found = premonitions.apply_happy(state, code)
        if found == 2:
            finish_search(state)
            return
        asks = found == 1
    elif phase == premonitions.HAPPY_SEARCH:
        state.fetched = argument_of(code)
        take_out(state, np.int64(state.fetched))
        finish_search(state)
        return
    elif phase == oniverse.DENIZEN:
        oniverse.apply_denizen(state, code)
    elif phase == oniverse.GIVING:
        state.given = argument_of(code)
        state.given_shared = first_of(code) == oniverse.GIVE_SHARED
        state.phase = oniverse.TAKING
        asks = True
    elif phase == oniverse.TAKING:
        oniverse.apply_taking(state, code)
    elif phase == oniverse.STORING:
        oniverse.store(state, code)
    if not asks:
        refill(state)


@rule
def apply_payment(state, code):
    """Pay a card for a spell; when it is paid, cast it."""
    book_of_steps.pay(state, argument_of(code))
    if book_of_steps.is_paid(state):
        cast(state)


@rule
def cast(state):
    """Carry out the spell that is paid."""
    if state.spell == book_of_steps.POWERFUL_PUNISHMENT:
        state.spell = 0
        end_nightmare(state, False)
    else:
        book_of_steps.cast(state)


@rule
def apply_incantation(state, code):
    """Take a revealed Door, or none; return whether the player is asked on, or has won."""
    if code != TAKE_NOTHING:
        kind = argument_of(code)
        looking.take_looked(state, kind)
        if gain_door(state, door_of(kind)):
            return True
    return looking.ask_order(state, looking.BOTTOM_ORDER)


@rule
def apply_overload(state, code):
    """Give up a Dreamcatcher, and end the turn."""
    dreamcatchers.give_up(state, argument_of(code) - 1)
    if state.phase != PHASE_LOST:
        state.acted = 0
        end_turn(state)


@rule
def apply_architect(state, player, code):
    """Put a Location of the last card's symbol in the row."""
    if code < FIRST_MODULE_CODE:
        if code >= PLAY_SHARED:
            series.play(state, SHARED, code - PLAY_SHARED)
        else:
            series.play(state, player, code - PLAY)
        return
    kind = argument_of(code)
    if first_of(code) == PLAY_STORED:
        series.play_stored(state, kind)
    else:
        series.play(state, SHARED if first_of(code) == M_PLAY_SHARED else player, kind)


@rule
def apply_action(state, player, code):
    """Phase 1: play or discard a new card, or use what a module brings."""
    verb, argument = first_of(code), argument_of(code)
    if verb == M_PLAY:
        series.play(state, player, argument)
    elif verb == M_PLAY_SHARED:
        series.play(state, SHARED, argument)
    elif verb == PLAY_STORED:
        series.play_stored(state, argument)
    elif verb == M_DISCARD:
        discard(state, player, argument)
    elif verb == M_DISCARD_SHARED:
        discard(state, SHARED, argument)
    elif verb == DISCARD_STORED:
        oniverse.give_up_stored(state, argument)
        state.discard[argument] += 1
        after_discard(state, argument)
    elif verb == book_of_steps.SPELL:
        if book_of_steps.begin_spell(state, argument + 1):
            cast(state)
    elif verb == dreamcatchers.FAILSAFE:
        dreamcatchers.use_book(state, code)
        refill(state)
    elif verb == crossroads.ESCAPE:
        state.acted = 1
        discard_hand(state)
        refill(state)
    elif verb == oniverse.POWER:
        apply_power(state, player, argument)
    else:
        apply_tower(state, player, verb, argument)


@rule
def apply_tower(state, player, verb, kind):
    """Add a Tower to its row (TW-2)."""
    if verb == towers.PLACE_SHARED_LEFT or verb == towers.PLACE_SHARED_RIGHT:
        remove(state, SHARED, kind)
    elif verb == towers.PLACE_STORED_LEFT or verb == towers.PLACE_STORED_RIGHT:
        oniverse.give_up_stored(state, kind)
    else:
        remove(state, player, kind)
    left = verb == towers.PLACE_LEFT or verb == towers.PLACE_SHARED_LEFT or verb == towers.PLACE_STORED_LEFT
    towers.place_tower(state, kind, left)
    state.acted = 1
    if not check_victory(state):
        refill(state)


@rule
def apply_power(state, player, denizen):
    """Use the power of a Denizen (O-D4)."""
    if denizen != oniverse.TREASURE_KEEPER:
        oniverse.use(state, player, denizen)
    asks = True
    if denizen == oniverse.ARCHITECT_OF:
        state.phase = oniverse.ARCHITECT
    elif denizen == oniverse.CYCLOBOT:
        state.phase = oniverse.GIVING
    elif denizen == oniverse.TREASURE_KEEPER:
        state.phase = oniverse.STORING
    elif denizen == oniverse.SQUIRREL_SPIES:
        asks = looking.look(state, SPIES_SIZE)
    elif denizen == oniverse.HARPOON_HUNTER:
        asks = oniverse.hunt(state)
    else:
        oniverse.hammer(state)
        asks = False
    if not asks:
        refill(state)


@rule
def apply_nightmare(state, player, code):
    """Answer a Nightmare with what a module brings."""
    verb = first_of(code)
    if verb == book_of_steps.SPELL:
        if book_of_steps.begin_spell(state, book_of_steps.POWERFUL_PUNISHMENT):
            cast(state)
    elif verb == oniverse.POWER:
        oniverse.use(state, oniverse.mirror_holder(state), oniverse.MIRROR)
        end_nightmare(state, True)
    elif verb == M_NIGHTMARE_DOOR:
        return_door(state, ONIVERSE_DOOR)
        nightmare_paid(state)
    else:
        discard_from(state, SHARED if verb == M_NIGHTMARE_KEY_SHARED else player, CROSSROAD_KEY)
        nightmare_paid(state)


@rule
def apply_door(state, player, code):
    """Open the drawn Door with another Key than that of its colour."""
    verb = first_of(code)
    if verb == oniverse.CHAOS_OPEN or verb == oniverse.CHAOS_OPEN_SHARED:
        oniverse.use(state, player, oniverse.CHROMATIC_CHAOS)
    shared = verb == oniverse.OPEN_WITH_SHARED or verb == oniverse.CHAOS_OPEN_SHARED
    open_with(state, SHARED if shared else player, argument_of(code))

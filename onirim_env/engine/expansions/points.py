"""What of the expansions comes in at which point of the rules: all in one dict."""

from __future__ import annotations

from onirim_env.engine import action, hidden, kinds, legal, nightmare, row, step, turn
from onirim_env.engine import deck as base_deck
from onirim_env.engine import doors as base_doors
from onirim_env.engine import observe as base_observe
from onirim_env.engine import setup as base_setup
from onirim_env.engine.expansions import (
    asking,
    cards,
    deck,
    declared,
    doors,
    flow,
    hiding,
    observe,
    phases,
    series,
    setup,
)
from onirim_env.engine.points import REPLACEMENTS

REPLACEMENTS.update(
    {
        kinds.colour_of: cards.colour_of,
        kinds.symbol_of: cards.symbol_of,
        kinds.joins_hand: cards.joins_hand,
        kinds.is_location: cards.is_location,
        kinds.is_door: cards.is_door,
        kinds.door_kinds: cards.door_kinds,
        base_setup.clear_expansions: setup.clear_expansions,
        base_setup.fill_deck: setup.fill_deck,
        base_deck.pool_start: deck.pool_start,
        base_deck.take_over_bottom: deck.take_over_bottom,
        base_deck.forget_bottom: deck.forget_bottom,
        step.apply_more: phases.apply_more,
        legal.list_series: series.list_series,
        legal.list_more: phases.list_more,
        action.play: phases.play,
        action.discard: phases.discard,
        action.after_swap: phases.after_swap,
        row.playable_kinds: series.playable_kinds,
        row.append: series.append,
        base_doors.all_doors: doors.all_doors,
        base_doors.progress: doors.progress,
        base_doors.can_keep: doors.can_keep,
        base_doors.gain_door: doors.gain_door,
        base_doors.return_door: doors.return_door,
        nightmare.nightmare_paid: flow.nightmare_paid,
        nightmare.pay_hand: flow.pay_hand,
        turn.refill: flow.refill,
        base_observe.card_entry: observe.card_entry,
        base_observe.observe_more: observe.observe_more,
        base_observe.knows_deck: observe.knows_deck,
        base_observe.known_places: observe.known_places,
        base_observe.observe_row: observe.observe_row,
        hidden.asks: asking.asks,
        hidden.sees_deck: hiding.sees_deck,
        hidden.add_hidden: hiding.add_hidden,
        hidden.take_removed: hiding.take_removed,
        hidden.take_hidden: hiding.take_hidden,
        declared.is_accepted: doors.is_accepted,
        declared.lose_door: doors.lose_door,
        declared.check_victory: doors.check_victory,
        declared.row_kinds: series.row_kinds,
        declared.put_in_row: series.put_in_row,
        declared.after_discard: phases.after_discard,
        declared.finish_search: series.finish_search,
        declared.shuffle_after_search: series.shuffle_after_search,
    }
)
"""Base rules and their replacements; then what ``declared.py`` declares, and where it stands."""

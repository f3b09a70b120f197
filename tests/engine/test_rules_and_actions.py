"""Rule sets and action tables: ids, texts, refusals."""

import itertools
import pickle
import random
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onirim_env import ActionTable, Game, PositionError, RuleSet
from onirim_env.actions import N_CODES
from onirim_env.env import OnirimEnv
from onirim_env.expansions import expansion_of
from onirim_env.option_text import read_options
from onirim_env.positions.reading import read_position
from onirim_env.rules import EXPANSION_RULES, OPTIONS

rule_sets = st.fixed_dictionaries({option.keyword: st.sampled_from(option.values) for option in OPTIONS})


def test_solo_ids_are_those_of_the_contract():
    table = ActionTable()
    assert len(table) == 70
    first_of = {
        "play red sun": 0, "discard red sun": 12, "prophecy discard red sun": 24,
        "prophecy discard nightmare": 40, "prophecy place red sun": 41, "prophecy place nightmare": 57,
        "open door": 58, "refuse door": 59, "nightmare discard red key": 60,
        "nightmare return red door": 64, "nightmare reveal five": 68, "nightmare discard hand": 69,
    }  # fmt: skip
    assert {text: table.id(text) for text in first_of} == first_of


def test_options_append_and_change_no_id():
    base = ActionTable().texts
    optional = ActionTable(RuleSet(prophecy_discard="optional", series_search="choice")).texts
    assert optional == (*base, "prophecy discard nothing", "search", "pass")
    co_op = ActionTable(RuleSet(players=2)).texts
    assert co_op[:70] == base and co_op[70] == "play shared red sun" and co_op[-1] == "take brown key"
    order = [
        "open door with shared key",
        "nightmare discard shared red key",
        "no swap",
        "swap out red sun",
        "swap in red sun",
        "take red sun",
    ]
    assert [co_op.index(text) for text in order] == sorted(co_op.index(text) for text in order)
    assert len(ActionTable(RuleSet(prophecy_actions="permutation"))) == 190


@given(rule_sets)
@settings(max_examples=60, deadline=None)
def test_texts_and_ids_are_inverse_under_every_rule_set(options):
    table = ActionTable(RuleSet(**options))
    assert len(set(table.texts)) == len(table)
    for action, text in enumerate(table.texts):
        assert table.id(text) == action and table.text(action) == text
        assert table.ids[table.codes[action]] == action
    assert (table.ids >= 0).sum() == len(table) and len(table.ids) == N_CODES


@given(rule_sets)
@settings(max_examples=60, deadline=None)
def test_rule_sets_compare_hash_print_and_pickle_by_value(options):
    rules = RuleSet(**options)
    assert rules == RuleSet(**rules.as_dict()) == eval(repr(rules)) == pickle.loads(pickle.dumps(rules))
    assert hash(rules) == hash(RuleSet(**options)) and rules.as_dict() == options


@given(rule_sets, st.integers(0, 2**32))
@settings(max_examples=80, deadline=None)
def test_no_dead_end_and_no_lost_card_under_any_rule_set(options, seed):
    from tests.engine.lockstep import all_cards

    game, rng = Game(RuleSet(**options), seed=seed), random.Random(seed)
    cards = all_cards(game.position())
    while not game.over:
        legal = game.legal_actions()
        assert legal
        game.apply(rng.choice(legal))
        assert all_cards(game.position()) == cards


@pytest.mark.parametrize("options", [{"player": 1}, {"players": 3}, {"players": True}, {"draft": None}])
def test_unknown_names_and_values_are_refused_with_what_is_allowed(options):
    with pytest.raises(ValueError, match="allowed are") as error:
        RuleSet(**options)
    name = next(iter(options))
    assert name in str(error.value)


UNPLAYED = "which is not among the expansions"


@pytest.mark.parametrize("expansions", [[], ["towers"]])
@pytest.mark.parametrize("expansion", EXPANSION_RULES, ids=lambda expansion: expansion.keyword)
def test_an_option_of_an_expansion_that_is_not_played_is_said_to_be_one(expansion, expansions):
    """In a game without any, on a command line, in a position, in an environment."""
    if expansion.keyword in expansions:
        return
    played = ", ".join(map(repr, expansions)) or "none"
    for option in expansion.options:
        belongs = f"belongs to the expansion '{expansion.keyword}'"
        message = f"rule option {option.keyword} {belongs}, {UNPLAYED} ({played})"
        given = {"expansions": expansions, option.keyword: option.values[1]}
        for make in (RuleSet, lambda **rules: read_position({"rules": rules}, np.uint64(0)), OnirimEnv):
            with pytest.raises(ValueError, match=re.escape(message)):
                make(**given)
        texts = [f"expansions={','.join(expansions)}", f"{option.keyword}={option.values[1]}"]
        with pytest.raises(ValueError, match=re.escape(message)):
            RuleSet(**read_options(texts))
    with pytest.raises(ValueError, match=re.escape(f"hard cannot have '{expansion.keyword}', {UNPLAYED};")):
        RuleSet(expansions=expansions, hard=[expansion.keyword])
    tables = expansion_of(expansion.keyword)
    fields = [({field: []}, field) for field in tables.position]
    fields += [({"players": [{field: []}]}, f"players[0].{field}") for field in tables.player_position]
    for position, field in fields:
        message = f"{field}: belongs to the expansion '{expansion.keyword}', {UNPLAYED} ({played})"
        with pytest.raises(PositionError, match=re.escape(message)):
            Game.from_position({"rules": {"expansions": expansions}, **position})


def test_a_rule_set_cannot_be_changed():
    with pytest.raises(AttributeError, match="immutable"):
        RuleSet().players = 2


def test_whole_prophecies_offer_each_result_once_and_do_what_the_sequence_does():
    cards = ["nightmare", "red door", "green moon", "green moon", "brown moon"]
    position = {
        "players": [{"hand": ["red key", "blue sun", "green sun", "brown sun", "blue moon"]}],
        "deck": [*cards, "green key", "red sun"],
    }
    rules = {"prophecy_actions": "permutation"}
    results = {}
    game = Game.from_position({**position, "rules": rules})
    game.apply("discard red key")
    for action in game.legal_actions():
        other = game.copy()
        other.apply(action)
        after = other.position()
        key = (
            tuple(after["deck"]),
            after["phase"],
            tuple(after["discard"]),
            str(after["players"]),
            after["drawn"],
        )
        assert key not in results, "two legal orders do the same"
        results[key] = action
    # Discarding one of the two equal cards leaves 4! orders, one of another kind 4! / 2.
    assert len(game.legal_actions()) == 24 + 3 * 12
    sequential = set()
    start = Game.from_position(position)
    start.apply("discard red key")
    for discarded in sorted(set(cards)):
        for order in set(itertools.permutations(list(_without(cards, discarded)))):
            other = start.copy()
            other.apply(f"prophecy discard {discarded}")
            for card in order:
                if other.phase == "prophecy_order":
                    other.apply(f"prophecy place {card}")
            after = other.position()
            sequential.add(
                (
                    tuple(after["deck"]),
                    after["phase"],
                    tuple(after["discard"]),
                    str(after["players"]),
                    after["drawn"],
                )
            )
    assert sequential == set(results)


def _without(cards, card):
    rest = list(cards)
    rest.remove(card)
    return rest

"""Renamings of colours, and of Sun and Moon: they lead from games to games."""

import numpy as np
import pytest

from agents.compiled.symmetries import COLOURS, Renaming, all_renamings, renamed_places, symmetries
from onirim_env import Game
from onirim_env.actions import action_table
from onirim_env.keywords import layout_rules
from onirim_env.observation import observation_layout
from onirim_env.rules import RuleSet

TABLES = {
    "solo": RuleSet(),
    "co-op": RuleSet(players=2),
    "full": layout_rules(RuleSet(), "full"),
    "co-op full": layout_rules(RuleSet(players=2), "full"),
    "towers": RuleSet(expansions=["towers"]),
}


def labels_of(rules):
    return [f"{field.name}: {label}" for field in observation_layout(rules) for label in field.labels]


def test_there_are_48_renamings_and_the_first_one_changes_nothing():
    renamings = all_renamings()
    assert len(renamings) == len(set(renamings)) == 48
    labels = labels_of(RuleSet())
    np.testing.assert_array_equal(renamed_places(labels, renamings[0]), np.arange(len(labels)))


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_each_entry_and_each_action_has_its_place(rules):
    found = symmetries(rules)
    entries, actions = found.entries.order, found.actions.order
    assert sorted(actions.tolist()) == list(range(len(action_table(rules))))
    assert set(entries.tolist()) == set(range(found.n_entries))
    twice = len(entries) - found.n_entries
    assert (twice > 0) == bool(rules.expansions)
    assert len(found.scales) == len(entries)


@pytest.mark.parametrize("rules", TABLES.values(), ids=TABLES)
def test_a_column_has_the_same_name_in_every_colour(rules):
    found = symmetries(rules)
    for names, named in ((labels_of(rules), found.entries), (action_table(rules).texts, found.actions)):
        for column in named.of_colours.T:
            texts = {
                tuple("*" if word == colour else word for word in names[number].split())
                for number, colour in zip(column, COLOURS)
            }
            assert len(texts) == 1


@pytest.mark.parametrize("rules", [RuleSet(), RuleSet(players=2)], ids=str)
def test_every_name_of_a_base_game_has_a_renamed_one(rules):
    for texts in (labels_of(rules), action_table(rules).texts):
        for renaming in all_renamings():
            assert all(renaming.of(text) in texts for text in texts)
            assert sorted(renamed_places(texts, renaming)) == list(range(len(texts)))


def test_a_swap_leads_from_sun_to_moon_and_back():
    found = symmetries(RuleSet())
    labels = np.array(labels_of(RuleSet()))
    red = labels[found.entries.of_colours[0]]
    swap = Renaming(tuple(COLOURS), True)
    assert [swap.of(text) for text in red] == red[found.entries.swapped].tolist()
    np.testing.assert_array_equal(
        found.entries.swapped[found.entries.swapped], np.arange(len(found.entries.swapped))
    )


def test_equal_counts_are_equal_numbers_whatever_the_colour():
    found = symmetries(RuleSet())
    labels, units = (
        labels_of(RuleSet()),
        np.concatenate([field.units for field in observation_layout(RuleSet())]),
    )
    scaled = dict(
        zip((labels[entry] for entry in found.entries.order), units[found.entries.order] * found.scales)
    )
    for names in (("sun", "moon"), ("key",), ("door",)):
        values = [scaled[f"unseen: {colour} {name}"] for colour in COLOURS for name in names]
        assert np.ptp(values) < 1e-7


def test_a_game_with_renamed_cards_offers_the_renamed_actions():
    rules = RuleSet()
    renaming = Renaming(("green", "red", "brown", "blue"), True)
    texts = action_table(rules).texts
    places = renamed_places(texts, renaming)
    game = Game(rules, seed=3)
    rng = np.random.default_rng(0)
    compared = 0
    while not game.over and compared < 40:
        position = game.position()
        renamed = renamed_position(position, renaming)
        if renamed is not None:
            other = Game.from_position(renamed, seed=0)
            mask = np.zeros(len(texts), dtype=np.int8)
            mask[places] = game.action_mask()
            np.testing.assert_array_equal(other.action_mask(), mask)
            compared += 1
        game.apply(int(rng.choice(np.flatnonzero(game.action_mask()))))
    assert compared > 5


def renamed_position(position, renaming):
    """Return a position with its words renamed, or None where the deck has not the renamed cards."""

    def renamed(value):
        if isinstance(value, str):
            return renaming.of(value)
        if isinstance(value, list):
            return [renamed(one) for one in value]
        if isinstance(value, dict):
            return {name: renamed(one) for name, one in value.items()}
        return value

    position = dict(position)
    position.pop("deck", None)
    try:
        Game.from_position(renamed(position), seed=0)
    except ValueError:
        return None
    return renamed(position)

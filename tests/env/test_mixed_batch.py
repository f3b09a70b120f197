"""A mixed batch: each game is one of its rule set, under the layout of all expansions."""

import numpy as np
import pytest

from onirim_env import Game, MaskedSampler, RuleSet
from onirim_env.batch import GameBatch
from onirim_env.mixed import MixedBatch
from onirim_env.observation import observation_layout
from onirim_env.rules import EXPANSIONS

SIZE = 24


def some_sets(players):
    return [
        RuleSet(players=players),
        RuleSet(players=players, expansions=["towers"], hard=["towers"]),
        RuleSet(players=players, expansions=["book_of_steps", "oniverse"]),
        RuleSet(players=players, expansions=EXPANSIONS),
    ]


def seen_alone(batch, row, rules):
    """What a batch of one rule set shows of a game of the mixed batch."""
    alone = GameBatch(1, rules, layout="full")
    alone.deal(np.zeros(1, dtype=np.uint64))
    position = Game._of(batch.states[row : row + 1].copy(), rules, "open", "0x0", None, None).position()
    alone.place(alone.read_position(position), 0)
    return [part[0] for part in alone.view()]


@pytest.mark.parametrize("players", [1, 2])
def test_every_game_shows_what_a_batch_of_its_own_rule_set_shows(players):
    sets = some_sets(players)
    batch = MixedBatch(SIZE, sets, seed=1)
    batch.deal(np.arange(SIZE, dtype=np.uint64))
    assert set(batch.number) == {0, 1, 2, 3}
    sampler = MaskedSampler(seed=2)
    observations, masks = batch.view()
    for step in range(60):
        for row in range(step % 4, SIZE, 4):
            if not batch.ended[row]:
                seen, legal = seen_alone(batch, row, sets[batch.number[row]])
                assert (seen == observations[row]).all()
                assert (legal == masks[row]).all()
        observations, masks, _ = batch.step(sampler(masks))
        assert (batch.illegal_in < 0).all()
        if batch.n_ended:
            batch.deal_next(batch.ended.copy())
            observations, masks = batch.view()


def test_a_game_of_a_row_has_the_rules_of_that_row():
    sets = some_sets(1)
    batch = MixedBatch(SIZE, sets)
    batch.deal(np.arange(SIZE, dtype=np.uint64), numbers=np.arange(SIZE) % len(sets))
    for row in range(1, len(sets)):
        assert batch.game(row).rules == sets[row]
        assert Game.from_state(batch.states[row : row + 1], sets[row]) == batch.game(row)
    with pytest.raises(ValueError, match="game 0 is a base game"):
        batch.game(0)


def test_games_with_expansions_are_those_of_their_seeds():
    sets = some_sets(1)
    batch = MixedBatch(SIZE, sets)
    seeds = np.arange(SIZE, dtype=np.uint64)
    numbers = np.arange(SIZE) % len(sets)
    batch.deal(seeds, numbers=numbers)
    assert (batch.number == numbers).all()
    for row in np.flatnonzero(numbers):
        alone = GameBatch(1, sets[numbers[row]])
        alone.deal(seeds[row : row + 1])
        assert (alone.states == batch.states[row : row + 1]).all()


def test_the_observation_tells_expansions_and_harder_variants():
    sets = some_sets(1)
    batch = MixedBatch(4, sets)
    batch.deal(np.arange(4, dtype=np.uint64), numbers=np.arange(4))
    observations, _ = batch.view()
    told = {
        field.name: [
            {label for label, value in zip(field.labels, row[field.start : field.stop]) if value}
            for row in observations
        ]
        for field in observation_layout(batch.layout_rules)
        if field.name in ("expansions", "hard")
    }
    assert told["expansions"] == [set(rules.expansions) for rules in sets]
    assert told["hard"] == [set(rules.hard) for rules in sets]


def test_rule_sets_are_drawn_by_weight_at_each_deal():
    batch = MixedBatch(500, some_sets(1), weights=[0, 1, 0, 3])
    batch.deal(np.arange(500, dtype=np.uint64))
    assert set(batch.number) == {1, 3}
    assert 320 < (batch.number == 3).sum() < 430
    before = batch.number.copy()
    which = np.arange(500) < 250
    batch.deal_next(which)
    assert (batch.number[250:] == before[250:]).all()
    assert (batch.number[:250] != before[:250]).any()
    assert (batch.states["rules"] == [batch.rule_sets[number].flags for number in batch.number]).all()


@pytest.mark.parametrize(
    ("sets", "weights", "message"),
    [
        ([], None, "no different base games"),
        ([RuleSet(), RuleSet(players=2)], None, "2 different base games"),
        ([RuleSet()], [1, 2], "weights must be 1 numbers"),
        ([RuleSet()], [0], "weights must be 1 numbers"),
        ([RuleSet()], [-1], "weights must be 1 numbers"),
    ],
)
def test_what_cannot_be_mixed_is_refused(sets, weights, message):
    with pytest.raises(ValueError, match=message):
        MixedBatch(3, sets, weights)

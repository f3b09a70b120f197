"""MaskedSampler: uniform picks among legal actions."""

import copy
import pickle

import numpy as np
import pytest
from scipy.stats import chisquare

from onirim_env import MaskedSampler
from tests.env.same import assert_same


def test_no_pick_is_illegal():
    rng = np.random.default_rng(0)
    masks = (rng.random((20_000, 70)) < rng.random((20_000, 1))).astype(np.int8)
    masks[np.arange(len(masks)), rng.integers(70, size=len(masks))] = 1
    sampler = MaskedSampler(seed=0)
    for _ in range(10):
        assert masks[np.arange(len(masks)), sampler(masks)].all()
    assert all(mask[sampler(mask)] for mask in masks[:2000])


@pytest.mark.parametrize("legal", [[0, 69], [5, 6, 7], list(range(0, 70, 5)), list(range(70))])
def test_picks_are_uniform(legal):
    mask = np.zeros(70, dtype=np.int8)
    mask[legal] = 1
    picks = MaskedSampler(seed=4)(np.tile(mask, (70_000, 1)))
    counts = np.bincount(picks, minlength=70)
    assert counts.sum() == counts[legal].sum()
    assert chisquare(counts[legal]).pvalue > 1e-4
    one_by_one = MaskedSampler(seed=5)
    counts = np.bincount([one_by_one(mask) for _ in range(7000)], minlength=70)
    assert chisquare(counts[legal]).pvalue > 1e-4


def test_following_picks_are_independent():
    picks = MaskedSampler(seed=6)(np.ones((64_000, 8), dtype=np.int8))
    pairs = np.bincount(picks[:-1] * 8 + picks[1:], minlength=64)
    assert chisquare(pairs).pvalue > 1e-4


def test_a_batch_is_picked_for_as_one_mask_after_the_other():
    masks = (np.random.default_rng(1).random((500, 70)) < 0.3).astype(np.int8)
    masks[:, 0] = 1
    one, other = MaskedSampler(seed=2), MaskedSampler(seed=2)
    assert one(masks).tolist() == [other(mask) for mask in masks]


@pytest.mark.parametrize("dtype", [np.int8, np.bool_])
def test_a_mask_may_be_int8_or_bool_and_is_not_changed(dtype):
    masks = np.eye(9, 70, 4, dtype=dtype)
    before = masks.copy()
    actions = MaskedSampler(seed=0)(masks)
    assert_same(actions, np.arange(4, 13))
    assert_same(masks, before)
    assert type(MaskedSampler(seed=0)(masks[0])) is int


def test_a_mask_may_be_a_part_of_a_larger_array_or_read_only():
    wide = np.zeros((6, 140), dtype=np.int8)
    wide[:, 31] = 1
    part = wide[::2, 1::2]
    part.flags.writeable = False
    assert MaskedSampler(seed=0)(part).tolist() == [15, 15, 15]
    assert MaskedSampler(seed=0)(part[0]) == 15


def test_a_mask_without_a_legal_action_is_refused():
    with pytest.raises(ValueError, match="no legal action"):
        MaskedSampler(seed=0)(np.zeros(70, dtype=np.int8))
    masks = np.ones((5, 70), dtype=np.int8)
    masks[3] = 0
    with pytest.raises(ValueError, match="mask 3 has no legal action"):
        MaskedSampler(seed=0)(masks)


def test_seeds_fix_the_picks_and_differ():
    masks = np.ones((100, 70), dtype=np.int8)
    assert_same(MaskedSampler(seed=1)(masks), MaskedSampler(seed=1)(masks))
    picks = [MaskedSampler(seed=seed)(masks).tolist() for seed in (1, 2, None, None)]
    assert all(one != other for index, one in enumerate(picks) for other in picks[:index])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_goes_on_with_the_same_picks_and_on_its_own(copied):
    masks = np.ones((50, 70), dtype=np.int8)
    sampler = MaskedSampler(seed=3)
    sampler(masks)
    other = copied(sampler)
    first = [other(masks) for _ in range(3)]
    assert_same([sampler(masks) for _ in range(3)], first)

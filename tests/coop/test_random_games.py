"""Random co-op games, some under every set of options, a hundred thousand in all: nothing is lost."""

import itertools

import numpy as np
import pytest

from onirim_env import MaskedSampler
from onirim_env.cards import FIRST_DOOR, KIND_COUNTS, N_KINDS
from onirim_env.engine.state import KIND_BITS, N_HANDS
from onirim_env.rules import OPTIONS
from onirim_env.vector import OnirimVectorEnv
from tests.long import long_after

CHOICES = [option for option in OPTIONS if option.keyword != "players"]
OPTION_SETS = list(itertools.product(*(option.values for option in CHOICES)))
GAMES = 49
"""Games under each option set: 100,352 in all."""
PARTS = 16


def count_cards(states):
    """Return the cards of every game by kind, from all zones: int64, shape (n, N_KINDS)."""
    rows = np.arange(len(states))
    counts = states["deck_count"].astype(np.int64) + states["discard"]
    counts[:, FIRST_DOOR:] += states["limbo"]
    counts[:, FIRST_DOOR : FIRST_DOOR + 4] += states["doors"].sum(axis=1)
    for field in ("drawn", "swapping"):
        present = states[field] < N_KINDS
        np.add.at(counts, (rows[present], states[field][present]), 1)
    for hand in range(N_HANDS):
        for place in range(states["hand"].shape[2]):
            present = states["hand_size"][:, hand] > place
            np.add.at(counts, (rows[present], states["hand"][present, hand, place] & KIND_BITS), 1)
    for player, step in ((0, 1), (1, -1)):
        for index in range(states["row_size"][:, player].max()):
            present = states["row_size"][:, player] > index
            place = index if step == 1 else -1 - index
            np.add.at(counts, (rows[present], states["row"][present, place]), 1)
    return counts


@pytest.mark.parametrize("part", long_after(3, range(PARTS)))
def test_no_card_is_lost_and_no_decision_is_without_a_choice(part):
    pick = MaskedSampler(seed=part)
    for number, values in enumerate(OPTION_SETS[part::PARTS]):
        options = {option.keyword: value for option, value in zip(CHOICES, values)}
        env = OnirimVectorEnv(
            GAMES, players=2, talk=("open", "closed")[number % 2], illegal_action="raise", **options
        )
        _, infos = env.reset(seed=1000 * number)
        batch, over = env._batch, np.zeros(GAMES, dtype=bool)
        masks = infos["action_mask"]
        for step in itertools.count():
            assert masks[~over].any(axis=1).all()
            if step % 8 == 0 or over.all():
                assert (count_cards(batch.states) == KIND_COUNTS).all()
            if over.all():
                break
            observations, masks, _ = batch.step(pick(masks))
            over = batch.ended
            assert step < 400
        assert (observations >= 0).all() and (observations <= env.single_observation_space.high).all()

"""Random play has the figures that the rules give for it (section 9.1), and games keep their cards."""

import numpy as np
import pytest

from onirim_env import MaskedSampler
from onirim_env.odin import RuleSet
from onirim_env.odin.batch import OdinBatch
from onirim_env.odin.engine.state import PHASE_TAKE

N_GAMES = 4000
FIGURES = {
    2: {"hands": 10.18, "decisions": 318.2, "best": 8.33, "worst": 16.02, "shared": 0.0, "takes": 0.076},
    3: {"hands": 7.13, "decisions": 386.8, "best": 7.78, "worst": 16.09, "shared": 0.077, "takes": 0.104},
    4: {"hands": 6.02, "decisions": 470.4, "best": 7.51, "worst": 16.17, "shared": 0.112, "takes": 0.113},
    5: {"hands": 5.38, "decisions": 554.0, "best": 7.26, "worst": 16.26, "shared": 0.129, "takes": 0.115},
    6: {"hands": 4.97, "decisions": 640.9, "best": 7.11, "worst": 16.36, "shared": 0.143, "takes": 0.114},
}
"""Means over 20,000 games each of another program; its intervals are at most a two-hundredth wide."""


def play(rules, n_games, seed):
    """Play a game in each row; return the batch at its end, decisions a game, and how many took a card."""
    games = OdinBatch(n_games, rules)
    games.deal(np.arange(n_games, dtype=np.uint64) + np.uint64(seed))
    sampler = MaskedSampler(seed=seed)
    masks = games.view()[1]
    decisions, takes = np.zeros(n_games), 0
    while games.n_ended < n_games:
        decisions += ~games.ended
        takes += int((games.states["phase"] == PHASE_TAKE).sum())
        masks = games.step(sampler(masks))[1]
    return games, decisions, takes


@pytest.mark.parametrize("players", [2, 4, *(pytest.param(n, marks=pytest.mark.long) for n in (3, 5, 6))])
def test_random_play_has_the_figures_of_the_rules(players):
    games, decisions, takes = play(RuleSet(players=players), N_GAMES, 100)
    results = games.results()
    points = results["points"]
    found = {
        "hands": results["hands"],
        "decisions": decisions,
        "best": points.min(axis=1),
        "worst": points.max(axis=1),
        "shared": results["winners"].sum(axis=1) > 1,
    }
    for name, values in found.items():
        error = values.std() / N_GAMES**0.5
        assert abs(values.mean() - FIGURES[players][name]) <= 4.5 * error + 0.005 * FIGURES[players][name], (
            name
        )
    assert takes / decisions.sum() == pytest.approx(FIGURES[players]["takes"], abs=0.002)


@pytest.mark.parametrize(
    "rules",
    [
        RuleSet(),
        RuleSet(players=6, goat=True, all_out="forced"),
        RuleSet(players=4, play_actions="whole", goat=True),
        RuleSet(players=5, episode="hand", first_leader="player_0"),
    ],
    ids=repr,
)
def test_no_card_is_lost_and_no_hand_grows(rules):
    games = OdinBatch(64, rules)
    games.deal(np.arange(64, dtype=np.uint64))
    sampler = MaskedSampler(seed=1)
    masks = games.view()[1]
    every = np.uint64((1 << 55) - 1 if rules.goat else (1 << 54) - 1)
    for _ in range(400):
        masks = games.step(sampler(masks), games.ended.copy())[1]
        states = games.states
        zones = [states["hand"][:, seat] for seat in range(6)]
        zones += [states[name] for name in ("table", "beaten", "discard", "undealt")]
        cards = np.zeros(64, dtype=np.uint64)
        for zone in zones:
            assert not (cards & zone).any()
            cards |= zone
        assert (cards == every).all()
        assert all(int(hand).bit_count() <= 9 for hand in states["hand"].ravel())
        assert not (states["public"] & ~states["hand"]).any()
        movers = np.maximum(states["player"], 0)
        assert not (states["chosen"] & ~states["hand"][np.arange(64), movers]).any()


def test_the_unknown_cards_are_dealt_evenly():
    """Each card that a player does not know lies equally often in each hand, by the sizes of the hands."""
    from onirim_env.odin import Game

    game = Game(RuleSet(players=3), seed=4)
    for _ in range(25):
        game.apply(game.legal_texts()[0])
    player = game.player
    position = game.position()
    other = (player + 1) % 3
    own = set(position["players"][player]["hand"])
    known = set(position["players"][other]["public"])
    n_unknown = len(position["players"][other]["hand"]) - len(known)
    seen = {}
    n = 3000
    for seed in range(n):
        copy = game.copy()
        copy.determinize(player, seed)
        dealt = copy.position()["players"]
        assert set(dealt[player]["hand"]) == own
        assert known <= set(dealt[other]["hand"])
        for card in set(dealt[other]["hand"]) - known:
            seen[card] = seen.get(card, 0) + 1
    hidden = [card for card, count in seen.items() if count]
    assert len(hidden) > 20
    share = n_unknown / len(hidden)
    error = (n * share * (1 - share)) ** 0.5
    assert all(abs(seen[card] - n * share) < 5 * error for card in hidden)

"""After whatever shuffles the deck, every card is as likely to lie at every place, and nobody knows any."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from tests.engine.loose_positions import loose_game

LEAST_P = 1e-4
ROUNDS = 1500
HAND = ["red sun", "red sun", "blue sun", "blue sun", "green sun"]
ROW = {"row": ["red sun", "red moon"]}
DECK = ["green moon", "blue moon", "brown moon", "green key", "blue key", "red moon"]
DOORS = ["red door", "blue door", "green door", "brown door"]
SHUFFLES = {
    "Limbo is shuffled in": (
        {"players": [{"hand": HAND}], "deck": ["red door", *DECK]}, ["discard red sun"],
        ["red door", *DECK[1:]],
    ),
    "a search finds a Door": (
        {"players": [{**ROW, "hand": HAND}], "deck": [*DECK, "red door"]}, ["play red sun"], DECK,
    ),
    "a search is in vain": (
        {"rules": {"series_search": "choice"}, "players": [{**ROW, "hand": HAND}], "deck": DECK},
        ["play red sun", "search"], DECK,
    ),
    "a Failsafe Book is used": (
        {"rules": {"expansions": ["dreamcatchers"]}, "players": [{"hand": HAND}], "deck": DECK,
         "dreamcatchers": [["red door"], [], [], []]},
        ["failsafe dreamcatcher 1"], [*DECK, "red door"],
    ),
    "a Dreamcatcher is freed": (
        {"rules": {"expansions": ["dreamcatchers"]}, "players": [{**ROW, "hand": HAND}], "phase": "free",
         "deck": ["brown key", *DECK], "dreamcatchers": [["blue door"], [], [], []],
         "acted": False},
        ["free dreamcatcher 1"], ["brown key", *DECK, "blue door"],
    ),
    "there are too many groups": (
        {"rules": {"expansions": ["dreamcatchers"]}, "players": [{"hand": [*HAND[:4], "red moon"]}],
         "deck": ["lost dream", *DECK], "dreamcatchers": [[door] for door in DOORS]},
        ["discard red moon"],
        ["lost dream", *DOORS, *DECK[1:]],
    ),
    "Keys are discarded from it": (
        {"rules": {"expansions": ["premonitions"]}, "players": [{"hand": HAND}], "phase": "premonition_keys",
         "premonition_keys": 1, "deck": [*DECK, "brown key"], "acted": False},
        ["premonition discard brown key"], DECK,
    ),
}  # fmt: skip


def after(fields, texts, seed, known):
    game = loose_game({**fields, "known": known}, seed)
    for text in texts:
        game.apply(text)
    return game


@pytest.mark.parametrize(("fields", "texts", "cards"), SHUFFLES.values(), ids=SHUFFLES)
def test_every_card_reaches_every_place_equally_often(fields, texts, cards):
    """What was drawn after the shuffle lay on top."""
    held = len(fields["players"][0]["hand"]) - sum(text.startswith("play") for text in texts)
    places = np.zeros((len(cards), len(cards)))
    for seed in range(ROUNDS):
        position = after(fields, texts, seed, known=0).position()
        order = position["deck"]
        if len(order) < len(cards):
            order = position["players"][0]["hand"][held:] + order
        assert sorted(order) == sorted(cards)
        for place, card in enumerate(order):
            places[cards.index(card), place] += 1
    for one in (*places, *places.T):
        assert stats.chisquare(one).pvalue > LEAST_P


@pytest.mark.parametrize(("fields", "texts", "cards"), SHUFFLES.values(), ids=SHUFFLES)
def test_a_shuffle_ends_what_was_known(fields, texts, cards):
    known = len(fields["deck"])
    assert len(loose_game({**fields, "known": known}).describe()["top"]) > 0
    assert after(fields, texts, 0, known).position()["known"] == 0

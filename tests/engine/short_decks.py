"""Starts with a few cards in the deck, of which the players know some: where it matters which copy goes."""

from __future__ import annotations

import random
from collections import Counter

from tests.model.expansions.cards import COLOURS, PACK, fills_hand
from tests.model.game import PlainGame

#: Cards of which there are several, so that equal ones come to lie side by side.
IN_DECK = ("red sun", "blue sun", "green moon", "nightmare", "red door", "brown door")


def short_deck(rng: random.Random, rules: dict, size: int) -> PlainGame:
    """Return a game in which Keys lie in all hands, each player knows some cards, and few are left."""
    left = Counter(PACK)
    kinds = rng.sample(IN_DECK, rng.choice((1, 2, 3, 6)))
    deck = [taken(left, [card for card in kinds if left[card]] or ["brown sun"], rng) for _ in range(size)]
    players = []
    for _ in range(rules["players"]):
        hand = [taken(left, [f"{colour} key" for colour in COLOURS], rng) for _ in range(2)]
        while len(hand) < (5 if rules["players"] == 1 else 3):
            hand.append(taken(left, [card for card in left if fills_hand(card)], rng))
        players.append({"hand": hand})
        if rules["players"] == 2:
            players[-1]["public"] = rng.sample(hand, rng.randrange(4))
    shared = [taken(left, [card for card in left if fills_hand(card)], rng) for _ in range(2)]
    return PlainGame(
        {
            "rules": {name: value for name, value in rules.items() if name != "prophecy_actions"},
            "players": players,
            "shared": shared if rules["players"] == 2 else [],
            "deck": deck,
            "known": [[place for place in range(size) if rng.random() < 0.5] for _ in players],
        },
        rng,
    )


def taken(left: Counter, cards: list, rng: random.Random) -> str:
    """Take one of some cards, if it is left, off those that are left, and return it."""
    card = rng.choice([card for card in cards if left[card]])
    left[card] -= 1
    return card

"""The table of looks is what the observations show: to whom cards are secret, and to whom they are not."""

import copy
from collections import Counter

import numpy as np
import pytest

from onirim_env import Game
from onirim_env.expansions.looks import LOOKS, SECRET_VERBS
from onirim_env.partner_action import is_secret
from onirim_env.positions.phases import REVEALED
from tests.engine.loose_positions import loose_game

DECK = [
    "green sun", "nightmare", "brown key", "blue moon", "red moon", "green key", "brown sun", "red sun",
    "brown moon", "green moon", "blue key",
]  # fmt: skip
BASE = {
    "players": [
        {"row": ["red moon"], "hand": ["red sun", "red key", "blue sun"]},
        {"hand": ["blue sun", "blue moon", "blue key"]},
    ],
    "shared": ["green sun", "green key"],
    "deck": DECK,
}


def with_hand(card):
    players = copy.deepcopy(BASE["players"])
    players[0]["hand"][0] = card
    return {"players": players}


def with_denizen(name):
    players = copy.deepcopy(BASE["players"])
    players[0]["denizens"] = [name]
    return {"players": players}


DREAM = {
    "phase": "happy_dream", "drawn": "happy dream", "premonitions": ["red2"],
    "players": [{"hand": ["red sun", "red key"]}, BASE["players"][1]],
}  # fmt: skip
KEYS = {
    "phase": "premonition_keys", "premonition_keys": 2, "premonitions": [],
    "players": [{**BASE["players"][0], "doors": ["blue door", "blue door"]}, BASE["players"][1]],
    "rules": {"duplicate_door": "kept"},
}  # fmt: skip
STARTS = {
    "Prophecy": ({}, ["discard red key", "no swap"]),
    "Paradoxical Prophecy": (
        {"phase": "paradox", "revealed": DECK[:5], "deck": DECK[5:], "acted": False}, [],
    ),
    "Incantation": (
        {**with_hand("red glyph"), "deck": ["red door", *DECK]}, ["discard red glyph", "no swap"],
    ),
    "Tower": (with_hand("red tower 5"), ["discard red tower 5", "no swap"]),
    "Keys of a Premonition": (KEYS, []),
    "Happy Dream that looks": (DREAM, ["happy look"]),
    "Happy Dream that searches": (DREAM, ["happy search"]),
    "Squirrel Spies": (with_denizen("squirrel spies"), ["squirrel spies"]),
    "Harpoon Hunter": (with_denizen("harpoon hunter"), ["harpoon hunter"]),
}  # fmt: skip
SHOWN = ("revealed", "new_revealed", "looked", "placed", "fetched")


def start(look):
    fields, actions = STARTS[look.name]
    options = {
        "players": 2,
        "expansions": [look.expansion] if look.expansion else [],
        **fields.get("rules", {}),
    }
    game = loose_game({**copy.deepcopy(BASE), **fields, "rules": options}, talk="closed")
    for text in actions:
        game.apply(text)
    return game


def moments(look):
    """The game at every decision of a look."""
    game = start(look)
    assert game.phase == look.phases[0]
    phases = []
    while game.phase in look.phases and game.player == 0:
        phases.append(game.phase)
        yield game
        texts = game.legal_texts()
        game.apply(next((text for text in texts if text == "look done"), texts[0]))
    assert tuple(dict.fromkeys(phases)) == look.phases


def other_worlds(game, look):
    """The game with a card that is looked at, or one of the hand, exchanged for a card of the deck."""
    position = game.position()
    beside = [(zone, place) for zone in ("revealed", "placed") for place in range(len(position[zone]))]
    deck = position["deck"]
    for zone, place in beside:
        for other in range(len(deck)):
            world = copy.deepcopy(position)
            world[zone][place], world["deck"][other] = deck[other], position[zone][place]
            yield world, deck[other] != position[zone][place]
    if not beside:
        hand = position["players"][0]["hand"]
        for other, card in enumerate(deck):
            if card.endswith(("sun", "moon", "key")) and card != hand[0]:
                world = copy.deepcopy(position)
                world["players"][0]["hand"][0], world["deck"][other] = card, hand[0]
                yield world, True


def seen_by_partner(position):
    return loose_game(position, talk="closed").observation(1)


def test_every_look_is_tried_and_every_phase_with_revealed_cards_is_one_of_a_look():
    assert set(STARTS) == {look.name for look in LOOKS}
    assert set(REVEALED) <= {phase for look in LOOKS for phase in look.phases}


@pytest.mark.parametrize("look", [look for look in LOOKS if not look.public], ids=lambda look: look.name)
def test_who_waits_sees_nothing_of_a_secret_look(look):
    worlds = 0
    for game in moments(look):
        described = game.describe(1)
        assert not any(described.get(field) for field in SHOWN)
        seen = game.observation(1)
        for world, is_another in other_worlds(game, look):
            assert np.array_equal(seen_by_partner(world), seen), (game.phase, world)
            worlds += is_another
    assert worlds > 5


@pytest.mark.parametrize("look", [look for look in LOOKS if look.public], ids=lambda look: look.name)
def test_who_waits_sees_the_cards_of_a_public_look_but_not_their_order(look):
    placed = 0
    for game in moments(look):
        position = game.position()
        cards = position["revealed"] + position["placed"]
        assert game.describe(1)["looked"] == Counter(cards) and not game.describe(1)["placed"]
        assert game.describe(0)["placed"] == Counter(position["placed"])
        seen = game.observation(1)
        assert np.array_equal(seen_by_partner(position), seen)
        for world, is_another in other_worlds(game, look):
            assert np.array_equal(seen_by_partner(world), seen) == (not is_another)
        if position["placed"]:
            placed += 1
            world = copy.deepcopy(position)
            world["placed"][0], world["revealed"][0] = world["revealed"][0], world["placed"][0]
            assert np.array_equal(seen_by_partner(world), seen)
    assert placed
    last = game.describe(1)
    assert not last["looked"] and not last["bottom"]


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: look.name)
def test_where_the_cards_of_a_look_are_put_is_secret(look):
    """A partner in closed talk is told of all decisions of a look but of these."""
    for game in moments(look):
        table = game.table
        for text in game.legal_texts():
            puts = text.startswith(("put ", "prophecy place"))
            assert is_secret(table)[table.id(text)] == puts
            assert puts <= bool(look.secret_verbs)
    assert set(look.secret_verbs) <= SECRET_VERBS


def test_dealing_anew_for_who_waits_keeps_public_cards_and_mixes_their_order():
    look = next(look for look in LOOKS if look.name == "Harpoon Hunter")
    game = start(look)
    game.apply(game.legal_texts()[0])
    position, orders = game.position(), set()
    cards = Counter(position["revealed"] + position["placed"])
    for seed in range(200):
        other = game.copy()
        other.determinize(1, seed)
        dealt = other.position()
        assert Counter(dealt["revealed"] + dealt["placed"]) == cards and len(dealt["placed"]) == 1
        assert np.array_equal(other.observation(1), game.observation(1))
        orders.add(dealt["placed"][0])
    assert orders == set(cards)
    other = game.copy()
    other.determinize(0, 1)
    assert other.position()["placed"] == position["placed"]


@pytest.mark.parametrize(
    ("talk", "hidden_matters"), [("closed", True), ("open", False)], ids=["closed", "open"]
)
def test_who_waits_while_a_door_may_be_opened_is_dealt_worlds_with_a_key_for_it(talk, hidden_matters):
    position = {
        "rules": {"players": 2}, "phase": "door", "drawn": "red door",
        "players": [{"hand": ["red key", "blue sun"]}, BASE["players"][1]],
        "shared": ["green sun", "green key"], "deck": DECK,
    }  # fmt: skip
    game = Game.from_position(position, talk=talk)
    hands = set()
    for seed in range(50):
        other = game.copy()
        other.determinize(1, seed)
        assert "open door" in other.legal_texts()
        hands.add(tuple(sorted(other.position()["players"][0]["hand"])))
    assert (len(hands) > 1) == hidden_matters


def test_who_waits_while_a_denizen_or_an_order_is_decided_is_dealt_worlds_that_ask():
    look = next(look for look in LOOKS if look.name == "Prophecy")
    game = start(look)
    game.apply(game.legal_texts()[0])
    game.apply(game.legal_texts()[0])
    assert game.phase == "prophecy_order"
    for seed in range(50):
        other = game.copy()
        other.determinize(1, seed)
        assert len(set(other.position()["revealed"])) > 1

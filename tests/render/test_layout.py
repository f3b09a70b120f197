"""Where cards and choices stand on the screen."""

import itertools
import random

import pytest

from onirim_env import Game, RuleSet
from onirim_env.render.layout import layout
from onirim_env.render.places import HEIGHT, WIDTH

RULES = {
    "solo": RuleSet(),
    "whole prophecies": RuleSet(prophecy_actions="permutation"),
    "options": RuleSet(prophecy_discard="optional", series_search="choice"),
    "co-op": RuleSet(players=2),
    "co-op options": RuleSet(players=2, duplicate_door="kept", draft="dealt", prophecy_discard="optional"),
}


def positions(rules, seeds, talk="open"):
    """Yield games at every decision of random play that likes to play cards and to open Doors."""
    rng = random.Random(0)
    for seed in seeds:
        game = Game(rules, seed=seed, talk=talk)
        while not game.over:
            yield game
            texts = game.legal_texts()
            liked = [text for text in texts if text.startswith(("play", "open", "search"))]
            game.apply(rng.choice(liked if liked and rng.random() < 0.7 else texts))
        yield game


def overlap(one, other):
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_everything_is_on_the_screen_and_nothing_covers_anything(rules):
    phases = set()
    for game in positions(rules, range(12)):
        phases.add(game.phase)
        where = layout(game)
        shown = [card.rect for card in where.cards] + [choice.rect for choice in where.choices]
        shown += [note.rect for note in where.notes]
        for rect in shown:
            assert rect.x >= 0 and rect.y >= 0 and rect.right <= WIDTH and rect.bottom <= HEIGHT
        for one, other in itertools.combinations(shown, 2):
            assert not overlap(one, other), (game.phase, one, other)
    assert {"action", "prophecy_discard", "door", "nightmare", "lost"} <= phases


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_every_legal_action_has_a_button_or_is_counted(rules):
    for game in positions(rules, range(4)):
        where = layout(game)
        legal = game.legal_actions()
        shown = [choice.action for choice in where.choices]
        assert shown == legal[: len(shown)]
        assert [choice.text for choice in where.choices] == game.legal_texts()[: len(shown)]
        if len(shown) < len(legal):
            assert game.rules.prophecy_actions == "permutation" and game.phase == "prophecy_discard"
            assert f"{len(legal) - len(shown)} more" in [note.text for note in where.notes]


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_cards_are_those_of_the_position(rules):
    for game in positions(rules, range(3)):
        position = game.position()
        where = layout(game)
        for zone in ("limbo", "discard"):
            counted = [c.name for c in where.cards if c.zone == zone for _ in range(c.number)]
            assert sorted(counted) == sorted(position[zone])
        for zone in ("shared", "revealed", "placed"):
            assert [c.name for c in where.cards if c.zone == zone] == position[zone]
        for player, own in enumerate(position["players"]):
            cards = [card for card in where.cards if card.player == player]
            assert [card.name for card in cards if card.zone == "hand"] == own["hand"]  # talk is open
            doors = [card.name for card in cards if card.zone == "doors" for _ in range(card.number)]
            assert sorted(doors) == sorted(own["doors"])
            for card in cards:
                if card.zone == "row":
                    assert own["row"][card.ordinal] == card.name
            if own["row"]:
                assert [c for c in cards if c.zone == "row"][-1].ordinal == len(own["row"]) - 1


def test_cards_that_can_be_played_stand_out():
    row = {"row": ["red sun"], "hand": ["red sun", "red moon", "blue sun", "green key", "brown sun"]}
    where = layout(Game.from_position({"players": [row]}))
    hand = [card for card in where.cards if card.zone == "hand"]
    assert [card.name for card in hand if card.playable] == ["red moon", "green key"]
    assert len({card.rect.y for card in hand}) == 2


def test_a_rectangle_tells_what_a_mouse_points_at():
    where = layout(Game(seed=1))
    choice = where.choices[0]
    assert choice.rect.holds(choice.rect.x, choice.rect.y)
    assert not choice.rect.holds(choice.rect.right, choice.rect.y)


def test_the_partner_of_a_prophecy_in_closed_talk_sees_backs():
    position = {
        "rules": {"players": 2}, "phase": "prophecy_order", "to_move": 0,
        "revealed": ["red sun", "nightmare", "blue moon"], "placed": ["green door"],
        "players": [{"hand": ["red key", "blue key"]}, {"hand": ["brown sun"] * 3}],
        "shared": ["green sun", "green moon"],
    }  # fmt: skip
    for talk, known in (("closed", False), ("open", True)):
        game = Game.from_position(position, talk=talk)
        for player in (0, 1):
            cards = layout(game, player).cards
            assert bool(layout(game, player).choices) == (known or player == 0)
            named = [card.name for card in cards if card.zone in ("revealed", "placed")]
            assert named == (
                ["red sun", "nightmare", "blue moon", "green door"] if known or player == 0 else [None] * 4
            )

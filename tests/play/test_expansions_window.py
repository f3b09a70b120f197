"""Games with expansions in the window: zones, clicks and reasons, whatever is decided."""

import itertools
import random

import pygame
import pytest

from onirim_env import Game, RuleSet
from onirim_env.play.session import Session
from onirim_env.play.sitting import Sitting
from onirim_env.play.window.desk import Desk
from onirim_env.play.window.drawing import Painter
from onirim_env.play.window.mouse import Mouse
from onirim_env.play.window.uses import why_not
from onirim_env.render.cards import text
from onirim_env.render.palette import FAINT
from onirim_env.render.places import CardPlace, Rect
from onirim_env.rules import EXPANSIONS

SIZE = (800, 600)


def desk_of(game):
    return Desk(Sitting(Session(game), ["play"]), lambda *job: None)


@pytest.mark.parametrize("players", [1, 2])
def test_every_decision_has_a_scene_and_cards_that_say_what_they_do(players):
    desk, rng = desk_of(Game(RuleSet(expansions=EXPANSIONS, players=players), 3)), random.Random(3)
    surface = pygame.Surface(SIZE)
    painter = Painter(surface)
    decisions = 0
    while not desk.session.game.over:
        scene = painter.scene(desk)
        if decisions % 10 == 0:
            painter.draw(desk, scene, Mouse())
        for place in scene.cards:
            assert place.rect.x >= 0 and place.rect.bottom <= SIZE[1]
            assert set(desk.uses(place)) <= set(desk.session.game.legal_texts())
            if place.zone in ("hand", "shared"):
                desk.describe(place)
                assert why_not(desk.session.game, place)
        assert any(words.text.startswith("GOALS") for words in scene.words)
        desk.take(rng.choice(desk.session.game.legal_texts()))
        decisions += 1
    assert painter.scene(desk).words


def test_a_tower_of_the_hand_can_be_placed_or_discarded():
    game = Game.from_position(
        {
            "rules": {"expansions": ["towers"]},
            "players": [{"hand": ["red tower 3", "red sun", "red sun", "red sun", "red sun"]}],
        }
    )
    place = CardPlace("hand", "red tower 3", Rect(0, 0, 1, 1), 0)
    assert desk_of(game).uses(place) == ["place red tower 3 right", "discard red tower 3"]


LOOKS = [
    ("look_order", "towers", ["red sun", "nightmare", "blue key"], "top"),
    ("bottom_order", "glyphs", ["red sun", "nightmare", "blue key"], "bottom"),
]


@pytest.mark.parametrize(("phase", "module", "cards", "end"), LOOKS)
def test_cards_that_were_looked_at_are_dragged_into_order(phase, module, cards, end):
    position = {
        "rules": {"expansions": [module]},
        "phase": phase,
        "acted": True,
        "revealed": cards,
        "players": [{"hand": ["red sun", "red moon", "blue sun", "green sun"]}],
    }
    desk = desk_of(Game.from_position(position, 1))
    scene = Painter(pygame.Surface(SIZE)).scene(desk)
    assert [place.name for place in scene.revealed] == cards
    words = "on top" if end == "top" else "at the bottom"
    assert desk.ordering.actions()[:2] == [f"put {card} {words}" for card in cards[:2]]
    desk.ordering.move(2, 0)
    desk.confirm_order()
    assert desk.ordering is None
    taken = desk.session.game.record()["actions"]
    assert taken[:2] == [f"put {card} {words}" for card in ("blue key", "red sun")]


@pytest.mark.parametrize(
    ("players", "expansions", "together"),
    [(1, [], 2), (1, ["glyphs"], 3), (1, list(EXPANSIONS), 3), (2, list(EXPANSIONS), 1), (2, ["glyphs"], 1)],
)
def test_the_doors_of_a_colour_stand_together(players, expansions, together):
    """There is as much room between two colours as within one, and no card of the row lies on a Door."""
    position = Game(RuleSet(players=players, expansions=expansions, draft="dealt"), 3).position()
    if "oniverse" in expansions:
        position["deck"].remove("oniverse door")
        position["players"][0]["doors"] = ["oniverse door"]
        position.pop("goals_met", None)  # it follows from the Doors
    desk = desk_of(Game.from_position(position, 3))
    viewer, scene = desk.where.viewer, Painter(pygame.Surface(SIZE)).scene(desk)
    doors = [place for place in scene.cards if place.zone == "doors" and place.player == viewer]
    colours = [place.name.split()[0] for place in doors]
    assert all(colours.count(colour) == together for colour in ("red", "blue", "green", "brown"))
    gaps = {True: set(), False: set()}
    for one, other in itertools.pairwise(doors):
        gaps[one.name == other.name].add(other.rect.x - one.rect.right)
    assert together == 1 or (min(gaps[False]) >= max(gaps[True]) and len(gaps[True]) == 1)
    assert min(gaps[False]) > 0
    rows = [place.rect for place in scene.cards if place.zone == "row" and place.player == viewer]
    buttons = [one.rect for one in scene.buttons if one.name == "row_back"]
    for rect in (*rows, *buttons):
        assert not any(rect.x < door.rect.right and rect.y < door.rect.bottom and door.rect.y < rect.bottom
                       for door in doors)  # fmt: skip


@pytest.mark.parametrize("players", [1, 2])
def test_every_zone_of_modules_has_room_in_the_window(players):
    rng = random.Random(2)
    game = Game(RuleSet(players=players, expansions=list(EXPANSIONS)), 2)
    for number in range(120):
        if game.over:
            break
        if number % 10 == 0:
            scene = Painter(pygame.Surface(SIZE)).scene(desk_of(game.copy()))
            assert not [words.text for words in scene.words if words.text.startswith("+")]
            for words in scene.words:
                assert words.x + text(words.text, words.size, FAINT).get_width() <= SIZE[0], words
        game.apply(rng.choice(game.legal_texts()))

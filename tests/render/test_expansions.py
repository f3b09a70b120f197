"""Games with expansions as images: every zone has its place, and base games look as before."""

import hashlib
import itertools
import random

import numpy as np
import pytest

from onirim_env import Game, RuleSet
from onirim_env.expansions import ALL_KIND_NAMES
from onirim_env.render import image
from onirim_env.render.cards import card, text
from onirim_env.render.image import render_image
from onirim_env.render.layout import layout
from onirim_env.render.palette import FAINT
from onirim_env.render.places import HEIGHT, WIDTH, Rect
from onirim_env.render.text import card_text
from onirim_env.rules import EXPANSIONS
from tests.long import long_after

SETS = [*([name] for name in EXPANSIONS), list(EXPANSIONS)]


def ids(value):
    return "+".join(value) if isinstance(value, list) and len(value) < len(EXPANSIONS) else None


def positions(options, seed, talk="open"):
    game, rng = Game(RuleSet(**options), seed, talk=talk), random.Random(seed)
    yield game
    while not game.over:
        game.apply(rng.choice(game.legal_texts()))
        yield game


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("expansions", SETS, ids=ids)
def test_everything_stands_inside_the_picture(expansions, players):
    for game in positions({"expansions": expansions, "players": players}, 3, "closed"):
        for viewer in range(players):
            where = layout(game, viewer)
            rects = [place.rect for place in where.cards]
            rects += [piece.rect for piece in (*where.choices, *where.notes, *where.labels)]
            for rect in rects:
                assert rect.x >= 0 and rect.y >= 0 and rect.right <= WIDTH and rect.bottom <= HEIGHT, rect


@pytest.mark.parametrize("players", [1, 2])
def test_games_with_all_modules_have_images_at_every_decision(players):
    for number, game in enumerate(positions({"expansions": EXPANSIONS, "players": players}, 4)):
        if number % 7 == 0 or game.over:
            assert render_image(game).shape == (HEIGHT, WIDTH, 3)


def test_the_cards_of_modules_look_different_and_have_texts_of_their_own():
    import pygame

    pictures = {pygame.image.tobytes(card(name, 60, 84), "RGBA") for name in ALL_KIND_NAMES}
    assert len(pictures) == len(ALL_KIND_NAMES)
    assert len({card_text(name) for name in ALL_KIND_NAMES}) == len(ALL_KIND_NAMES)


def test_the_strip_shows_goals_with_those_that_are_met_faint():
    goals = ["red door", "blue door", "green door", "brown door"] * 2
    position = {
        "rules": {"expansions": ["book_of_steps"]},
        "goals": goals,
        "players": [{"hand": ["red sun"] * 5, "doors": ["red door"]}],
    }
    where = layout(Game.from_position(position))
    shown = [(place.name, place.number) for place in where.cards if place.zone == "expansion"]
    assert shown == [(goal, int(place > 0)) for place, goal in enumerate(goals)]
    assert [label.text for label in where.labels] == ["GOALS  1 of 8 met"]


def test_the_known_top_of_the_deck_may_hold_cards_of_modules():
    position = {
        "rules": {"expansions": ["towers"]},
        "players": [{"hand": ["red sun"] * 5}],
        "deck_top": ["red tower 3", "red moon"],
        "known": 2,
    }
    where = layout(Game.from_position(position))
    assert [place.name for place in where.cards if place.zone == "top"] == ["red tower 3", "red moon"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [({}, "52eddff65101c793"), ({"players": 2}, "49793e253977e332")],
)
def test_base_games_are_laid_out_as_without_modules(options, expected):
    """What stands where in two games, as it was before there were modules."""
    digest = hashlib.sha256()
    for game in positions(options, 1):
        where = layout(game)
        assert where.labels == []
        pieces = [*where.cards, *where.choices, *where.notes, where.decision, *where.blocks, *where.series]
        digest.update(repr([tuple(piece) if piece else piece for piece in pieces]).encode())
    assert digest.hexdigest()[:16] == expected


def test_a_base_image_has_nothing_of_the_strip():
    game = Game(seed=1)
    np.testing.assert_array_equal(render_image(game), render_image(Game(RuleSet(expansions=[]), seed=1)))


def random_games(players, expansions, seeds=4):
    for seed in range(seeds):
        rng = random.Random(seed)
        game = Game(RuleSet(players=players, expansions=expansions), seed)
        while not game.over:
            yield game
            texts = game.legal_texts()
            liked = [text for text in texts if text.startswith(("play", "open", "place"))]
            game.apply(rng.choice(liked if liked and rng.random() < 0.6 else texts))


MANY_KINDS = ("payment", "happy_search")
"""Phases that may offer every kind of the discard pile or the deck."""


@pytest.mark.parametrize("players", [1, 2])
def test_every_choice_has_room_but_where_there_are_dozens(players):
    for game in random_games(players, list(EXPANSIONS)):
        number = len(game.legal_actions())
        if game.phase not in MANY_KINDS or number <= 20:
            where = layout(game)
            assert len(where.choices) == number, (game.phase, number)
            cards = [place.rect for place in where.cards]
            assert not any(overlap(choice.rect, rect) for choice in where.choices for rect in cards)


def overlap(one, other):
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


@pytest.mark.parametrize("expansions", [[], list(EXPANSIONS)], ids=["base", "all"])
@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("step", long_after(1, [5, 1]))
def test_no_card_covers_a_heading(players, expansions, step, monkeypatch):
    headings = []

    def label(surface, words, x, y, colour=FAINT):
        drawn = text(words, image.LABEL, colour)
        ink = drawn.get_bounding_rect()
        headings.append((words, Rect(x + ink.x, y + ink.y, ink.width, ink.height)))

    monkeypatch.setattr(image, "_label", label)
    for game in itertools.islice(random_games(players, expansions, 2), 0, None, step):
        headings.clear()
        image.render_image(game)
        for words, rect in headings:
            covering = [place for place in layout(game).cards if overlap(place.rect, rect)]
            assert not covering, (words, covering[0])


@pytest.mark.parametrize("players", [1, 2])
def test_every_zone_of_modules_has_room(players):
    for game in random_games(players, list(EXPANSIONS), 2):
        assert not any(label.text.startswith("+") for label in layout(game).labels)

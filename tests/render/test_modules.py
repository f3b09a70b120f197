"""Games with expansions as images: every zone has its place, and base games look as before."""

import hashlib
import random

import numpy as np
import pytest

from onirim_env import Game, RuleSet
from onirim_env.modules import ALL_KIND_NAMES
from onirim_env.render.cards import card
from onirim_env.render.image import render_image
from onirim_env.render.layout import HEIGHT, WIDTH, layout
from onirim_env.render.text import card_text
from onirim_env.rules import EXPANSIONS

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
    shown = [(place.name, place.number) for place in where.cards if place.zone == "module"]
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

"""Replay pages of games with expansions."""

import random

import pytest

from onirim_env import Game, RuleSet
from onirim_env.expansions import ALL_KIND_NAMES
from onirim_env.replay.page import page_text
from onirim_env.replay.steps import LETTERS, games_of, replay_steps
from onirim_env.rules import EXPANSIONS


@pytest.mark.parametrize("players", [1, 2])
def test_a_game_with_all_modules_has_a_page_with_its_zones(players):
    game, rng = Game(RuleSet(expansions=EXPANSIONS, hard=["towers"], players=players), 2), random.Random(2)
    while not game.over:
        game.apply(rng.choice(game.legal_texts()))
    replay = replay_steps(games_of(game.record()))
    assert "expansions=book_of_steps+" in replay["title"] and "hard=towers" in replay["title"]
    assert replay["expansions"] == list(EXPANSIONS)
    for step in replay["steps"]:
        labels = [zone["label"] for zone in step["scene"]["expansions"]]
        assert {"goals", "towers", "catchers", "premonitions"} <= set(labels)
    page = page_text(replay)
    for name in ALL_KIND_NAMES:
        assert f'"{LETTERS[ALL_KIND_NAMES.index(name)]}":["{name}"' in page


def test_a_page_has_the_edges_of_towers():
    game = Game(RuleSet(expansions=["towers"]), 2)
    game.apply(game.legal_actions()[0])
    page = page_text(replay_steps(games_of(game.record())))
    assert '["red tower 3","R3",1,[["sun","moon"],["moon"]]]' in page
    assert '["green tower 5","G5",1,[["sun"],[]]]' in page
    assert '["red sun","R",9]' in page


def test_a_base_game_has_no_word_of_modules():
    game = Game(seed=1)
    game.apply(0 if 0 in game.legal_actions() else game.legal_actions()[0])
    replay = replay_steps(games_of(game.record()))
    assert "expansions" not in replay and all("expansions" not in step["scene"] for step in replay["steps"])

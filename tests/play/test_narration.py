"""What is told between decisions is what has happened."""

import numpy as np
import pytest

from onirim_env import Game, RuleSet
from onirim_env.play.narration import Story, ending, tell
from onirim_env.play.questions import ask
from onirim_env.play.table import WIDTH, table_text

RULES = [
    {},
    {"door_key": "automatic"},
    {"series_search": "choice", "prophecy_discard": "optional", "prophecy_door": "protected"},
    {"prophecy_actions": "permutation", "stop_when_unwinnable": True},
    {"players": 2},
    {"players": 2, "door_key": "automatic", "shared_refill": "limbo"},
    {"players": 2, "duplicate_door": "kept", "door_key": "automatic", "draft": "dealt"},
    {"players": 2, "series_search": "choice", "shared_refill": "limbo"},
]


def play(game, seed):
    """Play at random, rather playing and opening than not, and give each step."""
    rng = np.random.default_rng(seed)
    while not game.over:
        good = [text for text in game.legal_texts() if text.startswith(("play", "open", "nightmare"))]
        action = str(rng.choice(good if good and rng.random() < 0.6 else game.legal_texts()))
        before = game.copy()
        game.apply(action)
        yield before, action, game


@pytest.mark.parametrize("options", RULES, ids=str)
def test_a_story_ends_where_the_game_does(options):
    """Hands, Doors and Limbo, followed card by card, are those of the next position."""
    for seed in range(15):
        for before, action, after in play(Game(RuleSet(**options), seed), seed):
            story = Story(before, action, after, 0, ("one", "two"))
            position = after.position()
            assert sorted(story.hand) == sorted(position["players"][before.player]["hand"]), action
            assert sorted(story.shared) == sorted(position["shared"]), action
            assert story.doors == after.doors
            if after.turns == before.turns and not after.over:
                assert sorted(story.limbo) == sorted(position["limbo"])


@pytest.mark.parametrize("options", RULES, ids=str)
def test_every_decision_is_asked_with_all_its_choices(options):
    for before, _, _ in play(Game(RuleSet(**options), 3), 3):
        question = ask(before)
        assert question.text
        assert [choice.action for choice in question.choices] == before.legal_actions()
        words = [choice.words for choice in question.choices]
        assert len(set(words)) == len(words)


@pytest.mark.parametrize("players", [1, 2])
def test_the_table_fits_the_terminal(players):
    for seed in range(5):
        for before, _, _ in play(Game(RuleSet(players=players), seed), seed):
            lines = table_text(before, before.player, ("one", "two")).split("\n")
            assert max(map(len, lines)) <= WIDTH


def story_of(position, action, seed=0):
    before = Game.from_position(position, seed)
    after = before.copy()
    after.apply(action)
    return tell(before, action, after, 0, ("you",)), after


def test_a_series_tells_of_its_door():
    lines, _ = story_of(
        {
            "players": [{"row": ["red sun", "red moon"], "hand": ["red key", "blue sun"] + 3 * ["red sun"]}],
            "deck": ["red door", "blue moon", "blue moon"],
        },
        "play red key",
    )
    assert lines[:2] == [
        "> play red key",
        "The series finds a red Door, and the deck is shuffled (1 of 8 Doors)",
    ]
    assert lines[2] == "Drawn: blue moon"


def test_a_door_without_its_key_goes_to_limbo_and_back():
    lines, _ = story_of(
        {
            "players": [{"hand": ["red moon", "blue sun", "blue sun", "red sun", "red sun"]}],
            "deck": ["green door", "blue moon", "blue key"],
        },
        "play red moon",
    )
    assert lines[1:] == [
        "Drawn: a green Door (no green key); it goes to Limbo",
        "Drawn: blue moon",
        "End of the turn: green door shuffled into the deck",
    ]


def test_the_end_says_why():
    lines, after = story_of({"players": [{"hand": 5 * ["red sun"]}], "deck": []}, "discard red sun")
    assert lines == ["> discard red sun"]
    assert ending(after).startswith("You have lost: the deck is empty")

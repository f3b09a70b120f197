"""Games with expansions in words: questions, choices and what is told, for every module."""

import argparse
import random

import pytest

from onirim_env import Game, RuleSet
from onirim_env.play.colours import paint
from onirim_env.play.command import add_options, make_session
from onirim_env.play.expansion_words import PATTERNS, words_of
from onirim_env.play.facts import Facts
from onirim_env.play.keeping import Keeping
from onirim_env.play.narration import ending, tell
from onirim_env.play.questions import ask
from onirim_env.play.session import Session
from onirim_env.play.table import discarded_text, table_text
from onirim_env.play.terminal import Terminal
from onirim_env.render.text import render_text
from onirim_env.rules import EXPANSIONS
from tests.long import long_after

SETS = [*([name] for name in EXPANSIONS), list(EXPANSIONS)]
NAMES = ("one", "two")


def ids(value):
    return "+".join(value) if isinstance(value, list) and len(value) < len(EXPANSIONS) else None


def steps(options, seed, talk="open"):
    """Play at random and give each step: before, action, after."""
    game, rng = Game(RuleSet(**options), seed, talk=talk), random.Random(seed)
    while not game.over:
        before, action = game.copy(), rng.choice(game.legal_texts())
        game.apply(action)
        yield before, action, game


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("expansions", SETS, ids=ids)
def test_every_choice_has_words_of_its_own(expansions, players):
    for seed in range(4):
        for before, _, _ in steps({"expansions": expansions, "players": players}, seed):
            question = ask(before)
            assert question.text
            assert [choice.action for choice in question.choices] == before.legal_actions()
            words = [choice.words for choice in question.choices]
            assert all(words) and len(set(words)) == len(words), (before.phase, words)


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("expansions", SETS, ids=ids)
@pytest.mark.parametrize("seed", long_after(1, range(3)))
def test_every_step_can_be_told_and_shown(expansions, players, seed):
    options = {"expansions": expansions, "players": players}
    for before, action, after in steps(options, seed, "closed"):
        for viewer in range(players):
            assert tell(before, action, after, viewer, NAMES[:players])[0].startswith("> ")
            assert paint(table_text(after, viewer, NAMES[:players]))
            assert render_text(after, viewer)
        discarded_text(after)
    assert ending(after).startswith("You have ")


@pytest.mark.parametrize("players", [1, 2])
def test_no_action_is_left_to_the_fallback(players):
    game = Game(RuleSet(expansions=EXPANSIONS, players=players), 0)
    for text in game.table.texts:
        if not text.startswith("prophecy"):  # those are asked as in the base game
            assert any(pattern.fullmatch(text) for pattern, _ in PATTERNS), text
            assert words_of(Facts(game), text)


def test_an_unknown_text_is_shown_as_it_is():
    assert words_of(Facts(Game(RuleSet(expansions=["towers"]), 0)), "dance a jig") == "Dance a jig"


@pytest.mark.parametrize("expansions", SETS, ids=ids)
def test_what_is_told_names_no_card_of_a_closed_hand(expansions):
    """The partner hears of as many drawn cards as there are, not which."""
    options = {"expansions": expansions, "players": 2}
    for before, action, after in steps(options, 5, "closed"):
        if before.phase == "draft":
            continue
        other = 1 - before.player
        told = [line for line in tell(before, action, after, other, NAMES) if line.startswith("Drawn: ")]
        shared = after.position()["shared"]
        for line in told[:-1] if after.position()["drawn"] else told:
            for card in line.removeprefix("Drawn: ").split(", "):
                if card.endswith(("sun", "moon", "key", "glyph", "dead end")):
                    assert card in shared, line


def test_words_say_what_module_actions_do():
    game = Game.from_position(
        {
            "rules": {"expansions": ["glyphs", "towers", "book_of_steps"]},
            "players": [{"hand": ["red glyph", "red tower 4", "blue sun", "blue sun", "blue moon"]}],
            "goals": [f"{colour} door" for colour in ("red", "blue", "green", "brown")] * 3,
        }
    )
    words = [choice.words for choice in ask(game).choices]
    assert "Play red glyph: 1 of 3 red" in words
    assert any(one.startswith("Discard red glyph: an Incantation") for one in words)
    assert any(one.startswith("Discard red tower 4: see the next 4 cards") for one in words)
    assert "Place red tower 4 at the right end of the Towers" in words


@pytest.mark.parametrize("options", [{"hard": ["crossroads"]}, {"crossroad_series": "restart"}])
def test_words_of_a_play_count_a_crossroad_for_one_series_where_a_conflict_restarts(options):
    """Red, Crossroad, blue, blue is no blue series then (X-7, O-37)."""
    hand = ["blue moon", "red moon", "green key", "brown key", "green moon"]
    player = {"row": ["red sun", "crossroad moon", "blue sun"], "hand": hand}

    def words(rules):
        position = {"rules": {"expansions": ["crossroads"], **rules}, "players": [player]}
        return words_of(Facts(Game.from_position(position)), "play blue moon")

    assert words(options) == "Play blue moon: 2 of 3 blue"
    assert words({}).startswith("Play blue moon: completes a blue series")


def test_a_failsafe_book_is_announced_only_while_it_can_be_used():
    player = {
        "hand": ["red sun", "blue sun", "green sun", "brown sun", "blue moon"],
        "denizens": ["squirrel spies"],
    }
    position = {
        "rules": {"expansions": ["dreamcatchers", "oniverse"]},
        "players": [player],
        "dreamcatchers": [["nightmare"], [], [], []],
    }
    first, later = (Game.from_position({**position, "begun": begun}) for begun in (False, True))
    assert "Failsafe" in ask(first).text and "Failsafe" not in ask(later).text
    assert "Denizens" in ask(first).text and "Denizens" in ask(later).text


def test_goals_that_are_met_are_marked():
    goals = ["red door", "blue door", "green door", "brown door"] * 2
    position = {
        "rules": {"expansions": ["book_of_steps"]},
        "goals": goals,
        "players": [{"hand": ["red sun"] * 5, "doors": ["red door"]}],
    }
    text = table_text(Game.from_position(position), 0, ("player 0",))
    assert "goals     [R#] B# G# N# R#" in text


def test_hidden_things_of_modules_are_not_shown():
    """The order of the Premonitions in reserve and the Denizens that are not used."""
    game = Game(RuleSet(expansions=["premonitions", "oniverse"]), 3)
    position = game.position()
    for reserve in (position["premonition_reserve"], position["premonition_reserve"][::-1]):
        other = Game.from_position({**position, "premonition_reserve": reserve})
        assert "face down " + " ".join(sorted(reserve)) in render_text(other)
    swapped = {**position, "unused_denizens": position["unused_denizens"][:7]}
    swapped["deck"] = [*position["deck"], position["unused_denizens"][7]]
    lines = [
        line
        for one in (position, swapped)
        for line in render_text(Game.from_position(one)).split("\n")
        if line.startswith(("denizens", "unseen"))
    ]
    assert lines[:2] == lines[2:]


def test_a_game_with_all_modules_plays_in_the_terminal(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = random.Random(1)
    session = Session(Game(RuleSet(expansions=EXPANSIONS), 1))
    written = []

    def read(prompt):
        if session.game.over:
            return ""
        return rng.choice(["?", "d", *("123456789")])

    Terminal(session, ["play"], read=read, write=written.append, colour=True).run()
    text = "\n".join(written)
    assert session.game.over and "You have " in text and "of 13 Doors" in text
    assert "The Towers: touching edges" in text


def test_the_command_of_a_game_brings_its_modules_back():
    rules = RuleSet(expansions=["towers", "glyphs"], hard=["towers"], false_destruction="forced_only")
    command = Keeping(Session(Game(rules, 4)), ["play"]).replay_command()
    assert command == (
        "play --expansions glyphs towers --hard towers --option false_destruction=forced_only --seed 4"
    )


def test_the_command_line_names_modules_and_harder_variants():
    parser = argparse.ArgumentParser()
    add_options(parser)
    arguments = parser.parse_args(["--expansions", "towers", "glyphs", "--hard", "towers", "--seed", "1"])
    rules = make_session(arguments).game.rules
    assert rules == RuleSet(expansions=["glyphs", "towers"], hard=["towers"])
    with pytest.raises(ValueError, match="--hard does not go with --load"):
        make_session(parser.parse_args(["--load", "game.json", "--hard", "towers"]))

"""Odin in the terminal."""

import pytest

from onirim_env.odin import Game, RuleSet
from onirim_env.odin.__main__ import main
from onirim_env.odin.play import Table, read_choice, short_text
from onirim_env.odin.render.text import render_text


def at_table(answers, rules=None, seat=0, seed=1, opponents=None):
    """Play with these answers; return whether the end was reached, and what was told."""
    given, told = iter(answers), []

    def ask(prompt):
        try:
            return next(given)
        except StopIteration:
            raise EOFError from None

    reached = Table(Game(rules or RuleSet(), seed), seat, opponents, ask, told.append).run()
    return reached, "\n".join(told)


def test_a_game_is_played_to_its_end_with_first_choices():
    reached, told = at_table(["1"] * 5000, RuleSet(players=3, limit=10))
    assert reached and "The hand has ended. Its points: " in told and "won by player" in told
    assert "player 1: " in told and "player 2: " in told


def test_opponents_may_be_any_callable():
    seen = []

    def first(observations, masks):
        seen.append(observations.shape)
        return masks.argmax(axis=1)

    assert at_table(["1"] * 5000, RuleSet(episode="hand"), opponents=first)[0]
    assert set(seen) == {(1, 673)}


def test_help_rules_and_leaving():
    reached, told = at_table(["?", "rules", "what", "", "q"], RuleSet(first_leader="player_0"))
    assert not reached
    assert "Answer with the number" in told and "The leader of a round" in told
    assert "'what' is none of the choices; they are play " in told
    assert not at_table([], RuleSet(first_leader="player_0"))[0]  # the end of the input leaves, too


@pytest.mark.parametrize(
    ("answer", "action"),
    [
        ("play red 5", "play red 5"), ("r5", "play red 5"), ("RED  5", "play red 5"), ("1", "play red 5"),
        ("2", "play brown 7"), ("n7", "play brown 7"), (".", "pass"), ("pass", "pass"), ("4", None),
        ("0", None), ("blue 1", None), ("²", None),
    ],
)  # fmt: skip
def test_answers_are_numbers_texts_and_short_forms(answer, action):
    assert read_choice(answer, ["play red 5", "play brown 7", "pass"]) == action


def test_short_forms_tell_choices_apart():
    game = Game(RuleSet(players=2, play_actions="whole", goat=True), seed=3)
    for _ in range(60):
        texts = game.legal_texts()
        assert len(set(map(short_text, texts))) == len(texts)
        game.apply(texts[len(texts) // 2])
        if game.over:
            break


def test_the_text_of_a_game_shows_no_hidden_card():
    game = Game(RuleSet(players=4), seed=5)
    other = game.copy()
    other.determinize(game.player, 3)
    assert other.position() != game.position()
    assert render_text(other) == render_text(game)


def test_commands(capsys, monkeypatch):
    monkeypatch.setattr("builtins.input", lambda prompt: "q")
    assert main(["play", "--players", "3", "--seed", "1", "--seat", "1"]) == 0
    assert capsys.readouterr().out.startswith("You are player 1. ? for help.")
    assert main(["rules", "--goat", "true"]) == 0
    assert "110 play goat" in capsys.readouterr().out
    assert main(["play", "--seat", "2"]) == 2
    assert "--seat must be a number from 0 to 1, not 2" in capsys.readouterr().err
    assert main(["play", "--opponents", "clever"]) == 2
    assert "opponents cannot be 'clever'; allowed are 'random'" in capsys.readouterr().err

"""Changed positions of games: ``python -m tests.engine.position_fuzzer`` looks at as many as one likes."""

import random

import pytest

from onirim_env import Game, PositionError, RuleSet
from tests.engine import position_fuzzer
from tests.engine.position_fuzzer import Fault, check_actions, check_reading_back, check_refusal, main, run
from tests.long import long_after


@pytest.mark.parametrize(("seed", "mutants"), long_after(1, [(101, 120), (102, 600), (103, 600)]))
def test_changed_positions_are_refused_in_one_line_or_play_to_their_ends(seed, mutants):
    counts = run(seed, mutants)
    assert counts["faulty"] == 0 and counts["played"] > mutants // 10 and counts["refused"] > mutants // 3


def test_a_message_that_names_no_field_or_is_too_long_is_a_fault():
    check_refusal(PositionError("players[0].hand: 1 cards"))
    for message in ("", "something is wrong", "hand: 1\ncards", "hand: " + "x" * 10_000):
        with pytest.raises(Fault):
            check_refusal(PositionError(message))


def test_a_game_that_does_not_list_what_it_takes_is_a_fault(monkeypatch):
    game = Game(RuleSet(expansions=["towers"]), seed=1)
    check_actions(random.Random(1), game)
    check_reading_back(game)
    shown = game.action_mask()
    shown[:] = 0
    monkeypatch.setattr(Game, "action_mask", lambda self, layout="own": shown)
    with pytest.raises(Fault, match="no action"):
        check_actions(random.Random(1), game)
    shown[Game(game.rules, seed=1).table.id("refuse door")] = 1
    with pytest.raises(ValueError, match="refuse door"):
        check_actions(random.Random(1), game)


def test_the_command_shows_how_far_it_is_and_every_fault(monkeypatch, capsys):
    def check(rng, mutant):
        raise Fault("always")

    monkeypatch.setattr("sys.argv", ["position_fuzzer", "--mutants", "3"])
    assert main() == 0
    assert "refused in one line" in capsys.readouterr().out
    monkeypatch.setattr(position_fuzzer, "check_mutant", check)
    assert main() == 1
    shown = capsys.readouterr()
    assert shown.out.count("Fault: always") == 3 and "3 of 3" in shown.err

"""Whole games are what the golden files say, decision by decision."""

import pytest

from tests.odin.playthroughs import FOLDER, GAMES, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_that_of_its_golden_file(name):
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_there_is_a_game_for_every_golden_file():
    assert {file.stem for file in FOLDER.glob("*.txt")} == set(GAMES)

"""Whole games stay as they were printed: rules, random numbers, texts and positions together."""

import pytest

from tests.engine.playthroughs import FOLDER, GAMES, playthrough


@pytest.mark.parametrize("name", GAMES)
def test_playthrough_is_as_stored(name):
    assert playthrough(name) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


def test_every_stored_playthrough_is_compared():
    assert {path.stem for path in FOLDER.glob("*.txt")} == set(GAMES)

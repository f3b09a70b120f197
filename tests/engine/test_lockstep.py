"""The engine and the plain model of the rules agree, decision by decision."""

import re
from pathlib import Path

import pytest

from tests.engine.lockstep import play
from tests.long import long_after

PARTS = range(20)
"""Games are played in parts, of which the first one is enough to notice a rule that differs."""


@pytest.mark.parametrize("part", long_after(1, PARTS))
def test_solo_games_agree_in_every_zone_up_to_the_first_shuffle(part):
    decisions = [play(seed, 1, only_to_first_shuffle=True) for seed in range(part * 800, (part + 1) * 800)]
    assert len(decisions) == 800 and min(decisions) > 0


@pytest.mark.parametrize("part", long_after(1, PARTS))
def test_whole_solo_games_agree_when_the_model_draws_what_the_engine_draws(part):
    first = 100_000 + part * 200
    assert sum(play(seed, 1, only_to_first_shuffle=False) for seed in range(first, first + 200)) > 4000


@pytest.mark.parametrize("part", long_after(1, PARTS))
def test_co_op_games_agree_in_every_zone_up_to_the_first_shuffle(part):
    decisions = [play(seed, 2, only_to_first_shuffle=True) for seed in range(part * 200, (part + 1) * 200)]
    assert len(decisions) == 200 and min(decisions) > 0


@pytest.mark.parametrize("part", long_after(1, PARTS))
def test_whole_co_op_games_agree_and_so_does_what_each_player_knows(part):
    first = 200_000 + part * 50
    for seed in range(first, first + 50):
        play(seed, 2, only_to_first_shuffle=False, check_knowledge=True)


def test_the_plain_model_takes_nothing_from_the_package():
    sources = sorted((Path(__file__).parent.parent / "model").rglob("*.py"))
    assert len(sources) > 10
    used = [file.name for file in sources if re.search(r"(from|import) onirim_env", file.read_text("utf-8"))]
    assert not used

"""Row 31: the engine and the plain model of the rules agree, decision by decision."""

import re
from pathlib import Path

import pytest

from tests.engine.lockstep import play


@pytest.mark.parametrize("part", range(8))
def test_solo_games_agree_in_every_zone_up_to_the_first_shuffle(part):
    decisions = [play(seed, 1, only_to_first_shuffle=True) for seed in range(part * 2000, (part + 1) * 2000)]
    assert len(decisions) == 2000 and min(decisions) > 0


@pytest.mark.parametrize("part", range(4))
def test_whole_solo_games_agree_when_the_model_draws_what_the_engine_draws(part):
    first = 100_000 + part * 1000
    assert sum(play(seed, 1, only_to_first_shuffle=False) for seed in range(first, first + 1000)) > 20_000


@pytest.mark.parametrize("part", range(4))
def test_co_op_games_agree_in_every_zone_up_to_the_first_shuffle(part):
    decisions = [play(seed, 2, only_to_first_shuffle=True) for seed in range(part * 1000, (part + 1) * 1000)]
    assert len(decisions) == 1000 and min(decisions) > 0


@pytest.mark.parametrize("part", range(4))
def test_whole_co_op_games_agree_and_so_does_what_each_player_knows(part):
    first = 200_000 + part * 250
    for seed in range(first, first + 250):
        play(seed, 2, only_to_first_shuffle=False, check_knowledge=True)


def test_the_plain_model_takes_nothing_from_the_package():
    sources = sorted((Path(__file__).parent.parent / "model").rglob("*.py"))
    assert len(sources) > 10
    used = [file.name for file in sources if re.search(r"(from|import) onirim_env", file.read_text("utf-8"))]
    assert not used

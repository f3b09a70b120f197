"""A few games of every eighth set of expansions; ``python -m tests.engine.random_sets`` plays all of them."""

import pytest

from onirim_env import Game, RuleSet
from tests.engine.expansion_lockstep import all_sets
from tests.engine.random_sets import check_cards, play_set, rules_of


@pytest.mark.parametrize("players", [1, 2])
def test_random_games_keep_every_card_and_always_have_a_choice(players):
    for number, expansions in list(enumerate(all_sets()))[7::8]:
        decisions, _ = play_set(rules_of(number, players, expansions), games=12, size=6, seed=number)
        assert decisions > 12 * 5


def test_a_card_too_many_or_too_few_is_found():
    rules = RuleSet(expansions=["towers", "oniverse"])
    game = Game(rules, seed=1)
    check_cards(game)
    for change in (1, -1):
        broken = game.state
        broken["unused"][0, 0] += change
        with pytest.raises(AssertionError, match="architect"):
            check_cards(Game._of(broken, rules, "open", "0x0", None, None))

"""Game.from_state: a record that no game has never reaches compiled code."""

import numpy as np
import pytest

from onirim_env import Game, MaskedSampler, PositionError, RuleSet
from onirim_env.engine.records import state_dtype
from onirim_env.rules import EXPANSIONS
from tests.long import long_after

RULES = {
    "solo": RuleSet(),
    "co-op": RuleSet(players=2),
    "all expansions": RuleSet(expansions=EXPANSIONS),
    "co-op with all expansions": RuleSet(players=2, expansions=EXPANSIONS, hard=["towers", "premonitions"]),
}


def states_of(rules, games=12, every=7):
    """Records from the midst and the end of random games."""
    sampler = MaskedSampler(seed=3)
    for seed in range(games):
        game = Game(rules, seed)
        decisions = 0
        while not game.over:
            game.apply(sampler(game.action_mask()))
            decisions += 1
            if game.over or decisions % every == 0:
                yield game.state


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_the_records_of_games_are_taken_as_they_are(rules):
    for state in states_of(rules):
        assert Game.from_state(state, rules).state.tobytes() == state.tobytes()


@pytest.mark.parametrize("step", long_after(1, [7, 1]))
@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_records_of_random_bytes_are_refused_or_harmless(rules, step):
    """Each byte of a record (or every seventh) is changed; what is taken is played on, and dealt anew."""
    random = np.random.default_rng(5)
    refused = 0
    places = range(16, state_dtype(rules).itemsize, step)  # behind the random numbers, which may be any
    for state in states_of(rules, games=1, every=40):
        for place in places:
            changed = state.copy()
            changed.view(np.uint8)[place] = random.integers(256)
            try:
                game = Game.from_state(changed, rules)
            except PositionError as error:
                refused += 1
                assert len(str(error)) < 5000
                continue
            game.determinize(0, 1)
            while not game.over:
                game.apply(game.legal_actions()[0])
    assert refused > len(places) // 2


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda state: state[:0], "one record"),
        (lambda state: np.repeat(state, 2), "one record"),
        (lambda state: state.view(np.uint8), "one record"),
        (lambda state: state.tolist(), "one record"),
        (lambda state: np.zeros(1, dtype=state_dtype(RULES["all expansions"])), "one record"),
    ],
)
def test_what_is_no_record_is_refused(change, reason):
    with pytest.raises(PositionError, match=reason):
        Game.from_state(change(Game(seed=1).state), RuleSet())


def test_a_record_of_other_rules_is_refused():
    with pytest.raises(PositionError, match="other rules"):
        Game.from_state(Game(seed=1).state, RuleSet(stop_when_unwinnable=True))


def test_unused_denizens_that_are_too_many_are_refused():
    """They once filled the list of hidden cards beyond its end."""
    rules = RuleSet(expansions=["oniverse"])
    state = Game(rules, 1).state
    state["unused"] = 100
    with pytest.raises(PositionError):
        Game.from_state(state, rules)

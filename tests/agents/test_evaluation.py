from __future__ import annotations

import json

import numpy as np
import pytest
from scipy.stats import binomtest

from agents.base import Agent
from agents.measure import evaluation
from agents.measure.evaluation import evaluate
from agents.measure.evaluation_result import RESULTS, wilson_interval
from agents.measure.protocols import PROTOCOLS, find_protocol, protocol_seeds
from agents.registry import load_agent
from onirim_env import Game, IllegalAction
from onirim_env.rules import RuleSet


class First(Agent):
    """Takes the first legal action."""

    name = "first"

    def act(self, observations, masks):
        return masks.argmax(axis=1)


class FirstPlanner(First):
    """Takes the first legal action of the games that it is given."""

    name = "first planner"
    needs_games = True

    def __init__(self, rules=None, talk="open"):
        super().__init__(rules, talk)
        self.games_seen = 0
        self.decks = []

    def act(self, observations, masks, games):
        actions = np.zeros(len(masks), dtype=np.int64)
        for row, game in enumerate(games):
            assert (game is None) == masks[row].all()
            if game is None:
                continue
            assert np.array_equal(game.observation(), observations[row])
            self.games_seen += 1
            self.decks.append(game.position()["deck"])
            actions[row] = game.legal_actions()[0]
            game.apply(int(actions[row]))  # games are the planner's own
        return actions


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("name", ["random", "rules"])
def test_results_are_equal_for_every_batch_size(name, players):
    results = [
        evaluate(name, seeds=range(100, 170), rules=RuleSet(players=players), batch_size=size, progress=False)
        for size in (1, 7, 64)
    ]
    for result in results[1:]:
        assert np.array_equal(result.seeds, results[0].seeds)
        for field in RESULTS:
            assert np.array_equal(getattr(result, field), getattr(results[0], field)), field


def test_results_are_those_of_the_games_of_the_seeds():
    seeds = [5, 3, 9]
    result = evaluate(First(), seeds=seeds, batch_size=2, progress=False)
    assert result.seeds.tolist() == seeds
    for index, seed in enumerate(seeds):
        game = Game(seed=seed)
        decisions = 0
        while not game.over:
            game.apply(game.legal_actions()[0])
            decisions += 1
        expected = {**game.result(), "decisions": decisions}
        assert {name: getattr(result, name)[index] for name in RESULTS} == expected


def test_a_planner_gets_games_in_which_hidden_cards_are_dealt_anew():
    planner = FirstPlanner()
    result = evaluate(planner, seeds=range(5), batch_size=3, progress=False)
    plain = evaluate(First(), seeds=range(5), progress=False)
    assert np.array_equal(result.decisions, plain.decisions)
    assert planner.games_seen == result.decisions.sum()
    real = [Game(seed=seed).position()["deck"] for seed in range(3)]
    assert planner.decks[:3] != real


def test_an_illegal_action_is_an_error():
    class Illegal(First):
        def act(self, observations, masks):
            return masks.argmin(axis=1)

    with pytest.raises(
        IllegalAction, match=r"agent first: .* is not legal in turn 1 of the game of seed 7: .+; legal are: "
    ):
        evaluate(Illegal(), seeds=[7, 8], progress=False)


@pytest.mark.parametrize("answer", [np.zeros(3), np.zeros((1, 1), dtype=np.int64), [0]])
def test_an_answer_of_the_wrong_form_is_an_error_that_names_the_agent(answer):
    class Wrong(First):
        def act(self, observations, masks):
            return answer

    with pytest.raises(TypeError, match="agent 'first'"):
        evaluate(Wrong(), seeds=[1], progress=False)


def test_a_game_without_end_is_an_error_that_names_its_seed(monkeypatch):
    """An evaluation never hangs."""
    monkeypatch.setattr(evaluation, "MAX_DECISIONS", 10)
    with pytest.raises(RuntimeError, match="seed 4 has not ended after 10 decisions"):
        evaluate("random", seeds=[4], progress=False)


def test_an_interrupt_returns_what_is_finished():
    class Interrupting(First):
        calls = 0

        def act(self, observations, masks):
            self.calls += 1
            if self.calls == 150:
                raise KeyboardInterrupt
            return super().act(observations, masks)

    result = evaluate(Interrupting(), seeds=range(50), batch_size=4, progress=False)
    whole = evaluate(First(), seeds=range(50), progress=False)
    assert result.interrupted
    assert 0 < result.games < 50
    for index, seed in enumerate(result.seeds):
        assert result.decisions[index] == whole.decisions[seed]


@pytest.mark.parametrize(
    "arguments",
    [
        {"seeds": []},
        {"seeds": [-1]},
        {"seeds": [1], "batch_size": 0},
        {"seeds": [1], "rules": RuleSet(players=2)},
        {"seeds": [1], "talk": "closed"},
    ],
)
def test_what_cannot_be_evaluated_is_refused(arguments):
    with pytest.raises(ValueError):
        evaluate(First(), progress=False, **arguments)


@pytest.mark.parametrize(("wins", "games"), [(0, 10), (5, 10), (10, 10), (3200, 10_000), (1, 10_000)])
def test_the_interval_is_that_of_wilson(wins, games):
    known = binomtest(wins, games).proportion_ci(0.95, method="wilson")
    assert wilson_interval(wins, games) == pytest.approx((known.low, known.high), abs=1e-12)


def test_protocols_have_their_own_seeds():
    firsts = {"solo-v1": 10**9, "coop-open-v1": 2 * 10**9, "coop-closed-v1": 3 * 10**9}
    for name, first in firsts.items():
        assert protocol_seeds(name).tolist() == list(range(first, first + 10_000))
    assert protocol_seeds("solo-v1", 3, offset=7).tolist() == [10**9 + 7, 10**9 + 8, 10**9 + 9]
    assert PROTOCOLS.keys() == firsts.keys()
    assert [find_protocol(2, "closed"), find_protocol(1, "closed")] == ["coop-closed-v1", "solo-v1"]


def test_an_evaluation_says_which_protocol_it_followed():
    result = evaluate(First(), seeds=protocol_seeds("solo-v1", 20), progress=False)
    assert result.protocol is None
    whole = evaluate(First(), seeds=protocol_seeds("solo-v1"), batch_size=2000, progress=False)
    assert whole.protocol == "solo-v1"


def test_a_summary_is_json():
    summary = evaluate(First(), seeds=range(20), progress=False).as_dict()
    assert json.loads(json.dumps(summary)) == summary
    assert summary["games"] == 20


def test_strength_of_the_agents_that_come_along():
    seeds = range(2000)
    assert evaluate("rules", seeds=seeds, progress=False).win_rate >= 0.55
    floor = evaluate(load_agent("random"), seeds=seeds, progress=False)
    assert floor.win_rate <= 0.002
    assert 0.3 < floor.mean_doors < 0.5

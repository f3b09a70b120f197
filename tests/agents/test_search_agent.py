"""The search agent: legal, repeatable, strong, and blind to hidden cards."""

from __future__ import annotations

import numpy as np
import pytest

from agents.compiled.networks import make_network
from agents.compiled.search_value import (
    EXPANSION_FILE,
    FILE,
    read_network,
    write_networks,
)
from agents.games import SearchableGame, agent_seeds
from agents.measure.evaluation import evaluate
from agents.search import SearchAgent
from onirim_env import Game
from onirim_env.observation import BASE_SIZE, FULL_SIZE, columns, observation_size
from onirim_env.rules import CAN_BE_HARD, EXPANSIONS, RuleSet
from tests.agents.recording import Recording

PLAYOUTS = 40
SEEDS = range(4_000_000_000, 4_000_000_003)


def decisions(agent, batch_size):
    recording = Recording(agent)
    evaluate(recording, seeds=SEEDS, batch_size=batch_size, progress=False)
    return recording.decided


def action_at(position, playouts=200):
    game = Game.from_position(position, seed=1)
    return decided(game, SearchAgent(game.rules, playouts=playouts))


def decided(game, agent):
    agent.start(np.zeros(1, dtype=np.int64), agent_seeds(np.array([7])))
    action = agent.act(game.observation()[None], game.action_mask()[None], [game.copy()])[0]
    return game.table.text(int(action))


def test_every_decision_is_legal(rules_and_talk):
    rules, talk = rules_and_talk
    agent = SearchAgent(rules, talk, playouts=PLAYOUTS)
    assert evaluate(agent, seeds=SEEDS, progress=False).games == len(SEEDS)


@pytest.mark.parametrize("players", [1, 2])
def test_the_same_seeds_give_the_same_moves_whatever_the_batch_size(players):
    rules = RuleSet(players=players)
    first, second, third = (decisions(SearchAgent(rules, playouts=PLAYOUTS), size) for size in (3, 3, 1))
    assert first == second == third
    assert all(first.values())


@pytest.mark.long
def test_it_beats_the_rules_agent_on_the_same_games():
    seeds = range(4_000_000_000, 4_000_000_040)
    search = evaluate(SearchAgent(playouts=400), seeds=seeds, progress=False)
    rules = evaluate("rules", seeds=seeds, progress=False)
    assert search.won.sum() >= rules.won.sum() + 4


FOUND_DOORS = ["red door"] * 2 + ["blue door"] * 2 + ["green door"] * 2 + ["brown door"]


def eighth_door(row, hand, **more):
    return {"players": [{"row": row, "hand": hand, "doors": FOUND_DOORS}], **more}


def test_a_series_that_finds_the_eighth_door_is_completed():
    hand = ["red moon", "brown moon", "green moon", "brown key", "blue moon"]
    position = eighth_door(["brown moon", "brown sun"], hand)
    assert action_at(position) in ("play brown moon", "play brown key")


def test_the_eighth_door_is_opened():
    hand = ["brown key", "blue sun", "green sun", "red sun"]
    assert action_at(eighth_door([], hand, phase="door", drawn="brown door")) == "open door"


@pytest.mark.parametrize("prophecy_actions", ["sequential", "permutation"])
def test_a_prophecy_keeps_the_eighth_door_and_draws_it_at_once(prophecy_actions):
    hand = ["brown key", "blue sun", "green sun", "red sun"]
    revealed = ["nightmare", "red moon", "blue moon", "nightmare", "brown door"]
    position = eighth_door(["red sun"], hand, phase="prophecy_discard", revealed=revealed)
    position["rules"] = {"prophecy_actions": prophecy_actions}
    game = Game.from_position(position, seed=1)
    agent = SearchAgent(game.rules, playouts=2000)
    while not game.over and game.phase != "action":
        game.apply(decided(game, agent))
    assert game.won


@pytest.mark.parametrize(("players", "talk"), [(1, "open"), (2, "open"), (2, "closed")])
def test_hidden_cards_do_not_count(players, talk):
    rules = RuleSet(players=players)
    agent = SearchAgent(rules, talk, playouts=PLAYOUTS)
    game = Game(rules, seed=3, talk=talk)
    for step in range(40):
        if game.over:
            break
        other = game.copy()
        other.determinize(game.player, seed=step)
        text = decided(game, agent)
        assert decided(other, agent) == text
        game.apply(text)


def test_the_game_that_it_is_given_stays_as_it_was():
    game = SearchableGame(3, RuleSet(), "open").for_planner()
    before = game.copy()
    SearchAgent(playouts=PLAYOUTS).act(game.observation()[None], game.action_mask()[None], [game])
    assert game == before


def test_advice_is_the_chance_to_win_of_each_legal_action_and_of_the_search_that_follows():
    position = eighth_door(
        [], ["brown key", "blue sun", "green sun", "red sun"], phase="door", drawn="brown door"
    )
    game = Game.from_position(position, seed=1)
    agent = SearchAgent(game.rules, playouts=200)
    observations, masks = game.observation()[None], game.action_mask()[None]
    values = agent.advise(observations, masks, [game.copy()])[0]
    assert values[game.table.id("open door")] == pytest.approx(1.0)
    assert 0.0 < values[game.table.id("refuse door")] < 1.0
    assert np.isneginf(values[masks[0] == 0]).all()
    again = agent.advise(observations, masks, [game.copy()])[0]
    assert np.array_equal(values, again)


def test_advice_changes_no_decision_and_knows_forced_moves():
    game = SearchableGame(3, RuleSet(), "open").for_planner()
    asked, unasked = SearchAgent(playouts=PLAYOUTS), SearchAgent(playouts=PLAYOUTS)
    while not game.over and game.turns < 6:
        arguments = game.observation()[None], game.action_mask()[None], [game.copy()]
        values = asked.advise(*arguments)[0]
        assert np.isfinite(values[arguments[1][0] == 1]).all()
        assert (values <= 1.0).all()
        action = asked.act(*arguments)[0]
        assert action == unasked.act(*arguments)[0]
        game.apply(int(action))


def test_rows_without_a_game_and_forced_moves_take_no_search():
    agent = SearchAgent(playouts=PLAYOUTS)
    agent._search_game = None
    masks = np.ones((2, len(agent.table)), dtype=np.int8)
    masks[1] = 0
    masks[1, 12] = 1
    actions = agent.act(np.zeros((2, 173), dtype=np.float32), masks, [None, Game(seed=1)])
    assert actions.dtype == np.int64
    assert actions[1] == 12


def test_a_budget_in_milliseconds_follows_the_speed_of_the_last_decision(monkeypatch):
    clock = iter(np.arange(0.0, 1000.0, 0.01))  # each search seems to take 10 ms
    monkeypatch.setattr("agents.search.time.perf_counter", lambda: next(clock))
    agent = SearchAgent(milliseconds=5.0)
    searched = []
    search_game = agent._search_game
    agent._search_game = lambda *options: searched.append(options[1]) or search_game(*options)
    game = Game(seed=1)
    view = game.observation()[None], game.action_mask()[None]
    agent.start(np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64))
    for _ in range(4):
        agent.act(*view, [game.copy()])
    # 5 ms of 10 playouts a millisecond; the first decision may compile, later ones halve the number.
    assert searched == [50, 50, 25, 12]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"playouts": 0}, "playouts must be positive, not 0"),
        ({"milliseconds": -1.0}, "milliseconds must be positive, not -1.0"),
        ({"playouts": 10, "milliseconds": 10.0}, "not both"),
    ],
)
def test_a_budget_that_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        SearchAgent(**options)


@pytest.mark.long
def test_with_expansions_it_beats_the_rules_agent_on_the_same_games():
    seeds = range(4_000_000_000, 4_000_000_040)
    rules = RuleSet(expansions=["towers"])
    search = evaluate(SearchAgent(rules, playouts=200), seeds=seeds, progress=False)
    assert search.won.sum() >= evaluate("rules", seeds=seeds, rules=rules, progress=False).won.sum() + 4


def test_with_expansions_playouts_end_in_the_value_network():
    rules = RuleSet(expansions=["premonitions", "glyphs"], hard=["premonitions"])
    agent = SearchAgent(rules, playouts=PLAYOUTS)
    network = agent._tools.network
    assert network.tobytes() == read_network(1, EXPANSION_FILE).record().weights.tobytes()
    network["other_none"] = 0.0
    network["other_bias"] = 1.5
    game = Game(rules, seed=1)
    values = agent.advise(game.observation()[None], game.action_mask()[None], [game])[0]
    # No game ends in its first turns, and such a network finds each position the same.
    assert np.allclose(values[game.action_mask() == 1], 1 / (1 + np.exp(-1.5)))


@pytest.mark.parametrize(
    ("players", "stored", "n_inputs"),
    [
        (1, FILE, observation_size(RuleSet())),
        (2, FILE, observation_size(RuleSet(players=2))),
        (1, EXPANSION_FILE, FULL_SIZE),
    ],
)
def test_a_network_is_read_as_it_was_written(tmp_path, players, stored, n_inputs):
    network = read_network(players, stored)
    assert network.form.layers[0] == n_inputs
    write_networks({players: network}, tmp_path / "networks.npz")
    again = read_network(players, tmp_path / "networks.npz")
    assert again.form == network.form
    assert again.record().weights.tobytes() == network.record().weights.tobytes()


def test_training_writes_networks(tmp_path):
    pytest.importorskip("torch")
    from agents.search_train import main

    file = tmp_path / "networks.npz"
    assert main(["--file", str(file), "--games", "60", "--epochs", "1"]) == 0
    for players in (1, 2):
        network = read_network(players, file)
        assert network.form.kind == "symmetric"
        assert all(values.any() for values in network.arrays.values())


@pytest.mark.long
def test_training_writes_a_network_for_games_with_expansions(tmp_path):
    pytest.importorskip("torch")
    from agents.search_train import main

    file = tmp_path / "networks.npz"
    assert main(["--expansions", "--file", str(file), "--games", "20", "--epochs", "1"]) == 0
    network = read_network(1, file)
    weighed = network.arrays["weight_0"].any(axis=0)
    assert len(weighed) == FULL_SIZE
    assert weighed[columns(RuleSet(expansions=EXPANSIONS))].all()
    assert not weighed[observation_size(RuleSet()) : BASE_SIZE].any()  # what only co-op has


def test_a_network_for_expansions_has_no_teacher(capsys):
    from agents.search_train import main

    teacher = EXPANSION_FILE.parent / "models" / "ppo_solo.json"
    assert main(["--expansions", "--teacher", str(teacher)]) == 2
    assert "no network is a teacher for games with expansions" in capsys.readouterr().err


def test_it_learns_from_every_expansion_in_both_variants_alone_and_together():
    from agents.search_train import drawn_rule_sets

    drawn = drawn_rule_sets(2000)
    assert drawn == drawn_rule_sets(2000)
    for keyword in EXPANSIONS:
        alone = {rules.hard for rules in drawn if rules.expansions == (keyword,)}
        assert alone == {(), (keyword,)} if keyword in CAN_BE_HARD else alone == {()}
    assert {len(rules.expansions) for rules in drawn} == set(range(1, 8))


@pytest.mark.parametrize("hard", [[], ["towers"]])
def test_the_network_for_expansions_tells_won_games_from_lost_ones(hard):
    from agents.search_train import Part, observe, positions_of_games

    rules, everything = RuleSet(expansions=["towers"], hard=hard), RuleSet(expansions=EXPANSIONS)
    positions, won = positions_of_games(Part(rules, 400, first_seed=99), None)
    inputs = observe(positions, everything, 0.0)
    network = read_network(1, EXPANSION_FILE)
    whole = np.zeros((len(inputs), FULL_SIZE))
    whole[:, columns(everything)] = inputs
    logits = make_network(network.form, network.arrays, network.tables)(whole)[:, 0]
    chances = 1 / (1 + np.exp(-logits))
    assert abs(chances.mean() - won.mean()) < 0.08
    assert chances[won].mean() > chances[~won].mean() + 0.1

"""One network over games with a random set of expansions each."""

import json
import re
from pathlib import Path

import numpy as np
import pytest

from agents.advice import values_of
from agents.measure.evaluation import evaluate
from agents.measure.expansion_sets import HELD_OUT, SETS, TRAINING_SETS
from agents.network_agent import NetworkAgent
from agents.show.watching import decisions_of
from onirim_env import ActionTable, Game, RuleSet
from onirim_env.keywords import layout_rules
from onirim_env.mixed import MixedBatch
from onirim_env.rules import CAN_BE_HARD, EXPANSIONS
from train import __main__ as train_command
from train import evaluate as evaluate_command
from train import generalise
from train.config_reading import make_config, read_yaml
from train.errors import UserError
from train.export import export
from train.loading import load_policy
from train.mixing import make_batch, mixture
from train.set_results import evaluate_sets, group, is_held_out, rule_sets, summary

ROOT = Path(__file__).resolve().parents[2]
MIXED = {"trainer": "torch", "layout": "full", "mixed_expansions": 0.3, "mixed_hard": 0.5}
BRIEF = {**MIXED, "eval_every": 0, "final_games": 0, "total_steps": 1024, "checkpoint_every": 0}


def test_a_quarter_of_the_sets_of_each_size_is_held_out():
    assert len(set(SETS)) == 128
    assert set(TRAINING_SETS) | HELD_OUT == set(SETS)
    assert not set(TRAINING_SETS) & HELD_OUT
    for size in range(8):
        sets = [one for one in SETS if len(one) == size]
        share = sum(one in HELD_OUT for one in sets) / len(sets)
        assert abs(share - 0.25) < 0.05 if 0 < size < 7 else share == 0


def test_a_mixture_leaves_held_out_sets_out_and_has_each_expansion_with_its_chance():
    sets, weights = mixture(RuleSet(), 0.3, 0.5)
    assert {rules.expansions for rules in sets} == set(TRAINING_SETS)
    weights = np.array(weights) / sum(weights)
    for keyword in EXPANSIONS:
        share = sum(weight for rules, weight in zip(sets, weights) if keyword in rules.expansions)
        assert 0.2 < share < 0.4
        hard = sum(weight for rules, weight in zip(sets, weights) if keyword in rules.hard)
        assert hard == pytest.approx(share / 2 if keyword in CAN_BE_HARD else 0)
    base = [weight for rules, weight in zip(sets, weights) if not rules.expansions]
    alone = [weight for rules, weight in zip(sets, weights) if rules.expansions == ("glyphs",)]
    assert alone[0] / base[0] == pytest.approx(0.3 / 0.7)


def test_a_training_plays_the_mixture(tiny):
    batch = make_batch(tiny(**BRIEF, num_envs=256), seed=1, games=256)
    assert isinstance(batch, MixedBatch)
    batch.deal(np.arange(256, dtype=np.uint64))
    played = {batch.rule_sets[number].expansions for number in batch.number}
    assert len(played) > 20
    assert not played & HELD_OUT


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"layout": "own"}, "layout: mixed_expansions needs the layout full"),
        ({"trainer": "sb3"}, "layout: 'full' is for trainer torch only"),
        ({"rules": {"expansions": ["towers"]}}, "rules: mixed_expansions draws the expansions"),
        ({"late_starts": 0.5}, "late_starts: 0.5 does not go together"),
        ({"mixed_expansions": 0.0}, "mixed_hard: 0.5 means nothing"),
    ],
)
def test_settings_that_do_not_go_together_are_refused(settings, message):
    with pytest.raises(UserError, match=message):
        make_config({**MIXED, **settings})


def test_the_configuration_is_mixed():
    config = make_config(read_yaml(ROOT / "configs" / "solo_mixed.yaml"))
    assert config.mixed_expansions > 0
    assert config.tables() == RuleSet(expansions=EXPANSIONS)


@pytest.fixture
def mixed(trained):
    return trained(**BRIEF)[1]


@pytest.mark.parametrize("network", ["plain", "symmetric"])
def test_one_policy_plays_every_set_and_the_exported_model_plays_the_same(trained, network, tmp_path):
    policy = load_policy(trained(**BRIEF, network=network)[1].path)
    assert policy.layout == "full"
    files = export(policy, "mixed", tmp_path)
    assert json.loads(files[1].read_text())["layout"] == "full"
    for expansions in ((), ("towers",), ("book_of_steps", "oniverse"), EXPANSIONS):
        rules = RuleSet(expansions=expansions)
        of_torch, of_numpy = policy.agent(rules), NetworkAgent(files[1], rules)
        first = evaluate(of_torch, seeds=range(6), progress=False)
        second = evaluate(of_numpy, seeds=range(6), progress=False)
        assert (first.decisions == second.decisions).all()
        assert (first.doors == second.doors).all()


def test_a_model_of_all_sets_is_watched_and_gives_hints_in_the_ids_of_the_game(mixed, tmp_path):
    files = export(load_policy(mixed.path), "mixed", tmp_path)
    rules = RuleSet(expansions=["towers"])
    agent = NetworkAgent(files[1], rules)
    result = evaluate(agent, seeds=[5], progress=False)
    decisions = list(decisions_of(agent, 5, advise=True))
    assert len(decisions) == result.decisions[0] + 1
    game = Game(rules, seed=5)
    for _, action, advice in decisions[:-1]:
        assert list(advice.values) == game.legal_actions()
        assert max(advice.values, key=advice.values.get) == action
        game.apply(action)
    assert values_of(agent, Game(rules, seed=6)).keys() == set(Game(rules, seed=6).legal_actions())


def test_the_game_shows_and_masks_in_either_layout():
    game = Game(RuleSet(expansions=["towers"]), seed=2)
    tables = layout_rules(game.rules, "full")
    texts = ActionTable(tables).texts
    assert {texts[action] for action in np.flatnonzero(game.action_mask("full"))} == set(game.legal_texts())
    assert len(game.observation(layout="full")) > len(game.observation())
    with pytest.raises(ValueError, match="layout cannot be 'wide'"):
        game.observation(layout="wide")


def test_sets_are_evaluated_and_counted_apart(mixed):
    policy = load_policy(mixed.path)
    rules = rule_sets(RuleSet(), [(), ("towers",), ("crossroads",), EXPANSIONS], hard=True)
    assert rules[1].hard == ("towers",)
    assert set(rules[3].hard) == set(CAN_BE_HARD)
    results = evaluate_sets(policy.agent, rules, 3, progress=False)
    assert [one.rules for one in results] == rules
    assert [is_held_out(one) for one in results] == [False, False, True, False]
    rows = {name: (met.games, held.games) for name, met, held in summary(results)}
    assert rows == {"base game": (3, 0), "1 expansion": (3, 3), "all 7": (3, 0), "all": (9, 3)}
    assert group(results).wins == sum(int(one.won.sum()) for one in results)


@pytest.mark.long
def test_a_mixed_training_evaluates_on_all_sets_at_its_end(tiny_file, tmp_path, capsys):
    overrides = [f"{name}={value}" for name, value in MIXED.items()]
    more = ["total_steps=1024", "eval_every=1024", "eval_games=1", "final_games=128", "checkpoint_every=0"]
    run = tmp_path / "run"
    assert train_command.main([str(tiny_file), *overrides, *more, "--run-dir", str(run)]) == 0
    output = capsys.readouterr()
    assert re.search(r"all \(96 \+ 32\) +policy +\d", output.out)
    assert "greedy win rate" in output.err
    sets = json.loads((run / "evaluation.json").read_text())["sets"]["policy"]
    assert [tuple(one["expansions"]) for one in sets] == list(SETS)
    assert export(load_policy(run), "mixed", tmp_path)[0].is_file()


def test_a_mixed_training_is_validated_on_the_sets_that_it_meets(mixed, tiny, monkeypatch):
    from train import set_results
    from train.validation import validate

    played = []
    evaluate = set_results.evaluate
    monkeypatch.setattr(
        set_results,
        "evaluate",
        lambda agent, **rest: played.append(agent.rules.expansions) or evaluate(agent, **rest),
    )
    monkeypatch.setattr("train.validation.TRAINING_SETS", TRAINING_SETS[:6])
    result = validate(tiny(**BRIEF), load_policy(mixed.path).network, 13)
    assert played == list(TRAINING_SETS[:6])
    assert (result.sets, result.games) == (6, 12)


def test_generalise_prints_both_kinds_of_sets_beside_the_rules_agent(mixed, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("train.set_results.SETS", SETS[:12])
    monkeypatch.setattr(rule_sets, "__defaults__", (SETS[8:12],))
    file = tmp_path / "sets.json"
    assert generalise.main([str(mixed.path), "--games", "2", "--json", str(file)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.search(r"all \(1 \+ 3\) +policy", "\n".join(lines))
    assert re.search(r"all \(1 \+ 3\) +rules", "\n".join(lines))
    assert len(json.loads(file.read_text())["sets"]["rules"]) == 4


def test_generalise_refuses_a_policy_of_one_rule_set(trained, capsys):
    _, folder = trained(trainer="torch", eval_every=0, final_games=0, total_steps=1024)
    assert generalise.main([str(folder.path)]) == 2
    assert "this needs one of the layout full" in capsys.readouterr().err


def test_evaluate_plays_other_expansions_only_with_the_full_layout(mixed, trained, capsys):
    command = ["--games", "3", "--alone", "--expansions", "towers", "--hard", "towers", "--json", "-"]
    assert evaluate_command.main([str(mixed.path), *command]) == 0
    result = json.loads(capsys.readouterr().out)["agents"][0]
    assert result["rules"]["expansions"] == ["towers"]
    assert result["rules"]["hard"] == ["towers"]
    _, folder = trained(name="own", trainer="torch", eval_every=0, final_games=0, total_steps=1024)
    assert evaluate_command.main([str(folder.path), *command]) == 2
    assert "its layout is not full" in capsys.readouterr().err
    assert evaluate_command.main([str(mixed.path), "--expansions", "tower"]) == 2
    assert "expansions cannot have 'tower'" in capsys.readouterr().err

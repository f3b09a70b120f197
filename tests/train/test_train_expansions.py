"""Expansions reach every part of a training through ``rules`` of its configuration."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from agents.network_agent import NetworkAgent
from onirim_env import ActionTable, MaskedSampler, RuleSet, observation_layout
from onirim_env.rules import EXPANSIONS
from onirim_env.vector import OnirimVectorEnv
from train.config_reading import config_text, make_config, read_overrides, read_yaml
from train.evaluation import compare
from train.export import export
from train.loading import load_policy

ROOT = Path(__file__).resolve().parents[2]
RULES = {"expansions": ["towers", "glyphs"], "hard": ["towers"], "incantation_door": "forced"}
BRIEF = {"rules": RULES, "eval_every": 0, "final_games": 0, "total_steps": 2048, "checkpoint_every": 0}


@pytest.mark.parametrize("trainer", ["sb3", "torch"])
@pytest.mark.parametrize("env", ["Onirim-v0", "OnirimCoop-v0"])
def test_a_training_with_expansions_is_loaded_evaluated_and_exported(trained, tmp_path, trainer, env):
    _, folder = trained(trainer=trainer, env=env, **BRIEF)
    policy = load_policy(folder.path)
    rules = RuleSet(players=2 if "Coop" in env else 1, **RULES)
    assert policy.rules == rules
    results = compare(policy.agent(), 10, ("random",))
    assert [len(result.won) for result in results] == [10, 10]

    files = export(policy, "towers_and_glyphs", tmp_path)
    about = json.loads(files[1].read_text())
    assert RuleSet(**about["rules"]) == rules
    layers = about["network"]["layers"]
    assert (layers[0], layers[-1]) == (observation_layout(rules)[-1].stop, len(ActionTable(rules)))

    of_numpy, of_torch = NetworkAgent(files[1], rules, policy.talk), policy.agent()
    games = OnirimVectorEnv(16, talk=policy.talk, **rules.as_dict())
    sampler = MaskedSampler(seed=0)
    observations, infos = games.reset(seed=0)
    for _ in range(30):
        masks = infos["action_mask"]
        np.testing.assert_array_equal(of_numpy.act(observations, masks), of_torch.act(observations, masks))
        observations, *_, infos = games.step(sampler(masks))


@pytest.mark.parametrize("trainer", ["sb3", "torch"])
def test_a_training_with_all_expansions_learns_from_whole_evaluations(trained, trainer):
    settings = {**BRIEF, "rules": {"expansions": list(EXPANSIONS)}, "eval_every": 1024, "eval_games": 8}
    _, folder = trained(trainer=trainer, **settings)
    with folder.metrics_file.open(newline="") as file:
        evaluated = [row["eval_win_rate"] for row in csv.DictReader(file) if row["eval_win_rate"]]
    assert len(evaluated) >= 2
    assert load_policy(folder.path).rules == RuleSet(expansions=EXPANSIONS)


def test_expansions_are_read_from_overrides_and_written_back(tmp_path):
    config = make_config(read_overrides(["rules.expansions=[towers, glyphs]", "rules.hard=[towers]"]))
    assert config.rule_set() == RuleSet(expansions=["towers", "glyphs"], hard=["towers"])
    file = tmp_path / "config.yaml"
    file.write_text(config_text(config))
    assert make_config(read_yaml(file)) == config


def test_the_configuration_with_all_expansions_has_them():
    config = make_config(read_yaml(ROOT / "configs" / "solo_all_expansions.yaml"))
    assert config.rule_set() == RuleSet(expansions=EXPANSIONS)

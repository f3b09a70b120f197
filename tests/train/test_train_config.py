"""Reading configurations: coercions, precedence, and one clear line for every mistake."""

import dataclasses
import os
from pathlib import Path

import pytest
import yaml

from onirim_env.rules import RuleSet
from train.config import TrainConfig, settings_table
from train.config_reading import config_text, make_config, read_overrides, read_yaml, resumed_config
from train.errors import UserError

ROOT = Path(__file__).resolve().parents[2]


def test_numbers_that_yaml_reads_as_text_are_numbers():
    config = make_config(
        yaml.safe_load("{total_steps: 5e6, learning_rate: 1e-3, num_envs: 1_024, seed: 3.0}")
    )
    assert (config.total_steps, config.learning_rate, config.num_envs, config.seed) == (
        5_000_000,
        1e-3,
        1024,
        3,
    )
    assert type(config.total_steps) is type(config.seed) is int
    assert type(make_config({"gamma": 1}).gamma) is float


def test_overrides_rank_above_the_file_and_join_rule_options():
    overrides = read_overrides(["total_steps=5e6", "seed=3", "hidden_layers=[64, 32]", "shared_trunk=false",
                                "rules.stop_when_unwinnable=true"])  # fmt: skip
    config = make_config({"seed": 1, "rules": {"prophecy_actions": "permutation"}}, overrides)
    assert (config.seed, config.total_steps) == (3, 5_000_000)
    assert config.hidden_layers == (64, 32)
    assert not config.shared_trunk
    assert config.rule_set() == RuleSet(prophecy_actions="permutation", stop_when_unwinnable=True)


def test_the_resolved_configuration_reads_back_equal(tmp_path):
    config = make_config({"learning_rate": "3e-4", "rules": {"prophecy_discard": "optional"}})
    file = tmp_path / "config.yaml"
    file.write_text(config_text(config))
    assert make_config(read_yaml(file)) == config


def test_every_setting_has_a_meaning_and_a_default_that_is_allowed():
    assert [row[0] for row in settings_table()] == [field.name for field in dataclasses.fields(TrainConfig)]
    assert all(meaning for *_, meaning in settings_table())
    assert make_config(TrainConfig().as_dict()) == TrainConfig()


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"total_step": 1}, ["total_step", "Did you mean total_steps?", "learning_rate"]),
        ({7: 1}, ["unknown setting 7"]),
        ({"seed": "x"}, ["seed", "'x'", "whole number"]),
        ({"seed": True}, ["seed", "True", "whole number"]),
        ({"seed": -1}, ["seed", "-1", "from 0 to 9,223,372,036,854,775,807"]),
        ({"seed": 2**63}, ["seed", "from 0 to 9,223,372,036,854,775,807"]),
        ({"total_steps": "1e400"}, ["total_steps", "'1e400'", "from 1 to 1,000,000,000,000"]),
        ({"total_steps": 10**5000}, ["total_steps", "from 1 to 1,000,000,000,000"]),
        ({"num_envs": 10**12}, ["num_envs", "1000000000000", "from 1 to 16,777,216"]),
        ({"num_envs": 2**20, "n_steps": 2**10}, ["num_envs * n_steps = 1,073,741,824", "at most"]),
        ({"learning_rate": 1e300}, ["learning_rate", "1e+300", "from 0 to 1"]),
        ({"eval_games": 10**9}, ["eval_games", "from 1 to 1,000,000"]),
        ({"hidden_layers": [10**9]}, ["hidden_layers", "from 1 to 8,192"]),
        ({"hidden_layers": [1] * 10_000}, ["hidden_layers", "a list of 1 to 16"]),
        ({"hidden_layers": [8192, 8192]}, ["hidden_layers", "numbers; 10,000,000 at most"]),
        ({"start_from": "x" * 10_000}, ["start_from", "xxx...xxx"]),
        ({"x" * 10_000: 1}, ["unknown setting 'xxx", "..."]),
        ({"num_envs": 1.5}, ["num_envs", "1.5", "whole number"]),
        ({"total_steps": "inf"}, ["total_steps", "'inf'"]),
        ({"total_steps": None}, ["total_steps", "None"]),
        ({"gamma": 1.1}, ["gamma", "from 0 to 1"]),
        ({"learning_rate": [1]}, ["learning_rate", "[1]", "a number"]),
        ({"hidden_layers": 64}, ["hidden_layers", "64", "a list"]),
        ({"hidden_layers": [64, 0]}, ["hidden_layers", "[64, 0]"]),
        ({"shared_trunk": "maybe"}, ["shared_trunk", "true or false"]),
        ({"reward": "gold"}, ["reward", "'gold'", "win, doors, score"]),
        ({"env": "CartPole-v1"}, ["env", "Onirim-v0"]),
        ({"rules": ["x"]}, ["rules", "['x']"]),
        ({"rules": {"draw": 1}}, ["rules", "'draw'", "prophecy_discard"]),
        ({"rules": {"players": 3}}, ["rules", "players", "3"]),
        ({"rules": {"self": 3}}, ["rules", "self"]),
        ({"batch_size": 1000}, ["batch_size", "1000", "32768"]),
    ],
)
def test_a_wrong_setting_is_named_with_what_is_allowed(settings, words):
    with pytest.raises(UserError) as caught:
        make_config(settings)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 1000
    assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("texts", "rules"),
    [
        (["rules=", "rules.players=2"], RuleSet(players=2)),
        (["rules.players=2", "rules="], RuleSet(players=2)),
        (["rules={players: 2}", "rules.draft=dealt"], RuleSet(players=2, draft="dealt")),
        (["rules.draft=dealt", "rules={players: 2}"], RuleSet(players=2, draft="dealt")),
    ],
)
def test_rule_options_are_joined_in_any_order(texts, rules):
    assert make_config(read_overrides(texts)).rule_set() == rules


@pytest.mark.parametrize("texts", [["rules=3", "rules.players=1"], ["rules.players=1", "rules=[1]"]])
def test_rules_that_are_no_options_are_refused(texts):
    with pytest.raises(UserError, match=r"rules cannot be .*rule options by name"):
        read_overrides(texts)


@pytest.mark.parametrize("text", ["total_steps", "=3", "seed=[1", "seed={"])
def test_a_bad_override_is_named(text):
    with pytest.raises(UserError, match=r"override|cannot read"):
        read_overrides([text])


LAUGHS = "a: &a [1, 1]\n" + "".join(
    f"{after}: &{after} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, after in zip("abcdefghi", "bcdefghij")
)
MERGED = "a: &a {x: 1}\n" + "".join(
    f"{after}: &{after} {{<<: [{', '.join([f'*{before}'] * 9)}]}}\n"
    for before, after in zip("abcdefghi", "bcdefghij")
)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "- 1",
        "just text",
        "a: [1",
        "\x00",
        "seed: " + "[" * 50_000,
        "- " * 5_000,
        "seed: 2001-99-99",
        "seed: " + "9" * 5_000,
        "? {}\n: 1",
        "seed: !!python/object/apply:os.system ['true']",
        "a: 1\n" * 50_000,
        LAUGHS,
        MERGED,
    ],
)
def test_a_file_without_settings_is_refused_in_one_line(tmp_path, content):
    file = tmp_path / "bad.yaml"
    file.write_text(content)
    with pytest.raises(UserError) as caught:
        read_yaml(file)
    assert "bad.yaml" in str(caught.value)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 500


def test_a_file_that_is_no_plain_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "folder.yaml").mkdir()
    (tmp_path / "latin.yaml").write_bytes(b"seed: \xff")
    for name in ("pipe.yaml", "folder.yaml", "latin.yaml", "x" * 300):
        with pytest.raises(UserError, match=f"configuration .*{name[:50]}"):
            read_yaml(tmp_path / name)


def test_a_missing_file_is_named():
    with pytest.raises(UserError, match=r"nowhere\.yaml"):
        read_yaml("nowhere.yaml")


def test_a_resumed_training_keeps_what_its_weights_depend_on():
    saved = TrainConfig().as_dict()
    assert resumed_config(saved, {"total_steps": "1e7"}).total_steps == 10_000_000
    for change in (
        {"hidden_layers": [64]},
        {"rules": {"prophecy_actions": "permutation"}},
        {"shared_trunk": False},
    ):
        with pytest.raises(UserError, match="cannot change in a resumed training"):
            resumed_config(saved, change)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"expansions": ["towers", "glyphs"]}, {"expansions": ["glyphs", "towers"], "hard": []}),
        ({}, {"players": 1, "prophecy_door": "lost", "expansions": []}),
        (
            {"expansions": ["towers"], "hard": ["towers"]},
            {"hard": ["towers"], "expansions": ["towers", "towers"], "draft": "choice"},
        ),
    ],
)
def test_equal_rules_written_differently_are_the_same_rules(first, second):
    configs = [make_config({"rules": rules}) for rules in (first, second)]
    assert configs[0] == configs[1]
    assert config_text(configs[0]) == config_text(configs[1])
    saved = {**configs[0].as_dict(), "rules": first}
    assert resumed_config(saved, {"rules": second, "total_steps": "1e7"}).total_steps == 10_000_000


def test_the_same_game_under_another_environment_is_no_change():
    saved = TrainConfig(rules={"players": 2}).as_dict()
    assert resumed_config(saved, {"env": "OnirimCoop-v0"}).rule_set() == RuleSet(players=2)


@pytest.mark.parametrize("file", sorted((ROOT / "configs").glob("*.yaml")), ids=lambda file: file.name)
def test_every_ready_configuration_reads(file):
    assert make_config(read_yaml(file)).total_steps > 0

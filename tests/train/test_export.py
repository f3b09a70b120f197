"""``python -m train.export``: from a checkpoint to a model that plays without torch."""

import json
from pathlib import Path

import numpy as np
import pytest
from torch import nn

from agents.evaluation import evaluate
from agents.network_agent import NetworkAgent
from agents.protocols import protocol_seeds
from onirim_env import MaskedSampler
from onirim_env.rules import RuleSet
from onirim_env.vector import OnirimVectorEnv
from train.errors import UserError
from train.export import export, main
from train.loading import LoadedPolicy, load_policy

STORED = Path(__file__).with_name("stored_checkpoint.zip")


def test_a_model_plays_exactly_like_the_checkpoint(tmp_path, capsys):
    assert main([str(STORED), "stored", "--folder", str(tmp_path)]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        str(tmp_path / "stored.npz"), str(tmp_path / "stored.json"),
    ]  # fmt: skip
    policy = load_policy(STORED)
    of_torch = policy.agent()
    of_numpy = NetworkAgent(tmp_path / "stored.json", policy.rules, policy.talk)
    sampler = MaskedSampler(seed=0)
    env = OnirimVectorEnv(64)
    observations, infos = env.reset(seed=0)
    for _ in range(60):
        masks = infos["action_mask"]
        np.testing.assert_array_equal(of_numpy.act(observations, masks), of_torch.act(observations, masks))
        observations, *_, infos = env.step(sampler(masks))
    seeds = protocol_seeds("solo-v1", 200)
    results = [evaluate(agent, seeds=seeds, progress=False) for agent in (of_numpy, of_torch)]
    for name in ("won", "doors", "cards_left", "turns", "decisions"):
        np.testing.assert_array_equal(*(getattr(result, name) for result in results))


def test_a_run_folder_gives_its_settings_versions_and_evaluation(trained, tmp_path):
    from onirim_env.files import write_json
    from train.evaluation import compare, comparison_json

    _, folder = trained(final_games=0, eval_every=0, activation="tanh", hidden_layers=[24, 16])
    policy = load_policy(folder.path)
    assert json.loads(export(policy, "mine", tmp_path)[1].read_text())["evaluation"] is None
    evaluations = compare(policy.agent(), 30, ())
    write_json(folder.evaluation_file, comparison_json(evaluations, model="model.zip", steps=4096))
    about = json.loads(export(policy, "mine", tmp_path)[1].read_text())
    assert about["steps"] == 4096
    assert about["network"] == {"layers": [173, 24, 16, 70], "activation": "tanh"}
    assert about["training"]["num_envs"] == 16
    assert "runs_dir" not in about["training"]
    assert about["versions"]["packages"]["torch"]
    assert about["evaluation"]["wins"] == int(evaluations[0].won.sum())
    assert about["evaluation"]["games"] == 30
    model = NetworkAgent(tmp_path / "mine.json")
    again = evaluate(model, seeds=protocol_seeds("solo-v1", 30), progress=False)
    np.testing.assert_array_equal(again.decisions, evaluations[0].decisions)


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nowhere", "mine"], "nowhere"),
        ([str(STORED), "My Model"], "small letters"),
        ([str(STORED), "../mine"], "small letters"),
        ([str(STORED), "mine", "--folder", "/dev/null/no"], "cannot write"),
    ],
)
def test_mistakes_end_in_one_line_and_exit_code_2(arguments, word, capsys):
    assert main(arguments) == 2
    message = capsys.readouterr().err
    assert word in message
    assert message.count("\n") == 1


def test_a_network_that_is_no_row_of_layers_is_refused(tmp_path):
    layers = nn.Linear(173, 8), nn.LayerNorm(8), nn.ReLU(), nn.Linear(8, 70)
    policy = LoadedPolicy(tmp_path / "model.zip", nn.Sequential(*layers), RuleSet(), "open", None)
    with pytest.raises(UserError, match="this one is Linear, LayerNorm, ReLU, Linear"):
        export(policy, "mine", tmp_path)

"""``python -m train.export``: from a checkpoint to a model that plays without torch."""

import dataclasses
import json
import threading
from pathlib import Path

import numpy as np
import pytest
from torch import nn

from agents.measure.evaluation import evaluate
from agents.measure.protocols import protocol_seeds
from agents.network_agent import NetworkAgent
from onirim_env import MaskedSampler
from onirim_env.files import locked
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
    assert about["network"] == {"kind": "plain", "layers": [173, 24, 16, 70], "activation": "tanh"}
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
        ([str(STORED), "x" * 300], "small letters, digits and _, at most 100, not 'xxx"),
        ([str(STORED), "mine", "--folder", "/dev/null/no"], "--folder /dev/null/no cannot be written"),
        ([str(STORED), "mine", "--folder", "x" * 300], "--folder xxx"),
        (["x" * 300, "mine"], "File name too long"),
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


def pair_of(folder):
    return [(folder / f"mine.{ending}").read_bytes() for ending in ("npz", "json")]


@pytest.mark.parametrize("failing", ["write_file", "write_json"])
def test_a_pair_that_cannot_be_written_leaves_the_one_before(failing, tmp_path, monkeypatch):
    def full(*arguments):
        raise OSError(28, "No space left on device", "x")

    policy = load_policy(STORED)
    with monkeypatch.context() as patch:
        patch.setattr(f"train.export.{failing}", full)
        with pytest.raises(UserError, match=r"cannot write .*mine\.npz: No space left"):
            export(policy, "mine", tmp_path)
    assert not list(tmp_path.glob("mine.*"))
    export(policy, "mine", tmp_path)
    before = pair_of(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(f"train.export.{failing}", full)
        with pytest.raises(UserError):
            export(dataclasses.replace(policy, steps=5), "mine", tmp_path)
    assert pair_of(tmp_path) == before


def test_a_pair_of_two_models_is_refused(tmp_path):
    policy = load_policy(STORED)
    export(policy, "mine", tmp_path)
    first = pair_of(tmp_path)
    for parameter in policy.network.parameters():
        parameter.data += 1
    export(policy, "mine", tmp_path)
    (tmp_path / "mine.npz").write_bytes(first[0])
    with pytest.raises(ValueError, match=r"mine\.npz and mine\.json are not of the same model"):
        NetworkAgent(tmp_path / "mine.json")


def test_exports_into_one_name_wait_for_each_other(tmp_path):
    policy = load_policy(STORED)
    with locked(tmp_path / ".mine.lock"):
        thread = threading.Thread(target=export, args=(policy, "mine", tmp_path))
        thread.start()
        export(policy, "other", tmp_path)
        assert not list(tmp_path.glob("mine.*"))
    thread.join(timeout=60)
    assert NetworkAgent(tmp_path / "mine.json").name == "mine"


@pytest.mark.parametrize("content", ["{", "[]", '{"steps": 1}', '{"agents": [], "steps": 4096}'])
def test_a_damaged_evaluation_is_named(content, trained, tmp_path):
    _, folder = trained(final_games=0, eval_every=0, total_steps=1024)
    folder.evaluation_file.write_text(content)
    with pytest.raises((UserError, ValueError), match=r"evaluation\.json is no") as error:
        export(load_policy(folder.path), "mine", tmp_path)
    assert "\n" not in str(error.value)

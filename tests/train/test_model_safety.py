"""Whatever stands in a model or a run folder: nothing of it is run, and it is refused in one line."""

import base64
import io
import json
import os
import pickle
import shutil
import zipfile
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO
from torch import nn

from agents.arrays.zip_entries import ZipEntries
from agents.measure.evaluation import evaluate as play
from onirim_env.sb3 import OnirimVecEnv
from train import distil, evaluate, export, generalise
from train.__main__ import main
from train.checkpoint import NOTES, load_checkpoint
from train.errors import UserError
from train.loading import load_policy
from train.state_files import MOST_STATE

STORED = Path(__file__).with_name("stored_checkpoint.zip")


class Armed:
    """Leaves a file when it is unpickled."""

    def __init__(self, marker):
        self.marker = str(marker)

    def __reduce__(self):
        return os.mkdir, (self.marker,)


def rewrite(file, **changed):
    """Write a copy of the stored checkpoint with other entries; None leaves one out."""
    with zipfile.ZipFile(STORED) as archive:
        entries = {name: archive.read(name) for name in archive.namelist()}
    entries.update(
        {name.replace("_", ".").replace("pytorch.", "pytorch_"): content for name, content in changed.items()}
    )
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            if content is not None:
                archive.writestr(name, content)
    return file


def state(name="policy.pth"):
    with zipfile.ZipFile(STORED) as archive:
        return torch.load(io.BytesIO(archive.read(name)), weights_only=True)


def saved(value):
    content = io.BytesIO()
    torch.save(value, content)
    return content.getvalue()


def notes(**changes):
    with zipfile.ZipFile(STORED) as archive:
        return json.dumps({**json.loads(archive.read(NOTES)), **changes})


def torch_script():
    """A program of torch, by what ``torch.load`` knows it."""
    content = io.BytesIO(saved({}))
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("archive/constants.pkl", pickle.dumps(()))
    return content.getvalue()


def armed_files(folder, marker):
    """Write models that leave a marker when anything of them is unpickled."""
    armed = pickle.dumps(Armed(marker))
    text = json.dumps({
        "policy_class": {":type:": "x", ":serialized:": base64.b64encode(armed).decode()},
        "policy_kwargs": {}, "num_timesteps": 0,
    })  # fmt: skip
    yield rewrite(folder / "policy.zip", policy_pth=saved(Armed(marker)))
    yield rewrite(folder / "legacy.zip", policy_pth=armed)
    yield rewrite(folder / "optimizer.zip", policy_optimizer_pth=saved({"state": Armed(marker)}))
    yield rewrite(
        folder / "stock.zip", onirim_json=None, data=text, pytorch_variables_pth=saved(Armed(marker))
    )
    yield rewrite(folder / "stock_policy.zip", onirim_json=None, data="{}", policy_pth=saved(Armed(marker)))
    whole = folder / "pickle.zip"
    whole.write_bytes(armed)
    yield whole
    whole = folder / "tensor.zip"
    whole.write_bytes(saved(Armed(marker)))
    yield whole


def commands(model, run, tiny_file):
    """Every command and setting that takes a model or a run folder."""
    for path in (model, run):
        yield evaluate.main, [str(path), "--games", "1", "--alone"]
        yield evaluate.main, [str(STORED), "--games", "1", "--alone", "--against", str(path)]
        yield export.main, [str(path), "mine", "--folder", str(run.parent / "models")]
        yield generalise.main, [str(path), "--games", "1", "--alone"]
        yield distil.main, [str(path)]
        yield main, [str(tiny_file), f"start_from={path}"]
    yield main, ["--resume", str(run)]


@pytest.mark.parametrize("number", range(7))
@pytest.mark.parametrize("in_run", ["model.zip", "checkpoints/step_1024.zip"])
def test_no_command_runs_what_is_in_a_model(number, in_run, tmp_path, tiny, tiny_file, capsys):
    from train.run_folder import RunFolder

    marker = tmp_path / "marker"
    armed = list(armed_files(tmp_path, marker))[number]
    run = RunFolder.create(tmp_path / "run", tiny(hidden_layers=[4, 4])).path
    (run / "checkpoints").mkdir()
    shutil.copy(armed, run / in_run)
    for command, arguments in commands(armed, run, tiny_file):
        is_fine = command in (evaluate.main, export.main) and "optimizer" in armed.name
        status = command(arguments)
        message = capsys.readouterr().err
        assert not marker.exists(), (command, arguments)
        assert status == 2 or is_fine, message
        assert "Traceback" not in message
        if status == 2:
            assert len(message.splitlines()[-1]) < 900 and str(tmp_path) in message, message
    assert not (tmp_path / "runs").exists()


def refused(file, match):
    for read in (load_checkpoint, load_policy):
        with pytest.raises(UserError, match=match) as error:
            checkpoint = read(file)
            if read is load_checkpoint:
                from train.untrained import untrained_policy

                checkpoint.put_weights(untrained_policy(checkpoint.config))
        message = str(error.value)
        assert "\n" not in message and file.name in message and len(message) < 900, message


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"steps": -1}, "has steps -1, not a whole number"),
        ({"steps": True}, "has steps True"),
        ({"steps": 10**400}, "has steps 1000"),
        ({"updates": "x" * 9000}, "has updates 'xxx.*, not"),
        ({"settings": []}, r"has settings \[\], not values by name"),
        ({"versions": None}, "has versions None"),
        ({"settings": {"new": 1}}, "settings that this version does not know: unknown setting 'new'"),
        ({"settings": {"seed": []}}, r"seed cannot be \[\]"),
        ({"settings": {"rules": {"players": 9}}}, "players cannot be 9"),
    ],
)
def test_notes_of_another_kind_are_named(changes, words, tmp_path):
    refused(rewrite(tmp_path / "model.zip", onirim_json=notes(**changes)), words)


def changed_state(**changes):
    return saved({**state(), **changes})


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ({"onirim_json": "{"}, "onirim.json is not JSON"),
        ({"onirim_json": "[" * 100_000}, "onirim.json is not JSON"),
        ({"onirim_json": " " * 2_000_000}, "onirim.json is too large"),
        ({"onirim_json": "[]"}, r"onirim.json is \[\]"),
        ({"policy_pth": None}, "has no entry policy.pth"),
        ({"policy_pth": b""}, "policy.pth is no whole zip file"),
        ({"policy_pth": saved([1])}, "policy.pth holds no values by name"),
        ({"policy_pth": saved({1: 2})}, "policy.pth holds no values by name"),
        ({"policy_pth": torch_script()}, "only tensors are read"),
        ({"policy_pth": saved({})}, "does not fit .* no action_net.bias"),
        ({"policy_pth": changed_state(extra=torch.zeros(1))}, "unknown extra"),
        ({"policy_pth": changed_state(**{"action_net.bias": 3})}, "action_net.bias is 3, no tensor"),
        (
            {"policy_pth": changed_state(**{"action_net.bias": torch.zeros(1).expand(10**6, 10**6)})},
            r"of the shape \(1000000, 1000000\), not \(70,\)",
        ),
        (
            {"policy_pth": changed_state(**{"action_net.bias": torch.full((70,), torch.nan)})},
            "no finite numbers",
        ),
        (
            {"policy_pth": changed_state(**{"action_net.bias": torch.zeros(70, dtype=int)})},
            "no finite numbers",
        ),
        (
            {"policy_pth": changed_state(**{"action_net.bias": torch.zeros(70).to_sparse()})},
            "no finite numbers",
        ),
    ],
)
def test_entries_that_are_damaged_or_of_another_network_are_named(entries, words, tmp_path):
    refused(rewrite(tmp_path / "model.zip", **entries), words)


@pytest.mark.parametrize("outer", [False, True])
def test_a_bomb_is_refused_before_it_is_unpacked(outer, tmp_path):
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("archive/data.pkl", pickle.dumps({}))
        with archive.open("archive/data/0", "w") as entry:
            for _ in range(MOST_STATE // 10**6 + 1):
                entry.write(bytes(10**6))
    bomb = content.getvalue()
    if outer:
        entries = ZipEntries(bomb, "bomb")
        bomb = entries.read("archive/data/0", 2 * MOST_STATE)
    refused(rewrite(tmp_path / "model.zip", policy_pth=bomb), "is too large")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"state": 3}, "not one of 8 parameters"),
        ({"state": {0: {}}}, "not one of 8 parameters"),
        ({0: {"exp_avg": torch.zeros(2)}}, r"exp_avg of parameter 0 is of the shape \(2,\)"),
        ({7: {"exp_avg_sq": torch.full((1,), -1.0)}}, "exp_avg_sq of parameter 7 has values below 0"),
        ({7: {"step": torch.tensor(torch.nan)}}, "step of parameter 7 has values that are no finite"),
    ],
)
def test_an_optimizer_that_does_not_fit_is_named(change, words, tmp_path):
    from train.ppo import MaskablePPOTrainer

    optimizer = state("policy.optimizer.pth")
    if "state" in change:
        optimizer["state"] = change["state"]
    else:
        for number, parts in change.items():
            optimizer["state"][number].update(parts)
    checkpoint = load_checkpoint(rewrite(tmp_path / "model.zip", policy_optimizer_pth=saved(optimizer)))
    with pytest.raises(UserError, match=rf"model\.zip has an optimizer that does not fit: .*{words}"):
        MaskablePPOTrainer(checkpoint.config, checkpoint)


def test_every_cut_and_every_flipped_byte_is_read_rightly_or_named(tmp_path):
    content, file = STORED.read_bytes(), tmp_path / "model.zip"
    expected = state()
    random = np.random.default_rng(0)
    for place in random.choice(len(content), 150, replace=False):
        for damaged in (
            content[:place],
            content[:place] + bytes([content[place] ^ 0x21]) + content[place + 1 :],
        ):
            file.write_bytes(damaged)
            try:
                policy = load_checkpoint(file).policy
            except UserError as error:
                assert "model.zip" in str(error) and "\n" not in str(error)
            else:
                assert all(torch.equal(policy[name], values) for name, values in expected.items())


def test_what_is_no_plain_file_is_refused(tmp_path):
    os.mkfifo(tmp_path / "model.zip")
    refused(tmp_path / "model.zip", "is a device or a pipe")
    with pytest.raises(UserError, match="/dev/zero is a device"):
        load_policy("/dev/zero")
    huge = tmp_path / "huge.zip"
    with huge.open("wb") as file:
        file.truncate(10**9)
    refused(huge, "is too large")
    with pytest.raises(UserError, match="name too long"):
        load_policy("x" * 300)


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"activation_fn": nn.ReLU, "net_arch": [8, 16]},
        {"net_arch": {"pi": [8], "vf": [4]}},
        {"net_arch": []},
    ],
)
def test_a_stock_model_is_read_from_its_tensors_and_plays_alike(arguments, tmp_path, monkeypatch):
    """What MaskablePPO.save wrote."""
    model = MaskablePPO(
        "MlpPolicy", OnirimVecEnv(2), n_steps=8, batch_size=16, device="cpu", policy_kwargs=arguments
    )
    model.num_timesteps = 77
    model.save(tmp_path / "stock.zip")
    with monkeypatch.context() as patch:
        patch.setattr(pickle, "loads", None)
        patch.setattr(cloudpickle, "loads", None)
        policy = load_policy(tmp_path / "stock.zip")
    observations = torch.rand(20, 173)
    with torch.no_grad():
        latent = model.policy.mlp_extractor.forward_actor(observations)
        torch.testing.assert_close(policy.network(observations), model.policy.action_net(latent))
    assert policy.steps == 77
    assert play(policy.agent(), seeds=range(3), progress=False).games == 3


class Doubled(nn.ReLU):
    def forward(self, values):
        return 2 * super().forward(values)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"activation_fn": nn.ELU}, "joined by .*ELU"),
        ({"activation_fn": Doubled}, "joined by .*Doubled"),
        ({"features_extractor_kwargs": {}}, "the arguments of its policy are"),
    ],
)
def test_a_stock_model_that_is_more_than_plain_layers_is_refused(arguments, words, tmp_path):
    model = MaskablePPO(
        "MlpPolicy", OnirimVecEnv(2), n_steps=8, batch_size=16, device="cpu", policy_kwargs=arguments
    )
    model.save(tmp_path / "stock.zip")
    with pytest.raises(UserError, match=rf"stock\.zip cannot be read without running code.*{words}") as error:
        load_policy(tmp_path / "stock.zip")
    assert "\n" not in str(error.value) and len(str(error.value)) < 600

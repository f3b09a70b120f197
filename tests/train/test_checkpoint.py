"""Checkpoints read back in later versions, and unreadable ones are explained."""

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import torch

from agents.measure.evaluation import evaluate
from onirim_env.rules import RuleSet
from train.checkpoint import NOTES, load_checkpoint
from train.errors import UserError
from train.loading import load_policy

STORED = Path(__file__).with_name("stored_checkpoint.zip")
"""Written by version 0.1.0, without its pickled entries: two hidden layers of 4, 1,024 decisions."""

STORED_LOGITS = Path(__file__).with_name("stored_logits.json")
"""What its network answered to observations of 0, 0.5 or 1 throughout."""


def test_a_stored_checkpoint_loads_and_plays():
    """Only tensors and JSON are read, so later versions of Python and torch load it too."""
    policy = load_policy(STORED)
    assert (policy.rules, policy.talk, policy.steps) == (RuleSet(), "open", 1024)
    observations = torch.tensor([[value] * 173 for value in (0.0, 0.5, 1.0)])
    with torch.no_grad():
        logits = policy.network(observations).numpy()
    np.testing.assert_allclose(logits, json.loads(STORED_LOGITS.read_text()), rtol=1e-4, atol=1e-6)
    assert evaluate(policy.agent(), seeds=range(5), progress=False).games == 5


def test_a_checkpoint_notes_settings_steps_and_versions(trained):
    _, folder = trained()
    with zipfile.ZipFile(folder.model_file) as archive:
        notes = json.loads(archive.read(NOTES))
    assert notes["steps"] == 4096
    assert notes["settings"]["hidden_layers"] == [32]
    assert notes["versions"] == json.loads(folder.versions_file.read_text())


def test_a_checkpoint_of_other_sizes_is_refused(trained, tmp_path):
    """As if the observation had grown since."""
    _, folder = trained()
    changed = tmp_path / "changed.zip"
    with zipfile.ZipFile(folder.model_file) as before, zipfile.ZipFile(changed, "w") as after:
        for name in before.namelist():
            content = before.read(name)
            if name == "policy.pth":
                state = torch.load(io.BytesIO(content), weights_only=True)
                state["features_extractor.layers.0.weight"] = torch.zeros(32, 99)
                buffer = io.BytesIO()
                torch.save(state, buffer)
                content = buffer.getvalue()
            after.writestr(name, content)
    with pytest.raises(UserError, match=r"does not fit .*99"):
        load_policy(changed)


def test_a_damaged_checkpoint_is_named(trained, tmp_path):
    _, folder = trained()
    damaged = tmp_path / "damaged.zip"
    content = folder.model_file.read_bytes()
    damaged.write_bytes(content[: len(content) // 2])
    for read in (load_checkpoint, load_policy):
        with pytest.raises(UserError, match=r"damaged\.zip"):
            read(damaged)

"""Several learners by Ray Train: a real one, of two processes."""

import os
import signal
import subprocess
import sys
import time

import pytest
import torch

from train.__main__ import main
from train.checkpoint import load_checkpoint
from train.config_reading import make_config
from train.errors import UserError
from train.learners import LearnersTrainer, put_state, state_of
from train.metrics_file import read_metrics
from train.run_folder import RunFolder
from train.torch_ppo import make_learner

SETTINGS = [
    "configs/solo_quick.yaml", "trainer=torch", "num_envs=16", "n_steps=32", "batch_size=128", "n_epochs=2",
    "hidden_layers=[32,32]", "total_steps=1536", "eval_every=1024", "eval_games=10", "checkpoint_every=1024",
    "final_games=0",
]  # fmt: skip


@pytest.fixture(scope="module")
def _cluster():
    """One Ray for all tests here: each training would start its own."""
    pytest.importorskip("ray", reason="needs the extra 'ray'")
    from agents.workers.cluster import connected
    from agents.workers.workers import HERE

    with connected(HERE):
        yield


@pytest.mark.long
@pytest.mark.usefixtures("_cluster")
def test_two_learners_leave_the_run_folder_and_the_weights_of_one(tmp_path):
    for learners in (1, 2):
        folder = tmp_path / str(learners)
        assert main([*SETTINGS, f"learners={learners}", "--run-dir", str(folder)]) == 0
    one, two = (load_checkpoint(RunFolder(tmp_path / name).model_file) for name in ("1", "2"))
    assert (one.steps, one.updates) == (two.steps, two.updates) == (1536, 6)
    for name, weights in one.policy.items():
        torch.testing.assert_close(two.policy[name], weights, rtol=0, atol=1e-5)
    rows = [read_metrics(tmp_path / name / "metrics.csv").rows for name in ("1", "2")]
    assert [row["steps"] for row in rows[0]] == [row["steps"] for row in rows[1]] == ["512", "1024", "1536"]
    assert rows[1][1]["eval_win_rate"] == rows[0][1]["eval_win_rate"] != ""
    assert [file.name for file in (tmp_path / "2" / "checkpoints").iterdir()] == [
        file.name for file in (tmp_path / "1" / "checkpoints").iterdir()
    ]


@pytest.mark.long
@pytest.mark.usefixtures("_cluster")
def test_it_goes_on_from_a_checkpoint_with_another_number_of_learners(tmp_path):
    folder = tmp_path / "run"
    assert main([*SETTINGS, "--run-dir", str(folder)]) == 0
    assert main(["--resume", str(folder), "total_steps=2048", "learners=2"]) == 0
    checkpoint = load_checkpoint(RunFolder(folder).model_file)
    assert (checkpoint.steps, checkpoint.config.learners) == (2048, 2)


@pytest.mark.long
@pytest.mark.usefixtures("_cluster")
def test_what_a_learner_raises_is_told_in_one_line(tmp_path, monkeypatch, capsys):
    """Ray tells it with the traces of several processes."""
    monkeypatch.setattr("train.learners.state_of", lambda learner: None)  # with which no learner can begin
    assert main([*SETTINGS, "learners=2", "--run-dir", str(tmp_path / "run")]) == 2
    assert "a learner failed: " in capsys.readouterr().err.splitlines()[-1]


def test_a_state_carries_weights_optimizer_and_counts():
    settings = {"trainer": "torch", "num_envs": 4, "n_steps": 8, "batch_size": 32, "hidden_layers": [16, 16]}
    first, second = (make_learner(make_config(settings), seed) for seed in (1, 2))
    sum(one.sum() for one in first.network(torch.ones(1, 173))).backward()
    first.optimizer.step()
    first.steps, first.updates = 5, 6
    state = state_of(first)
    sum(one.sum() for one in first.network(torch.ones(1, 173))).backward()
    kept = {name: value.clone() for name, value in state.network.items()}
    first.optimizer.step()
    assert all(torch.equal(state.network[name], kept[name]) for name in kept)
    put_state(second, state)
    assert (second.steps, second.updates) == (5, 6)
    assert all(torch.equal(value, kept[name]) for name, value in second.network.state_dict().items())
    assert len(second.optimizer.state_dict()["state"]) == len(kept)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"trainer": "torch", "learners": 3, "num_envs": 16}, "learners: 3 does not divide num_envs = 16"),
        ({"trainer": "sb3", "learners": 2}, "learners: 2 is for trainer torch only"),
    ],
)
def test_learners_that_cannot_be_are_refused(settings, message):
    with pytest.raises(UserError, match=message):
        make_config({"n_steps": 64, "batch_size": 64, **settings})


def test_without_ray_it_says_what_to_install(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r'learners needs the package Ray: pip install "onirim-env\[ray\]"'):
        LearnersTrainer(make_config({"trainer": "torch", "learners": 2}), None)


@pytest.mark.long
@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
def test_ctrl_c_saves_what_was_learned(tmp_path):
    pytest.importorskip("ray", reason="needs the extra 'ray'")
    folder = tmp_path / "run"
    command = [
        sys.executable,
        "-m",
        "train",
        *SETTINGS,
        "total_steps=1e9",
        "learners=2",
        "--run-dir",
        str(folder),
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        metrics = folder / "metrics.csv"
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and process.poll() is None:
            if metrics.is_file() and len(metrics.read_text().splitlines()) > 2:
                break
            time.sleep(0.2)
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    steps = load_checkpoint(max((folder / "checkpoints").iterdir())).steps
    assert steps >= 1024 and f"interrupted after {steps} steps; go on with:" in errors

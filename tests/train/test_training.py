"""Whole trainings, small: files, seeds, resuming, and what other projects' users ran into."""

import csv
import json

import numpy as np
import psutil
import pytest
import torch
import yaml
from sb3_contrib import MaskablePPO

from train.checkpoint import load_checkpoint
from train.config_reading import make_config
from train.evaluation import compare
from train.metrics import COLUMNS
from train.policy_agent import PolicyAgent
from train.ppo import make_model
from train.run_folder import RunFolder
from train.training import train


def rows_of(folder):
    with folder.metrics_file.open(newline="") as file:
        return list(csv.DictReader(file))


def weights_of(training):
    return {name: value.clone() for name, value in training.model.policy.state_dict().items()}


def test_a_training_leaves_everything_in_its_run_folder(trained, tiny):
    training, folder = trained()
    assert training.complete
    assert make_config(yaml.safe_load(folder.config_file.read_text())) == tiny()
    assert {"python", "platform", "packages"} == set(json.loads(folder.versions_file.read_text()))
    assert sorted(file.name for file in folder.checkpoints.iterdir()) == ["step_2048.zip", "step_4096.zip"]
    assert folder.model_file.is_file()
    assert list(folder.tensorboard.glob("events.out.tfevents.*"))
    rows = rows_of(folder)
    assert list(rows[0]) == [column.name for column in COLUMNS]
    assert [int(row["steps"]) for row in rows] == [1024, 2048, 3072, 4096]
    assert all(float(row["doors"]) >= 0 for row in rows if int(row["games"]))
    assert [bool(row["eval_win_rate"]) for row in rows] == [False, True, False, True]
    assert all(row["entropy"] and row["value_loss"] and row["steps_per_second"] for row in rows)
    assert [float(rows[index]["learning_rate"]) for index in (0, -1)] == [pytest.approx(7.525e-4), 1e-5]
    assert float(rows[-1]["entropy_coefficient"]) == 0


def test_equal_seeds_give_equal_weights_and_other_seeds_others(trained):
    settings = {"eval_every": 0, "checkpoint_every": 0}
    first, again, other = (
        weights_of(trained(name, seed=seed, **settings)[0]) for name, seed in (("a", 1), ("b", 1), ("c", 2))
    )
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not all(torch.equal(first[name], other[name]) for name in first)


def test_evaluations_do_not_change_the_training(trained):
    without = weights_of(trained("a", eval_every=0)[0])
    with_many = weights_of(trained("b", eval_every=1024)[0])
    assert all(torch.equal(without[name], with_many[name]) for name in without)


def test_a_resumed_training_goes_on_where_it_was(trained, tiny):
    _, folder = trained()
    config = tiny(total_steps=6144)
    checkpoint = load_checkpoint(folder.last_checkpoint())
    model = make_model(config, checkpoint.steps)
    checkpoint.restore(model)
    assert model.num_timesteps == 4096
    steps_of_adam = {float(state["step"]) for state in model.policy.optimizer.state.values()}
    assert steps_of_adam == {4096 / 256 * 2}
    again = train(config, folder, checkpoint)
    assert again.complete
    assert again.model.num_timesteps == 6144
    rows = rows_of(folder)
    assert [int(row["steps"]) for row in rows] == [1024, 2048, 3072, 4096, 5120, 6144]
    assert np.all(np.diff([float(row["seconds"]) for row in rows]) > 0)
    assert float(rows[-2]["learning_rate"]) == pytest.approx(1e-5 + (1e-3 - 1e-5) / 6, rel=1e-3)
    assert (folder.checkpoints / "step_6144.zip").is_file()


def test_a_resumed_training_drops_rows_behind_its_checkpoint(trained, tiny):
    _, folder = trained()
    folder.checkpoint_file(4096).unlink()
    train(tiny(), folder, load_checkpoint(folder.last_checkpoint()))
    assert [int(row["steps"]) for row in rows_of(folder)] == [1024, 2048, 3072, 4096]


def test_a_separate_value_network_and_whole_prophecies_train(trained):
    training, _ = trained(shared_trunk=False, activation="tanh", rules={"prophecy_actions": "permutation"})
    assert training.complete
    assert training.model.action_space.n == 190


def test_stock_maskable_ppo_loads_what_a_training_saves(trained):
    training, folder = trained()
    loaded = MaskablePPO.load(folder.model_file, device="cpu")
    expected = weights_of(training)
    assert all(torch.equal(value, expected[name]) for name, value in loaded.policy.state_dict().items())
    assert loaded.num_timesteps == 4096


def test_tens_of_thousands_of_decisions_without_nan_or_empty_masks(trained, monkeypatch):
    """No mask of a game under way is empty, and no weight or metric becomes NaN."""
    from onirim_env.sb3 import OnirimVecEnv

    fewest = []
    step_wait = OnirimVecEnv.step_wait

    def watched(env):
        result = step_wait(env)
        fewest.append(env.action_masks().sum(axis=1).min())
        return result

    monkeypatch.setattr(OnirimVecEnv, "step_wait", watched)
    settings = {
        "total_steps": 40_960,
        "num_envs": 64,
        "batch_size": 1024,
        "learning_rate": 3e-3,
        "eval_every": 0,
    }
    training, folder = trained(**settings)
    assert min(fewest) >= 1
    assert len(fewest) == 640
    assert all(torch.isfinite(value).all() for value in weights_of(training).values())
    assert all(np.isfinite(float(row["approx_kl"])) for row in rows_of(folder))


def test_a_short_training_beats_random_play_by_a_margin(trained):
    """4 Doors and more after 100,000 decisions, where random play finds 0.4."""
    settings = {
        "total_steps": 98_304, "num_envs": 64, "batch_size": 512, "n_epochs": 3, "hidden_layers": [64, 64],
        "eval_every": 0,
    }  # fmt: skip
    training, _ = trained(**settings)
    policy, random = compare(PolicyAgent(training.model), 300, ["random"])
    assert policy.mean_doors > random.mean_doors + 3


@pytest.mark.long
def test_memory_does_not_grow_over_trainings(trained):
    """Eight trainings in one process, under 50 MB more."""
    settings = {"num_envs": 64, "batch_size": 1024, "hidden_layers": [256, 256], "eval_every": 0}
    trained("warm", **settings)
    before = psutil.Process().memory_info().rss
    for number in range(8):
        trained(f"run {number}", **settings)
    assert psutil.Process().memory_info().rss - before < 50e6


def test_a_run_folder_that_holds_something_is_not_written_over(trained, tiny, tmp_path):
    from train.errors import UserError

    trained("run")
    with pytest.raises(UserError, match="not empty"):
        RunFolder.create(tmp_path / "run", tiny())

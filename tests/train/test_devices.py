"""Devices: on the CPU, and on one without numbers, which refuses to mix with the CPU as a GPU does."""

import dataclasses

import numpy as np
import pytest
import torch

from train import devices
from train.checkpoint import load_checkpoint, save_tensors
from train.config import TrainConfig
from train.devices import DEVICES, find_device
from train.distillation import distil, targets_of
from train.errors import UserError
from train.loading import load_policy
from train.policy_agent import PolicyAgent
from train.torch_ppo import Games, Rollout, make_learner, make_network

NO_GPU = not torch.cuda.is_available() and not torch.backends.mps.is_available()


def test_auto_is_the_gpu_that_is_there_else_the_cpu(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    assert find_device("auto").type == "cpu"
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: True)
    assert find_device("auto").type == "mps"
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    assert [find_device(name).type for name in DEVICES] == ["cuda", "cpu", "cuda", "mps"]


@pytest.mark.skipif(not NO_GPU, reason="there is a GPU here")
@pytest.mark.parametrize("name", ["cuda", "mps"])
def test_a_device_that_is_not_there_is_refused_in_one_line(tiny, name):
    with pytest.raises(UserError, match=f"device: torch finds no {name} here; allowed are auto, cpu"):
        make_learner(tiny(trainer="torch", device=name), 0)


@pytest.mark.skipif(not NO_GPU, reason="there is a GPU here")
@pytest.mark.parametrize("trainer", ["torch", "sb3"])
def test_both_trainers_refuse_it_from_the_command_line(trainer, capsys, tmp_path):
    from train.__main__ import main

    assert main(["configs/solo_quick.yaml", f"trainer={trainer}", "device=cuda", f"runs_dir={tmp_path}"]) == 2
    assert "torch finds no cuda here" in capsys.readouterr().err


@pytest.fixture
def _meta(monkeypatch):
    """Let networks compute on the device ``meta``: shapes without numbers, which mix with no others."""
    monkeypatch.setattr("train.torch_ppo.find_device", lambda name: torch.device("meta"))
    monkeypatch.setattr(torch.Tensor, "cpu", lambda tensor: torch.zeros(tensor.shape, dtype=tensor.dtype))
    monkeypatch.setattr(torch.Tensor, "item", lambda tensor: 0.0)
    monkeypatch.setattr(torch.Tensor, "__float__", lambda tensor: 0.0)
    autocast = torch.autocast
    monkeypatch.setattr(torch, "autocast", lambda device, **named: autocast("cpu", **named))
    monkeypatch.setattr(torch.optim.Adam, "step", lambda optimizer: None)  # fused, it computes


@pytest.mark.usefixtures("_meta")
@pytest.mark.parametrize("network", ["plain", "symmetric"])
def test_a_training_computes_on_its_device_alone(tiny, network):
    config = tiny(trainer="torch", network=network, num_envs=8, n_steps=16, batch_size=64)
    learner = make_learner(config, 0)
    games = Games(config, 0)
    rollout = Rollout(config, learner.device, games)
    kept = games.step
    games.step = lambda actions: kept(games.masks.int().argmax(1))  # there are no numbers to choose by
    assert learner.collect(games, rollout, lambda ends: True)
    learner.learn(games, rollout)
    assert {one.device.type for one in learner.network.parameters()} == {"meta"}
    assert {rollout.observations.device.type, rollout.masks.device.type} == {"meta"}


@pytest.mark.usefixtures("_meta")
def test_a_distillation_computes_on_the_device_of_its_network(tiny):
    network = make_network(tiny(trainer="torch")).to("meta")
    observations = torch.zeros(100, 173, dtype=torch.float16)
    values = torch.zeros(100, 70, dtype=torch.float16)
    targets = targets_of(network, observations, values, 0.02)
    assert {one.device.type for one in targets} == {"cpu"}
    passes = distil(
        network, observations, values,
        temperature=0.02, passes=1, batch_size=32, learning_rate=1e-3, generator=torch.Generator(),
    )  # fmt: skip
    assert next(passes).number == 1


def test_checkpoints_of_any_device_are_written_for_the_cpu(tiny, tmp_path, monkeypatch):
    """What is saved has gone through ``cpu()``, whole: weights and the state of the optimizer."""
    config = tiny(trainer="torch", num_envs=8, n_steps=16, batch_size=64)
    learner = make_learner(config, 0)
    moved = []
    before = torch.Tensor.cpu
    monkeypatch.setattr(torch.Tensor, "cpu", lambda tensor: moved.append(tensor.data_ptr()) or before(tensor))
    weights = learner.network.state_dict()
    sum(one.sum() for one in learner.network(torch.zeros(1, 173))).backward()
    learner.optimizer.step()
    optimizer = learner.optimizer.state_dict()
    save_tensors(tmp_path / "model.zip", weights, optimizer, config, 1, 1)
    parts = [part for one in optimizer["state"].values() for part in one.values()]
    assert {one.data_ptr() for one in (*weights.values(), *parts)} <= set(moved)
    monkeypatch.undo()
    other = make_learner(config, 1)
    checkpoint = load_checkpoint(tmp_path / "model.zip")
    checkpoint.put_weights(other.network)
    checkpoint.put_optimizer(other.optimizer)
    assert all(
        torch.equal(one, two) for one, two in zip(weights.values(), other.network.state_dict().values())
    )


def test_an_agent_plays_the_same_on_the_cpu_by_any_name(tiny):
    network = make_network(tiny(trainer="torch")).policy()
    observations = np.random.default_rng(0).random((20, 173)).astype(np.float32)
    masks = np.ones((20, 70), dtype=np.int8)
    chosen = [PolicyAgent(network, device=name).act(observations, masks) for name in ("cpu", "auto")]
    if NO_GPU:
        assert (chosen[0] == chosen[1]).all()
    else:
        assert (chosen[0] == chosen[1]).mean() > 0.9


def test_a_training_may_go_on_on_another_device(tiny):
    """The device is no part of what weights mean."""
    fields = {field.name: field for field in dataclasses.fields(TrainConfig)}
    assert not fields["device"].metadata["fixed"]
    assert not fields["compile"].metadata["fixed"]


@pytest.mark.usefixtures("_meta")
def test_evaluation_moves_its_network(tiny, tmp_path, monkeypatch):
    config = tiny(trainer="torch", num_envs=8, n_steps=16, batch_size=64)
    save_tensors(tmp_path / "model.zip", make_network(config).state_dict(), {}, config, 1, 1)
    monkeypatch.setattr("train.policy_agent.find_device", lambda name: torch.device("meta"))
    agent = load_policy(tmp_path / "model.zip").agent(device="cuda")
    assert {one.device.type for one in agent._network.parameters()} == {"meta"}
    assert agent.act(np.zeros((3, 173), dtype=np.float32), np.ones((3, 70), dtype=np.int8)).shape == (3,)


def test_the_options_name_the_devices(capsys):
    for module in ("train.evaluate", "train.generalise", "train.distil"):
        main = __import__(module, fromlist=["main"]).main
        with pytest.raises(SystemExit):
            main(["--help"])
        assert "--device {auto,cpu,cuda,mps}" in capsys.readouterr().out
    assert devices.DEVICES == DEVICES

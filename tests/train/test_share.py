"""Several learners, each with a share of the games, learn what one learns that has all of them."""

import numpy as np
import pytest
import torch
from torch import distributed, multiprocessing

from train.config import TrainConfig
from train.share import ALL, Share
from train.torch_ppo import make_learner, train

SETTINGS = {
    "trainer": "torch", "num_envs": 16, "n_steps": 32, "batch_size": 128, "n_epochs": 2, "total_steps": 1024,
    "hidden_layers": (32, 32), "eval_every": 0, "checkpoint_every": 0,
}  # fmt: skip


def learn(config, share):
    """Take all updates; return the weights, the losses and the decisions taken."""
    learner = make_learner(config, 3, share)
    train(learner, 3, lambda ends: True, lambda: None)
    weights = {name: value.numpy() for name, value in learner.network.state_dict().items()}
    return weights, dict(learner.losses), learner.steps


def learn_in_process(rank, learners, settings, folder):
    """One of several learners, in a process of its own."""
    torch.set_num_threads(1)
    distributed.init_process_group("gloo", f"file://{folder}/group", rank=rank, world_size=learners)
    weights, losses, steps = learn(TrainConfig(**settings), Share(rank, learners))
    distributed.destroy_process_group()
    np.savez(f"{folder}/{rank}.npz", losses=np.array(sorted(losses.items())), steps=steps, **weights)


@pytest.mark.long
@pytest.mark.parametrize("learners", [2, pytest.param(4, marks=pytest.mark.long)])
@pytest.mark.parametrize("network", ["plain", pytest.param("symmetric", marks=pytest.mark.long)])
def test_weights_after_updates_are_those_of_one_learner(learners, network, tmp_path):
    settings = {**SETTINGS, "network": network}
    multiprocessing.spawn(learn_in_process, (learners, settings, str(tmp_path)), nprocs=learners)
    weights, losses, steps = learn(TrainConfig(**settings), ALL)
    before = {
        name: value.numpy()
        for name, value in make_learner(TrainConfig(**settings), 3).network.state_dict().items()
    }
    assert max(np.abs(weights[name] - before[name]).max() for name in weights) > 1e-3
    for rank in range(learners):
        with np.load(tmp_path / f"{rank}.npz") as found:
            assert found["steps"] == steps
            for name, value in weights.items():
                np.testing.assert_allclose(found[name], value, rtol=0, atol=1e-5, err_msg=name)
            told = {name: float(value) for name, value in found["losses"]}
            assert told.keys() == losses.keys()
            for name, value in losses.items():
                assert told[name] == pytest.approx(value, abs=1e-4), name


def test_every_row_belongs_to_one_learner():
    chosen = torch.randperm(5 * 12)
    found = []
    for rank in range(3):
        share = Share(rank, 3)
        mine, own = share.own_rows(chosen, 12)
        games = share.rows(12)
        everything = torch.arange(5 * 12).view(5, 12)[:, games].flatten()
        assert torch.equal(everything[own], chosen[mine])
        found.append(mine)
    assert torch.equal(torch.cat(found).sort().values, torch.arange(5 * 12))


def test_alone_all_rows_are_the_own_ones():
    chosen = torch.randperm(40)
    mine, own = ALL.own_rows(chosen, 8)
    assert torch.equal(mine, torch.arange(40)) and torch.equal(own, chosen)

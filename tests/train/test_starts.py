"""Late starts, ignored fields and the weights that a training begins with."""

import numpy as np
import pytest
import torch

from onirim_env.batch import GameBatch
from onirim_env.observation import observation_layout
from train.errors import UserError
from train.late_starts import LATE, LateStarts
from train.torch_ppo import make_network


def advanced_batch(size=64):
    """Return games in which the rules agent has played a while, and some are late."""
    from agents.registry import load_agent

    batch = GameBatch(size, make_rules())
    batch.deal(np.arange(size, dtype=np.uint64))
    agent = load_agent("rules")
    agent.start(np.arange(size), np.arange(size))
    observations, masks = batch.view()
    for _ in range(45):
        observations, masks, _ = batch.step(agent.act(observations, masks))
    assert (doors_of(batch.states) >= LATE).sum() > 10
    return batch


def make_rules():
    from onirim_env.rules import RuleSet

    return RuleSet()


def doors_of(states):
    return states["doors"].sum(axis=(1, 2))


def test_games_begin_in_late_positions_that_were_seen_with_other_seeds():
    batch = advanced_batch()
    starts = LateStarts(1.0, 0, batch)
    for _ in range(100):
        starts.note()
    seen = {state.tobytes() for state in batch.states["hand"]}
    batch.deal(np.arange(1000, 1000 + len(batch), dtype=np.uint64))
    rows = np.arange(40)
    starts.place(rows)
    assert starts.began_late[rows].all() and not starts.began_late[40:].any()
    assert (doors_of(batch.states[rows]) >= LATE).all()
    assert {state.tobytes() for state in batch.states["hand"][rows]} <= seen
    assert batch.states["seed"].tolist() == list(range(1000, 1000 + len(batch)))
    assert not doors_of(batch.states[40:]).any()


def test_the_share_of_late_starts_is_as_asked_and_nothing_happens_without():
    batch = advanced_batch()
    for share, low, high in ((0.25, 5, 30), (0.0, 0, 0)):
        starts = LateStarts(share, 0, batch)
        for _ in range(20):
            starts.note()
        starts.place(np.arange(len(batch)))
        assert low <= starts.began_late.sum() <= high


def test_games_that_began_late_do_not_count_as_won(trained, monkeypatch):
    from train import torch_trainer

    counted = []
    play = torch_trainer.train

    def counting(learner, seed, on_step, on_update):
        play(learner, seed, lambda ends: counted.extend(ends) or on_step(ends), on_update)

    monkeypatch.setattr(torch_trainer, "train", counting)
    monkeypatch.setattr("train.late_starts.LATE", 0)
    trained("whole", trainer="torch")
    whole = len(counted)
    counted.clear()
    trained("late", trainer="torch", late_starts=1.0)
    assert 0 < len(counted) < whole


def test_an_ignored_field_makes_no_difference_before_and_after_training(trained, tiny):
    training, _ = trained(trainer="torch", ignored_fields=["unseen", "top"])
    fields = {field.name: field for field in observation_layout()}
    observations = torch.rand(20, fields["deck_size"].stop)
    others = observations.clone()
    for name in ("unseen", "top"):
        others[:, fields[name].start : fields[name].stop] = torch.rand(20, fields[name].size)
    seen = observations.clone()
    seen[:, fields["hand"].start] += 1.0
    for network in (make_network(tiny(trainer="torch", ignored_fields=["unseen", "top"])), None):
        policy = training.policy if network is None else network.policy()
        assert torch.equal(policy(observations), policy(others))
        assert not torch.equal(policy(observations), policy(seen))


@pytest.mark.parametrize("trainer", ["torch", "sb3"])
def test_a_training_starts_from_the_weights_of_another(trained, tiny, trainer):
    from train.training import make_trainer

    first, folder = trained(trainer=trainer)
    begun = make_trainer(tiny(trainer=trainer, start_from=str(folder.path), seed=5))
    for name, weights in begun.policy.state_dict().items():
        assert torch.equal(weights, first.policy.state_dict()[name])
    assert begun.steps == 0


def test_a_start_that_does_not_fit_is_refused_in_words(trained, tiny, tmp_path):
    from train.training import make_trainer

    _, folder = trained(trainer="torch")
    for settings, words in (
        (
            {"trainer": "torch", "hidden_layers": [16]},
            "has hidden_layers \\[32\\], and this training \\[16\\]",
        ),
        ({"trainer": "sb3"}, "has trainer 'torch', and this training 'sb3'"),
    ):
        with pytest.raises(UserError, match=words):
            make_trainer(tiny(start_from=str(folder.path), **settings))
    with pytest.raises(UserError, match=r"none\.zip cannot be read"):
        make_trainer(tiny(trainer="torch", start_from=str(tmp_path / "none.zip")))


@pytest.mark.parametrize(
    "settings", [{"precision": "bfloat16"}, {"late_starts": 0.5}, {"ignored_fields": ["top"]}]
)
def test_what_only_the_torch_trainer_knows_is_refused_with_the_other(tiny, settings):
    (name,) = settings
    with pytest.raises(UserError, match=f"{name}: .* is for trainer torch only, and the trainer is sb3"):
        tiny(trainer="sb3", **settings)


def test_equal_rules_written_differently_can_be_started_from(tiny, tmp_path, monkeypatch):
    from train.checkpoint import save_tensors
    from train.config import TrainConfig
    from train.starting_weights import check_start
    from train.torch_ppo import make_network

    config, file = tiny(trainer="torch", rules={"expansions": ["towers", "glyphs"]}), tmp_path / "model.zip"
    as_written = {**config.as_dict(), "rules": {"expansions": ["towers", "glyphs"], "players": 1}}
    with monkeypatch.context() as patch:
        patch.setattr(TrainConfig, "as_dict", lambda self: as_written)
        save_tensors(file, make_network(config).state_dict(), {}, config, 0, 0)
    again = {"expansions": ["glyphs", "towers"], "hard": [], "prophecy_door": "lost"}
    check_start(tiny(trainer="torch", rules=again, start_from=str(file)))
    with pytest.raises(UserError, match=r"has rules .*'towers'.*, and this training"):
        check_start(tiny(trainer="torch", rules={"expansions": ["glyphs"]}, start_from=str(file)))

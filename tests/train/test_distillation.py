"""Distillation: what lessons hold, what a network learns from them, and the command."""

from pathlib import Path

import numpy as np
import pytest
import torch

import agents
from agents.arrays.array_files import write_arrays
from agents.compiled.lessons import lessons_of
from agents.guided import guided_tools
from agents.network_model import read_model
from onirim_env.errors import FileError
from onirim_env.rules import RuleSet
from train.checkpoint import load_checkpoint
from train.distil import main
from train.distillation import distil, targets_of
from train.lesson_book import LessonBook
from train.torch_ppo import ActorCritic

AGENTS = Path(agents.__file__).parent
NO_VALUE = float("nan")


def lessons(n=400):
    """Lessons of three actions of which the second is illegal, and the third better by 0.1."""
    observations = torch.rand(n, 6).half()
    return observations, torch.tensor([[0.5, NO_VALUE, 0.6]] * n).half()


def probabilities(network, observations):
    logits, values = network(observations.float())
    return torch.softmax(logits[:, [0, 2]], dim=1), values


@pytest.fixture
def network():
    torch.manual_seed(0)
    return ActorCritic(6, 3, [16, 16], "relu", True)


def test_a_difference_of_one_temperature_makes_an_action_e_times_as_probable(network):
    observations, values = lessons()
    targets = targets_of(network, observations, values, temperature=0.1)
    before, own_values = probabilities(network, observations)
    ratio = targets.policies[:, 2] / targets.policies[:, 0] / (before[:, 1] / before[:, 0])
    torch.testing.assert_close(ratio, torch.full_like(ratio, np.e), rtol=0.01, atol=0)  # half precision
    assert (targets.policies[:, 1] == 0).all()
    torch.testing.assert_close(targets.regrets, torch.tensor([[0.1, 0.0, 0.0]] * 400), atol=1e-3, rtol=0)
    assert torch.equal(targets.values, own_values)


def test_equal_values_leave_a_network_as_it_is(network):
    observations, _ = lessons()
    values = torch.tensor([[0.0, NO_VALUE, 0.0]] * 400).half()
    targets = targets_of(network, observations, values, temperature=0.01)
    torch.testing.assert_close(targets.policies[:, [0, 2]], probabilities(network, observations)[0])


def test_a_network_learns_to_prefer_what_is_better_and_keeps_its_values(network):
    observations, values = lessons()
    before, own_values = probabilities(network, observations)
    passes = list(
        distil(
            network, observations, values, temperature=0.05, passes=100, batch_size=50, learning_rate=1e-2,
            generator=torch.Generator().manual_seed(0),
        )
    )  # fmt: skip
    after, kept = probabilities(network, observations)
    expected = before[:, 1] / before[:, 0] * np.exp(2.0)
    torch.testing.assert_close(after[:, 1] / after[:, 0], expected, rtol=0.25, atol=0)
    torch.testing.assert_close(kept, own_values, atol=0.05, rtol=0)
    assert [one.number for one in passes] == list(range(1, 101))
    assert passes[-1].loss < passes[0].loss
    assert passes[-1].regret_held_back < 1e-6 <= 0.1


@pytest.fixture(scope="module")
def tools():
    model = read_model(AGENTS / "models" / "ppo_solo.json")
    return guided_tools(model, RuleSet(), AGENTS / "guided_values" / "ppo_solo.npz")


def test_lessons_value_the_legal_actions_of_decisions_in_doubt(tools):
    seeds = np.arange(500, 504, dtype=np.uint64)
    both = lessons_of(seeds, RuleSet(), 4, tools)
    legal = ~np.isnan(both.values)
    assert (legal.sum(axis=1) > 1).all()
    assert both.values[legal].min() >= 0.0 and both.values[legal].max() <= 1.0
    ranges = np.nanmax(both.values, axis=1) - np.nanmin(both.values, axis=1)
    assert (ranges > 0).mean() > 0.3 and (ranges == 0).any()
    apart = [lessons_of(seeds[:2], RuleSet(), 4, tools), lessons_of(seeds[2:], RuleSet(), 4, tools)]
    for name in ("observations", "values"):
        joined = np.concatenate([getattr(one, name) for one in apart])
        np.testing.assert_array_equal(joined, getattr(both, name))


def test_a_book_keeps_its_parts_and_knows_what_is_missing(tools, tmp_path):
    book = LessonBook(tmp_path / "lessons", 173, 70)
    assert book.missing(250) == [0, 1, 2]
    written = lessons_of(book.seeds(0)[:2], RuleSet(), 1, tools)
    book.write(0, written)
    assert LessonBook(tmp_path / "lessons", 173, 70).missing(250) == [1, 2]
    observations, values = book.read(100)
    np.testing.assert_allclose(observations, written.observations, atol=1e-3)
    np.testing.assert_allclose(values, written.values, atol=1e-3)


@pytest.mark.parametrize(
    "change",
    [
        {"observations": np.full((2, 173), np.nan, np.float16)},
        {"observations": np.zeros((2, 99), np.float16)},
        {"observations": np.zeros((3, 173), np.float16)},
        {"values": np.full((2, 70), np.nan, np.float16)},
        {"values": np.full((2, 70), 2.0, np.float16)},
        {"values": np.zeros((2, 70), np.float32)},
        None,
    ],
)
def test_lessons_that_are_damaged_are_named_with_what_to_do(change, tmp_path):
    book = LessonBook(tmp_path, 173, 70)
    good = {"observations": np.zeros((2, 173), np.float16), "values": np.full((2, 70), 0.5, np.float16)}
    file = tmp_path / "part_00000.npz"
    write_arrays(file, good)
    assert book.read(1)[1].shape == (2, 70)
    if change is None:
        file.write_bytes(file.read_bytes()[:100])
    else:
        write_arrays(file, {**good, **change})
    with pytest.raises(FileError, match=r"part_00000\.npz.*the same command makes (it|them) again") as error:
        book.read(1)
    assert "\n" not in str(error.value)


@pytest.fixture
def taught(trained, tmp_path, monkeypatch):
    """A small training, and what the command says when it is taught with two games a part."""
    monkeypatch.setattr("train.lesson_book.GAMES_PER_PART", 2)
    monkeypatch.setattr("train.export.DEFAULT_FOLDER", tmp_path)
    _, folder = trained("taught", trainer="torch", hidden_layers=[16, 16])
    options = [str(folder.path), "--games", "4", "--playouts", "2", "--passes", "1", "--batch-size", "16"]
    return folder, options


@pytest.mark.long
def test_the_command_teaches_and_does_not_make_lessons_again(taught, tmp_path, monkeypatch, capsys):
    folder, options = taught
    assert main(options) == 0
    result = tmp_path / "taught_distilled"
    first = load_checkpoint(result / "model.zip")
    source = load_checkpoint(folder.model_file)
    changed = {name for name in first.policy if not torch.equal(first.policy[name], source.policy[name])}
    assert "policy_head.weight" in changed
    assert first.config.start_from == str(folder.path)
    assert (result / "distillation.json").is_file()
    assert "pass 1 of 1" in capsys.readouterr().err
    monkeypatch.setattr("agents.compiled.lessons.lessons_of", None)
    assert main(options) == 0
    again = load_checkpoint(result / "model.zip")
    assert all(torch.equal(first.policy[name], again.policy[name]) for name in first.policy)
    assert main([*options, "--from-scratch"]) == 0
    scratch = load_checkpoint(result / "model.zip")
    assert not torch.equal(scratch.policy["policy_trunk.0.weight"], first.policy["policy_trunk.0.weight"])
    assert main([*options[:4], "3", *options[5:]]) == 2
    assert "give another --run-dir" in capsys.readouterr().err


def test_what_cannot_be_taught_is_refused_in_one_line(trained, tmp_path, capsys):
    _, stock = trained("stock", trainer="sb3")
    capsys.readouterr()
    for run, words in ((stock.path, "only torch ones"), (tmp_path / "none", "no run folder")):
        assert main([str(run)]) == 2
        printed = capsys.readouterr().err
        assert words in printed and printed.count("\n") == 1
    with pytest.raises(SystemExit):
        main([str(stock.path), "--games", "0"])
    assert "must be a whole number from 1 to 10,000,000, not '0'" in capsys.readouterr().err


def test_a_bad_value_network_is_refused_before_anything_is_made(taught, tmp_path, capsys):
    _, options = taught
    text = tmp_path / "text.npz"
    text.write_text("no numbers")
    capsys.readouterr()
    for file in (tmp_path / "none.npz", text):
        assert main([*options, "--values", str(file)]) == 2
        printed = capsys.readouterr().err
        assert f"{file} is no value network" in printed and printed.count("\n") == 1
    assert not (tmp_path / "taught_distilled").exists()


def test_a_network_that_cannot_play_in_a_search_is_refused_before_anything_is_made(trained, tmp_path, capsys):
    settings = {"trainer": "torch", "eval_every": 0, "total_steps": 1024}
    for name, other in (("one", {"hidden_layers": [16]}), ("tanh", {"activation": "tanh"})):
        _, folder = trained(name, **{"hidden_layers": [16, 16], **settings, **other})
        capsys.readouterr()
        assert main([str(folder.path)]) == 2
        assert "only two with relu can be taught" in capsys.readouterr().err
    _, folder = trained("good", hidden_layers=[16, 16], **settings)
    capsys.readouterr()
    assert main([str(folder.path), "--run-dir", "x" * 300]) == 2
    printed = capsys.readouterr().err
    assert "--run-dir xxx" in printed and printed.count("\n") == 1
    assert main([str(folder.path), "--run-dir", str(tmp_path)]) == 2
    assert "is not empty and has no lessons" in capsys.readouterr().err
    assert not list(tmp_path.glob("*_distilled"))


@pytest.mark.parametrize(
    "option",
    ["--games=1.5", "--games=1e12", "--temperature=inf", "--temperature=nan", "--seed=-1", "--passes=x"],
)
def test_numbers_that_cannot_be_are_refused(option, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["run", option])
    assert ended.value.code == 2
    assert "must be a" in capsys.readouterr().err

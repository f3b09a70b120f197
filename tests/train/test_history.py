"""How a run was made stands in its folder, a segment for each sitting."""

import json
import shlex

import pytest

from train.__main__ import main
from train.evaluation import VALIDATION_OFFSET
from train.export import export
from train.history import history_summary, read_history
from train.loading import load_policy
from train.run_folder import RunFolder

BRIEF = ["eval_every=0", "final_games=0"]


@pytest.fixture
def run(tiny_file, tmp_path):
    folder = RunFolder(tmp_path / "run")
    assert main([str(tiny_file), *BRIEF, "total_steps=1024", "--run-dir", str(folder.path)]) == 0
    return folder


def test_each_sitting_is_a_segment_that_stays(run):
    (first,) = read_history(run)
    assert main(["--resume", str(run.path), "total_steps=2048", "learning_rate=1e-5", "final_games=0"]) == 0
    again, second = read_history(run)
    assert again == first
    assert shlex.split(second["command"])[:5] == ["python", "-m", "train", "--resume", str(run.path)]
    assert (first["configuration"], second["configuration"]) == ("tiny", "")
    assert (first["steps"], second["steps"]) == (1024, 2048)
    assert first["started"] <= first["ended"] <= second["started"] <= second["ended"]
    assert first["cpu_seconds"] > 0 and first["processor"]
    assert first["versions"]["packages"]["torch"]
    assert first["settings"]["learning_rate"] != second["settings"]["learning_rate"] == 1e-5


def test_a_segment_names_its_parent_and_digest(run, tiny_file, tmp_path):
    child = RunFolder(tmp_path / "child")
    arguments = [str(tiny_file), *BRIEF, "total_steps=1024", f"start_from={run.path}"]
    assert main([*arguments, "--run-dir", str(child.path)]) == 0
    (segment,) = read_history(child)
    assert segment["start_from"]["path"] == str(run.path)
    assert segment["start_from"]["file"] == "model.zip"
    assert len(segment["start_from"]["digest"]) == 16


def test_a_sitting_that_fails_is_noted_too(run, monkeypatch):
    import train.training

    def fail(*given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(train.training, "train", fail)
    assert main(["--resume", str(run.path), "total_steps=4096"]) == 1
    assert [one["ended"] is not None for one in read_history(run)] == [True, True]


def test_an_exported_model_tells_its_history(run, tmp_path):
    assert main(["--resume", str(run.path), "total_steps=2048", "entropy=0.5", "final_games=0"]) == 0
    files = export(load_policy(run.path), "mine", tmp_path / "models")
    history = json.loads(files[1].read_text())["history"]
    assert history == json.loads(json.dumps(history_summary(run)))
    assert history[1]["settings"] == {"total_steps": 2048, "entropy": 0.5}


@pytest.mark.parametrize("protocol", [False, True])
def test_a_training_ends_on_games_for_validation_unless_the_protocol_is_asked_for(
    tiny_file, tmp_path, capsys, protocol
):
    folder = RunFolder(tmp_path / "run")
    options = ["total_steps=1024", "eval_every=0", "final_games=4", f"final_protocol={protocol}"]
    assert main([str(tiny_file), *options, "--run-dir", str(folder.path)]) == 0
    printed = capsys.readouterr().out.splitlines()[0]
    evaluation = json.loads(folder.evaluation_file.read_text())
    assert evaluation["seed_offset"] == (0 if protocol else VALIDATION_OFFSET)
    assert evaluation["agents"][0]["first_seed"] == 1_000_000_000 + evaluation["seed_offset"]
    assert printed.startswith("held-out games of the protocol" if protocol else "games for validation")

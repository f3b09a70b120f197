"""Run folders that were left in any state: what goes on, what is passed over, and who has a folder."""

import csv
import json
import os
import shutil

import pytest

from onirim_env.files import locked
from train import distil, export
from train.__main__ import main
from train.metrics_file import read_metrics
from train.run_folder import LOCK, RunFolder, default_path
from train.sweep import main as sweep

QUICK = ["total_steps=1024", "final_games=0", "eval_every=0"]
HEADING = "steps,seconds,win_rate\n"


def rows_of(folder):
    with folder.metrics_file.open(newline="") as file:
        return [int(row["steps"]) for row in csv.DictReader(file)]


@pytest.mark.parametrize("trainer", ["sb3", "torch"])
@pytest.mark.parametrize("damage", ["empty", "cut", "pipe", "other"])
def test_the_newest_checkpoint_that_can_be_read_is_gone_on_from(trainer, damage, trained, tmp_path, capsys):
    _, folder = trained(trainer=trainer, eval_every=0, final_games=0)
    folder.model_file.unlink()
    newest = folder.checkpoint_file(4096)
    content = newest.read_bytes()
    newest.unlink()
    if damage == "pipe":
        os.mkfifo(newest)
    elif damage == "other":
        _, other = trained("other", trainer=trainer, hidden_layers=[8], total_steps=1024, eval_every=0)
        shutil.copy(other.model_file, newest)
    else:
        newest.write_bytes(content[: len(content) // 2] if damage == "cut" else b"")
    capsys.readouterr()
    assert main(["--resume", str(folder.path)]) == 0
    errors = capsys.readouterr().err.splitlines()
    assert errors[0].startswith("passed over: ") and str(newest) in errors[0]
    assert rows_of(folder) == [1024, 2048, 3072, 4096]
    assert folder.model_file.is_file()


def test_a_folder_in_which_no_checkpoint_can_be_read_is_left_alone(trained, capsys):
    _, folder = trained(eval_every=0)
    for file in folder.checkpoint_files():
        file.write_bytes(b"")
    capsys.readouterr()
    assert main(["--resume", str(folder.path), "total_steps=9e3"]) == 2
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 3 and errors[-1].endswith(f"no checkpoint of {folder.path} can be read")
    assert rows_of(folder) == [1024, 2048, 3072, 4096]


@pytest.mark.parametrize(
    "damage",
    [
        b"\x00" * 50 + b"\n",
        b"3072;9;0.5\n",
        b"3072,9\n",
        b"3072,x,0.5\n",
        b"3072,9,0.5,7\n",
        b"\xff\xfe\n",
        b"3072,9,0.",
    ],
)
def test_lines_of_metrics_that_are_no_rows_are_dropped_with_a_line(damage, trained, tiny, capsys):
    from train.metrics import Metrics

    _, folder = trained(eval_every=0, total_steps=2048)
    good = folder.metrics_file.read_bytes()
    folder.metrics_file.write_bytes(good + damage)
    capsys.readouterr()
    metrics = Metrics(folder.metrics_file, folder.tensorboard, 4096)
    metrics.close()
    assert "metrics.csv: 1 line cannot be read and will be dropped\n" in capsys.readouterr().err
    assert folder.metrics_file.read_bytes() == good


@pytest.mark.parametrize("content", ["", "steps,seconds", "\x00\n1,1\n", "steps\n1\n", "steps,steps\n1,1\n"])
def test_a_table_without_a_heading_has_no_rows(content, tmp_path):
    file = tmp_path / "metrics.csv"
    file.write_text(content)
    assert read_metrics(file).rows == []
    assert read_metrics(tmp_path / "none.csv") == ([], 0)


def test_a_row_counts_with_its_line_end_only(tmp_path):
    file = tmp_path / "metrics.csv"
    file.write_text(HEADING + "1024,1,0.5\n2048,2,0.5")
    rows, damaged = read_metrics(file)
    assert ([row["steps"] for row in rows], damaged) == (["1024"], 1)


def test_a_training_that_was_ended_before_its_first_checkpoint_begins_again(
    tiny_file, tmp_path, tiny, capsys
):
    folder = RunFolder.create(tmp_path / "run", tiny(total_steps=1024, final_games=0))
    (folder.path / ".model.zip.999999999.01234567.part").write_text("left behind")
    assert main(["--resume", str(folder.path)]) == 0
    assert "it begins from the start" in capsys.readouterr().err
    assert rows_of(folder) == [1024]
    assert not list(folder.path.glob(".*.part"))


def test_a_folder_that_was_only_made_can_be_begun_in(tiny_file, tmp_path):
    run = tmp_path / "run"
    run.mkdir()
    (run / LOCK).touch()
    (run / ".config.yaml.999999999.01234567.part").write_text("left behind")
    assert main([str(tiny_file), *QUICK, "--run-dir", str(run)]) == 0


def test_a_training_whose_model_was_not_written_is_ended(trained, capsys):
    _, folder = trained(eval_every=0, final_games=0)
    model = folder.model_file
    model.unlink()
    assert main(["--resume", str(folder.path)]) == 0
    assert model.is_file()


def test_a_distilled_model_is_not_trained_over(trained, capsys):
    _, folder = trained(eval_every=0)
    shutil.rmtree(folder.checkpoints)
    assert main(["--resume", str(folder.path)]) == 2
    assert f"start_from={folder.path} begins with its weights" in capsys.readouterr().err


@pytest.mark.parametrize("start", ["nowhere", "/dev/zero", "x" * 300, "FOLDER", "FILE"])
def test_a_start_that_cannot_be_leaves_no_folder(start, tiny_file, tmp_path, capsys):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("no model")
    start = {"FOLDER": str(tmp_path / "folder"), "FILE": str(tmp_path / "file")}.get(start, start)
    for option in ([], ["--run-dir", str(tmp_path / "mine")]):
        assert main([str(tiny_file), f"start_from={start}", *option]) == 2
        message = capsys.readouterr().err
        assert "start_from: " in message and message.count("\n") == 1
    assert not (tmp_path / "runs").exists() and not (tmp_path / "mine").exists()


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_folders_of_impossible_names_are_refused_in_one_line(name, tiny_file, tmp_path, capsys):
    for arguments in (
        [str(tiny_file), "--run-dir", str(tmp_path / name)],
        [str(tiny_file), f"runs_dir={tmp_path / name}"],
        ["--resume", str(tmp_path / name)],
    ):
        assert main(arguments) == 2
        message = capsys.readouterr().err
        assert message.count("\n") == 1 and len(message) < 600


def test_two_trainings_do_not_share_a_folder(trained, tiny_file, tmp_path, capsys):
    _, folder = trained(eval_every=0)
    before = folder.config_file.read_bytes()
    with folder.in_use():
        for arguments in (
            ["--resume", str(folder.path), "total_steps=9e3"],
            [str(tiny_file), "--run-dir", str(folder.path)],
        ):
            assert main(arguments) == 2
            message = capsys.readouterr().err
            assert f"run folder {folder.path} is in use by another process" in message
            assert message.count("\n") == 1
    assert folder.config_file.read_bytes() == before


def test_trainings_of_one_second_have_folders_of_their_own(tiny, tmp_path, monkeypatch):
    monkeypatch.setattr("time.strftime", lambda form: "20250101-120000")
    config = tiny(runs_dir=str(tmp_path))
    folders = [RunFolder.create_next(default_path(config, "tiny"), config).path.name for _ in range(3)]
    assert folders == [f"tiny-0-20250101-120000{end}" for end in ("", "-2", "-3")]


def test_two_sweeps_do_not_share_a_folder(tiny_file, tmp_path, capsys):
    folder = tmp_path / "sweep"
    folder.mkdir()
    with locked(folder / LOCK):
        assert sweep([str(tiny_file), "n_epochs=1,2", "--folder", str(folder)]) == 2
    message = capsys.readouterr().err
    assert f"the sweep in {folder} is in use by another process" in message and message.count("\n") == 1
    assert not (folder / "sweep.json").exists()


def test_two_distillations_do_not_share_a_folder(trained, tmp_path, capsys):
    _, folder = trained(trainer="torch", hidden_layers=[16, 16], eval_every=0, total_steps=1024)
    result = tmp_path / "result"
    result.mkdir()
    capsys.readouterr()
    with locked(result / LOCK):
        assert distil.main([str(folder.path), "--run-dir", str(result)]) == 2
    assert "is in use by another process" in capsys.readouterr().err
    assert not (result / "lessons.json").exists()


def test_a_damaged_newest_checkpoint_is_passed_over_when_a_run_is_exported(trained, tmp_path, capsys):
    _, folder = trained(eval_every=0)
    folder.model_file.unlink()
    folder.checkpoint_file(4096).write_bytes(b"")
    assert export.main([str(folder.path), "mine", "--folder", str(tmp_path)]) == 0
    assert "passed over: " in capsys.readouterr().err
    assert json.loads((tmp_path / "mine.json").read_text())["steps"] == 2048

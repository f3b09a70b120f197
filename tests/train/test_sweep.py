"""``python -m train.sweep``: reading ranges, going on, pruning, the table, and what is refused."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

pytest.importorskip("optuna", reason="needs the extra 'train'")

from onirim_env.files import locked, write_json
from train import sweep_study, sweep_trial
from train.errors import UserError
from train.sweep import main
from train.sweep_plan import Plan
from train.sweep_space import Choices, Range, drawn_settings, grid_point, grid_size, read_space
from train.sweep_study import Sweep
from train.sweep_table import table_text
from train.sweep_trial import Result

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def trainings(monkeypatch):
    """Every training that is asked for, instead of which a formula says who wins."""
    begun = []

    def result_of(config, path):
        stored = sweep_trial.stored_result(path)
        if stored is None:
            begun.append((config, path))
            win_rate = 0.5 - 0.1 * config.n_epochs + 0.01 * config.seed
            stored = Result(config.seed, 40, win_rate, 2.0, 65.0)
            path.mkdir(parents=True)
            write_json(path / sweep_trial.RESULT, vars(stored))
        return stored

    monkeypatch.setattr(sweep_study, "result_of", result_of)
    return begun


def table_of(folder):
    with (folder / "table.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_ranges_choices_and_fixed_settings_are_told_apart():
    space, fixed = read_space(
        ["learning_rate=5e-4..3e-3", "n_epochs=2,3,4", "hidden_layers=[64,64],[128,128]", "total_steps=5e6",
         "num_envs=16..64", "runs_dir=../a,b", "rules.prophecy_door=protected,lost", "gae_lambda=0.9..1"]
    )  # fmt: skip
    assert space == {
        "learning_rate": Range("learning_rate", 5e-4, 3e-3),
        "n_epochs": Choices("n_epochs", (2, 3, 4)),
        "hidden_layers": Choices("hidden_layers", ((64, 64), (128, 128))),
        "num_envs": Range("num_envs", 16, 64),
        "rules.prophecy_door": Choices("rules.prophecy_door", ("protected", "lost")),
        "gae_lambda": Range("gae_lambda", 0.9, 1.0),
    }
    assert fixed == {"total_steps": "5e6", "runs_dir": "../a,b"}


def test_one_list_is_one_value():
    assert read_space(["hidden_layers=[64,64]"]) == ({}, {"hidden_layers": [64, 64]})


@pytest.mark.parametrize(
    ("name", "low", "high", "log", "whole"),
    [
        ("learning_rate", 5e-4, 3e-3, True, False),
        ("learning_rate_end", 0.0, 1e-3, False, False),
        ("entropy", 1e-3, 1e-2, True, False),
        ("entropy", 2e-3, 1e-2, False, False),
        ("entropy", 0.0, 1.0, False, False),
        ("num_envs", 16, 64, False, True),
        ("num_envs", 16, 160, True, True),
    ],
)
def test_the_scale_of_a_range_and_whether_it_is_whole(name, low, high, log, whole):
    swept = Range(name, low, high)
    assert (swept.log, swept.whole) == (log, whole)


def test_what_is_drawn_becomes_settings_again():
    space, _ = read_space(["hidden_layers=[64],[8,8]", "rules.prophecy_door=protected,lost", "gamma=0.9..1"])
    drawn = {"hidden_layers": "[8,8]", "rules.prophecy_door": "lost", "gamma": 0.95}
    settings = {"hidden_layers": (8, 8), "rules": {"prophecy_door": "lost"}, "gamma": 0.95}
    assert drawn_settings(space, drawn) == settings


def test_the_grid_is_every_combination_the_last_setting_changing_fastest():
    space, _ = read_space(["n_epochs=1..2", "activation=relu,tanh"])
    points = [grid_point(space, number) for number in range(grid_size(space))]
    assert [tuple(point.values()) for point in points] == [
        (1, "relu"), (1, "tanh"), (2, "relu"), (2, "tanh"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "expected one configuration file"),
        (["TINY", "learning_rate=3e-3..5e-4"], "learning_rate: the range 3e-3..5e-4 does not go up"),
        (["TINY", "learning_rate=-1..1"], "learning_rate cannot be '-1'"),
        (["TINY", "num_envs=1.5..4"], "num_envs cannot be '1.5'"),
        (["TINY", "n_epochs=2,x"], "n_epochs cannot be 'x'"),
        (["TINY", "n_epochs=2,2.0"], "n_epochs: 2,2.0 has a value twice"),
        (["TINY", "learning_rat=1..2"], "Did you mean learning_rate?"),
        (["TINY", "seed=1,2"], "--seeds K"),
        (["TINY", "n_epochs=2,3", "n_epochs=3,4"], "n_epochs is swept twice: 2,3 and 3,4"),
        (["TINY", "n_epochs=2,3", "n_epochs=3"], "n_epochs is both swept and fixed"),
        (["TINY", "batch_size=3,5"], "batch_size: 3 does not divide"),
        (["TINY", "gamma=0.9..1", "--sampler", "grid"], "a grid needs choices, as in gamma=0.9,1.0"),
        (
            ["TINY", "gamma=0.9..1", "--sampler", "each"],
            "--sampler each needs choices, as in gamma=0.9,1.0, not",
        ),
        (["TINY", "rules.draft=choice,dealt", "--sampler", "each"], "rules.draft cannot be swept with"),
        (["TINY", "gamma=0.9..1", "--seeds", "1", "--prune"], "--prune ends trials between their seeds"),
        (["TINY", "n_epochs=1..99999999999999", "--sampler", "grid"], "n_epochs cannot be '99999999999999'"),
        (
            ["TINY", "total_steps=1..1000000000000", "--sampler", "grid"],
            "--sampler grid would try 1,000,000,000,000 settings; say with --trials how many",
        ),
        (["TINY", "gamma=0.9..1", "--folder", "x" * 300], "--folder xxx"),
    ],
)
def test_mistakes_end_in_one_line_before_anything_is_made(arguments, message, tiny_file, tmp_path, capsys):
    assert main([str(tiny_file) if text == "TINY" else text for text in arguments]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert printed.count("\n") == 1
    assert not (tmp_path / "runs").exists()


def test_a_sweep_trains_writes_the_table_and_does_not_train_again(tiny_file, tmp_path, capsys):
    command = [str(tiny_file), "learning_rate=5e-4..3e-3", "n_epochs=1,2", "total_steps=2048", "--seeds=1"]
    assert main([*command, "--trials", "2"]) == 0
    folder = tmp_path / "runs" / "sweep-tiny"
    printed = capsys.readouterr().out.splitlines()
    assert printed[0].split()[:3] == ["trial", "learning_rate", "n_epochs"]
    assert len(printed) == 3
    rows = table_of(folder)
    assert {row["state"] for row in rows} == {"complete"}
    assert all(5e-4 <= float(row["learning_rate"]) <= 3e-3 and row["n_epochs"] in "12" for row in rows)
    assert all(0 <= float(row["win_rate"]) <= 1 and float(row["seconds"]) > 0 for row in rows)
    models = {path: path.stat().st_mtime_ns for path in folder.glob("trial-*/seed-0/model.zip")}
    assert len(models) == 2

    assert main([*command, "--trials", "3"]) == 0
    assert {path: path.stat().st_mtime_ns for path in models} == models
    assert len(table_of(folder)) == 3
    assert "trial 3 of 3" in capsys.readouterr().err


def test_a_training_that_was_cut_goes_on_from_its_checkpoint(tiny, tmp_path):
    config = tiny(total_steps=4096)
    path = tmp_path / "run"
    begun = sweep_trial._train_one(tiny(total_steps=2048), sweep_trial.RunFolder.create(path, config))
    assert begun
    (path / "model.zip").unlink()
    result = sweep_trial.result_of(config, path)
    assert (result.seed, result.games) == (0, 40)
    assert (path / "metrics.csv").read_text().count("\n") == 1 + 4
    assert sweep_trial.stored_result(path) == result


@pytest.mark.parametrize("trainer", ["sb3", "torch"])
def test_a_training_whose_last_step_was_saved_but_not_its_model_ends(trainer, tiny, tmp_path):
    config = tiny(total_steps=2048, trainer=trainer)
    path = tmp_path / "run"
    assert sweep_trial._train_one(config, sweep_trial.RunFolder.create(path, config))
    (path / "model.zip").unlink()
    assert sweep_trial.result_of(config, path).win_rate >= 0
    assert (path / "metrics.csv").read_text().count("\n") == 1 + 2


def test_validation_games_are_none_of_a_protocol(tiny, tmp_path, monkeypatch):
    from train import set_results

    played = []
    evaluate = set_results.evaluate
    monkeypatch.setattr(
        set_results, "evaluate", lambda agent, **rest: played.extend(rest["seeds"]) or evaluate(agent, **rest)
    )
    sweep_trial.result_of(tiny(total_steps=1024, eval_every=0), tmp_path / "run")
    assert len(played) == 40
    assert min(played) == 1_010_000_000


def test_without_ranges_the_seeds_are_swept(tiny_file, tmp_path, trainings, capsys):
    assert main([str(tiny_file), "seed=5", "--seeds", "3"]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[0] for line in lines] == ["seed", "5", "6", "7", "mean"]
    assert lines[-1][1:] == ["36.00", "%", "35.00", "to", "37.00", "%", "2.00", "3:15"]
    assert [row["seed"] for row in table_of(tmp_path / "runs" / "sweep-tiny")] == ["5", "6", "7", "mean"]


def test_each_choice_is_tried_alone_beside_the_configuration_itself(tiny_file, trainings, tmp_path):
    command = [str(tiny_file), "n_epochs=1,3", "hidden_layers=[32],[64,64]", "gamma=0.99,0.9", "--seeds=1"]
    assert main([*command, "--sampler", "each"]) == 0
    tried = [(config.n_epochs, config.hidden_layers, config.gamma) for config, _ in trainings]
    assert tried == [
        (2, (32,), 1.0), (1, (32,), 1.0), (3, (32,), 1.0),
        (2, (64, 64), 1.0), (2, (32,), 0.99), (2, (32,), 0.9),
    ]  # fmt: skip
    assert len(table_of(tmp_path / "runs" / "sweep-tiny")) == 6


def test_the_table_is_sorted_best_first(tiny_file, trainings, tmp_path, capsys):
    assert main([str(tiny_file), "n_epochs=3,1,2", "--folder", str(tmp_path / "here")]) == 0
    rows = table_of(tmp_path / "here")
    assert [row["n_epochs"] for row in rows] == ["1", "2", "3"]
    assert [row["trial"] for row in rows] == ["2", "3", "1"]
    assert float(rows[0]["win_rate"]) == pytest.approx(0.405)
    assert "40.00 to 41.00 %" in capsys.readouterr().out.splitlines()[1]


def test_settings_drawn_again_are_not_trained_again(tiny_file, trainings, tmp_path):
    assert main([str(tiny_file), "n_epochs=1,2", "--sampler", "random", "--trials", "6"]) == 0
    assert len(trainings) == 2 * 2
    assert len(table_of(tmp_path / "runs" / "sweep-tiny")) == 2


@pytest.mark.parametrize("sampler", ["random", "tpe", "grid"])
def test_an_interrupted_sweep_tries_what_one_in_one_go_tries(sampler, trainings, tmp_path):
    texts = ["n_epochs=1..4", "clip_range=0.1,0.2"]
    if sampler != "grid":
        texts.append("learning_rate=1e-4..1e-2")
    space, settings = read_space(texts)
    plan = Plan(settings, space, 1, sampler, prune=False)
    whole = Sweep(plan, tmp_path / "whole")
    list(whole.run(6))
    for trials in (1, 2, 3):
        list(Sweep(plan, tmp_path / "parts").run(trials))
    stopped = Sweep(plan, tmp_path / "parts").run(6)
    next(stopped)
    stopped.close()
    again = Sweep(plan, tmp_path / "parts")
    list(again.run(6))
    assert again.rows() == whole.rows()


def test_ctrl_c_in_a_trial_leaves_it_to_be_gone_on_with(trainings, tmp_path, monkeypatch):
    space, settings = read_space(["learning_rate=1e-4..1e-2"])
    plan = Plan(settings, space, 2, "tpe", prune=False)
    train = sweep_study.result_of

    def interrupted(config, path):
        if len(trainings) == 3:
            raise KeyboardInterrupt
        return train(config, path)

    with monkeypatch.context() as patch:
        patch.setattr(sweep_study, "result_of", interrupted)
        with pytest.raises(KeyboardInterrupt):
            list(Sweep(plan, tmp_path / "sweep").run(3))
    sweep = Sweep(plan, tmp_path / "sweep")
    assert len(sweep.rows()) == 1
    list(sweep.run(3))
    assert sorted(row.number for row in sweep.rows()) == [1, 2, 3]
    assert len({path for _, path in trainings}) == len(trainings) == 6
    second = [config.learning_rate for config, path in trainings if path.parent.name == "trial-002"]
    assert second[0] == second[1]


def test_pruning_ends_a_trial_that_is_below_the_median(tiny_file, trainings, tmp_path, capsys):
    assert main([str(tiny_file), "n_epochs=1,2,3,4", "--prune"]) == 0
    rows = table_of(tmp_path / "runs" / "sweep-tiny")
    assert [(row["n_epochs"], row["state"], row["seeds"]) for row in rows] == [
        ("1", "complete", "2"), ("2", "complete", "2"), ("3", "complete", "2"), ("4", "pruned", "1"),
    ]  # fmt: skip
    assert "1 of 2, pruned" in capsys.readouterr().out


def test_settings_that_do_not_go_together_fail_alone(tiny_file, trainings, tmp_path, capsys):
    assert main([str(tiny_file), "batch_size=100,256", "--seeds", "1"]) == 0
    printed = capsys.readouterr().out
    assert "trial 1 failed: batch_size: 100 does not divide" in printed
    states = {row["batch_size"]: row["state"] for row in table_of(tmp_path / "runs" / "sweep-tiny")}
    assert states == {"100": "failed", "256": "complete"}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (["n_epochs=1,3"], "a sweep with n_epochs=1,2, not n_epochs=1,3;"),
        (["n_epochs=1"], "a sweep with n_epochs=1,2, not n_epochs=1;"),
        (["n_epochs=1,2", "gamma=0.9"], "a sweep with no gamma, not gamma=0.9;"),
        (["n_epochs=1,2", "--seeds", "3"], "a sweep with --seeds 2, not --seeds 3;"),
        (["n_epochs=1,2", "--sampler", "tpe"], "a sweep with --sampler grid, not --sampler tpe;"),
    ],
)
def test_another_sweep_in_the_same_folder_is_refused(changed, message, tiny_file, trainings, capsys):
    assert main([str(tiny_file), "n_epochs=1,2"]) == 0
    capsys.readouterr()
    assert main([str(tiny_file), *changed]) == 2
    printed = capsys.readouterr().err
    assert message in printed
    assert "another --folder" in printed
    assert printed.count("\n") == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("rules.expansions=[towers,glyphs]", "rules.expansions=[glyphs,towers]"),
        ("gamma=1.0", "rules.prophecy_door=lost"),
        ("rules={players: 1}", "clip_range=0.2"),
    ],
)
def test_the_same_sweep_written_differently_goes_on(first, second, tiny_file, trainings):
    assert main([str(tiny_file), "n_epochs=1,2", first]) == 0
    assert main([str(tiny_file), "n_epochs=1,2", second]) == 0
    assert len(trainings) == 4


def test_a_grid_is_not_made_before_it_is_gone_through(tmp_path, trainings):
    space, settings = read_space(["total_steps=1..1000000000000", "num_envs=1..1000000", "n_epochs=1..9"])
    assert grid_size(space) == 9 * 10**18
    assert grid_point(space, 9 * 10**18 - 1) == {"total_steps": 10**12, "num_envs": 10**6, "n_epochs": 9}
    plan = Plan({**settings, "batch_size": 2}, space, 1, "grid", prune=False)
    assert plan.trials(2) == 2
    assert [row.drawn["n_epochs"] for row in Sweep(plan, tmp_path / "sweep").run(2)] == [1, 2]


def swept(tmp_path, tiny_file):
    """Run a small sweep; return its command and folder."""
    folder = tmp_path / "sweep"
    command = [str(tiny_file), "n_epochs=1,2", "--seeds", "1", "--folder", str(folder)]
    assert main(command) == 0
    return command, folder


def test_a_journal_that_was_cut_goes_on(tiny_file, tmp_path, trainings, capsys):
    command, folder = swept(tmp_path, tiny_file)
    journal = folder / "study.log"
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join(lines[:-1]) + lines[-1][:5])
    (folder / "study.log.lock").symlink_to("nowhere")  # of a process that was killed
    for _ in range(2):
        assert main(command) == 0
    assert len(trainings) == 2
    assert len(table_of(folder)) == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("study.log", b"\x00\x00\n"),
        ("study.log", b'{"op_code": 99}\n'),
        ("study.log", b"{}\n"),
        ("study.log", b"[1]\n"),
        ("sweep.json", b"{"),
        ("sweep.json", b"[]"),
        ("sweep.json", b"{}"),
    ],
)
def test_a_damaged_sweep_is_named_in_one_line(name, content, tiny_file, tmp_path, trainings, capsys):
    command, folder = swept(tmp_path, tiny_file)
    (folder / name).write_bytes(content)
    capsys.readouterr()
    assert main(command) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1 and str(folder) in message and len(message) < 600


@pytest.mark.parametrize("content", ["", "{}", "[]", '{"seed": 0}', "null"])
def test_a_damaged_result_is_measured_again(content, tiny, tmp_path):
    config = tiny(total_steps=1024, eval_every=0)
    result = sweep_trial.result_of(config, tmp_path)
    (tmp_path / sweep_trial.RESULT).write_text(content)
    assert sweep_trial.stored_result(tmp_path) is None
    assert sweep_trial.result_of(config, tmp_path) == result


def test_a_training_that_somebody_goes_on_with_ends_the_sweep_and_not_the_trial(tiny_file, tmp_path, capsys):
    run = tmp_path / "sweep" / "trial-001" / "seed-0"
    command = [str(tiny_file), "n_epochs=1,2", "total_steps=1024", "eval_every=0", "--seeds", "1"]
    command += ["--folder", str(tmp_path / "sweep")]
    (tmp_path / "sweep").mkdir()
    plan_made = sweep_study.note_plan

    def then_locked(plan, path):
        plan_made(plan, path)
        run.mkdir(parents=True)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sweep_study, "note_plan", then_locked)
        with ExitStack() as stack:
            patch.setattr(sweep_study, "mend_journal", lambda log: stack.enter_context(locked(run / ".lock")))
            assert main(command) == 2
    assert f"run folder {run} is in use by another process" in capsys.readouterr().err
    assert main(command) == 0
    assert {row["state"] for row in table_of(tmp_path / "sweep")} == {"complete"}


def test_a_folder_with_something_else_is_refused(tiny_file, tmp_path, capsys):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").write_text("dear")
    assert main([str(tiny_file), "n_epochs=1,2", "--folder", str(tmp_path / "mine")]) == 2
    assert "is not empty and holds no sweep" in capsys.readouterr().err


def test_a_sweep_without_any_result_ends_with_1(tiny_file, monkeypatch, capsys):
    def diverging(config, path):
        raise ValueError("the weights are\nnot numbers")

    monkeypatch.setattr(sweep_study, "result_of", diverging)
    assert main([str(tiny_file), "n_epochs=1,2"]) == 1
    assert "trial 2 failed: the weights are not numbers" in capsys.readouterr().out


def test_a_table_of_nothing_is_its_heading():
    assert table_text([], {"gamma": Range("gamma", 0.9, 1.0)}, 2).split()[:2] == ["trial", "gamma"]


@pytest.mark.long
def test_ctrl_c_says_how_to_go_on(tiny_file, tmp_path, capsys):
    """In a process of its own, so that the signal is a real one."""
    arguments = [str(tiny_file), "n_epochs=1,2", "checkpoint_every=0", "--seeds", "1"]
    long = [*arguments, "total_steps=1e8", "--folder", str(tmp_path / "sweep")]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        [sys.executable, "-m", "train.sweep", *long],
        cwd=ROOT,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    )
    metrics = tmp_path / "sweep" / "trial-001" / "seed-0" / "metrics.csv"
    try:
        deadline = time.monotonic() + 180  # the first process after a change of the engine compiles it
        while process.poll() is None and time.monotonic() < deadline:
            if metrics.is_file() and metrics.read_text().count("\n") > 2:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert errors.splitlines()[-1].startswith(
        "interrupted; the same command goes on where it stopped: python"
    )
    assert list(metrics.parent.glob("checkpoints/step_*.zip"))
    assert not (metrics.parent / "model.zip").exists()


def test_help_explains(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "name=low..high" in capsys.readouterr().out


def test_a_range_needs_a_setting_that_is_a_number():
    with pytest.raises(UserError, match=r"activation cannot be '1\.\.2'"):
        Plan(read_space(["activation=1..2"])[1], {}, 1, "grid", prune=False).check()

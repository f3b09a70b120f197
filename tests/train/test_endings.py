"""How trainings, sweeps and distillations end that are cut short: signals, and a disk that is full."""

import os
import re
import resource
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.long import long_after
from train.__main__ import main
from train.interrupt import Interrupt
from train.run_folder import RunFolder
from train.sweep import main as sweep

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 300
"""Seconds: the first process after a change of the engine compiles it."""


@contextmanager
def running(*arguments, begun, **options):
    """Start a module or a file, wait until ``begun`` says that it works, and end it whatever comes."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
    command = [*map(str, arguments)] if isinstance(arguments[0], Path) else ["-m", *map(str, arguments)]
    process = subprocess.Popen(
        [sys.executable, *command], cwd=ROOT, env=environment, text=True, stderr=subprocess.PIPE, **options
    )
    try:
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and not begun():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.wait()


def has_rows(file, rows=2):
    return lambda: file.is_file() and file.read_text().count("\n") > rows


def ended(process):
    _, errors = process.communicate(timeout=PATIENCE)
    assert "Traceback" not in errors
    return process.returncode, errors


@pytest.mark.parametrize(
    ("trainer", "name"),
    long_after(1, [("torch", "SIGHUP"), ("sb3", "SIGTERM"), ("sb3", "SIGHUP"), ("torch", "SIGTERM")]),
)
def test_a_training_that_gets_a_signal_saves_and_says_how_to_go_on(name, trainer, tiny_file, tmp_path):
    folder = RunFolder(tmp_path / "a run")
    settings = ["total_steps=1e8", "checkpoint_every=0", "eval_every=0", f"trainer={trainer}"]
    with running("train", tiny_file, *settings, "--run-dir", folder.path,
                 begun=has_rows(folder.metrics_file)) as process:  # fmt: skip
        process.send_signal(getattr(signal, name))
        status, errors = ended(process)
    assert status == 128 + getattr(signal, name), errors
    assert f"go on with: python -m train --resume '{folder.path}'" in errors
    steps = int(re.search(r"step_(\d+)", folder.last_checkpoint().name)[1])
    assert steps >= 2048 and not folder.model_file.exists()
    assert main(["--resume", str(folder.path), f"total_steps={steps + 1024}", "final_games=0"]) == 0


@pytest.mark.long
def test_a_second_signal_ends_a_training_at_once_without_damage(tiny_file, tmp_path):
    folder = RunFolder(tmp_path / "run")
    # A single rollout lasts for hours, so that the first signal is only a wish.
    settings = ["total_steps=1e8", "n_steps=64", "n_epochs=1000", "batch_size=2", "trainer=torch"]
    events = folder.tensorboard
    with running("train", tiny_file, *settings, "--run-dir", folder.path,
                 begun=lambda: any(events.glob("events*"))) as process:  # fmt: skip
        time.sleep(1.0)
        process.send_signal(signal.SIGTERM)
        while process.poll() is None:  # it may not have come to its work yet
            time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
        status, errors = ended(process)
    assert status in (143, -signal.SIGTERM), errors
    assert f"go on with: python -m train --resume {folder.path}" in errors
    assert not list(folder.path.rglob("*.part"))
    assert main(["--resume", str(folder.path), "total_steps=1024", "n_epochs=1", "batch_size=256",
                 "final_games=0"]) == 0  # fmt: skip


@pytest.mark.long
def test_a_training_in_the_background_of_a_script_saves_on_sigterm_and_ignores_ctrl_c(tiny_file, tmp_path):
    folder = RunFolder(tmp_path / "run")
    settings = ["total_steps=1e8", "checkpoint_every=0", "eval_every=0"]
    with running("train", tiny_file, *settings, "--run-dir", folder.path, begun=has_rows(folder.metrics_file),
                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)) as process:  # fmt: skip
        process.send_signal(signal.SIGINT)
        rows = folder.metrics_file.read_text().count("\n") + 2
        deadline = time.monotonic() + PATIENCE
        while process.poll() is None and not has_rows(folder.metrics_file, rows)():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert process.poll() is None
        process.terminate()
        assert ended(process)[0] == 143
    assert folder.last_checkpoint().is_file()


@pytest.mark.long
def test_a_sweep_that_gets_sigterm_keeps_what_was_done(tiny_file, tmp_path):
    path = tmp_path / "sweep"
    training = RunFolder(path / "trial-001" / "seed-0")
    settings = ["n_epochs=1,2", "total_steps=1e8", "checkpoint_every=0", "eval_every=0", "--seeds", "1"]
    with running("train.sweep", tiny_file, *settings, "--folder", path,
                 begun=has_rows(training.metrics_file)) as process:  # fmt: skip
        process.terminate()
        status, errors = ended(process)
    assert status == 143, errors
    assert errors.splitlines()[-1].startswith(
        "interrupted; the same command goes on where it stopped: python"
    )
    assert training.last_checkpoint().is_file()


TEACHING = """
import sys, time
import numpy as np
import agents.compiled.lessons
from train.distil import main
def lessons_of(seeds, rules, playouts, tools):
    time.sleep(0.2)
    return agents.compiled.lessons.Lessons(np.zeros((4, 173), np.float32), np.full((4, 70), 0.5, np.float32))
agents.compiled.lessons.lessons_of = lessons_of
sys.exit(main(sys.argv[1:]))
"""
"""A distillation whose lessons cost nothing, and need nothing compiled."""


@pytest.mark.long
def test_a_distillation_that_gets_sigterm_keeps_its_lessons(trained, tmp_path):
    _, folder = trained(trainer="torch", hidden_layers=[16, 16], eval_every=0, total_steps=1024)
    lessons = tmp_path / "result" / "lessons"
    program = tmp_path / "teaching.py"
    program.write_text(TEACHING)
    with running(program, folder.path, "--games", "1e7", "--run-dir", tmp_path / "result",
                 begun=lambda: any(lessons.glob("part_*.npz"))) as process:  # fmt: skip
        process.terminate()
        status, errors = ended(process)
    assert status == 143, errors
    assert "the same command goes on with the lessons that are there" in errors
    assert list(lessons.glob("part_*.npz")) and not list(lessons.glob(".*.part"))


def test_ctrl_c_stays_ignored_where_it_was_and_a_second_signal_raises():
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with Interrupt() as interrupt:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            assert not interrupt.wished
            signal.getsignal(signal.SIGINT)(signal.SIGTERM, None)
            assert interrupt.wished
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def full_disk(limit):
    """Let no file grow beyond so many bytes: to write more fails, as on a disk that is full."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize(
    ("limit", "name"), [(30_000, "step_2048.zip"), (6_000, "events.out"), (30_000_000, None)]
)
@pytest.mark.parametrize("trainer", ["sb3", "torch"])
def test_a_full_disk_ends_a_training_with_one_line(limit, name, trainer, tiny_file, tmp_path, capfd):
    run = tmp_path / "run"
    settings = [str(tiny_file), "total_steps=4096", "eval_every=0", "final_games=0", f"trainer={trainer}"]
    with full_disk(limit):
        status = main([*settings, "--run-dir", str(run)])
    errors = capfd.readouterr().err.splitlines()
    if name is None:
        assert status == 0, errors
        return
    assert status == 1
    assert len(errors) == 2, errors  # the first one names the run folder
    assert ("File too large" in errors[1]) and (
        "events.out" in errors[1] or name in errors[1] or name == "events.out"
    )
    assert errors[1].endswith(f"there is no checkpoint yet; go on with: python -m train --resume {run}")
    assert main(["--resume", str(run)]) == 0
    assert RunFolder(run).model_file.is_file()


def test_a_full_disk_names_the_last_checkpoint(tiny_file, tmp_path, capfd, monkeypatch):
    from train.training_log import TrainingLog

    run = RunFolder(tmp_path / "run")
    update = TrainingLog.update

    def filling(log, steps, *rest):
        if steps == 3072:
            resource.setrlimit(resource.RLIMIT_FSIZE, (500, resource.getrlimit(resource.RLIMIT_FSIZE)[1]))
        update(log, steps, *rest)

    with monkeypatch.context() as patch, full_disk(30_000_000):
        patch.setattr(TrainingLog, "update", filling)
        assert main([str(tiny_file), "eval_every=0", "final_games=0", "--run-dir", str(run.path)]) == 1
    line = capfd.readouterr().err.splitlines()[-1]
    assert f"the last checkpoint is {run.checkpoint_file(2048)}; go on with: " in line
    assert main(["--resume", str(run.path)]) == 0
    assert run.metrics_file.read_text().count("\n") == 5


def test_a_full_disk_ends_a_sweep_with_one_line(tiny_file, tmp_path, capfd):
    settings = [str(tiny_file), "n_epochs=1,2", "total_steps=2048", "eval_every=0", "--seeds", "1"]
    with full_disk(30_000):
        assert sweep([*settings, "--folder", str(tmp_path / "sweep")]) == 1
    errors = capfd.readouterr().err.splitlines()
    assert errors[-1].endswith("File too large; the same command goes on")
    assert not any("Traceback" in line for line in errors)
    assert sweep([*settings, "--folder", str(tmp_path / "sweep")]) == 0

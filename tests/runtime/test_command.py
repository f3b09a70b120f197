"""The frame of commands: errors in one line, an orderly end on signals, and the exit status."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from onirim_env.command import ending_in_order, run_command
from onirim_env.errors import FileError, UserError

WAITING = """
import sys, time
from onirim_env.command import run_command
def work():
    try:
        print("ready")
        time.sleep(60)
    finally:
        print("saved")
sys.exit(run_command("command", work))
"""


def waiting(**options):
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_is_an_orderly_end(name):
    process = waiting()
    process.send_signal(getattr(signal, name))
    out, err = process.communicate(timeout=20)
    assert (out, err) == ("saved\n", "interrupted\n")
    assert process.returncode == 128 + getattr(signal, name)


def test_a_command_in_the_background_of_a_script_ends_on_sigterm():
    process = waiting(preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    assert process.poll() is None
    process.terminate()
    assert process.communicate(timeout=20)[0] == "saved\n"


def test_nohup_goes_on_after_sighup():
    process = waiting(preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN))
    process.send_signal(signal.SIGHUP)
    time.sleep(0.2)
    assert process.poll() is None
    process.terminate()
    assert process.communicate(timeout=20)[0] == "saved\n"


def test_handlers_are_as_before_afterwards():
    before = signal.getsignal(signal.SIGTERM)
    with ending_in_order() as came:
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGTERM)
            time.sleep(5)
        assert came == [signal.SIGTERM]
    assert signal.getsignal(signal.SIGTERM) is before


def test_mistakes_and_failures_are_one_line(capsys):
    def fail(error):
        def work():
            raise error

        return run_command("command", work)

    assert fail(UserError("no\nsuch thing")) == 2
    assert fail(FileError("file x cannot be read")) == 2
    assert fail(OSError(28, "No space left on device", "x.json")) == 1
    assert capsys.readouterr().err == (
        "command: no such thing\ncommand: file x cannot be read\ncommand: x.json: No space left on device\n"
    )


@pytest.mark.parametrize("command", ["-m onirim_env rules", "-m agents", "-m train.evaluate --help"])
def test_a_reader_that_goes_away_is_no_error(command):
    process = subprocess.Popen(
        [sys.executable, *command.split()], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait() == 0


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(closed):
    command = f"exec {sys.executable} -m onirim_env rules {closed}"
    process = subprocess.run(["sh", "-c", command], capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a disk that is always full")
@pytest.mark.parametrize("command", ["-m onirim_env rules", "-m agents"])
def test_a_full_disk_behind_stdout_is_one_line(command):
    with Path("/dev/full").open("w") as full:
        process = subprocess.run(
            [sys.executable, *command.split()], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert process.returncode == 1
    assert process.stderr == "error: No space left on device\n"


WITHOUT_PACKAGES = """
import runpy, sys
for package in ("torch", "yaml", "sb3_contrib", "stable_baselines3", "tensorboard", "optuna", "cma"):
    sys.modules[package] = None
sys.argv = sys.argv[1:]
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""

COMMANDS = [
    "train configs/solo_quick.yaml",
    "train.evaluate runs/x",
    "train.export runs/x x",
    "train.generalise runs/x",
    "train.distil runs/x",
    "train.sweep configs/solo_quick.yaml",
    "train.speed",
    "agents.search_train --file x.npz",
    "agents.tune x.json",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_a_package_that_is_not_installed_is_named_in_one_line(command):
    process = subprocess.run(
        [sys.executable, "-c", WITHOUT_PACKAGES, *command.split()], capture_output=True, text=True
    )
    assert process.returncode == 2, process.stderr
    (line,) = process.stderr.splitlines()
    assert "needs the package" in line
    assert 'pip install ".[train]" brings it' in line


@pytest.mark.parametrize("command", [command.split()[0] for command in COMMANDS])
def test_help_needs_none_of_them(command):
    process = subprocess.run(
        [sys.executable, "-c", WITHOUT_PACKAGES, command, "--help"], capture_output=True, text=True
    )
    assert (process.returncode, process.stderr) == (0, "")

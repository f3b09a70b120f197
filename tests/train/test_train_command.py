"""``python -m train`` and ``python -m train.evaluate`` as a user meets them."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from train import evaluate
from train.__main__ import main
from train.evaluation import VALIDATION_OFFSET
from train.run_folder import RunFolder

ROOT = Path(__file__).resolve().parents[2]


def only_run(tmp_path):
    (path,) = (tmp_path / "runs").iterdir()
    return RunFolder(path)


def test_the_command_trains_evaluates_and_compares(tiny_file, tmp_path, capsys):
    assert main([str(tiny_file), "seed=3", "total_steps=2e3"]) == 0
    folder = only_run(tmp_path)
    assert re.fullmatch(r"tiny-3-\d{8}-\d{6}", folder.path.name)
    table = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in table] == ["games", "agent", "policy", "rules", "random"]
    assert "95 % interval" in table[1]
    result = json.loads(folder.evaluation_file.read_text())
    assert result["steps"] == 2048
    assert [agent["agent"] for agent in result["agents"]] == ["policy", "rules", "random"]
    assert {agent["first_seed"] for agent in result["agents"]} == {1_000_000_000 + VALIDATION_OFFSET}
    assert {agent["games"] for agent in result["agents"]} == {40}

    assert main(["--resume", str(folder.path)]) == 2
    assert "already has 2048 of 2000 steps" in capsys.readouterr().err
    assert main(["--resume", str(folder.path), "total_steps=3e3", "final_games=0"]) == 0
    assert folder.checkpoint_file(3072).is_file()


def test_run_dir_names_the_run_folder(tiny_file, tmp_path):
    assert (
        main(["--run-dir", str(tmp_path / "mine"), str(tiny_file), "total_steps=1024", "final_games=0"]) == 0
    )
    assert (tmp_path / "mine" / "model.zip").is_file()
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["nowhere.yaml"], "nowhere.yaml"),
        ([], "expected one configuration file"),
        (["TINY", "total_step=3"], "Did you mean total_steps?"),
        (["TINY", "seed=x"], "seed cannot be 'x'"),
        (["TINY", "rules.players=3"], "players"),
        (["TINY", "TINY"], "2 were given"),
        (["--resume", "nowhere"], "no run folder"),
        (["--resume", "nowhere", "TINY"], "give overrides only"),
    ],
)
def test_mistakes_end_in_one_line_and_exit_code_2(arguments, word, tiny_file, tmp_path, capsys):
    assert main([str(tiny_file) if text == "TINY" else text for text in arguments]) == 2
    message = capsys.readouterr().err
    assert word in message
    assert message.count("\n") == 1
    assert not (tmp_path / "runs").exists()


def test_ctrl_c_saves_and_resume_goes_on(tiny_file, tmp_path, capsys):
    """In a process of its own, so that the signal is a real one."""
    run_dir = tmp_path / "run"
    command = [sys.executable, "-m", "train", str(tiny_file), "total_steps=1e8", "checkpoint_every=0",
               "--run-dir", str(run_dir)]  # fmt: skip
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True)
    folder = RunFolder(run_dir)
    try:
        deadline = time.monotonic() + 180  # the first process after a change of the engine compiles it
        while process.poll() is None and time.monotonic() < deadline:
            if folder.metrics_file.is_file() and folder.metrics_file.read_text().count("\n") > 2:
                break
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert f"python -m train --resume {run_dir}" in errors
    assert not folder.model_file.exists()
    steps = int(re.search(r"step_(\d+)", folder.last_checkpoint().name).group(1))
    assert steps >= 1024
    assert steps % 1024 == 0  # no decision counts that nothing was learned from

    assert evaluate.main([str(run_dir), "--games", "10", "--alone"]) == 0
    assert main(["--resume", str(run_dir), f"total_steps={steps + 1024}", "final_games=0"]) == 0
    assert folder.model_file.is_file()
    assert folder.metrics_file.read_text().splitlines()[-1].startswith(f"{steps + 1024},")


def test_evaluate_takes_a_run_or_a_model_and_gives_table_and_json(trained, tmp_path, capsys):
    _, folder = trained(final_games=0, eval_every=0)
    results = []
    for path in (folder.path, folder.model_file, folder.checkpoint_file(4096)):
        assert evaluate.main([str(path), "--games", "50", "--json", str(tmp_path / "result.json")]) == 0
        assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
            "agent", "policy", "rules", "random",
        ]  # fmt: skip
        results.append(json.loads((tmp_path / "result.json").read_text())["agents"][0])
    for name in ("wins", "mean_doors", "mean_decisions"):
        assert len({result[name] for result in results}) == 1
    assert evaluate.main([str(folder.path), "--games", "5", "--alone", "--sampled", "--json", "-"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["sampled"]
    assert printed["model"] == "model.zip"


def test_evaluate_gives_the_paired_difference_to_another_policy(trained, capsys):
    _, first = trained("first", trainer="torch")
    _, other = trained("other", trainer="sb3", seed=4)
    _, co_op = trained("co_op", trainer="torch", env="OnirimCoop-v0")
    capsys.readouterr()
    options = [str(first.path), "--games", "20", "--alone", "--against"]
    assert evaluate.main([*options, str(other.path)]) == 0
    printed = capsys.readouterr().out
    assert str(other.model_file) in printed and f"policy - {other.path}: " in printed
    assert evaluate.main([*options, str(co_op.path)]) == 2
    error = capsys.readouterr().err
    assert "is for RuleSet(players=2), open talk" in error and error.count("\n") == 1


@pytest.mark.parametrize("content", [None, b"not a zip"])
def test_evaluate_refuses_what_is_no_model_in_one_line(content, tmp_path, capsys):
    file = tmp_path / "model.zip"
    if content:
        file.write_bytes(content)
    assert evaluate.main([str(file)]) == 2
    message = capsys.readouterr().err
    assert "model.zip" in message
    assert message.count("\n") == 1


@pytest.mark.parametrize("games", ["0", "-3", "many", "inf"])
def test_evaluate_refuses_a_wrong_number_of_games(games, capsys):
    with pytest.raises(SystemExit) as ended:
        evaluate.main(["run", f"--games={games}"])
    assert ended.value.code == 2
    assert "whole number" in capsys.readouterr().err


@pytest.mark.parametrize("command", [main, evaluate.main])
def test_help_explains(command, capsys):
    with pytest.raises(SystemExit) as ended:
        command(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert "example" in shown
    if command is main:
        assert "learning_rate_end" in shown
        assert "--resume RUN" in shown

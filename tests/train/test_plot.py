"""Learning curves: the points, the joined seeds, and a picture that is one."""

import csv
import os

import pytest

pytest.importorskip("matplotlib")

from train.plot import curves_of, main


def test_seeds_of_one_configuration_are_one_curve(trained, tmp_path, capsys):
    runs = [trained(f"seed{seed}", seed=seed)[1] for seed in (0, 1)]
    other = trained("other", n_epochs=1)[1]
    picture, table = tmp_path / "curve.png", tmp_path / "curve.csv"
    folders = [str(run.path) for run in (*runs, other)]
    assert main([*folders, "--picture", str(picture), "--csv", str(table)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    with table.open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    assert [row["curve"] for row in rows] == ["seed0"] * 4 + ["other"] * 2
    assert [int(row["steps"]) for row in rows] == [2048, 4096] * 3
    curves = curves_of([table], "eval_win_rate")
    assert {name: len(parts) for name, parts in curves.items()} == {"seed0": 2, "other": 1}
    assert curves["other"][0].points.shape == (2, 3)
    assert main([str(table), "--picture", str(tmp_path / "again.svg"), "--seconds"]) == 0
    assert (tmp_path / "again.svg").read_text().startswith("<?xml")


def test_what_cannot_be_drawn_is_said_in_one_line(tmp_path, capsys):
    assert main([str(tmp_path)]) == 2
    assert "no run folder" in capsys.readouterr().err
    table = tmp_path / "empty.csv"
    table.write_text("steps,seconds,eval_win_rate\n")
    assert main([str(table)]) == 2
    assert "has no eval_win_rate yet" in capsys.readouterr().err
    table.write_text("steps,seconds,eval_win_rate\n1,1,0.5\n")
    assert main([str(table), "--picture", str(tmp_path / "picture.odd")]) == 2
    assert "its ending must be one of" in capsys.readouterr().err


def test_a_short_run_is_drawn_by_what_there_is(trained, tmp_path, capsys):
    _, folder = trained(eval_every=0, final_games=0, seed=7)
    picture, table = tmp_path / "curve.svg", tmp_path / "curve.csv"
    assert main([str(folder.path), "--picture", str(picture), "--csv", str(table)]) == 0
    assert "no eval_win_rate yet: drawing the win rate while training" in capsys.readouterr().err
    with table.open(newline="") as lines:
        assert {row["seed"] for row in csv.DictReader(lines)} == {"7"}


HEADING = "steps,seconds,eval_win_rate,curve,seed\n"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 100,
        b"\xff\xfe",
        HEADING.encode() + b"1,1,x,a,0\n",
        HEADING.encode() + b"1,1,inf,a,0\n",
        HEADING.encode() + b"1e999,1,0.5,a,0\n",
        HEADING.encode() + b"1,1,0.5\n",
        HEADING.encode() + b"1,1,0.5,a,0,9,9\n",
        HEADING.encode() + b"1;1;0.5;a;0\n",
        HEADING.encode() + b"1,1,0.\x005,a,0\n",
        HEADING.encode() + b'1,1,0.5,"' + b"a" * 200_000 + b'",0\n',
        b"steps,seconds\n1,2\n",
        None,
    ],
)
def test_damaged_tables_are_refused_in_one_line(content, tmp_path, capsys):
    table = tmp_path / "table.csv"
    if content is None:
        os.mkfifo(table)
    else:
        table.write_bytes(content)
    assert main([str(table), "--picture", str(tmp_path / "picture.png")]) == 2
    message = capsys.readouterr().err
    assert message.count("\n") == 1 and len(message) < 500
    assert not (tmp_path / "picture.png").exists()


def test_a_row_that_is_being_written_is_no_damage(tmp_path):
    table = tmp_path / "table.csv"
    table.write_text(HEADING + "1,1,0.5,a,0\n2,2,0.")
    assert curves_of([table], "eval_win_rate")["a"][0].points.tolist() == [[1.0, 1.0, 0.5]]


@pytest.mark.parametrize("config", ["rules: {}", "other: 1", "1: 2\nx: 3"])
def test_runs_without_a_seed_in_their_settings_and_of_other_versions_are_drawn(config, tmp_path):
    (tmp_path / "config.yaml").write_text(config)
    (tmp_path / "metrics.csv").write_text(HEADING + "1,1,0.5,,\n")
    assert list(curves_of([tmp_path], "eval_win_rate")) == [tmp_path.name]

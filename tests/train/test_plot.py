"""Learning curves: the points, the joined seeds, and a picture that is one."""

import csv

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
    assert curves["other"][0].shape == (2, 3)
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
    assert "cannot write" in capsys.readouterr().err

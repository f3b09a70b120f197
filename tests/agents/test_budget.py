"""Curves of win rate against budget."""

from __future__ import annotations

import csv
import sys

import pytest

from agents.__main__ import main
from agents.measure import measuring
from agents.measure.budget import Point, Task, measure_point, plan
from agents.measure.budget_report import draw, read_points, write_points
from agents.measure.evaluation import evaluate
from agents.measure.evaluation_result import wilson_interval
from agents.measure.protocols import protocol_seeds
from agents.workers.workers import Workers

POINT = Point("search", "playouts", "100", "search[playouts=100]", "solo-v1", 50, 40, 1.25, 0.06, "abc")
POINTS = [
    POINT,
    Point("search", "playouts", "30", "search[playouts=30]", "solo-v1", 50, 30, 0.5, 0.02, "abc"),
    Point("search", "milliseconds", "2", "search[milliseconds=2]", "solo-v1", 50, 40, 2.0, 0.09, "abc"),
    Point("random", "", "", "random", "solo-v1", 50, 0, 0.001, 0.0001, "abc"),
]


def command(folder, *words):
    options = ["--games", "4", "--workers", "1", "--results", str(folder / "results")]
    return ["budget", *words, *options]


def test_every_agent_is_a_curve_and_one_without_a_budget_a_point():
    budgets = {"playouts": ["1e2", "30", "100"], "milliseconds": ["5"]}
    assert plan(["search", "rules", "search+random"], budgets) == [
        Task("search", "playouts", "100", "search[playouts=100]"),
        Task("search", "playouts", "30", "search[playouts=30]"),
        Task("search", "milliseconds", "5", "search[milliseconds=5]"),
        Task("rules", "", "", "rules"),
        Task("search+random", "playouts", "100", "search[playouts=100]+random"),
        Task("search+random", "playouts", "30", "search[playouts=30]+random"),
        Task("search+random", "milliseconds", "5", "search[milliseconds=5]+random"),
    ]


def test_a_point_is_what_an_evaluation_of_the_same_games_says(tmp_path):
    (task,) = plan(["search"], {"playouts": ["3"]})
    point = measure_point(task, "solo-v1", 6, Workers(1), tmp_path)
    expected = evaluate("search[playouts=3]", seeds=protocol_seeds("solo-v1", 6), progress=False)
    assert (point.games, point.wins) == (6, expected.won.sum())
    assert point.seconds_per_game == pytest.approx(
        point.ms_per_decision * expected.decisions.sum() / 6 / 1000
    )
    assert point.ms_per_decision > 0


def test_rates_and_costs_follow_from_the_counts():
    assert POINT.win_rate == 0.8
    assert POINT.interval == wilson_interval(40, 50)
    assert POINT.seconds_per_win == pytest.approx(0.06 * 50 / 40)
    assert POINTS[-1].seconds_per_win is None


def test_budget_measures_stores_and_goes_on(tmp_path, monkeypatch, capsys):
    file = tmp_path / "curve.csv"
    words = ["search", "rules", "--playouts", "2", "4", "--csv", str(file)]
    assert main(command(tmp_path, *words)) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "solo-v1: the first 4 games"
    assert [line.split()[0] for line in printed[1:]] == [
        "agent", "search[playouts=2]", "search[playouts=4]", "rules",
    ]  # fmt: skip
    written = file.read_bytes()
    monkeypatch.setattr(measuring, "_play", None)  # nothing is left to play
    assert main(command(tmp_path, *words)) == 0
    assert file.read_bytes() == written
    assert capsys.readouterr().out.splitlines() == printed


def test_an_interrupt_keeps_the_points_that_are_finished(tmp_path, monkeypatch):
    play = measuring._play

    def interrupted(agent, seeds):
        if agent.name == "search[playouts=4]":
            raise KeyboardInterrupt
        return play(agent, seeds)

    monkeypatch.setattr(measuring, "_play", interrupted)
    file = tmp_path / "curve.csv"
    assert main(command(tmp_path, "search", "--playouts", "2", "4", "--csv", str(file))) == 130
    assert [point.budget for point in read_points(file)] == ["2"]


def test_what_cannot_be_repeated_is_measured_and_not_stored(tmp_path, capsys):
    file = tmp_path / "curve.csv"
    assert main(command(tmp_path, "search", "--milliseconds", "0.2", "--csv", str(file))) == 0
    assert "cannot be repeated" in capsys.readouterr().out.splitlines()[-1]
    assert not (tmp_path / "results").exists()
    assert [row["repeatable"] for row in csv.DictReader(file.open())] == ["no"]


def test_workers_give_the_same_wins(tmp_path):
    (task,) = plan(["search"], {"playouts": ["3"]})
    wins = [measure_point(task, "solo-v1", 4, Workers(n), tmp_path / str(n)).wins for n in (1, 2)]
    assert wins[0] == wins[1]


def test_csv_is_read_back(tmp_path):
    file = tmp_path / "curve.csv"
    write_points(POINTS, file)
    assert read_points(file) == POINTS
    rows = list(csv.DictReader(file.open()))
    assert rows[0]["win_rate"] == "0.8" and rows[3]["seconds_per_win"] == ""
    assert [row["repeatable"] for row in rows] == ["yes", "yes", "no", "yes"]


@pytest.mark.parametrize("ending", ["svg", "png"])
def test_a_picture_is_drawn_again_from_csv(tmp_path, capsys, ending):
    pytest.importorskip("matplotlib")
    one, two = (tmp_path / f"{name}.{ending}" for name in ("one", "two"))
    draw(POINTS, one)
    for number, points in enumerate((POINTS[:2], POINTS[2:])):
        write_points(points, tmp_path / f"{number}.csv")
    files = [str(tmp_path / f"{number}.csv") for number in range(2)]
    assert main(["budget", "--from-csv", *files, "--picture", str(two)]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("search[playouts=100] ")
    assert one.read_bytes() == two.read_bytes()
    if ending == "svg":
        shown = one.read_text()
        assert all(f"<!-- {label} -->" in shown for label in ("search, playouts", "random", "30"))


def test_a_picture_needs_matplotlib_and_says_so(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(command(tmp_path, "search", "--playouts", "2", "--picture", str(tmp_path / "a.png"))) == 2
    assert capsys.readouterr().err == "error: --picture needs matplotlib: pip install matplotlib\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("budget search", "needs an agent and its budgets"),
        ("budget --playouts 3", "needs an agent and its budgets"),
        ("budget rules --playouts 3", "no agent here has a setting 'playouts'; rules has no settings"),
        ("budget search --playouts few", "playouts must be int, not 'few'"),
        ("budget search --playouts 5 0", "playouts must be positive, not 0"),
        ("budget search --playouts 5 --games 0", "at least 1, not 0"),
        ("budget search --playouts 5 --games 10001", "has 10,000 games"),
        (
            "budget search --playouts 5 --csv no/such/folder/a.csv",
            "--csv no/such/folder/a.csv: there is no folder",
        ),
        ("budget search --playouts 5 --picture a.nonsense", "its ending must be one of"),
        ("budget search+rules --playouts 5", "2 agents for 1 player"),
        ("budget --from-csv no.csv", "--from-csv no.csv cannot be read: No such file"),
        ("budget --from-csv README.md", "README.md is no CSV of budgets"),
        ("budget search --from-csv no.csv", "without agents and budgets"),
    ],
)
def test_bad_input_is_one_line(capsys, words, message):
    assert main(words.split()) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert message in printed.err
    assert len(printed.err.splitlines()) == 1

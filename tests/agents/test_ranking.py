"""Stored results, the leaderboard and comparisons."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace

import numpy as np
import psutil
import pytest
from scipy.stats import norm

from agents import FOLDER, guided
from agents.__main__ import main
from agents.measure import measuring, provenance, ranking, results
from agents.measure.comparison import Comparison
from agents.measure.evaluation import evaluate
from agents.measure.evaluation_result import RESULTS
from agents.measure.measuring import measure
from agents.measure.protocols import PROTOCOLS, protocol_seeds
from agents.measure.results import Results
from agents.workers.workers import Workers
from onirim_env.errors import Busy
from onirim_env.rules import RuleSet

RANDOM_60 = ["rank", "random", "--protocol", "solo-v1", "--games", "60", "--workers", "1"]


@pytest.fixture
def here(tmp_path, monkeypatch):
    """Keep results and leaderboard in a folder of the test."""
    monkeypatch.setattr(ranking, "LEADERBOARD_FOLDER", tmp_path)
    return tmp_path


def rows_of(folder):
    return {
        (row["protocol"], row["agent"]): row for row in json.loads((folder / "leaderboard.json").read_text())
    }


def lines(folder, agent="random", protocol="solo-v1"):
    text = (folder / protocol / f"{agent}.jsonl").read_text()
    return [json.loads(line) for line in text.splitlines()]


def test_a_line_a_game_says_what_the_evaluation_of_its_seed_says(tmp_path):
    stored = Results(tmp_path, "random", "solo-v1")
    measure(stored, 30)
    seeds = protocol_seeds("solo-v1", 30)
    expected = evaluate("random", seeds=seeds, progress=False)
    assert list(lines(tmp_path)[0]) == ["seed", "won", "doors", "cards_left", "turns", "decisions"]
    by_seed = {line["seed"]: line for line in lines(tmp_path)}
    assert sorted(by_seed) == seeds.tolist()
    for index, seed in enumerate(seeds.tolist()):
        assert {name: by_seed[seed][name] for name in RESULTS} == {
            name: getattr(expected, name)[index] for name in RESULTS
        }
    again = Results(tmp_path, "random", "solo-v1").evaluation()
    assert again.as_dict()["wins"] == expected.as_dict()["wins"]
    assert np.array_equal(again.decisions, expected.decisions)


def test_results_are_equal_for_every_number_of_workers_and_size_of_chunks(tmp_path, monkeypatch):
    name = "random+random"
    games = []
    for workers, chunk in ((1, 500), (2, 500), (1, 7)):
        monkeypatch.setattr(measuring, "CHUNK", chunk)
        folder = tmp_path / f"{workers} {chunk}"
        measure(Results(folder, name, "coop-closed-v1"), 40, Workers(workers))
        games.append(sorted(lines(folder, name, "coop-closed-v1"), key=lambda game: game["seed"]))
    assert games[0] == games[1] == games[2]


def test_what_is_stored_is_not_played_again(tmp_path, monkeypatch):
    measure(Results(tmp_path, "random", "solo-v1"), 20)
    first = lines(tmp_path)
    played = []
    monkeypatch.setattr(measuring, "_play", lambda agent, seeds: played.extend(seeds) or play(agent, seeds))
    measure(Results(tmp_path, "random", "solo-v1"), 30)
    assert sorted(played) == protocol_seeds("solo-v1", 30).tolist()[20:]
    assert lines(tmp_path)[:20] == first
    measure(Results(tmp_path, "random", "solo-v1"), 30)
    assert len(played) == 10


play = measuring._play


def test_an_interrupt_keeps_the_chunks_that_had_ended_and_the_row_is_of_whole_ones(here, monkeypatch):
    def interrupted(agent, seeds):
        if seeds[0] == 1_000_000_020:
            raise KeyboardInterrupt
        return play(agent, seeds)

    command = [*RANDOM_60, "--results", str(here)]
    monkeypatch.setattr(measuring, "CHUNK", 10)
    monkeypatch.setattr(measuring, "_play", interrupted)
    assert main(command) == 130
    assert len(lines(here)) == 20
    assert rows_of(here)["solo-v1", "random"]["games"] == 20
    monkeypatch.setattr(measuring, "_play", play)
    assert main(command) == 0
    assert len(lines(here)) == 60
    assert rows_of(here)["solo-v1", "random"]["games"] == 60


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
@pytest.mark.parametrize("whole_group", [False, True])
def test_a_signal_ends_the_processes_and_keeps_what_they_handed_in(tmp_path, name, whole_group):
    """In a process of its own, so that the signal is a real one; a terminal sends it to all of them."""
    number = getattr(signal, name)
    program = (
        "import sys; from agents.measure import measuring, ranking; from agents.__main__ import main; "
        f"from pathlib import Path; ranking.LEADERBOARD_FOLDER = Path({str(tmp_path)!r}); "
        "measuring.CHUNK = 20; sys.exit(main(sys.argv[1:]))"
    )
    command = [sys.executable, "-c", program, "rank", "random", "--protocol", "solo-v1", "--workers", "2"]
    process = subprocess.Popen(
        [*command, "--results", str(tmp_path)], stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    file = tmp_path / "solo-v1" / "random.jsonl"
    try:
        deadline = time.monotonic() + 60
        while process.poll() is None and time.monotonic() < deadline:
            if file.is_file() and file.stat().st_size:
                break
            time.sleep(0.02)
        (os.killpg if whole_group else os.kill)(process.pid, number)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 128 + number, errors
    assert "Traceback" not in errors
    assert len(lines(tmp_path)) >= 20


def test_a_line_that_was_cut_off_is_played_again(tmp_path):
    measure(Results(tmp_path, "random", "solo-v1"), 20)
    file = tmp_path / "solo-v1" / "random.jsonl"
    whole = file.read_bytes()
    file.write_bytes(whole[:-10])
    stored = Results(tmp_path, "random", "solo-v1")
    assert len(stored.missing(20)) == 1
    measure(stored, 20)
    assert file.read_bytes() == whole


def test_games_after_a_missing_one_do_not_count(tmp_path):
    measure(Results(tmp_path, "random", "solo-v1"), 20)
    file = tmp_path / "solo-v1" / "random.jsonl"
    kept = file.read_text().splitlines(keepends=True)
    file.write_text("".join(line for line in kept if '"seed": 1000000012' not in line))
    assert Results(tmp_path, "random", "solo-v1").evaluation().games == 12


def test_games_of_an_agent_that_has_changed_are_played_anew(tmp_path, monkeypatch):
    measure(Results(tmp_path, "random", "solo-v1"), 20)
    monkeypatch.setattr(results, "agent_digest", lambda *names: "another")
    changed = Results(tmp_path, "random", "solo-v1")
    assert len(changed.missing(20)) == 20
    assert changed.evaluation().games == 0
    measure(changed, 5)
    assert len(lines(tmp_path)) == 5


def test_the_leaderboard_survives_without_results_and_says_where_games_lack(here, capsys):
    assert main([*RANDOM_60, "--results", str(here / "first")]) == 0
    assert capsys.readouterr().out.startswith("solo-v1 random: 60 games, 0.00 %, 0.00 to 6.02 %, ")
    other = ["--protocol", "solo-v1", "--games", "20", "--workers", "1", "--results", str(here / "second")]
    assert main(["rank", "rules", "random", *other]) == 0
    assert {key: row["games"] for key, row in rows_of(here).items()} == {
        ("solo-v1", "rules"): 20,
        ("solo-v1", "random"): 60,  # fewer games of the same agent do not replace it
    }
    shown = (here / "LEADERBOARD.md").read_text()
    table = [line.split(" | ")[0] for line in shown.splitlines() if line.startswith("| ")]
    assert table == ["| agent", "| rules", "| random"]
    assert "fewer than the protocol's 10,000 games, on its first ones: rules 20, random 60." in shown
    (here / "LEADERBOARD.md").unlink()
    assert main(["rank"]) == 0
    assert (here / "LEADERBOARD.md").read_text() == shown


def test_without_a_protocol_an_agent_is_measured_in_each_that_it_plays(here):
    options = ["--games", "3", "--workers", "1", "--results", str(here)]
    assert main(["rank", "random", "random+random", *options]) == 0
    assert [key for key in rows_of(here) if key[1] == "random"] == [
        ("solo-v1", "random"), ("coop-open-v1", "random"), ("coop-closed-v1", "random"),
    ]  # fmt: skip
    assert [protocol for protocol, agent in rows_of(here) if agent == "random+random"] == [
        "coop-open-v1", "coop-closed-v1",
    ]  # fmt: skip


def test_the_leaderboard_of_this_folder_is_made_from_its_json():
    from agents.measure.leaderboard import leaderboard_text

    rows = json.loads((FOLDER / "leaderboard.json").read_text())
    assert (FOLDER / "LEADERBOARD.md").read_text() == leaderboard_text(rows)


def test_the_leaderboard_is_drawn_and_the_same_rows_give_the_same_file(here, tmp_path):
    assert (
        main(
            [
                "rank",
                "random",
                "--protocol",
                "solo-v1",
                "--games",
                "20",
                "--workers",
                "1",
                "--results",
                str(tmp_path),
            ]
        )
        == 0
    )
    files = [tmp_path / name for name in ("first.svg", "second.svg")]
    for file in files:
        assert main(["rank", "--picture", str(file)]) == 0
    assert files[0].read_bytes() == files[1].read_bytes()
    assert len(files[0].read_bytes()) > 5000


def test_compare_gives_the_paired_difference_and_its_interval(here, capsys):
    options = ["--games", "200", "--workers", "1", "--results", str(here)]
    assert main(["compare", "rules", "random", *options]) == 0
    printed = capsys.readouterr().out.splitlines()
    won = evaluate("rules", seeds=protocol_seeds("solo-v1", 200), progress=False).won.astype(float)
    low, high = norm.interval(0.95, won.mean(), won.std() / np.sqrt(200))
    assert printed[0] == "solo-v1: 200 games, the same for both"
    assert printed[2] == (
        f"rules - random: {100 * won.mean():+.2f} points, 95 % interval {100 * low:+.2f} to "
        f"{100 * high:+.2f} (normal approximation of the paired differences)"
    )
    assert printed[3] == f"only rules won {won.sum():.0f} games, only random 0, both 0"


def test_a_comparison_on_other_games_is_stored_apart_and_written_as_json(here, capsys):
    file = here / "comparison.json"
    options = ["--games", "40", "--workers", "1", "--results", str(here), "--json", str(file)]
    assert main(["compare", "rules", "random", *options, "--seed-offset", "500000"]) == 0
    assert capsys.readouterr().out.startswith("solo-v1+500000: 40 games, the same for both")
    assert {path.name for path in here.iterdir() if path.is_dir()} == {"solo-v1+500000"}
    won = evaluate("rules", seeds=protocol_seeds("solo-v1", 40, offset=500_000), progress=False).won
    written = json.loads(file.read_text())
    assert written["seed_offset"] == 500_000
    assert written["agents"] == ["rules", "random"]
    assert written["win_rates"] == [won.mean(), 0.0]
    assert written["won_by_one"] == [won.sum(), 0]


def test_the_interval_is_that_of_the_mean_of_paired_differences():
    comparison = Comparison(games=100, both=40, only_first=20, only_second=8)
    differences = np.repeat([1.0, -1.0, 0.0], [20, 8, 72])
    expected = norm.interval(0.95, differences.mean(), differences.std() / 10)
    assert comparison.interval == pytest.approx(expected)


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("rank nobody", "no agent 'nobody'"),
        ("rank random --games 0", "at least 1, not 0"),
        ("rank random --games 10001", "has 10,000 games, not 10,001"),
        ("rank random --workers 0", "--workers must be at least 1, not 0"),
        ("rank rules+random --protocol solo-v1", "2 agents for 1 player"),
        ("compare random nobody", "no agent 'nobody'"),
        ("compare random rules --seed-offset 999999999", "do not fit"),
        ("compare random rules --json .", "--json . is a folder"),
        ("rank search[playouts=9999999999999999999999999]", "playouts"),
        ("rank search[playouts=1e400]", "playouts must be int"),
        (f"rank {'n' * 10**6}", "no agent 'nnn"),
    ],
)
def test_bad_input_is_one_line(capsys, command, message, here):
    assert main([*command.split(), "--results", str(here)]) == 2
    printed = capsys.readouterr()
    assert message in printed.err
    assert len(printed.err.splitlines()) == 1


def test_a_digest_covers_code_and_not_comments(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text(
        '"""Text."""\nfrom agents.part import x\n# why\nclass A(Agent):\n    name = "m"\n'
    )
    (tmp_path / "part.py").write_text("x = 1\n")
    find = provenance.find_agents
    monkeypatch.setattr(provenance, "FOLDER", tmp_path)
    monkeypatch.setattr(provenance, "find_agents", lambda: find(tmp_path))
    monkeypatch.setattr(provenance, "make_agent", lambda *given: None)
    before = provenance.agent_digest("m", "solo-v1")
    (tmp_path / "mine.py").write_text(
        "from agents.part import x\n\n\nclass A(Agent):\n    name = 'm'  # it\n"
    )
    assert provenance.agent_digest("m", "solo-v1") == before
    (tmp_path / "part.py").write_text("x = 2\n")
    assert provenance.agent_digest("m", "solo-v1") != before


def test_a_digest_follows_code_into_folders_and_does_not_change_when_a_file_moves(tmp_path, monkeypatch):
    (tmp_path / "mine.py").write_text('from agents.part import x\nclass A(Agent):\n    name = "m"\n')
    (tmp_path / "part.py").write_text("import os\nx = 1\ny = 2\n")
    find = provenance.find_agents
    monkeypatch.setattr(provenance, "FOLDER", tmp_path)
    monkeypatch.setattr(provenance, "find_agents", lambda: find(tmp_path))
    monkeypatch.setattr(provenance, "make_agent", lambda *given: None)
    before = provenance.agent_digest("m", "solo-v1")
    (tmp_path / "room").mkdir()
    (tmp_path / "part.py").rename(tmp_path / "room" / "part.py")
    (tmp_path / "mine.py").write_text('from agents.room.part import x\nclass A(Agent):\n    name = "m"\n')
    assert provenance.agent_digest("m", "solo-v1") == before
    (tmp_path / "room" / "part.py").write_text("from agents.room.other import y\nx = 1\n")
    (tmp_path / "room" / "other.py").write_text("y = 2\n")
    assert provenance.agent_digest("m", "solo-v1") == before
    (tmp_path / "room" / "other.py").write_text("y = 3\n")
    assert provenance.agent_digest("m", "solo-v1") != before


def test_every_pattern_of_rules_finds_files_in_a_digest():
    names = {file.name for file in provenance._rules("solo-v1")}
    assert {"rules.py", "doors.py"} <= names and "towers.py" not in names
    with pytest.MonkeyPatch.context() as patch:
        towers = replace(PROTOCOLS["solo-v1"], rules=RuleSet(expansions=["towers"]))
        patch.setitem(provenance.PROTOCOLS, "solo-v1", towers)
        assert "towers.py" in {file.name for file in provenance._rules("solo-v1")}


def test_a_digest_covers_the_networks_that_an_agent_loads(tmp_path, monkeypatch):
    """Doubling every number of a value network once left the digest of `guided` as it was."""
    file = guided.VALUES / "ppo_solo.npz"
    copy = tmp_path / file.name
    copy.write_bytes(file.read_bytes())
    before = provenance.agent_digest("guided", "solo-v1")
    monkeypatch.setattr(guided, "VALUES", tmp_path)
    assert provenance.agent_digest("guided", "solo-v1") == before
    with np.load(file) as arrays:
        doubled = {name: 2 * arrays[name] for name in arrays.files if not name.endswith("/sizes")}
        np.savez(copy, **{**arrays, **doubled})
    assert provenance.agent_digest("guided", "solo-v1") != before


OPENED = """
import json, sys
from agents.measure import provenance
from agents.agent_spec import parse_specs
from agents.measure.evaluation import evaluate
from agents.measure.protocols import PROTOCOLS
from agents.registry import find_agents, make_agent
name, protocol = sys.argv[1:]
(spec,) = parse_specs(name)
entry = find_agents()[name]
told = [str(file) for file in provenance.data_files(entry, spec, protocol)]
opened, watching = [], True
def note(event, given):
    if event == "open" and watching and str(given[0]).startswith(str(provenance.FOLDER) + "/"):
        opened.append(str(given[0]))
sys.addaudithook(note)
agent = make_agent(entry, spec, PROTOCOLS[protocol].rules, PROTOCOLS[protocol].talk)
evaluate(agent, seeds=[3], progress=False)
watching = False
print(json.dumps([told, opened]))
"""


@pytest.mark.parametrize("name", ["search", "guided", "ppo_solo"])
def test_a_digest_misses_no_file_that_an_agent_opens(name):
    done = subprocess.run([sys.executable, "-c", OPENED, name, "solo-v1"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    told, opened = json.loads(done.stdout.splitlines()[-1])
    assert opened
    assert {file for file in opened if "__pycache__" not in file and not file.endswith(".py")} == set(told)


def test_the_commit_is_read_from_each_form_of_repository(tmp_path):
    git = tmp_path / ".git"
    git.mkdir()
    assert provenance.commit(tmp_path) is None
    (git / "HEAD").write_text("0123456789abcdef\n")
    assert provenance.commit(tmp_path) == "0123456789"
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "packed-refs").write_text("# pack\nfedcba9876543210 refs/heads/main\n")
    assert provenance.commit(tmp_path) == "fedcba9876"
    (git / "refs" / "heads").mkdir(parents=True)
    (git / "refs" / "heads" / "main").write_text("aaaaaaaaaaaaaaaa\n")
    assert provenance.commit(tmp_path) == "aaaaaaaaaa"


STORING = """
import sys
from pathlib import Path
import numpy as np
from agents.measure.evaluation import evaluate
from agents.measure.protocols import PROTOCOLS, protocol_seeds
from agents.measure.results import Results
stored = Results(Path(sys.argv[1]), "random", "solo-v1")
games = evaluate("random", seeds=protocol_seeds("solo-v1", 40)[int(sys.argv[2]) :], progress=False)
print("ready", flush=True)
input()
for _ in range(10):
    stored.add(games)
"""

ENTERING = """
import sys
from pathlib import Path
from agents.measure.leaderboard import update_leaderboard
row = {"protocol": "solo-v1", "digest": "", "games": 1, "win_rate": 0.0, "interval_95": [0.0, 1.0],
       "mean_doors": 0.0, "mean_cards_left": 0.0, "ms_per_decision": 1.0, "commit": ""}
print("ready", flush=True)
input()
for number in range(20):
    update_leaderboard([{**row, "agent": f"agent {sys.argv[2]} {number}"}], Path(sys.argv[1]))
"""


def at_once(program, *argument_lists):
    """Run a program several times at once, from the moment at which all are ready."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    processes = [
        subprocess.Popen([sys.executable, "-c", program, *map(str, arguments)], **pipes)
        for arguments in argument_lists
    ]
    for process in processes:
        assert process.stdout.readline() == "ready\n", process.stderr.read()
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors


def test_processes_that_measure_one_agent_at_once_lose_no_game_and_store_none_twice(tmp_path):
    at_once(STORING, (tmp_path, 0), (tmp_path, 10), (tmp_path, 20))
    seeds = [line["seed"] for line in lines(tmp_path)]
    assert sorted(seeds) == protocol_seeds("solo-v1", 40).tolist()
    assert Results(tmp_path, "random", "solo-v1").evaluation().games == 40


@pytest.mark.long
def test_processes_that_enter_rows_at_once_lose_none(tmp_path):
    at_once(ENTERING, *((tmp_path, number) for number in range(4)))
    assert len(rows_of(tmp_path)) == 80


def test_an_agent_that_changed_while_it_was_measured_wipes_nothing(tmp_path, monkeypatch):
    old = Results(tmp_path, "random", "solo-v1")
    monkeypatch.setattr(results, "agent_digest", lambda *names: "another")
    measure(Results(tmp_path, "random", "solo-v1"), 5)
    with pytest.raises(Busy, match="another version of random by now"):
        measure(old, 5)
    assert len(lines(tmp_path)) == 5


def test_a_header_of_something_else_is_named(tmp_path):
    (tmp_path / "solo-v1").mkdir()
    for content in ("[]", "{}", '{"digest": "x", "cpu_seconds": "1"}', "{"):
        (tmp_path / "solo-v1" / "random.json").write_text(content)
        with pytest.raises(ValueError, match=r"random\.json.*delete it"):
            Results(tmp_path, "random", "solo-v1")


@pytest.mark.parametrize("command", ["rank random", "compare random rules"])
def test_a_folder_where_nothing_can_be_stored_is_refused_before_anything_is_played(
    capsys, monkeypatch, command
):
    monkeypatch.setattr(measuring, "measure", lambda *given: pytest.fail("it was measured"))
    assert main([*command.split(), "--games", "3", "--results", "/dev/null"]) == 2
    assert capsys.readouterr().err.startswith("error: --results /dev/null")


@pytest.mark.long
def test_a_worker_ends_with_the_process_that_started_it(tmp_path):
    program = (
        "import sys; from agents.measure import measuring, ranking; from agents.__main__ import main; "
        f"from pathlib import Path; ranking.LEADERBOARD_FOLDER = Path({str(tmp_path)!r}); "
        "measuring.CHUNK = 20; main(sys.argv[1:])"
    )
    command = [sys.executable, "-c", program, "rank", "random", "--protocol", "solo-v1", "--workers", "2"]
    process = psutil.Process(subprocess.Popen([*command, "--results", str(tmp_path)]).pid)
    deadline = time.monotonic() + 120
    file = tmp_path / "solo-v1" / "random.jsonl"
    while not (file.is_file() and file.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.02)
    workers = process.children(recursive=True)
    assert workers
    process.kill()
    _, alive = psutil.wait_procs(workers, timeout=60)
    assert not [worker for worker in alive if worker.status() != psutil.STATUS_ZOMBIE]

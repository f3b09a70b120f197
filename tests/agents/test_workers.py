"""Work spread over processes and a Ray cluster."""

import argparse
import dataclasses
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import closing, contextmanager
from functools import partial

import numpy as np
import psutil
import pytest

from agents.__main__ import main
from agents.measure.evaluation import evaluate
from agents.measure.evaluation_result import RESULTS
from agents.measure.parts import collect_by, evaluate_by
from agents.measure.stats import COUNT_NAMES, collect
from agents.registry import load_agent
from agents.workers.answers import RaisedThere
from agents.workers.deaths import WorkerDied
from agents.workers.tasks import in_order, run_tasks
from agents.workers.workers import HERE, Workers, add_worker_options, read_workers
from onirim_env import RuleSet
from onirim_env.errors import UserError
from tests.agents import worker_tasks

CLUSTER = Workers(ray=HERE)
RAY = pytest.param(CLUSTER, marks=pytest.mark.long, id="ray")
OTHERS = [pytest.param(Workers(2), id="2"), RAY]
EVERYBODY = [pytest.param(Workers(1), id="1"), *OTHERS]


@pytest.fixture(scope="module")
def _cluster():
    """A real Ray, for all tests here that need one: each command alone would start its own."""
    ray = pytest.importorskip("ray", reason="needs the extra 'ray'")
    from agents.workers import cluster

    with cluster.connected(HERE) as connected:
        assert connected is ray
        yield
    assert not ray.is_initialized()


@pytest.fixture(autouse=True)
def _ray_where_it_is_needed(request):
    if "ray" in request.node.name:
        request.getfixturevalue("_cluster")


@pytest.mark.parametrize("workers", [*(pytest.param(Workers(n), id=str(n)) for n in (1, 2, 8)), RAY])
def test_each_task_is_done_once_whoever_does_it(workers):
    ended = list(run_tasks(worker_tasks.squares, range(20), workers))
    assert in_order(ended) == [number * number for number in range(20)]
    assert sorted(number for number, _ in ended) == list(range(20))


@pytest.mark.parametrize("workers", EVERYBODY)
def test_no_tasks_need_nobody(workers):
    assert list(run_tasks(worker_tasks.cannot_be_made, [], workers)) == []


@pytest.mark.parametrize(("workers", "most"), [(Workers(1), 1), (Workers(2), 2)])
def test_what_does_the_tasks_is_made_once_a_worker(workers, most, tmp_path):
    list(run_tasks(partial(worker_tasks.note_making, str(tmp_path)), range(12), workers))
    assert 1 <= len(list(tmp_path.iterdir())) <= most


@pytest.mark.parametrize("workers", OTHERS)
def test_a_worker_that_dies_is_replaced_and_its_task_done_again(workers, tmp_path):
    make = partial(worker_tasks.die_once, str(tmp_path))
    assert in_order(list(run_tasks(make, range(8), workers))) == [number**2 for number in range(8)]
    assert (tmp_path / "died").exists()


@pytest.mark.parametrize("workers", OTHERS)
def test_a_task_that_ends_every_worker_is_given_up_in_one_line(workers):
    with pytest.raises(WorkerDied, match="3 workers in turn died of task 4") as raised:
        list(run_tasks(worker_tasks.die_of_three, range(8), workers))
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("workers", EVERYBODY)
def test_an_error_in_a_task_is_raised_as_it_was(workers):
    with pytest.raises(UserError, match="three is not allowed") as raised:
        list(run_tasks(worker_tasks.refuse_three, range(8), workers))
    if not workers.alone:
        assert isinstance(raised.value.__cause__, RaisedThere)
        assert "worker_tasks.py" in str(raised.value.__cause__)
    with pytest.raises(UserError, match="no agent here"):
        list(run_tasks(worker_tasks.cannot_be_made, [1], workers))


@pytest.mark.parametrize("workers", OTHERS)
def test_an_error_that_cannot_be_sent_is_told_all_the_same(workers):
    with pytest.raises(RuntimeError, match="Odd: odd"):
        list(run_tasks(worker_tasks.raise_odd, [1], workers))


@pytest.mark.long
def test_a_cluster_leaves_the_handlers_of_signals_as_they_are():
    """Ray sets one for SIGTERM, at which commands of this package end in order."""
    from agents.workers.cluster import connected

    before = {number: signal.getsignal(number) for number in signal.valid_signals()}
    with connected(HERE):
        assert {number: signal.getsignal(number) for number in signal.valid_signals()} == before
    assert {number: signal.getsignal(number) for number in signal.valid_signals()} == before


def test_closing_early_ends_the_processes(tmp_path):
    before = set(psutil.Process().children(recursive=True))
    make = partial(worker_tasks.sleepy, str(tmp_path))
    with closing(run_tasks(make, [0, 1, 2], Workers(2))) as ended:
        assert next(ended) == (0, 0)
        started = set(psutil.Process().children(recursive=True)) - before
        assert started
    kept = [one for one in started if one.is_running() and "resource_tracker" not in " ".join(one.cmdline())]
    assert not kept


PROGRAM = """
import sys
from functools import partial
from agents.workers.tasks import run_tasks
from agents.workers.workers import HERE, Workers
from onirim_env.command import run_command
from tests.agents import slow_worker_tasks, worker_tasks
from tests.long import long_after

def work():
    for number, result in run_tasks({make}, [0, 1, 2], {workers}):
        print("ended", number, flush=True)

sys.exit(run_command("error", work))
"""


@contextmanager
def working(make, workers):
    """A command that has tasks done, in a group of processes of its own."""
    program = PROGRAM.format(make=make, workers=workers)
    process = subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        yield process
    finally:
        process.kill()


def interrupt(process):
    """Ctrl-C to a command and all that it started, which ends without a word but its own."""
    children = psutil.Process(process.pid).children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert not psutil.wait_procs(children, timeout=30)[1]


@pytest.mark.parametrize("workers", ["Workers(2)", pytest.param("Workers(2, HERE)", marks=pytest.mark.long)])
@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
def test_ctrl_c_ends_the_workers_and_keeps_what_ended(workers, tmp_path):
    with working(f"partial(worker_tasks.sleepy, {str(tmp_path)!r})", workers) as process:
        assert process.stdout.readline() == "ended 0\n"
        while not list(tmp_path.iterdir()):
            time.sleep(0.05)
        interrupt(process)


@pytest.mark.skipif(os.name == "nt", reason="signals are of POSIX")
def test_ctrl_c_ends_workers_that_have_only_just_been_started():
    with working("slow_worker_tasks.squares", "Workers(2)") as process:
        assert process.stdout.readline() == "importing\n"
        interrupt(process)


@pytest.mark.parametrize("workers", OTHERS)
def test_evaluations_and_counts_are_the_same_whoever_plays(workers):
    agent = load_agent("rules", rules=RuleSet(), talk="open")
    seeds = list(range(1_000, 1_030))
    alone, together = evaluate(agent, seeds=seeds, progress=False), evaluate_by(workers, agent, seeds=seeds)
    assert (together.agent, together.rules, together.interrupted) == (alone.agent, alone.rules, False)
    for name in ("seeds", *RESULTS):
        assert np.array_equal(getattr(alone, name), getattr(together, name)), name
    counted, counted_by = collect(agent, seeds=seeds, progress=False), collect_by(workers, agent, seeds=seeds)
    for name in COUNT_NAMES:
        assert np.array_equal(getattr(counted.counts, name), getattr(counted_by.counts, name)), name
    assert counted.as_dict() == counted_by.as_dict()


COMMANDS = [
    "evaluate random rules --games 20",
    "stats random --games 20",
    "rank random --protocol solo-v1 --games 20",
    "budget search --playouts 1 --games 4",
    "compare random rules --games 20",
]


@pytest.mark.parametrize(
    "other", [["--workers", "2"], pytest.param(["--ray"], marks=pytest.mark.long)], ids=" ".join
)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_of_agents_take_workers(command, other, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("agents.measure.ranking.LEADERBOARD_FOLDER", tmp_path)
    printed = []
    for number, options in enumerate((["--workers", "1"], other)):
        more = [] if command.startswith(("evaluate", "stats")) else ["--results", str(tmp_path / str(number))]
        assert main([*command.split(), *options, *more]) == 0
        printed.append([line for line in capsys.readouterr().out.splitlines() if "decision" not in line])
    if not command.startswith(("evaluate", "budget")):  # these print times
        assert printed[0] == printed[1]


@pytest.mark.parametrize("workers", OTHERS)
def test_sets_of_expansions_are_the_same_whoever_plays(workers):
    from train.set_results import evaluate_sets, rule_sets

    sets = [(), ("towers", "crossroads")]
    rules = rule_sets(RuleSet(), sets)
    agent_for = partial(_rules_agent, "open")
    found = [
        [
            dataclasses.replace(one, seconds=0.0).as_dict()
            for one in evaluate_sets(agent_for, rules, 10, workers=by)
        ]
        for by in (Workers(1), workers)
    ]
    assert found[0] == found[1]


@pytest.mark.long
@pytest.mark.parametrize("workers", [Workers(2), CLUSTER], ids=["2", "ray"])
def test_lessons_are_the_same_whoever_makes_them(workers):
    from agents import FOLDER
    from train.distil import _teacher

    make = partial(
        _teacher, FOLDER / "models" / "ppo_solo.json", RuleSet(), FOLDER / "guided_values" / "ppo_solo.npz", 1
    )
    parts = [np.arange(first, first + 2, dtype=np.uint64) for first in (5, 9)]
    lessons = [in_order(list(run_tasks(make, parts, by))) for by in (Workers(1), workers)]
    for other in lessons[1:]:
        for one, two in zip(lessons[0], other):
            assert np.array_equal(one.observations, two.observations)
            assert np.array_equal(one.values, two.values, equal_nan=True)


def _rules_agent(talk, rules):
    return load_agent("rules", rules=rules, talk=talk)


def test_games_of_value_networks_are_the_same_in_parts_and_by_anybody(monkeypatch):
    from agents import search_train
    from agents.search_train import parts_of, parts_of_mix, positions_of_parts

    found = []
    for size, workers in ((1000, Workers(1)), (7, Workers(1)), (7, Workers(2))):
        monkeypatch.setattr(search_train, "GAMES_IN_A_PART", size)
        found.append(positions_of_parts(parts_of(20, RuleSet()), None, workers))
    for positions, won in found[1:]:
        assert positions.tobytes() == found[0][0].tobytes()
        assert np.array_equal(won, found[0][1])
    assert len(parts_of_mix(10)) == 10


def parse(*arguments):
    parser = argparse.ArgumentParser()
    add_worker_options(parser)
    return read_workers(parser.parse_args(arguments))


def test_options_say_who_works():
    assert parse() == Workers(1)
    assert parse("--workers", "3") == Workers(3)
    assert parse("--ray") == Workers(None, HERE)
    assert parse("--ray", "auto", "--workers", "4") == Workers(4, "auto")


def test_wrong_options_get_one_line(monkeypatch):
    with pytest.raises(ValueError, match="--workers must be at least 1, not 0"):
        parse("--workers", "0")
    with pytest.raises(ValueError, match="--ray takes the address of a cluster or nothing, not ''"):
        parse("--ray", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r'--ray needs the package Ray: pip install "onirim-env\[ray\]"'):
        parse("--ray")


NOWHERE = """
import sys
from agents.__main__ import main
sys.exit(main(["evaluate", "random", "--games", "2", "--ray", "127.0.0.1:1"]))
"""


def test_an_address_without_a_cluster_gets_one_line():
    done = subprocess.run([sys.executable, "-c", NOWHERE], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert "no Ray cluster answers at '127.0.0.1:1'" in last
    assert "Traceback" not in done.stderr


@pytest.mark.long
def test_a_sweep_does_its_trainings_side_by_side_with_the_same_results(tmp_path):
    from train import sweep

    tables = []
    for options in (["--workers", "1"], ["--workers", "2"]):
        folder = tmp_path / options[-1].strip("-")
        arguments = [
            "configs/solo_quick.yaml", "trainer=torch", "learning_rate=1e-3,3e-4", "total_steps=2000",
            "num_envs=8", "n_steps=64", "batch_size=256", "hidden_layers=[16,16]", "final_games=10",
            "eval_every=0", "checkpoint_every=0", "--seeds", "2", "--folder", str(folder), *options,
        ]  # fmt: skip
        assert sweep.main(arguments) == 0
        files = sorted(folder.rglob("validation.json"))
        tables.append([{**json.loads(file.read_text()), "seconds": 0} for file in files])
    assert len(tables[0]) == 4
    assert tables[0] == tables[1]

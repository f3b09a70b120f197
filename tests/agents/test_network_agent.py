"""Models of ``agents/models`` and of anybody's folder, played by the network agent."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from itertools import pairwise

import numpy as np
import pytest

from agents import FOLDER
from agents.base import Misfit
from agents.measure.evaluation import evaluate
from agents.measure.evaluation_result import RESULTS
from agents.network_agent import NetworkAgent
from agents.network_model import FORMAT, read_about, tables_of
from agents.registry import MODELS, find_agents, load_agent
from onirim_env.rules import RuleSet

SHIPPED = sorted((FOLDER / MODELS).glob("*.json"))
LARGEST = 5_000_000


@pytest.fixture
def model(tmp_path):
    """Write a small random model for solo; return its JSON file."""
    rules = RuleSet()
    layers = [173, 16, 70]
    random = np.random.default_rng(0)
    arrays = {}
    for number, (before, after) in enumerate(pairwise(layers)):
        weight, bias = f"weight_{number}", f"bias_{number}"
        arrays[weight] = random.normal(size=(after, before)).astype(np.float32)
        arrays[bias] = random.normal(size=after).astype(np.float32)
    (tmp_path / MODELS).mkdir()
    file = tmp_path / MODELS / "small.json"
    about = {
        "format": FORMAT, "algorithm": "none", "rules": rules.as_dict(), "talk": "open", "steps": None,
        **tables_of(rules), "network": {"layers": layers, "activation": "relu"},
    }  # fmt: skip
    file.write_text(json.dumps(about))
    np.savez(file.with_suffix(".npz"), **arrays)
    return file


def rewrite(file, **changes):
    file.write_text(json.dumps({**json.loads(file.read_text()), **changes}))


def test_a_model_file_is_an_agent_of_its_name(model):
    (entry,) = find_agents(model.parent.parent).values()
    assert (entry.name, entry.model) == ("small", model)
    assert entry.summary == "Trained network for solo: none, layers of 16."


def test_a_model_and_a_class_of_one_name_are_refused(model):
    source = "class A(Agent):\n    name = 'small'\n"
    (model.parent.parent / "mine.py").write_text(source)
    fault = "models/small.json and mine.py are both 'small'"
    assert find_agents(model.parent.parent)["small"].fault == fault


def test_it_takes_the_legal_action_of_the_highest_logit(model):
    agent = NetworkAgent(model)
    with np.load(model.with_suffix(".npz")) as arrays:
        weights = {name: arrays[name].astype(np.float64) for name in arrays.files}
    random = np.random.default_rng(1)
    observations = random.random((50, 173), dtype=np.float32)
    masks = (random.random((50, 70)) < 0.3).astype(np.int8)
    masks[:, 0] = 1
    hidden = np.maximum(observations @ weights["weight_0"].T + weights["bias_0"], 0.0)
    logits = hidden @ weights["weight_1"].T + weights["bias_1"]
    expected = np.where(masks == 1, logits, -np.inf).argmax(axis=1)
    np.testing.assert_array_equal(agent.act(observations, masks), expected)


def test_results_are_equal_for_every_batch_size(model):
    results = [
        evaluate(NetworkAgent(model), seeds=range(40), batch_size=size, progress=False) for size in (1, 7, 64)
    ]
    for field in RESULTS:
        for other in results[1:]:
            assert np.array_equal(getattr(results[0], field), getattr(other, field))


@pytest.mark.parametrize(
    ("rules", "sizes"),
    [
        (RuleSet(players=2), r"of 173 numbers \(hand 12.*70 actions.* has observations of 255 .*136 actions"),
        (RuleSet(prophecy_actions="permutation"), r"70 actions.* has observations of 173 .*190 actions"),
    ],
)
def test_rules_of_other_tables_are_refused_with_both_named(model, rules, sizes):
    with pytest.raises(Misfit, match=f"model small is for RuleSet.*{sizes}") as error:
        NetworkAgent(model, rules)
    assert "\n" not in str(error.value)


def test_a_model_of_an_older_layout_is_refused_even_with_equal_sizes(model):
    about = json.loads(model.read_text())
    about["observation"]["digest"] = "0" * 16
    rewrite(model, **about)
    with pytest.raises(Misfit, match=r"digest 0000000000000000\).*has observations"):
        NetworkAgent(model)


class Armed:
    """Leaves a trace when it is unpickled."""

    def __reduce__(self):
        return exec, ("raise SystemExit('code of a model was run')",)


def test_loading_runs_no_code(model):
    weights = model.with_suffix(".npz")
    np.savez(weights, weight_0=np.array([Armed()], dtype=object))
    with pytest.raises(ValueError, match=r"small cannot be read.*weight_0\.npy is object \(1\), not float32"):
        NetworkAgent(model)
    weights.write_bytes(pickle.dumps(Armed()))
    with pytest.raises(ValueError, match="small cannot be read"):
        NetworkAgent(model)


def test_damaged_models_are_refused_in_one_line(model):
    weights = model.with_suffix(".npz")
    content = weights.read_bytes()

    def refused(match):
        with pytest.raises(ValueError, match=match) as error:
            NetworkAgent(model)
        assert "\n" not in str(error.value)

    weights.write_bytes(content[: len(content) // 2])
    refused("small cannot be read")
    weights.unlink()
    refused("small cannot be read")
    weights.write_bytes(content)
    rewrite(model, network={"layers": [173, 8, 70], "activation": "relu"})
    refused(r"small\.npz: weight_0\.npy is float32 \(16, 173\), not float32 \(8, 173\)")
    rewrite(model, network={"layers": [173, 16, 70], "activation": "sine"})
    refused("its network is .*'sine'.*relu or tanh")
    rewrite(model, format="another")
    refused(r"small\.json is no model of this version")
    model.write_text("{")
    refused(r"small\.json cannot be read")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"rules": {"players": 7}}, "rules: .*players"),
        ({"rules": []}, r"its rules is \[\]"),
        ({"talk": "loud"}, "'loud', not one of open, closed"),
        ({"steps": "many"}, "its steps is 'many'"),
        ({"layout": 3}, "its layout is 3"),
        ({"algorithm": "x" * 5000}, r"its algorithm is 'x+\.\.\.x+', not a word"),
        ({"observation": {"fields": {"hand": -1}, "digest": "0"}}, "its observation"),
        ({"actions": {"number": 70}}, "its actions"),
        ({"network": {"layers": [173, 10**9, 70], "activation": "relu"}}, "its network"),
        ({"network": {"layers": [173, True, 70], "activation": "relu"}}, "its network"),
        ({"network": {"layers": [173, 0, 70], "activation": "relu"}}, "its network"),
        ({"network": {"layers": [173, *[9_999] * 40, 70], "activation": "relu"}}, "10,000,000 at most"),
        ({"network": {"layers": [173, 16, 71], "activation": "relu"}}, "from 173 to 71 .* tables 173 to 70"),
    ],
)
def test_a_description_that_cannot_be_is_refused_before_its_numbers_are_read(model, changes, words):
    rewrite(model, **changes)
    model.with_suffix(".npz").unlink()
    with pytest.raises(ValueError, match=rf"model small\.json cannot be read: .*{words}") as error:
        NetworkAgent(model)
    assert "\n" not in str(error.value) and len(str(error.value)) < 600


@pytest.mark.parametrize("name", ["small.json", "small.npz"])
def test_a_model_that_is_no_plain_file_is_refused(model, name):
    file = model.with_name(name)
    file.unlink()
    os.mkfifo(file)
    with pytest.raises(ValueError, match=r"small.* cannot be read: .*is a device or a pipe"):
        NetworkAgent(model)


@pytest.mark.parametrize("file", SHIPPED, ids=[file.stem for file in SHIPPED])
def test_every_model_that_comes_along_is_small_and_fits_its_rules(file):
    about = read_about(file)
    assert file.stat().st_size + file.with_suffix(".npz").stat().st_size < LARGEST
    assert about["steps"] and about["versions"] and about["training"]
    agent = load_agent(file.stem, rules=RuleSet(**about["rules"]), talk=about["talk"])
    result = evaluate(agent, seeds=range(100), progress=False)
    assert result.mean_doors > 5


def test_a_model_plays_without_torch_and_is_listed_without_numba(model):
    code = (
        "import sys; from pathlib import Path; from agents.registry import find_agents; "
        f"find_agents(Path({str(model.parent.parent)!r})); print({{'numba', 'torch'}} & set(sys.modules)); "
        "from agents.network_agent import NetworkAgent; from agents.measure.evaluation import evaluate; "
        f"evaluate(NetworkAgent(Path({str(model)!r})), seeds=[1], progress=False); "
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["set()", "False"]

"""The guided agent: the network inside the search is the one that plays alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import agents
from agents.base import Misfit
from agents.compiled.policy_kernel import network_code, policy_record
from agents.compiled.search_kernel import make_tools
from agents.guided import MODELS, GuidedAgent
from agents.measure.evaluation import evaluate
from agents.network_agent import NetworkAgent
from agents.network_model import read_model
from onirim_env.compiling.compile import kernel
from onirim_env.rules import RuleSet
from tests.agents.recording import Recording
from tests.engine.random_play import states_of_random_play

FOLDER = Path(agents.__file__).parent / "models"
SEEDS = range(4_000_000_000, 4_000_000_003)


@kernel
def codes_of(states, tools, codes):
    for row in range(states.shape[0]):
        codes[row] = network_code(states[row], tools, tools.legal[0])


@pytest.mark.parametrize("name", sorted(set(MODELS.values())))
def test_the_compiled_network_chooses_as_the_agent_of_the_same_model(name):
    model = read_model(FOLDER / f"{name}.json")
    rules, talk = RuleSet(**model.about["rules"]), model.about["talk"]
    agent = NetworkAgent(FOLDER / f"{name}.json", rules, talk)
    states, observations, masks = states_of_random_play(rules, talk)
    tools = make_tools(rules, closed=talk == "closed", policy=policy_record(model))
    codes = np.zeros(len(states), dtype=np.int64)
    codes_of(states, tools, codes)
    expected = agent.act(observations, masks)
    differing = np.flatnonzero(agent.table.ids[codes] != expected)
    assert len(states) > 1000
    assert len(differing) <= len(states) // 1000  # ties within single precision


def test_a_network_of_another_form_does_not_guide():
    model = read_model(FOLDER / f"{MODELS[1, 'open']}.json")
    model.about["network"]["activation"] = "tanh"
    with pytest.raises(ValueError, match="two hidden layers with relu"):
        policy_record(model)


def test_rules_that_no_network_knows_are_refused_in_one_line():
    for rules in (RuleSet(prophecy_actions="permutation"),):
        with pytest.raises(Misfit, match="ppo_solo is for other observations or actions"):
            GuidedAgent(rules)


def test_the_same_seeds_give_the_same_moves_whatever_the_batch_size():
    first, second = (Recording(GuidedAgent(playouts=40)) for _ in range(2))
    for recording, size in ((first, 3), (second, 1)):
        evaluate(recording, seeds=SEEDS, batch_size=size, progress=False)
    assert first.decided == second.decided
    assert all(first.decided.values())


@pytest.mark.long
def test_it_beats_the_network_alone_on_the_same_games():
    seeds = range(4_000_000_000, 4_000_000_120)
    guided = evaluate(GuidedAgent(playouts=100), seeds=seeds, progress=False)
    alone = evaluate(MODELS[1, "open"], seeds=seeds, progress=False)
    assert guided.won.sum() > alone.won.sum()

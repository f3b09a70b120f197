"""The symmetric network: equal results for renamed games, in torch, as plain numbers and inside a search."""

import json

import numpy as np
import pytest
import torch

from agents.compiled.policy_kernel import policy_record
from agents.compiled.search_kernel import advised_code, make_tools
from agents.compiled.search_value import ValueNetwork, read_network, value_form, write_networks
from agents.compiled.symmetries import all_renamings, renamed_places, symmetries
from agents.network_agent import NetworkAgent
from agents.network_model import read_model
from onirim_env.actions import action_table
from onirim_env.compiling.compile import kernel
from onirim_env.keywords import layout_rules
from onirim_env.observation import observation_layout
from onirim_env.rules import RuleSet
from tests.engine.random_play import states_of_random_play
from tests.long import as_long
from train.config import TrainConfig
from train.errors import UserError
from train.export import export
from train.loading import load_policy
from train.symmetric_network import SymmetricNetwork

BASE_GAMES = [RuleSet(), RuleSet(players=2)]


def network_for(rules, units=(24, 16), activation="relu"):
    torch.manual_seed(1)
    network = SymmetricNetwork(rules, units, activation)
    for parameter in network.parameters():  # the heads begin near 0
        torch.nn.init.normal_(parameter, std=0.3)
    return network


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("rules", BASE_GAMES, ids=str)
def test_logits_and_values_move_with_every_renaming(rules, activation):
    network = network_for(rules, activation=activation).double()
    layout = observation_layout(rules)
    labels = [f"{field.name}: {label}" for field in layout for label in field.labels]
    units = np.concatenate([field.units for field in layout])
    texts = action_table(rules).texts
    observations = torch.from_numpy(states_of_random_play(rules)[1][::7].astype(np.float64))
    with torch.inference_mode():
        logits, values = network(observations)
        assert logits.std(dim=0).min() > 1e-3 and values.std() > 1e-3
        for renaming in all_renamings():
            entries, actions = renamed_places(labels, renaming), renamed_places(texts, renaming)
            renamed = torch.zeros_like(observations)
            renamed[:, entries] = observations * torch.from_numpy(units[entries] / units)
            new_logits, new_values = network(renamed)
            torch.testing.assert_close(new_logits[:, actions], logits, rtol=0, atol=1e-5)
            torch.testing.assert_close(new_values, values, rtol=0, atol=1e-5)


def test_where_cards_are_tied_to_their_colours_they_are_told_apart():
    rules = RuleSet(expansions=["towers"])
    network = network_for(rules).double()
    observations = torch.zeros(2, network.size[0], dtype=torch.float64)
    labels = [f"{one.name}: {label}" for one in observation_layout(rules) for label in one.labels]
    for row, colour in enumerate(("red", "blue")):
        observations[row, labels.index(f"towers: place 1 {colour} tower 3")] = 1.0
    _, values = network(observations)
    assert abs(values[0] - values[1]) > 1e-3


def test_fields_that_are_ignored_change_nothing():
    rules = RuleSet()
    torch.manual_seed(0)
    network = SymmetricNetwork(rules, (8, 8), "relu", ("hand",))
    hand = next(field for field in observation_layout(rules) if field.name == "hand")
    observations = torch.rand(4, network.size[0])
    changed = observations.clone()
    changed[:, hand.start : hand.start + hand.size] = 7.0
    for before, after in zip(network(observations), network(changed)):
        torch.testing.assert_close(before, after)


def test_the_numbers_of_the_form_are_those_of_the_arrays():
    for rules in (*BASE_GAMES, RuleSet(expansions=["towers"]), layout_rules(RuleSet(), "full")):
        network = network_for(rules)
        shapes = {name: form.shape for name, form in network.form.arrays().items()}
        assert shapes == {name: tuple(values.shape) for name, values in network.arrays().items()}


@kernel
def codes_of(states, tools, codes):
    for row in range(len(states)):
        codes[row] = advised_code(states[row], tools)


@pytest.mark.parametrize(("env", "players"), [("Onirim-v0", 1), as_long(("OnirimCoop-v0", 2))])
def test_torch_numbers_and_search_choose_alike(trained, tmp_path, env, players):
    _, folder = trained(
        trainer="torch", network="symmetric", env=env, final_games=0, eval_every=0, hidden_layers=[16, 12]
    )
    policy = load_policy(folder.path)
    files = export(policy, "symmetric", tmp_path)
    about = json.loads(files[1].read_text())
    assert about["network"]["kind"] == "symmetric"
    rules = RuleSet(players=players)
    states, observations, masks = states_of_random_play(rules)
    agent = NetworkAgent(files[1], rules, "open")
    of_torch = policy.agent()
    expected = of_torch.act(observations, masks)
    differing = np.count_nonzero(agent.act(observations, masks) != expected)
    assert len(states) > 300 and differing <= len(states) // 300  # ties within single precision
    model = read_model(files[1])
    tools = make_tools(rules, policy=policy_record(model))
    codes = np.zeros(len(states), dtype=np.int64)
    codes_of(states, tools, codes)
    differing = np.count_nonzero(agent.table.ids[codes] != agent.act(observations, masks))
    assert differing <= len(states) // 300


def test_a_value_network_is_the_same_stored_and_read_again(tmp_path):
    from agents.compiled.networks import make_network

    rules = RuleSet()
    network = network_for(rules)
    arrays = {name: values.detach().numpy() for name, values in network.value_arrays().items()}
    form = value_form("symmetric", (network.size[0], 24, 16), rules)
    write_networks({1: ValueNetwork(form, arrays, rules)}, tmp_path / "values.npz")
    stored = read_network(1, tmp_path / "values.npz")
    assert stored.form == form
    observations = states_of_random_play(rules)[1][::10]
    logits = make_network(stored.form, stored.arrays, stored.tables)(observations)[:, 0]
    with torch.inference_mode():
        expected = network.values(torch.from_numpy(observations)).numpy()
    np.testing.assert_allclose(logits, expected, atol=0.02)  # stored as float16
    from agents.compiled.search_value import estimate

    record = stored.record()

    @kernel
    def chances_of(observations, weights, room, chances):
        for row in range(len(observations)):
            chances[row] = estimate(weights[0], room[0], observations[row : row + 1])

    chances = np.zeros(len(observations))
    chances_of(observations, record.weights, record.room, chances)
    np.testing.assert_allclose(chances, 1 / (1 + np.exp(-logits)), atol=1e-4)


def test_a_symmetric_network_shares_its_trunk_and_is_for_the_torch_trainer():
    with pytest.raises(UserError, match="shared_trunk: a symmetric network shares its layers"):
        TrainConfig(trainer="torch", network="symmetric", shared_trunk=False)
    with pytest.raises(UserError, match="network: 'symmetric' is for trainer torch only"):
        TrainConfig(network="symmetric")


def test_the_model_of_other_colours_is_refused_in_one_line(trained, tmp_path):
    _, folder = trained(trainer="torch", network="symmetric", final_games=0, eval_every=0)
    _, file = export(load_policy(folder.path), "symmetric", tmp_path)
    about = json.loads(file.read_text())
    sizes = symmetries(RuleSet()).entries.sizes
    for wrong, message in (
        ([sizes[0] - 1, sizes[1]], "its inputs are 4 times 37 and 21, fewer than 173"),
        ([sizes[0], 0], "its inputs are not two numbers"),
        ([sizes[0] + 1, sizes[1]], "own_0"),
        ("many", "its inputs are not two numbers"),
    ):
        file.write_text(json.dumps({**about, "network": {**about["network"], "inputs": wrong}}))
        with pytest.raises(ValueError, match=message) as caught:
            NetworkAgent(file, RuleSet())
        assert "\n" not in str(caught.value)

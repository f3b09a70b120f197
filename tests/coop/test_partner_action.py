"""The optional field of what the partner did last, in every environment of two players."""

import random
from collections import Counter

import gymnasium as gym
import numpy as np
import pytest

from onirim_env import Game, RuleSet, observation_layout, onirim_coop_v0
from onirim_env.batch import GameBatch
from onirim_env.env import OnirimEnv
from onirim_env.observation import PARTNER_ACTION as NAME
from onirim_env.partner_action import is_secret
from onirim_env.rules import EXPANSIONS
from onirim_env.vector import OnirimVectorEnv

SECRET = ("prophecy place", "put")


def told(seen, rules, layout_rules=None):
    """Return the texts of the field in an observation."""
    field = observation_layout(layout_rules or rules, partner_action=True)[-1]
    assert field.name == NAME and field.stop == len(seen)
    return {label for label, value in zip(field.labels, seen[field.start :]) if value}


def is_told(text, talk):
    whole = text.startswith("prophecy discard place")
    return talk == "open" or not (text.startswith(SECRET) or whole)


def expected_after(history, player, talk):
    """What was done by the partner's latest run of decisions: (player, text) one by one."""
    run = []
    for who, text in reversed(history):
        if who != player:
            run.append(text)
        elif run:
            break
    return {text for text in run if is_told(text, talk)}


@pytest.mark.parametrize("talk", ["open", "closed"])
@pytest.mark.parametrize(
    "options", [{}, {"prophecy_actions": "permutation"}, {"expansions": list(EXPANSIONS)}], ids=str
)
def test_it_has_the_partners_latest_decisions_that_the_player_may_know(talk, options):
    env = OnirimEnv(players=2, talk=talk, partner_action=True, **options)
    rng, met = random.Random(1), Counter()
    for seed in range(8):
        seen, info = env.reset(seed=seed)
        history, over = [], False
        while not over:
            for player in (0, 1):
                shown = told(env.observe(player), env.rules)
                assert shown == expected_after(history, player, talk)
                met.update(text.split()[0] for text in shown)
            assert told(seen, env.rules) == expected_after(history, info["player"], talk)
            legal = np.flatnonzero(info["action_mask"]).tolist()
            keys = [one for one in legal if env.game.table.text(one).endswith("key")]
            action = rng.choice(keys if keys and rng.random() < 0.5 else legal)
            history.append((info["player"], env.game.table.text(action)))
            seen, _, over, _, info = env.step(action)
    assert met["discard"] and met["take"]
    assert bool(met["prophecy"]) or options.get("prophecy_actions") == "permutation"


@pytest.mark.parametrize("options", [{}, {"expansions": ["oniverse", "glyphs", "book_of_steps"]}], ids=str)
def test_where_cards_are_put_is_secret_in_closed_talk_and_nothing_else(options):
    rules = RuleSet(players=2, **options)
    batch = GameBatch(1, rules, partner_action=True)
    secret = {text for text, hidden in zip(batch.table.texts, is_secret(batch.table)) if hidden}
    assert secret == {text for text in batch.table.texts if not is_told(text, "closed")}


def test_without_it_the_observations_are_as_before():
    plain, with_it = OnirimVectorEnv(4, players=2), OnirimVectorEnv(4, players=2, partner_action=True)
    first, info = plain.reset(seed=3)
    second, _ = with_it.reset(seed=3)
    size = observation_layout(RuleSet(players=2))[-1].stop
    for _ in range(400):
        assert first.shape == (4, size)
        assert np.array_equal(first, second[:, :size])
        actions = info["action_mask"].argmax(axis=1)
        first, *_, info = plain.step(actions)
        second, *_ = with_it.step(actions)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_the_next_game_of_a_row_begins_without_it(mode):
    env = OnirimVectorEnv(3, players=2, partner_action=True, autoreset_mode=mode, draft="dealt")
    seen, info = env.reset(seed=0)
    field = observation_layout(env.rules, partner_action=True)[-1]
    done, begun = np.zeros(3, dtype=bool), 0
    while begun < 5:
        restarted = done.copy()
        seen, _, done, _, info = env.step(info["action_mask"].argmax(axis=1))
        fresh = restarted if mode == "NextStep" else done
        begun += fresh.sum()
        assert not seen[fresh, field.start :].any()
        if mode == "SameStep" and done.any():
            assert info["final_obs"][done.argmax()][field.start :].any()


def test_every_environment_of_two_players_takes_it():
    size = observation_layout(RuleSet(players=2), partner_action=True)[-1].stop
    single = gym.make("OnirimCoop-v0", partner_action=True)
    assert single.observation_space.shape == single.reset(seed=1)[0].shape == (size,)
    vector = gym.make_vec(
        "OnirimCoop-v0", num_envs=2, vectorization_mode="vector_entry_point", partner_action=True
    )
    assert vector.observation_space.shape == vector.reset(seed=1)[0].shape == (2, size)
    aec = onirim_coop_v0.env(partner_action=True, talk="closed")
    aec.reset(seed=1)
    first = aec.agent_selection
    text = "take red sun"
    mask = aec.observe(first)["action_mask"]
    aec.step(int(mask.argmax()))
    text = Game(RuleSet(players=2)).table.text(int(mask.argmax()))
    other = next(agent for agent in aec.possible_agents if agent != first)
    seen = aec.observe(other)["observation"]
    assert aec.observation_space(other)["observation"].contains(seen)
    assert told(seen, RuleSet(players=2)) == {text}
    assert aec.state().shape == (2 * size,)


def test_the_full_layout_has_the_actions_of_all_expansions():
    env = OnirimEnv(players=2, partner_action=True, layout="full")
    _, info = env.reset(seed=1)
    legal = int(info["action_mask"].argmax())
    env.step(legal)
    full = RuleSet(players=2, expansions=EXPANSIONS)
    assert told(env.observe(1), env.rules, full) == {
        "take " + env.game.record()["actions"][0].split(" ", 1)[1]
    }


def test_it_is_refused_alone_and_for_what_is_no_bool():
    with pytest.raises(ValueError, match="partner_action needs two players"):
        OnirimEnv(partner_action=True)
    with pytest.raises(ValueError, match="partner_action must be True or False, not 'yes'"):
        OnirimEnv(players=2, partner_action="yes")
    with pytest.raises(ValueError, match="needs two players"):
        observation_layout(partner_action=True)

"""Every environment plays with expansions, and keeps there what it promises of the base game."""

import pickle

import cloudpickle
import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

from onirim_env import ActionTable, Game, MaskedSampler, RuleSet, observation_layout, onirim_coop_v0
from onirim_env.__main__ import main
from onirim_env.batch import GameBatch
from onirim_env.env import OnirimEnv
from onirim_env.keywords import layout_rules
from onirim_env.observation import highest_values
from onirim_env.rules import EXPANSIONS, options_of
from onirim_env.vector import OnirimVectorEnv
from tests.env.same import assert_same
from tests.env.test_env_observations import outside

SETS = {**{name: [name] for name in EXPANSIONS}, "all": list(EXPANSIONS)}
HARD = ["book_of_steps", "dreamcatchers", "towers", "premonitions", "crossroads"]
TABLES = [{}, {"players": 2, "talk": "open"}, {"players": 2, "talk": "closed"}]
TWO = {"expansions": ["towers", "glyphs"], "hard": ["towers"], "incantation_door": "forced"}


@pytest.fixture(params=SETS.values(), ids=SETS)
def expansions(request):
    return list(request.param)


@pytest.fixture(params=TABLES, ids=["solo", "open", "closed"])
def table(request):
    return dict(request.param)


def batch_of(size, layout="own", talk="open", **options):
    """Return dealt games."""
    batch = GameBatch(size, RuleSet(**options), talk=talk, layout=layout)
    batch.deal(np.arange(size, dtype=np.uint64))
    return batch


def hard_of(expansions):
    return [name for name in expansions if name in HARD]


@pytest.mark.parametrize("layout", ["own", "full"])
@pytest.mark.parametrize("hard", [False, True], ids=["normal", "hard"])
def test_observations_lie_inside_their_bounds_and_masks_are_never_empty(expansions, table, layout, hard):
    hard = hard_of(expansions) if hard else []
    batch = batch_of(40, layout, expansions=expansions, hard=hard, **table)
    low, high = np.float32(0), highest_values(batch.layout_rules)
    space = type("Space", (), {"low": low, "high": high})
    sampler, ended = MaskedSampler(seed=0), 0
    observations, masks = batch.view()
    for _ in range(250):
        assert observations.shape == (40, len(high)) and masks.shape == (40, len(batch.table))
        assert outside(space, observations, batch.layout_rules) == {}
        assert masks.any(axis=1).all()
        observations, masks, _ = batch.step(sampler(masks))
        assert (batch.illegal_in < 0).all()
        if batch.n_ended:
            ended += batch.n_ended
            batch.deal_next(batch.ended.copy())
            observations, masks = batch.view()
    assert ended > 20


def test_masks_are_what_the_game_allows(expansions, table):
    """An action without a 1 in the mask is refused, and one with it is taken; at some moments of games."""
    talk = table.pop("talk", "open")
    sampler = MaskedSampler(seed=1)
    for seed in range(2):
        game = Game(RuleSet(expansions=expansions, **table), seed=seed, talk=talk)
        moment = 0
        while not game.over:
            mask = game.action_mask()
            if moment % 10 == seed:
                batch = GameBatch(len(mask), game.rules, talk=talk)
                batch.place(game.state, np.ones(len(mask), dtype=np.bool_))
                batch.step(np.arange(len(mask)))
                assert np.array_equal(batch.illegal_in < 0, mask == 1)
            game.apply(sampler(mask))
            moment += 1


def test_a_player_sees_the_same_vector_whatever_the_cards_that_the_player_cannot_know(expansions, table):
    talk = table.pop("talk", "open")
    sampler = MaskedSampler(seed=0)
    changed = 0
    for seed in range(3):
        game = Game(RuleSet(expansions=expansions, **table), seed=seed, talk=talk)
        while not game.over:
            for player in range(game.rules.players):
                other = game.copy()
                other.determinize(player, seed=seed)
                assert_same(other.observation(player), game.observation(player))
                changed += other != game
            game.apply(sampler(game.action_mask()))
    assert changed > 20


@pytest.mark.parametrize("env_id", ["Onirim-v0", "OnirimCoop-v0"])
@pytest.mark.filterwarnings("error::UserWarning")
def test_gymnasiums_checker_has_nothing_to_say(expansions, env_id):
    env = gym.make(env_id, expansions=expansions, hard=hard_of(expansions))
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("options", [TWO, {**TWO, "layout": "full"}], ids=["own", "full"])
def test_every_way_to_make_an_environment_takes_the_keywords(options):
    keywords = {name: value for name, value in options.items() if name != "layout"}
    for players, env_id in ((1, "Onirim-v0"), (2, "OnirimCoop-v0")):
        rules = RuleSet(players=players, **keywords)
        tables = layout_rules(rules, options.get("layout", "own"))
        n_actions, size = len(ActionTable(tables)), observation_layout(tables)[-1].stop
        env = gym.make(env_id, **options)
        assert env.unwrapped.rules == rules
        assert (env.action_space.n, env.observation_space.shape) == (n_actions, (size,))
        many = gym.make_vec(env_id, num_envs=3, vectorization_mode="vector_entry_point", **options)
        assert many.unwrapped.rules == rules
        assert many.reset(seed=0)[1]["action_mask"].shape == (3, n_actions)
    for make in (onirim_coop_v0.env, onirim_coop_v0.raw_env):
        env = make(**options)
        env.reset(seed=1)
        seen = env.observe("player_1")
        assert (seen["observation"].shape, seen["action_mask"].shape) == ((size,), (n_actions,))


def test_sb3s_environment_takes_the_keywords():
    sb3 = pytest.importorskip("onirim_env.sb3", reason="needs stable-baselines3")
    for options in (TWO, {**TWO, "layout": "full"}):
        envs = sb3.OnirimVecEnv(4, "OnirimCoop-v0", seed=3, **options)
        single = gym.make("OnirimCoop-v0", **options)
        assert_same(envs.reset()[2], single.reset(seed=5)[0])
        assert envs.action_masks().shape == (4, single.action_space.n)


def test_pettingzoos_game_with_expansions_plays_to_its_end():
    env = onirim_coop_v0.env(expansions=list(EXPANSIONS), talk="closed")
    sampler = MaskedSampler(seed=0)
    for seed in range(2):
        env.reset(seed=seed)
        for agent in env.agent_iter():
            observation, _, termination, truncation, info = env.last()
            assert env.observation_space(agent).contains(observation)
            env.step(None if termination or truncation else sampler(observation["action_mask"]))
        assert {"won", "doors"} <= info.keys()


@pytest.mark.parametrize("layout", ["own", "full"])
def test_pettingzoos_own_tests_pass(layout):
    api_test(onirim_coop_v0.env(expansions=list(EXPANSIONS), layout=layout), num_cycles=300)
    seed_test(lambda: onirim_coop_v0.env(expansions=["towers", "oniverse"], layout=layout), num_cycles=50)


def test_modules_among_the_arguments_of_a_registered_environment_reach_every_kind():
    sb3 = pytest.importorskip("onirim_env.sb3", reason="needs stable-baselines3")
    gym.register(
        "OnirimTowersAndGlyphs-v0",
        entry_point="onirim_env.env:OnirimEnv",
        vector_entry_point="onirim_env.vector:OnirimVectorEnv",
        kwargs=TWO,
    )
    try:
        name = "OnirimTowersAndGlyphs-v0"
        envs = [
            gym.make(name).unwrapped,
            gym.make_vec(name, num_envs=2, vectorization_mode="vector_entry_point").unwrapped,
            sb3.OnirimVecEnv(2, name),
        ]
        assert all(env.rules == RuleSet(**TWO) for env in envs)
        assert TWO["expansions"] == ["towers", "glyphs"]
    finally:
        gym.registry.pop("OnirimTowersAndGlyphs-v0")


def test_environments_with_lists_of_modules_are_made_again_from_spec_and_copies():
    env = gym.make("Onirim-v0", **TWO)
    again = gym.make(env.spec)
    json_spec = gym.envs.registration.EnvSpec.from_json(env.spec.to_json())
    for other in (again, gym.make(json_spec), *(p.loads(p.dumps(env)) for p in (pickle, cloudpickle))):
        assert other.unwrapped.rules == env.unwrapped.rules
        assert_same(other.reset(seed=4), env.reset(seed=4))


def test_lists_and_their_order_do_not_matter_and_wrong_names_are_told():
    names = ("glyphs", "towers")
    for given in (list(names), names[::-1], set(names)):
        assert OnirimEnv(expansions=given).rules == RuleSet(expansions=names)
    with pytest.raises(ValueError, match="expansions cannot have 'tower'"):
        OnirimEnv(expansions=["tower"])
    with pytest.raises(ValueError, match="hard cannot have 'glyphs'"):
        OnirimVectorEnv(2, expansions=["towers"], hard=["glyphs"])
    with pytest.raises(ValueError, match="layout cannot be 'all'; allowed are 'own', 'full'"):
        OnirimEnv(layout="all")


@pytest.mark.parametrize("layout", ["own", "full"])
def test_a_seed_fixes_the_games(expansions, table, layout):
    ends = []
    for _ in range(2):
        env = OnirimEnv(expansions=expansions, layout=layout, **table)
        sampler = MaskedSampler(seed=2)
        seen = [env.reset(seed=11)]
        for _ in range(60):
            step = env.step(sampler(seen[-1][-1]["action_mask"]))
            seen.append(env.reset() if step[2] else step)
        ends.append(seen)
    assert_same(ends[0], ends[1])


@pytest.mark.parametrize("layout", ["own", "full"])
def test_a_batch_plays_the_games_of_single_environments(layout):
    options = {"players": 2, "talk": "closed", "layout": layout, **TWO}
    many = OnirimVectorEnv(4, autoreset_mode="NextStep", **options)
    loop = gym.vector.SyncVectorEnv([lambda: OnirimEnv(**options)] * 4)
    sampler = MaskedSampler(seed=3)
    found, expected = many.reset(seed=7), loop.reset(seed=7)
    for _ in range(300):
        assert_same(found[0], expected[0])
        assert_same(found[-1]["action_mask"], expected[-1]["action_mask"])
        assert_same(tuple(found[1:-1]), tuple(expected[1:-1]))
        actions = sampler(found[-1]["action_mask"])
        found, expected = many.step(actions), loop.step(actions)


@pytest.mark.parametrize("players", [1, 2])
def test_the_full_layout_is_one_table_for_every_set_of_modules(players):
    """Base game included: the same texts at the same ids, and the same names at the same entries."""
    everything = RuleSet(players=players, expansions=EXPANSIONS)
    for names in ([], *SETS.values()):
        rules = RuleSet(players=players, expansions=names)
        tables = layout_rules(rules, "full")
        assert tables == everything
        assert set(ActionTable(rules).texts) <= set(ActionTable(tables).texts)
        own = {(field.name, label) for field in observation_layout(rules) for label in field.labels}
        assert own <= {(field.name, label) for field in observation_layout(tables) for label in field.labels}
    texts = ActionTable(everything).texts
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("names", [[], ["towers"], ["crossroads", "oniverse"], list(EXPANSIONS)])
def test_the_full_layout_shows_and_offers_what_the_own_one_does(names, table):
    """By name: the same entries have the same numbers, all others are zero; the same texts are legal.

    Of a base game the full layout also shows the discard pile, and whether the action is taken.
    """
    more = set() if names else {"discarded", "acted"}
    own = OnirimEnv(expansions=names, **table)
    full = OnirimEnv(expansions=names, layout="full", **table)
    sampler = MaskedSampler(seed=5)
    tables = [ActionTable(env._batch.layout_rules) for env in (own, full)]
    for seed in range(3):
        (seen, info), (shown, shown_info) = own.reset(seed=seed), full.reset(seed=seed)
        over = False
        while not over:
            entries = named(shown, full._batch.layout_rules).items()
            assert {key: value for key, value in entries if key[0] not in more} == named(seen, own.rules)
            legal = [
                {table.text(action) for action in np.flatnonzero(one["action_mask"])}
                for table, one in zip(tables, (info, shown_info))
            ]
            assert legal[0] == legal[1]
            action = int(sampler(info["action_mask"]))
            text = tables[0].text(action)
            seen, reward, over, _, info = own.step(action)
            shown, other_reward, other_over, _, shown_info = full.step(tables[1].id(text))
            assert (reward, over) == (other_reward, other_over)
        assert full.game.record() == own.game.record()


def named(observation, rules):
    """Return the entries that are not zero by field and label."""
    return {
        (field.name, label): float(value)
        for field in observation_layout(rules)
        for label, value in zip(field.labels, observation[field.start : field.stop])
        if value
    }


def test_actions_of_other_modules_are_illegal_in_the_full_layout():
    for names in ([], ["towers"]):
        env = OnirimEnv(expansions=names, layout="full")
        env.reset(seed=0)
        escape = ActionTable(RuleSet(expansions=EXPANSIONS)).id("escape")
        _, reward, terminated, _, info = env.step(escape)
        assert (reward, terminated, info["illegal_action"]) == (-1.0, True, escape)


def test_the_command_line_lists_options_actions_and_fields_of_modules(capsys):
    assert main(["rules", "expansions=towers,glyphs", "hard=towers", "players=2"]) == 0
    printed = capsys.readouterr().out
    rules = RuleSet(players=2, expansions=["towers", "glyphs"], hard=["towers"])
    assert all(f" {option.keyword} = " in printed for option in options_of(EXPANSIONS))
    assert all(f" {text}\n" in printed for text in ActionTable(rules).texts)
    assert all(f" {field.name} " in printed for field in observation_layout(rules))
    assert main(["rules", "expansions=all"]) == 0
    assert main(["rules", "expansions=tower"]) == 2
    assert "expansions cannot have 'tower'" in capsys.readouterr().err


def test_cards_left_counts_the_locations_of_modules():
    game = Game(RuleSet(expansions=["towers", "crossroads", "glyphs"]), seed=3)
    deck = game.position()["deck"]
    others = ("door", "nightmare", "dead end")
    assert game.cards_left == sum(not card.endswith(others) for card in deck)

"""Every entry of every observation, beside what the plain model says that the player may know.

Tests of leaks compare the engine with itself, so that an entry which is wrong everywhere passes them.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from onirim_env import RuleSet, observation_layout
from onirim_env.rules import EXPANSIONS, OPTIONS
from tests.engine.expansion_lockstep import some_rules
from tests.engine.lockstep import random_rules
from tests.engine.observation_lockstep import compare, dealt, follow, placed
from tests.engine.short_decks import short_deck
from tests.engine.test_expansion_model import late
from tests.model.game import PlainGame

ONE_EACH = [[name] for name in EXPANSIONS]
BASE_PHASES = {"action", "prophecy_discard", "prophecy_order", "series", "door", "nightmare", "lost"}
CO_OP_PHASES = {"draft", "swap", "swap_in"}


def base_rules(rng, players):
    """Random rules of the base game; also how a Prophecy is decided changes what is shown."""
    way = rng.choice(("sequential", "permutation"))
    return {**random_rules(rng, players), "prophecy_actions": way}


def expansion_rules(seed, players, names):
    way = ("sequential", "permutation")[seed % 3 == 2]
    return {**some_rules(seed, players, names), "prophecy_actions": way}


def fields_of(rules):
    return {field.name for field in observation_layout(rules)}


def beside(model, rules, seed):
    """Return the engine's game at the model's position, once both show the same."""
    game = placed(model, rules, seed)
    compare(model, game)
    return game


@pytest.mark.parametrize("players", [1, 2])
def test_base_games_show_each_player_what_the_rules_let_the_player_know(players):
    phases, fields, values = Counter(), Counter(), set()
    for seed in range(45):
        rng = random.Random(seed)
        rules = base_rules(rng, players)
        values |= {(keyword, value) for keyword, value in rules.items() if keyword != "players"}
        model = dealt(rng, rules)
        more_phases, more_fields = follow(rng, model, placed(model, rules, seed))
        phases, fields = phases + more_phases, fields + more_fields
    assert set(phases) >= (BASE_PHASES | CO_OP_PHASES if players == 2 else BASE_PHASES)
    assert set(fields) == fields_of(RuleSet(players=players))
    assert values == {
        (one.keyword, value) for one in OPTIONS if one.keyword != "players" for value in one.values
    }


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("names", ONE_EACH, ids=EXPANSIONS)
def test_games_with_one_expansion_show_what_the_rules_let_the_player_know(names, players):
    phases = Counter()
    for seed in range(4):
        rng = random.Random(seed)
        rules = expansion_rules(seed, players, names)
        model = dealt(rng, rules)
        model = late(model, rng) if seed % 2 else model
        phases += follow(rng, model, placed(model, rules, seed), most=150)[0]
    assert phases.total() > 100


@pytest.mark.parametrize("players", [1, 2])
def test_games_with_all_expansions_show_what_the_rules_let_the_player_know(players):
    phases, fields = Counter(), Counter()
    for seed in range(8):
        rng = random.Random(seed)
        rules = expansion_rules(seed, players, list(EXPANSIONS))
        model = late(dealt(rng, rules), rng)
        more_phases, more_fields = follow(rng, model, placed(model, rules, seed), most=150)
        phases, fields = phases + more_phases, fields + more_fields
    # Crossroads show what is pending instead of series, and a swap that anything follows is of two players.
    silent = {"series", "partner_series", *(["follows"] if players == 1 else [])}
    rare = {"kept", "fetched", "swapped_goal", "given", "given_shared", "third_doors", "partner_third_doors"}
    rare |= {"stored", "partner_stored"}  # shown among what random games rarely come to
    assert not silent & set(fields)
    assert fields_of(RuleSet(players=players, expansions=EXPANSIONS)) - set(fields) <= silent | rare
    assert len(phases) > 20


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_games_with_short_decks_show_what_each_player_knows_of_them(size, players):
    """A Prophecy that leaves one card, or two alike, is where it matters who had seen which."""
    prophecies = 0
    for seed in range(25):
        rng = random.Random(seed)
        rules = base_rules(rng, players)
        model = short_deck(rng, rules, size)
        prophecies += follow(rng, model, beside(model, rules, seed), most=12)[0]["prophecy_discard"]
    assert prophecies >= 5


GOALS = [f"{colour} door" for colour in ("red", "blue", "green", "brown")] * 2
RARE = {
    "third_doors": ("glyphs", {"doors": [["red door"] * 3, ["blue door"] * 3]}),
    "swapped_goal": ("book_of_steps", {"phase": "planning", "goals": GOALS, "swapped_goal": 1}),
    "kept": (
        "dreamcatchers",
        {"phase": "free", "dreamcatchers": [["lost dream"], ["red door"], [], []], "kept_dreamcatcher": 2},
    ),
    "given": ("oniverse", {"phase": "cyclobot_take", "given": "red sun"}),
    "follows": ("towers", {"phase": "swap", "follows": "look 4"}),
}  # fmt: skip
RARE_OF_TWO = {
    "partner_third_doors": RARE["third_doors"],
    "given_shared": ("oniverse", {"phase": "cyclobot_take", "given": "shared red moon"}),
    "follows": ("glyphs", {"phase": "swap", "follows": "incantation"}),
    "partner_stored": ("oniverse", {"denizens": [[], ["treasure keeper"]], "stored": [[], ["dead end"]]}),
}


@pytest.mark.parametrize(
    ("players", "field", "expansion", "given"),
    [(1, field, *rare) for field, rare in RARE.items() if field != "follows"]
    + [(2, field, *rare) for rares in (RARE, RARE_OF_TWO) for field, rare in rares.items()],
)
def test_what_random_games_rarely_come_to_is_shown_as_it_stands(players, field, expansion, given):
    names = [name for name in EXPANSIONS if name in (expansion, "crossroads")]
    rules = {**expansion_rules(0, players, names), "duplicate_door": "kept", "prophecy_actions": "sequential"}
    given = dict(given)
    zones = {zone: given.pop(zone) for zone in ("doors", "denizens", "stored") if zone in given}
    zones["hand"] = [["red sun", "red sun"], ["blue sun"] * 3]
    owned = [{zone: cards[who] for zone, cards in zones.items()} for who in range(players)]
    shared = ["red moon", "green key"] if players == 2 else []
    deck = ["red moon", "nightmare"]
    model = PlainGame({"rules": rules, "shared": shared, "deck": deck, "players": owned, **given})
    met = compare(model, placed(model, rules, 0))
    assert met[field] > 0


def test_a_finished_series_is_shown_to_the_player_who_is_asked_alone():
    rules = {"players": 2, "series_search": "choice", "prophecy_actions": "sequential"}
    finished = ["red sun", "red moon", "red sun"]
    position = {
        "rules": rules, "to_move": 0,
        "players": [
            {"row": ["blue sun", "blue moon"], "hand": ["blue sun", "green moon", "green sun"]},
            {"row": finished, "hand": ["brown sun", "brown moon", "brown key"], "public": ["brown key"]},
        ],
        "shared": ["red key", "green key"], "deck": ["red moon", "green moon", "blue moon"], "known": [1, 0],
    }  # fmt: skip
    model = PlainGame(position)
    game = beside(model, rules, 0)
    assert game.describe(0)["partner_series"] == {}
    for text in ("play blue sun", "search"):
        model.apply(text)
        game.apply(text)
        if text != "search":
            compare(model, game)
            assert game.describe(0)["series"] == game.describe(1)["partner_series"] == {"blue 3": 1}
            assert game.describe(0)["partner_series"] == game.describe(1)["series"] == {}


@pytest.mark.parametrize("discard", ["red key", "red sun"])
def test_a_swap_shows_both_players_whether_a_prophecy_follows(discard):
    rules = {"players": 2, "prophecy_actions": "sequential"}
    position = {
        "rules": rules,
        "players": [{"hand": ["red key", "red sun", "green sun"]}, {"hand": ["blue sun"] * 3}],
        "shared": ["red moon", "green key"], "deck": ["red moon", "green moon", "blue moon"],
    }  # fmt: skip
    model = PlainGame(position)
    game = beside(model, rules, 0)
    for text in (f"discard {discard}", "swap out green sun"):
        model.apply(text)
        game.apply(text)
        compare(model, game)
        shown = [game.describe(player)["prophecy_follows"] for player in (0, 1)]
        assert shown == [{"yes": 1} if discard == "red key" else {}] * 2


def test_a_card_that_a_happy_dream_found_is_shown_to_its_player_alone_in_closed_talk():
    names = ["dreamcatchers", "premonitions"]
    rules = {**some_rules(0, 2, names), "prophecy_actions": "sequential"}
    position = {
        "rules": rules, "phase": "happy_dream", "drawn": "happy dream",
        "players": [{"hand": ["red sun", "red sun"]}, {"hand": ["blue sun"] * 3}],
        "shared": ["red moon", "green key"],
        "deck": ["red moon", "green moon", "green key", "nightmare", "red door"],
        "dreamcatchers": [["lost dream", "blue door"], [], [], []],
        "premonitions": ["red2", "blue2"], "premonition_reserve": ["doors3"],
    }  # fmt: skip
    model = PlainGame(position)
    game = beside(model, rules, 0)
    for text in ("happy search", "put green key on top"):
        model.apply(text)
        game.apply(text)
        compare(model, game)
    assert game.phase == "free"
    assert game.describe(0)["fetched"] == {"green key": 1}
    assert game.describe(1)["fetched"] == {} and game.describe(1)["unseen"]["green key"] == 1

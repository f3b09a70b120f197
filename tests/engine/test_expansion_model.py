"""The plain model of the seven expansions: the acceptance cases, and random games of every set."""

import json
import random
from collections import Counter
from itertools import product

import pytest

from tests.docs.pages import EXPANSIONS_PAGE, NUMBER, read
from tests.engine.expansion_cases import (
    CASES,
    EXACT,
    GROUPS,
    IN_ANY_ORDER,
    IN_ORDER,
    PARTS,
    check,
    found_in,
    name_of,
)
from tests.engine.leading import comparable, lead
from tests.long import as_long, long_after
from tests.model.expansions import EXPANSION_CLASSES
from tests.model.expansions.action_texts import all_texts
from tests.model.expansions.cards import DEFAULTS, DENIZENS, EXPANSION_DEFAULTS
from tests.model.game import PlainGame

NAMES = [expansion.name for expansion in EXPANSION_CLASSES]
HARDER = ("book_of_steps", "dreamcatchers", "towers", "premonitions", "crossroads")
BASE_VALUES = {
    "prophecy_discard": ["mandatory", "optional"],
    "prophecy_door": ["lost", "protected"],
    "reveal_short_deck": ["allowed", "forbidden"],
    "door_key": ["optional", "automatic"],
    "series_search": ["automatic", "choice"],
    "stop_when_unwinnable": [False, True],
    "nightmare_return_door": [True, False],
    "duplicate_door": ["limbo", "kept"],
    "shared_refill": ["resolved", "limbo"],
    "draft": ["choice", "dealt"],
}
EXPANSION_VALUES = {
    "parallel_planning": ["face_up", "any"],
    "incantation_door": ["optional", "forced"],
    "overload": ["all", "one"],
    "false_destruction": ["free", "forced_only"],
    "premonitions_face_up": ["usual", "six"],
    "denizens": [8, 16],
    "crossroad_series": ["window", "restart"],
}
SETS = [[name for name, is_in in zip(NAMES, mask) if is_in] for mask in product([False, True], repeat=7)]
MAIN = (
    "play",
    "place",
    "open",
    "search",
    "take",
    "chaos",
    "incantation take",
    "rally",
    "free",
    "discard",
)
MOST_DECISIONS = 1500


def random_rules(rng, players, expansions):
    rules = {"players": players, **{name: rng.choice(values) for name, values in BASE_VALUES.items()}}
    if expansions:
        hard = [name for name in expansions if name in HARDER and rng.random() < 0.5]
        rules.update({name: rng.choice(values) for name, values in EXPANSION_VALUES.items()})
        rules.update(expansions=expansions, hard=hard)
    return rules


def choose(rng, legal):
    """Mostly something that brings the game on; spells and powers now and then."""
    preferred = [text for text in legal if text.startswith(MAIN)]
    gaining = [text for text in preferred if not text.startswith("discard")]
    if rng.random() < 0.7:
        return rng.choice(gaining or preferred or legal)
    return rng.choice(legal)


def late(game, rng):
    """The same game near its end: most Doors in play, Lost Dreams caught and Towers aligned, mostly."""
    position = game.position()
    deck = position["deck"]
    doors = [card for card in deck if card.endswith("door")]
    rng.shuffle(doors)
    for door in doors[rng.randrange(4) :]:
        owners = [player["doors"] for player in position["players"]]
        owner = min(owners, key=lambda owned: owned.count(door))
        owner.append(door)
        deck.remove(door)
    if "dreamcatchers" in position and rng.random() < 0.8:
        position["dreamcatchers"] = [["lost dream"], ["lost dream", "lost dream"], ["lost dream"], []]
        position["deck"] = deck = [card for card in deck if card != "lost dream"]
    aligned = ["red tower 4", "green tower 5", "brown tower 5", "blue tower 3"]
    if "towers" in position and set(aligned) <= set(deck):
        position["towers"] = aligned[: rng.randrange(5)]
        position["deck"] = [card for card in deck if card not in position["towers"]]
    position.pop("goals_met", None)
    return PlainGame(position, rng)


def play(seed, players, expansions, is_late=False):
    """Play a random game and check each position; return its phases, the end among them."""
    rng = random.Random(seed)
    rules = random_rules(rng, players, expansions)
    game = PlainGame.deal(rules, rng)
    game = late(game, rng) if is_late else game
    known_texts = {phase: set(texts) for phase, texts in all_texts(rules).items()}
    phases = Counter()
    while game.phase not in ("won", "lost"):
        legal = game.legal()
        assert legal, f"no choice in phase {game.phase}"
        assert len(set(legal)) == len(legal)
        assert set(legal) <= known_texts[game.phase]
        phases[game.phase] += 1
        assert phases.total() < MOST_DECISIONS
        game.apply(choose(rng, legal))
        assert Counter(game.all_cards()) == game.pack
        assert len(game.seen) == len(game.deck) and len(game.revealed_seen) == len(game.revealed)
        position = game.position()
        again = PlainGame(json.loads(json.dumps(position)))
        assert again.position() == position
        assert sorted(again.legal()) == sorted(game.legal())
    assert game.legal() == []
    return phases + Counter([game.phase])


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_case_through_the_model(case):
    game = PlainGame(case["position"])
    assert Counter(game.all_cards()) == game.pack
    before, mover = game.position(), game.to_move
    for text in case["actions"]:
        game.apply(text)
    knows = [game.knowledge(who) for who in range(len(game.players))]
    check(case["expect"], found_in(before, mover, game.position(), game.legal(), knows, game.turns))


def test_every_case_expects_something_that_is_checked_and_has_a_name_of_its_own():
    known = {*EXACT, *IN_ORDER, *IN_ANY_ORDER, *GROUPS, *PARTS}
    assert len(CASES) >= 200 and len({name_of(case) for case in CASES}) == len(CASES)
    for case in CASES:
        assert case["expect"] and set(case["expect"]) <= known


def test_the_cases_show_every_rule_of_the_page_and_every_option():
    rules = {case["rule"] for case in CASES}
    page = read(EXPANSIONS_PAGE)
    readings = page.split("\n### Decided\n")[1].split("\n## ")[0]  # cases cite the rules that they are about
    wanted = set(NUMBER.findall(page)) - set(NUMBER.findall(readings))
    assert wanted - rules == {"B-5", "G-6", "O-D1"}, "those are about the set-up"
    assert {"O-30", "O-31", "O-32", "O-34", "O-36", "O-37"} <= rules
    shown = Counter()
    for case in CASES:
        for name, value in {**EXPANSION_DEFAULTS, **case["position"]["rules"]}.items():
            shown[name, str(value)] += 1
    for name, values in EXPANSION_VALUES.items():
        assert all(shown[name, str(value)] for value in values)
    hard = {name for case in CASES for name in case["position"]["rules"].get("hard", [])}
    assert hard == {*HARDER} - {"premonitions"}, "that one differs in the set-up only"


@pytest.mark.parametrize(
    ("expansion", "cards"), [*zip(NAMES, (76, 88, 80, 88, 80, 92, 85)), ("", 76)], ids=[*NAMES, "base"]
)
def test_deck_holds_the_cards_of_the_table_after_the_set_up(expansion, cards):
    game = PlainGame.deal({"expansions": [expansion] if expansion else []}, random.Random(1))
    assert len(game.deck) == cards - 5 and len(game.own("hand")) == 5 and not game.limbo


def test_the_set_up_lays_out_goals_premonitions_and_denizens():
    def dealt(expansions, hard=(), **options):
        rules = {"expansions": expansions, "hard": list(hard), **options}
        return PlainGame.deal(rules, random.Random(3)).position()

    assert Counter(dealt(["book_of_steps"])["goals"]).most_common()[-1][1] == 2
    assert len(dealt(["book_of_steps", "glyphs", "oniverse"])["goals"]) == 13  # B-5
    for hard in ((), ("premonitions",)):  # HP-1
        for option, face_up in (("usual", 5 if hard else 4), ("six", 6)):
            position = dealt(["premonitions"], hard, premonitions_face_up=option)
            assert len(position["premonitions"]) == face_up
            assert len(position["premonition_reserve"]) == 8 - face_up
    for number in (8, 16):  # O-36
        position = dealt(["oniverse"], denizens=number)
        assert len(position["unused_denizens"]) == 16 - number
        assert sum(card in DENIZENS for card in position["deck"]) == number
    assert dealt(["dreamcatchers"])["failsafe_books"] == 2
    assert dealt(["dreamcatchers"], ["dreamcatchers"])["failsafe_books"] == 0  # D-10


def test_without_expansions_a_position_has_the_fields_of_the_base_game():
    position = PlainGame.deal({"players": 2}, random.Random(5)).position()
    assert set(position["rules"]) == {"players", *DEFAULTS}
    assert set(position["players"][0]) == {"row", "hand", "doors"}
    assert not set(position) & {"removed", "acted", "follows", "goals", "towers", "dreamcatchers"}


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("part", long_after(1, range(8)))
def test_games_of_every_set_keep_their_cards_and_come_to_an_end(players, part):
    phases = Counter()
    for number, expansions in enumerate(SETS):
        if number % 4 == part % 4:
            phases.update(play(f"{players} {expansions} {part // 4}", players, expansions))
    assert phases["action"] > 500


@pytest.mark.parametrize("players", [1, as_long(2)])
def test_games_near_their_end_keep_their_cards_and_some_are_won(players):
    phases = Counter()
    for number, expansions in enumerate(SETS):
        phases.update(play(f"late {players} {number}", players, expansions, is_late=True))
    assert phases["won"] >= 5
    assert min(phases[phase] for phase in ("premonition", "premonition_door", "premonition_keys")) > 0


@pytest.mark.parametrize("players", [1, as_long(2)])
def test_games_with_all_expansions_reach_every_phase(players):
    phases = Counter()
    for seed in range(60):
        phases.update(play(f"all {players} {seed}", players, NAMES, is_late=seed % 2 == 1))
    assert set(all_texts({"players": players, "expansions": NAMES})) <= {*phases, "draft"}


def copy_of(game):
    """The game read back from its position, with what the partners know of the hands."""
    position = game.position()
    for shown, player in zip(position["players"], game.players):
        shown["public"] = player["public"]
    return PlainGame(position)


@pytest.mark.parametrize("players", [1, 2])
def test_a_model_can_be_led_to_what_another_drew_after_its_shuffles(players):
    for seed in range(8):
        rng = random.Random(seed)
        one = PlainGame.deal(random_rules(rng, players, NAMES), rng)
        one = late(one, rng) if seed % 2 else one
        other = copy_of(one)
        while one.phase not in ("won", "lost"):
            text = choose(rng, one.legal())
            one.apply(text)
            other = lead(other, text, one.position())
            assert comparable(other.position()) == comparable(one.position())
            assert sorted(other.legal()) == sorted(one.legal())
            assert all(other.knowledge(who) == one.knowledge(who) for who in range(players))

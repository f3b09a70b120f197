"""The engine with expansions: the acceptance cases, and random games beside the plain model."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from onirim_env import Game
from onirim_env.cards import TOP_PLACES
from onirim_env.errors import PositionError
from onirim_env.expansions.premonitions import PREMONITIONS
from onirim_env.expansions.shared import BOTTOM_PLACES
from onirim_env.rules import EXPANSIONS, RuleSet
from tests.engine.expansion_cases import CASES, check, found_in, name_of
from tests.engine.expansion_lockstep import all_sets, first_places, known_to, play, some_rules
from tests.model.expansions.cards import pack


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_case_through_the_engine(case):
    game = Game.from_position(case["position"], talk="closed")
    before, mover = game.position(), game.player
    for text in case["actions"]:
        game.apply(text)
    knows = [known_to(game, player) for player in range(game.rules.players)]
    found = found_in(before, mover, game.position(), game.legal_texts(), knows, game.turns)
    check(shown_by_observations(case["expect"]), found)


def shown_by_observations(expect):
    """Observations show five places of the deck's top, and of its bottom where expansions put cards there."""
    expect = dict(expect)
    if "knows" in expect:
        expect["knows"] = [
            {
                **knows,
                "top": first_places(knows["top"], TOP_PLACES),
                "bottom": first_places(knows["bottom"], BOTTOM_PLACES),
            }
            for knows in expect["knows"]
        ]
    return expect


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("expansion", EXPANSIONS)
def test_an_expansion_alone_plays_as_the_plain_model(expansion, players):
    decisions = sum(play(seed, some_rules(seed, players, [expansion])) for seed in range(5))
    assert decisions > 100


@pytest.mark.parametrize("players", [1, 2])
def test_sets_of_expansions_play_as_the_plain_model(players):
    """Every seventh of the 128 sets; ``python -m tests.engine.expansion_lockstep`` plays all of them."""
    for number, expansions in enumerate(all_sets()):
        if number % 7 == players and expansions:
            play(number, some_rules(number, players, expansions))


@pytest.mark.parametrize("players", [1, 2])
def test_every_card_of_every_expansion_is_dealt(players):
    rules = some_rules(1, players, list(EXPANSIONS))
    game = Game.from_record({"rules": rules, "seed": 5})
    position = game.position()
    cards = Counter(position["deck"] + position["shared"] + position["limbo"] + position["unused_denizens"])
    for player in position["players"]:
        cards.update(player["hand"])
    assert cards == pack(rules)


@pytest.mark.parametrize("hard", [[], ["premonitions"]])
@pytest.mark.parametrize("players", [1, 2])
def test_four_premonitions_lie_face_up_five_in_the_harder_variant_or_six(players, hard):
    for option, number in (("usual", 5 if hard else 4), ("six", 6)):
        rules = RuleSet(players=players, expansions=["premonitions"], hard=hard, premonitions_face_up=option)
        game = Game(rules, seed=3)
        position = game.position()
        assert len(position["premonitions"]) == number
        assert sorted(position["premonitions"] + position["premonition_reserve"]) == sorted(PREMONITIONS)
        seen = game.describe(game.player)
        assert set(seen["premonitions"]) == set(position["premonitions"])
        assert set(seen["reserve"]) == set(position["premonition_reserve"])


BOOK = {"rules": {"expansions": ["book_of_steps"]}}
WRONG = [
    ({**BOOK, "goals": ["red door"] * 14}, "goals: 14 of them; 13 at most"),
    ({**BOOK, "goals": ["red sun"]}, "goals: 'red sun'; allowed are red door"),
    ({**BOOK, "goals": ["red door"], "goals_met": [1]}, "goals_met: 1 is not a number from 0 to 0"),
    ({**BOOK, "spell": "spell fire"}, "spell: 'spell fire'; allowed are spell paradoxical prophecy"),
    (
        {**BOOK, "towers": []},
        "towers: belongs to the expansion 'towers', which is not among the expansions ('book_of_steps')",
    ),
    ({**BOOK, "players": [{"hand": ["red sun"] * 6}]}, "hand: 6 of them; 5 at most"),
    ({"rules": {"expansions": ["towers"]}, "towers": ["red sun"]}, "towers: 'red sun' cannot be here"),
    ({"rules": {"expansions": ["towers"]}, "towers": ["red tower 3"] * 2}, "one 'red tower 3' too many"),
    ({"rules": {"expansions": ["dreamcatchers"]}, "dreamcatchers": [[]] * 5}, "at most 4 groups"),
    ({"rules": {"expansions": ["premonitions"]}, "premonitions": ["red3"]}, "premonitions: 'red3'; allowed"),
    ({"rules": {"expansions": ["oniverse"]}, "given": "red door"}, "given: 'red door' is no Location"),
    ({**BOOK, "phase": "free"}, "phase: free is one of dreamcatchers, which is not among expansions"),
    ({**BOOK, "phase": "swap"}, "phase: swap needs two players"),
    ({**BOOK, "phase": "nightmare"}, "drawn: None in phase nightmare, which draws 'nightmare'"),
    (
        {**BOOK, "phase": "door", "drawn": "nightmare"},
        "'nightmare' in phase door, which draws 'red door'",
    ),
    ({**BOOK, "drawn": "nightmare"}, "drawn: 'nightmare' in phase action, which draws nothing"),
    ({**BOOK, "phase": "payment"}, "spell: None, but phase payment needs it"),
    ({**BOOK, "goals": ["red door"], "swapped_goal": 0}, "swapped_goal: 0 in phase action"),
    ({**BOOK, "phase": "paradox"}, "revealed: None, but phase paradox needs it"),
    ({**BOOK, "revealed": ["red sun"]}, "revealed: ['red sun'] in phase action"),
    ({**BOOK, "follows": "look 3"}, "follows: 'look 3' in phase action; it is for swap, swap_in only"),
    ({"rules": {"expansions": ["dreamcatchers"]}, "phase": "overload"}, "limbo: no card, but phase overload"),
    ({"rules": {"expansions": ["oniverse"]}, "phase": "cyclobot_take"}, "given: None, but phase"),
    (
        {"rules": {"expansions": ["crossroads"]}, "players": [{"row": ["red sun"], "used": 2}]},
        "players[0].used: 2 is not a number from 0 to 1",
    ),
    (
        {"rules": {"expansions": ["oniverse"], "denizens": 16}, "unused_denizens": ["mirror"]},
        "unused_denizens: 1 of them; 0 at most",
    ),
    ({"rules": {"expansions": ["stairs"]}}, "expansions cannot have 'stairs'"),
    ({"rules": {"expansions": ["glyphs"], "hard": ["glyphs"]}}, "this expansion has no harder variant"),
]


@pytest.mark.parametrize(("position", "message"), WRONG, ids=[message for _, message in WRONG])
def test_a_position_that_cannot_be_is_refused_in_one_line(position, message):
    with pytest.raises(PositionError) as caught:
        Game.from_position(position)
    assert message in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("seed", range(3))
def test_every_position_of_a_game_is_read_back_as_it_was(seed, players):
    """Also what a position may leave out, such as the used cards of a row that a Hammer Bird shortened."""
    rules = RuleSet(**some_rules(seed, players, list(EXPANSIONS)))
    rng = random.Random(seed)
    game = Game(rules, seed=seed)
    while not game.over:
        game.apply(rng.choice(game.legal_texts()))
        position = game.position()
        assert Game.from_position(position).position() == position


def games_that_look_through_the_deck(players, wanted=6):
    """Games of all expansions in which a player is looking through the deck, in closed talk."""
    rng = random.Random(players)
    rules = RuleSet(players=players, expansions=list(EXPANSIONS), denizens=8)
    for seed in range(4000):
        game = Game(rules, seed=seed, talk="closed")
        while not game.over and wanted:
            if game.phase in ("happy_search", "premonition_keys"):
                wanted -= 1
                yield game
            game.apply(rng.choice(game.legal_texts()))
        if not wanted:
            return


@pytest.mark.parametrize("players", [1, 2])
def test_who_looks_through_the_deck_knows_what_lies_elsewhere(players):
    looked = 0
    for game in games_that_look_through_the_deck(players):
        looked += 1
        for seed in range(20):
            other = game.copy()
            other.determinize(game.player, seed)
            assert other.legal_texts() == game.legal_texts()
            first, second = (Counter(one.position()["deck"]) for one in (game, other))
            assert first == second
    assert looked == 6

# ruff: noqa: E501  (one refused position a line)
"""Positions and records: what is written reads back, and what cannot be is refused by name."""

import copy
import json
import random

import numpy as np
import pytest

from onirim_env import Game, IllegalAction, PositionError, RuleSet
from tests.engine.lockstep import random_rules
from tests.long import long_after

HAND = ["red key", "blue sun", "green sun", "brown sun", "blue moon"]


def solo(**fields):
    player = {name: fields.pop(name) for name in ("row", "hand", "doors", "public") if name in fields}
    return {"players": [{"hand": HAND, **player}], "deck": ["green moon", "red door", "nightmare"], **fields}


def co_op(hands=None, **fields):
    hands = hands or [["red sun", "red key", "blue moon"], ["green sun", "brown key", "green moon"]]
    position = {
        "rules": {"players": 2},
        "players": [{"hand": hand} for hand in hands],
        "shared": ["blue key", "brown sun"],
        "deck": ["red moon", "nightmare"],
    }
    return {**position, **fields}


def random_games(players, n_games, seed):
    rng = random.Random(seed)
    for number in range(n_games):
        game = Game(RuleSet(**random_rules(rng, players)), seed=number, talk="closed")
        while not game.over:
            yield game
            game.apply(rng.choice(game.legal_actions()))
        yield game


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("games", long_after(1, [10, 40]))
def test_a_position_reads_back_to_the_same_position_observation_and_choices(players, games):
    for game in random_games(players, games, seed=1):
        position = game.position()
        again = Game.from_position(json.loads(json.dumps(position)), talk="closed")
        assert again.position() == position
        assert again.legal_texts() == game.legal_texts()
        if position["phase"] not in ("prophecy_discard", "prophecy_order"):
            for player in range(players):
                assert np.array_equal(again.observation(player), game.observation(player))


def test_a_game_read_back_goes_on_with_the_same_cards_until_the_next_shuffle():
    for seed in range(200):
        game = Game(seed=seed)
        again = Game.from_position(game.position(), seed=99)
        for one in (game, again):
            one.apply(one.legal_texts()[-1])
        first, second = game.position(), again.position()
        for field in ("phase", "players", "revealed", "drawn", "limbo"):
            assert first[field] == second[field]


def test_reading_a_position_leaves_it_alone():
    position = solo(known=2)
    before = copy.deepcopy(position)
    Game.from_position(position).apply("discard blue sun")
    assert position == before


def test_cards_named_nowhere_are_discarded_under_a_given_deck_and_shuffled_in_without_one():
    assert len(Game.from_position(solo()).position()["discard"]) == 76 - 5 - 3
    position = {"players": [{"hand": HAND}], "deck_top": ["red door", "red door"]}
    first, second = (Game.from_position(position, seed=seed).position() for seed in (1, 2))
    assert first["deck"][:2] == second["deck"][:2] == ["red door", "red door"]
    assert len(first["deck"]) == 71 and first["deck"] != second["deck"]
    assert sorted(first["deck"]) == sorted(second["deck"]) and first["discard"] == []


def test_known_cards_are_seen_and_no_others():
    assert Game.from_position(solo(known=2)).describe()["top"] == {
        "place 1 green moon": 1,
        "place 2 red door": 1,
    }
    places = Game.from_position(co_op(known=[1, [1]]), talk="closed")
    assert list(places.describe(0)["top"]) == ["place 1 red moon"]
    assert list(places.describe(1)["top"]) == ["place 2 nightmare"]
    assert places.position()["known"] == [1, [1]]


def test_a_series_is_read_off_the_row():
    row = ["red sun", "red moon", "red sun", "red moon"]
    assert Game.from_position(solo(row=row)).describe()["series"] == {"red 1": 1}
    assert Game.from_position(solo(row=row[:3])).describe()["series"] == {}


def test_a_position_may_be_a_file(tmp_path):
    path = tmp_path / "position.json"
    path.write_text(json.dumps(solo()))
    assert Game.from_position(path).position() == Game.from_position(solo()).position()
    with pytest.raises(PositionError, match="no_such"):
        Game.from_position(str(tmp_path / "no_such.json"))
    path.write_text("{")
    with pytest.raises(PositionError, match="not JSON"):
        Game.from_position(path)


REFUSED = {
    "unknown field": ({**solo(), "hands": []}, "'hands'", "deck_top"),
    "unknown field of a player": ({**solo(), "players": [{"cards": []}]}, "players[0]", "'cards'"),
    "unknown phase": (solo(phase="dream"), "phase", "'dream'"),
    "phase of co-op": (solo(phase="swap", hand=HAND[:4]), "phase", "swap"),
    "unknown word": (solo(hand=["red star", *HAND[1:]]), "players[0].hand", "'red star'"),
    "a door in the hand": (solo(hand=["red door", *HAND[1:]]), "players[0].hand", "'red door'"),
    "a card too many": (solo(hand=["red key"] * 4 + ["red sun"]), "players[0].hand", "'red key'"),
    "a card too many across zones": (solo(deck=["red door"] * 2, doors=["red door"]), "deck", "'red door'"),
    "hand too large": (solo(hand=[*HAND, "red sun"]), "players[0].hand", "'red sun'"),
    "hand too small": (solo(hand=HAND[:3]), "players[0].hand", "3 cards"),
    "equal symbols side by side": (solo(row=["red sun", "blue sun"]), "players[0].row", "'blue sun'"),
    "limbo in phase 1": (solo(limbo=["red door"]), "limbo", "'red door'"),
    "limbo of Locations": (solo(limbo=["red sun"]), "limbo", "'red sun'"),
    "no drawn Door": (solo(phase="door", hand=HAND[:4]), "drawn", "Door"),
    "drawn Door without Key": (solo(phase="door", hand=HAND[:4], drawn="blue door"), "drawn", "'blue key'"),
    "drawn in another phase": (solo(drawn="red door"), "drawn", "'red door'"),
    "no drawn Nightmare": (solo(phase="nightmare", hand=HAND[:4]), "drawn", "nightmare"),
    "revealed in another phase": (solo(revealed=["red sun"]), "revealed", "'red sun'"),
    "nothing revealed": (solo(phase="prophecy_discard", hand=HAND[:4]), "revealed", "empty"),
    "too few revealed": (solo(phase="prophecy_discard", hand=HAND[:4], revealed=["red sun"]), "revealed", "1 cards"),
    "placed before the discard": (solo(phase="prophecy_discard", hand=HAND[:4], revealed=["red sun"], placed=["red sun"]), "placed", "'red sun'"),
    "known beyond the deck": (solo(known=4), "known", "4"),
    "known for too many players": (solo(known=[1, 1]), "known", "1 players"),
    "deck and deck_top": (solo(deck_top=["red sun"]), "deck_top", "deck"),
    "unknown rule": ({**solo(), "rules": {"colour": 1}}, "rules", "'colour'"),
    "unknown value of a rule": ({**solo(), "rules": {"draft": "none"}}, "rules", "'dealt'"),
    "all Doors but no victory": (solo(deck=[], doors=[f"{c} door" for c in ("red", "blue", "green", "brown")] * 2), "phase", "won"),
    "victory without Doors": (solo(phase="won"), "phase", "won"),
    "series phase without the option": (solo(phase="series", hand=HAND[:4]), "phase", "series_search"),
    "shared cards in solo": (solo(shared=["red sun"]), "shared", "'red sun'"),
    "player who does not exist": (solo(to_move=1), "to_move", "1"),
    "two players in a solo game": ({**solo(), "players": [{}, {}]}, "players", "list of 1"),
    "a word for a list": (solo(deck="red sun"), "deck", "'red sun'"),
    "partner's hand too small": (co_op(hands=[["red sun", "red key", "blue moon"], ["green sun"]]), "players[1].hand", "1 cards"),
    "too many shared": (co_op(shared=["blue key", "brown sun", "red moon"]), "shared", "'red moon'"),
    "public card not in the hand": ({**co_op(), "players": [{"hand": ["red sun", "red key", "blue moon"], "public": ["blue sun"]}, {"hand": ["green sun", "brown key", "green moon"]}]}, "players[0].public", "'blue sun'"),
    "swap without a card put up": (co_op(phase="swap_in", shared=["blue key"]), "swapping", "swap_in"),
    "a prophecy that follows no swap": (co_op(prophecy_follows=True), "prophecy_follows", "action"),
    "a second Door of a colour": ({**co_op(), "players": [{"hand": ["red sun", "red key", "blue moon"], "doors": ["red door"] * 2}, {"hand": ["green sun", "brown key", "green moon"]}]}, "players[0].doors", "'red door'"),
    "draft in solo": (solo(phase="draft"), "phase", "draft"),
    "no dict": ([], "dict", "list"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_position_that_cannot_be_is_refused_by_field_and_card(name):
    position, *words = REFUSED[name]
    with pytest.raises(PositionError) as error:
        Game.from_position(position)
    message = str(error.value)
    assert "\n" not in message
    for word in words:
        assert word in message


@pytest.mark.parametrize("players", [1, 2])
def test_a_record_replays_to_the_same_end(players):
    for game in random_games(players, 15, seed=2):
        if game.over:
            record = json.loads(json.dumps(game.record()))
            again = Game.from_record(record, talk="closed")
            assert again == game and again.record() == record
            assert record["result"] == {
                "won": False,
                "doors": game.doors,
                "cards_left": game.cards_left,
                "turns": game.turns,
            }


def test_a_record_from_a_position_replays():
    game = Game.from_position(solo(), seed=4)
    game.apply("discard blue sun")
    assert Game.from_record(game.record()) == game


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"actions": ["play blue key"]}, "actions[0]"),
        ({"actions": "play"}, "actions"),
        ({"seed": "seven"}, "seed"),
        ({"rules": {"players": 3}}, "rules"),
        ({"result": {"won": True}}, "result"),
        ({"moves": []}, "'moves'"),
    ],
)
def test_a_record_that_does_not_replay_is_refused_by_field(change, word):
    with pytest.raises(PositionError) as error:
        Game.from_record({**Game(seed=1).record(), **change})
    assert word in str(error.value)


@pytest.mark.parametrize("games", long_after(1, [2, 10]))
def test_an_illegal_action_changes_nothing_and_tells_what_is_legal(games):
    for game in random_games(1, games, seed=3):
        before = game.copy()
        for action in range(len(game.table)):
            if action not in game.legal_actions():
                with pytest.raises(IllegalAction) as error:
                    game.apply(action)
                assert game == before
                if not game.over:
                    assert all(text in str(error.value) for text in game.legal_texts())
        for nonsense in ("play red star", -1, len(game.table), 1.5, None):
            with pytest.raises(IllegalAction):
                game.apply(nonsense)
        assert game == before

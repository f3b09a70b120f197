"""Prophecies on short decks: whole ones against small decisions, and what the partner knows afterwards."""

from __future__ import annotations

import random

import pytest

from onirim_env import Game
from tests.engine.observation_lockstep import compare, placed, small_decisions
from tests.engine.short_decks import short_deck
from tests.model.game import PlainGame

WAYS = ("sequential", "permutation")


def begun(game):
    """Discard a Key, and swap nothing: the Prophecy is under way."""
    game.apply(next(text for text in game.legal_texts() if text.startswith("discard") and "key" in text))
    if game.phase == "swap":
        game.apply("no swap")
    return game


def stands(game):
    """All that goes on from here: the position, and the random numbers."""
    return {**game.position(), "rules": None}, int(game.state["rng"][0])


def ends_of(game, path=()):
    """The small decisions of a Prophecy that lead to its end, and where they lead."""
    if not game.phase.startswith("prophecy"):
        return {path: stands(game)}
    ends = {}
    for text in game.legal_texts():
        after = game.copy()
        after.apply(text)
        ends.update(ends_of(after, (*path, text)))
    return ends


def whole_ends_of(game, sequential):
    """The same of whole Prophecies, each under the small decisions that it stands for."""
    revealed = game.position()["revealed"]
    ends = {}
    for text in game.legal_texts():
        after = game.copy()
        after.apply(text)
        if text == "prophecy discard nothing":
            ends.update({(text, *path): end for path, end in ends_of(after).items()})
            continue
        small = small_decisions(text, revealed)
        path = next(
            (tuple(small[:n]) for n in range(1, len(small) + 1) if tuple(small[:n]) in sequential), text
        )
        assert path not in ends, f"{text} is listed although another one does the same"
        ends[path] = stands(after)
    return ends


@pytest.mark.parametrize("players", [1, 2])
@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
@pytest.mark.parametrize("prophecy_door", ["lost", "protected"])
@pytest.mark.parametrize("prophecy_discard", ["mandatory", "optional"])
def test_whole_prophecies_are_the_sequences_of_small_decisions(
    prophecy_discard, prophecy_door, size, players
):
    options = {"players": players, "prophecy_door": prophecy_door, "prophecy_discard": prophecy_discard}
    for seed in range(4):
        model = short_deck(random.Random(seed), options, size)
        games = [begun(placed(model, {**options, "prophecy_actions": way}, seed)) for way in WAYS]
        sequential = ends_of(games[0])
        assert whole_ends_of(games[1], sequential) == sequential


@pytest.mark.parametrize("prophecy_door", ["lost", "protected"])
def test_a_protected_door_is_discarded_by_no_whole_prophecy_unless_all_are_doors(prophecy_door):
    position = {
        "rules": {"prophecy_door": prophecy_door, "prophecy_actions": "permutation"},
        "players": [{"hand": ["red key", "blue sun", "green sun", "brown sun", "blue sun"]}],
        "deck": ["green moon", "red door", "nightmare", "blue moon", "brown moon", "green key"],
    }
    texts = begun(Game.from_position(position)).legal_texts()
    assert len(texts) == (120 if prophecy_door == "lost" else 96)
    of_doors = [text for text in texts if text.startswith("prophecy discard place 2 ")]
    assert len(of_doors) == (24 if prophecy_door == "lost" else 0)
    position["deck"] = ["red door", "blue door", "green door"]
    assert len(begun(Game.from_position(position)).legal_texts()) == 6


TWO, THREE = ["red sun", "blue moon"], ["red sun", "blue moon", "green sun"]
KNOWN_AFTERWARDS = [
    ("the card put back alone was known", {}, TWO, [1], ["discard red sun"], ["blue moon"], {}),
    ("the card put back alone was not known", {}, TWO, [1], ["discard blue moon"], [], {}),
    ("of two alike the known one leaves", {}, ["red sun"] * 2, [0], ["discard red sun"], [], {}),
    ("also where it is the second", {}, ["red sun"] * 2, [1], ["discard red sun"], [], {}),
    ("of two alike both were known", {}, ["red sun"] * 2, [0, 1], ["discard red sun"], ["red sun"], {}),
    (
        "the order of two that are put back is not known", {}, THREE, [0, 1, 2],
        ["discard green sun", "place blue moon"], [], {"place 1 red sun": 1},
    ),
    (
        "nor that of two alike", {}, ["red sun", "red sun", "green sun"], [0, 1, 2],
        ["discard green sun"], [], {"place 1 red sun": 1},
    ),
    (
        "nor that of all, where nothing is discarded", {"prophecy_discard": "optional"}, TWO, [0, 1],
        ["discard nothing", "place blue moon"], [], {"place 1 red sun": 1},
    ),
]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "deck", "known", "decisions", "partner_knows", "player_knows"),
    [case[1:] for case in KNOWN_AFTERWARDS],
    ids=[case[0] for case in KNOWN_AFTERWARDS],
)
def test_what_a_prophecy_leaves_of_the_partners_knowledge(
    options, deck, known, decisions, partner_knows, player_knows
):
    """In closed talk, in the engine and in the plain model. The first card put back is drawn at once."""
    rules = {"players": 2, **options, "prophecy_actions": "sequential"}
    position = {
        "rules": rules,
        "players": [{"hand": ["red key", "brown sun", "brown sun"]}, {"hand": ["blue sun"] * 3}],
        "shared": ["green key", "brown moon"], "deck": deck, "known": [[], known],
    }  # fmt: skip
    model = PlainGame(position)
    game = placed(model, rules, 0)
    for text in ("discard red key", "no swap", *(f"prophecy {decision}" for decision in decisions)):
        model.apply(text)
        game.apply(text)
        compare(model, game)
    assert game.phase == "action" and game.player == 1
    assert sorted(game.describe(1)["partner_hand"]) == partner_knows == model.knowledge(1)["partner"]
    assert game.describe(1)["top"] == {} and game.describe(0)["top"] == player_knows

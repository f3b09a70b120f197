"""Dealing hidden cards anew: in every phase, for both players, each way equally likely."""

from __future__ import annotations

import copy
import itertools
import random
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from onirim_env import RuleSet
from onirim_env.batch import GameBatch
from onirim_env.expansions.oniverse import DENIZENS
from onirim_env.rules import EXPANSIONS
from tests.engine.expansion_lockstep import some_rules
from tests.engine.loose_positions import loose_game
from tests.engine.observation_lockstep import dealt, placed
from tests.engine.random_sets import check_cards
from tests.engine.test_expansion_model import late
from tests.model.expansions.action_texts import all_texts
from tests.model.expansions.cards import fills_hand

LEAST_P = 1e-4
MORE_LIKELY = (
    *("play", "place", "search", "open", "take", "rally", "spell", "pay", "cyclobot", "store", "happy"),
)
PER_PHASE = 6


def games_of_every_phase(players):
    """Some games at each phase that games with all expansions have, in closed talk."""
    found = Counter()
    wanted = {*all_texts({"players": players, "expansions": list(EXPANSIONS)})}
    for seed in range(400):
        rng = random.Random(seed)
        rules = {**some_rules(seed, players, list(EXPANSIONS)), "prophecy_actions": "sequential"}
        model = dealt(rng, rules)
        game = placed(late(model, rng) if seed % 4 else model, rules, seed)
        while not game.over:
            if found[game.phase] < PER_PHASE and rng.random() < 0.5:
                found[game.phase] += 1
                yield game
            texts = game.legal_texts()
            leanings = [text for text in texts if text.startswith(MORE_LIKELY)]
            game.apply(rng.choice(leanings if leanings and rng.random() < 0.5 else texts))
        if all(found[phase] >= PER_PHASE for phase in wanted):
            return
    raise AssertionError(f"not met often enough: { {phase: found[phase] for phase in wanted} }")


@pytest.mark.parametrize("players", [1, 2])
def test_in_every_phase_of_every_expansion_the_player_sees_the_same_world_dealt_anew(players):
    changed = 0
    for game in games_of_every_phase(players):
        for player, seed in itertools.product(range(players), range(4)):
            other = game.copy()
            other.determinize(player, seed)
            assert np.array_equal(other.observation(player), game.observation(player)), game.phase
            if player == game.player:
                assert other.legal_texts() == game.legal_texts(), game.phase
            check_cards(other)
            changed += other.position() != game.position()
            rng = random.Random(seed)
            for _ in range(10):
                if not other.over:
                    texts = other.legal_texts()
                    if not texts and player != game.player:
                        break  # who waits is dealt worlds in which the other's phase might ask nothing
                    other.apply(rng.choice(texts))
            check_cards(other)
    assert changed > 500


CO_OP = {
    "rules": {"players": 2, "expansions": ["towers", "oniverse", "premonitions", "dreamcatchers"]},
    "players": [
        {"hand": ["red sun", "red moon", "red tower 3"], "public": ["red sun", "red moon"]},
        {"hand": ["blue sun", "blue moon", "blue key"], "public": ["blue moon", "blue key"]},
    ],
    "shared": ["green sun", "green key"],
    "premonitions": ["red2"], "premonition_reserve": ["blue2", "doors3"],
}  # fmt: skip
OF_PLAYER_1 = ("hand", 1, 0)
"""The one card of player 1's hand that player 0 does not know; likewise of player 0's hand."""
OF_PLAYER_0 = ("hand", 0, 2)
BASE = {
    "rules": {"players": 2},
    "players": [
        {"hand": ["red sun", "red sun", "red moon"], "public": ["red sun", "red sun"]},
        {"hand": ["blue sun", "blue moon", "blue key"], "public": ["blue key"]},
    ],
    "shared": ["green sun", "green key"], "deck": ["brown sun", "nightmare", "red door"],
}  # fmt: skip
PROPHECY = {
    "phase": "prophecy_discard", "revealed": ["brown sun", "nightmare", "red door"], "deck": [],
    "shared": ["green sun"],
}  # fmt: skip
DECK_OF_TWO = [("deck", 0), ("deck", 1)]
LOOKING = {"phase": "look_order", "revealed": ["red moon", "nightmare"], "deck": ["green moon", "red door"]}
FOUND = {
    "phase": "free", "fetched": "brown moon", "deck": ["green moon", "red door"],
    "dreamcatchers": [["lost dream"], [], [], []],
}  # fmt: skip
KEYS = {
    "premonition_reserve": ["doors3"],
    "phase": "premonition_keys", "premonition_keys": 2, "deck": ["green key", "brown key", "mirror"],
    "unused_denizens": ["architect"],
}  # fmt: skip
SEARCHING = {
    "phase": "happy_search",
    "deck": ["green key", "nightmare", "mirror"],
    "unused_denizens": ["architect"],
}
TAKING = {"phase": "cyclobot_take", "given": "red tower 3", "deck": ["green moon", "red door"]}
KNOWN = {
    "deck": ["nightmare", "brown sun", "red door", "green moon"], "known": [1, 2], "known_bottom": [1, 0],
}  # fmt: skip
DENIZENS_REMOVED = {"deck": ["mirror", "nightmare", "brown sun"], "unused_denizens": ["architect"]}
WORLDS = {
    "the hand and the deck": (
        BASE, 0, [OF_PLAYER_1, ("hand", 1, 1), ("deck", 0), ("deck", 1), ("deck", 2)],
    ),
    "the prophecy of the partner": (
        {**BASE, **PROPHECY}, 1, [OF_PLAYER_0, ("revealed", 0), ("revealed", 1), ("revealed", 2)],
    ),
    "the hand, the deck and the Denizens removed": (
        DENIZENS_REMOVED, 0, [OF_PLAYER_1, ("unused", 0), ("deck", 0), ("deck", 1), ("deck", 2)],
    ),
    "the deck but for known cards": (KNOWN, 0, [OF_PLAYER_1, ("deck", 1), ("deck", 2)]),
    "what the partner looks at": (
        LOOKING, 1, [OF_PLAYER_0, ("revealed", 0), ("revealed", 1), *DECK_OF_TWO],
    ),
    "nothing of what the player looks at": (LOOKING, 0, [OF_PLAYER_1, *DECK_OF_TWO]),
    "what the partner has found": (FOUND, 1, [OF_PLAYER_0, ("fetched",), *DECK_OF_TWO]),
    "nothing of what the player has found": (FOUND, 0, [OF_PLAYER_1, *DECK_OF_TWO]),
    "the deck alone for who looks for Keys": (KEYS, 0, [("deck", 0), ("deck", 1), ("deck", 2)]),
    "more for the partner of who looks for Keys": (
        KEYS, 1, [OF_PLAYER_0, ("unused", 0), ("deck", 0), ("deck", 1), ("deck", 2)],
    ),
    "the deck alone for who searches it": (SEARCHING, 0, [("deck", 0), ("deck", 1), ("deck", 2)]),
    "no card that a Cyclobot takes": (TAKING, 1, DECK_OF_TWO),
}  # fmt: skip


def at(position, slot):
    """The list and the index, or the field, at which a hidden card lies."""
    zone, *where = slot
    if zone == "hand":
        return position["players"][where[0]]["hand"], where[1]
    if zone == "fetched":
        return position, "fetched"
    return position["unused_denizens" if zone == "unused" else zone], where[0]


def world(position):
    """A position as far as it matters, without the order of what has none."""
    hands = tuple(tuple(sorted(player["hand"])) for player in position["players"])
    zones = tuple(tuple(position.get(zone, ())) for zone in ("deck", "placed", "premonition_reserve"))
    sets = tuple(tuple(sorted(position.get(zone, ()))) for zone in ("unused_denizens", "revealed"))
    return hands, zones, sets, position.get("fetched")


def fits(slot, card):
    """Whether a card can lie there: a hand holds what joins hands, and Denizens alone are removed."""
    return {"hand": fills_hand(card), "unused": card in DENIZENS}.get(slot[0], True)


def worlds_of(position, slots):
    """Every world that deals the hidden cards anew, with the number of ways that lead to it."""
    cards = [values[key] for values, key in (at(position, slot) for slot in slots)]
    found = Counter()
    for order in itertools.permutations(cards):
        if not all(map(fits, slots, order)):
            continue
        other = copy.deepcopy(position)
        for slot, card in zip(slots, order):
            values, key = at(other, slot)
            values[key] = card
        for reserve in itertools.permutations(position.get("premonition_reserve", ())):
            found[world({**other, "premonition_reserve": reserve})] += 1
    return found


@pytest.mark.parametrize(("fields", "player", "slots"), WORLDS.values(), ids=WORLDS)
def test_each_world_that_the_player_holds_possible_is_equally_likely(fields, player, slots):
    game = loose_game(fields if "rules" in fields else {**CO_OP, **fields}, talk="closed")
    expected = worlds_of(game.position(), slots)
    rounds = 60 * len(expected)
    found = Counter()
    for seed in range(rounds):
        other = game.copy()
        other.determinize(player, seed)
        found[world(other.position())] += 1
    assert set(found) == set(expected)
    share = rounds / expected.total()
    assert (
        len(found) < 4
        or stats.chisquare(
            [found[one] for one in expected], [ways * share for ways in expected.values()]
        ).pvalue
        > LEAST_P
    )


def removed_denizens(**options):
    batch = GameBatch(20_000, RuleSet(expansions=["oniverse"], **options))
    batch.deal(np.random.default_rng(0).integers(0, 2**64, len(batch), dtype=np.uint64))
    return batch.states["unused"]


def test_eight_of_the_sixteen_denizens_are_removed_each_as_often_as_any_other():
    unused = removed_denizens()
    assert (unused.sum(axis=1) == 8).all() and unused.min() >= 0 and unused.max() <= 2
    assert stats.chisquare(unused.sum(axis=0)).pvalue > LEAST_P
    # Of two alike among sixteen, none, one or both are among the eight: 3003, 6864 and 3003 of 12870 ways.
    ways = np.array([3003, 6864, 3003]) / 12870 * len(unused)
    for denizen in range(len(DENIZENS)):
        assert stats.chisquare(np.bincount(unused[:, denizen], minlength=3), ways).pvalue > LEAST_P
    assert removed_denizens(denizens=16).sum() == 0

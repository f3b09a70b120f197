"""What players may know: nothing leaks, and what is dealt anew is dealt fairly."""

import itertools
import random
from collections import Counter

import numpy as np
import pytest
from scipy import stats

from onirim_env import Game, RuleSet
from onirim_env.observation import observation_layout
from tests.engine.lockstep import all_cards, random_rules
from tests.long import long_after


def random_states(players, talk, n_games, seed=0):
    """Yield games at random moments, of every phase that random play meets."""
    rng = random.Random(seed)
    for number in range(n_games):
        rules = random_rules(rng, players)
        rules["prophecy_actions"] = rng.choice(("sequential", "permutation"))
        game = Game(RuleSet(**rules), seed=number, talk=talk)
        while not game.over:
            yield game
            game.apply(rng.choice(game.legal_actions()))


@pytest.mark.parametrize("games", long_after(1, [24, 120]))
@pytest.mark.parametrize(("players", "talk"), [(1, "open"), (2, "open"), (2, "closed")])
def test_games_that_differ_only_in_hidden_cards_look_alike(players, talk, games):
    phases, changed = Counter(), 0
    for index, game in enumerate(random_states(players, talk, games)):
        for player in range(players):
            other = game.copy()
            other.determinize(player, seed=index)
            assert np.array_equal(game.observation(player), other.observation(player))
            if player == game.player:
                assert np.array_equal(game.action_mask(), other.action_mask())
            assert all_cards(game.position()) == all_cards(other.position())
            changed += game.position()["deck"] != other.position()["deck"]
        phases[game.phase] += 1
    assert changed > 8 * games
    expected = {"action", "prophecy_discard", "prophecy_order", "door", "nightmare", "series"}
    if players == 2:
        expected |= {"draft", "swap", "swap_in"}
    assert expected <= set(phases)


@pytest.mark.parametrize("games", long_after(1, [15, 60]))
@pytest.mark.parametrize("talk", ["open", "closed"])
def test_hidden_cards_swapped_by_hand_do_not_show(talk, games):
    """The same without ``determinize``: two unseen cards of the deck change places, or one of them
    with a card of the partner's hand that nobody showed."""
    rng = random.Random(4)
    swapped = 0
    for game in random_states(2, talk, games, seed=5):
        if game.phase.startswith("prophecy"):
            continue
        position = game.position()
        player = rng.randrange(2)
        other = _with_hidden_cards_swapped(position, player, talk, rng)
        if other is None:
            continue
        twin = Game.from_position(other, talk=talk)
        assert np.array_equal(game.observation(player), twin.observation(player))
        swapped += 1
    assert swapped > 8 * games


def _with_hidden_cards_swapped(position, player, talk, rng):
    known = [set(range(one)) if isinstance(one, int) else set(one) for one in position["known"]]
    seen = known[player] if talk == "closed" else known[0] | known[1]
    places = [place for place in range(len(position["deck"])) if place not in seen]
    if len(places) < 2:
        return None
    first, second = rng.sample(places, 2)
    deck = position["deck"]
    partner = position["players"][1 - player]
    hidden = Counter(partner["hand"]) - Counter(partner["public"])
    locations = [place for place in places if deck[place].split()[-1] in ("sun", "moon", "key")]
    if talk == "closed" and hidden and locations and position["phase"] == "action":
        card, place = rng.choice(sorted(hidden)), rng.choice(locations)
        partner["hand"][partner["hand"].index(card)] = deck[place]
        deck[place] = card
    else:
        deck[first], deck[second] = deck[second], deck[first]
    return position


def test_determinize_deals_hidden_cards_uniformly():
    game = Game(seed=1)
    game.apply(game.legal_actions()[-1])
    counts, firsts = Counter(game.position()["deck"]), Counter()
    for seed in range(3000):
        other = game.copy()
        other.determinize(0, seed=seed)
        firsts[other.position()["deck"][0]] += 1
    total = sum(counts.values())
    kinds = sorted(counts)
    expected = [counts[kind] / total * 3000 for kind in kinds]
    assert stats.chisquare([firsts[kind] for kind in kinds], expected).pvalue > 1e-4


def test_determinize_gives_the_partner_any_hidden_location_in_closed_talk():
    position = {
        "rules": {"players": 2},
        "players": [
            {"hand": ["red sun"] * 3},
            {"hand": ["blue sun", "blue moon", "blue key"], "public": ["blue key"]},
        ],
        "shared": ["green sun", "green sun"],
        "deck": ["red door", "nightmare", "brown sun", "brown moon"],
    }  # fmt: skip
    game = Game.from_position(position, talk="closed")
    hands = Counter()
    for seed in range(3000):
        other = game.copy()
        other.determinize(0, seed=seed)
        hand = other.position()["players"][1]["hand"]
        assert hand.count("blue key") == 1
        hands.update(card for card in hand if card != "blue key")
    assert set(hands) == {"blue sun", "blue moon", "brown sun", "brown moon"}
    assert stats.chisquare(list(hands.values())).pvalue > 1e-4


def test_determinize_keeps_what_a_prophecy_showed():
    position = {
        "players": [{"hand": ["red key", "blue sun", "green sun", "brown sun", "blue sun"]}],
        "deck": ["nightmare", "red door", "green moon", "blue moon", "brown moon", "green key", "red sun"],
    }
    game = Game.from_position(position)
    game.apply("discard red key")
    for seed in range(50):
        other = game.copy()
        other.determinize(0, seed=seed)
        assert other.position()["revealed"] == position["deck"][:5]
        for text in (
            "prophecy discard nightmare",
            "prophecy place blue moon",
            "prophecy place red door",
            "prophecy place green moon",
        ):
            other.apply(text)
        other.determinize(0, seed=seed)
        assert other.position()["deck"][:3] == ["red door", "green moon", "brown moon"]


def test_an_open_hand_is_seen_in_open_talk_only():
    position = {
        "rules": {"players": 2},
        "players": [
            {"hand": ["red sun", "red sun", "red sun"]},
            {"hand": ["blue sun", "blue moon", "blue key"]},
        ],
        "shared": ["green sun", "green sun"],
        "deck": ["red door", "nightmare", "brown sun", "brown moon"],
    }
    hand = {"blue sun": 1, "blue moon": 1, "blue key": 1}
    assert Game.from_position(position, talk="open").describe(0)["partner_hand"] == hand
    closed = Game.from_position(position, talk="closed").describe(0)
    assert closed["partner_hand"] == {} and closed["partner_hidden"] == {"cards": 3}
    assert closed["unseen"]["blue key"] == 1


def test_the_layout_covers_the_vector_once_and_co_op_goes_on_from_solo():
    solo, co_op = observation_layout(RuleSet()), observation_layout(RuleSet(players=2))
    for layout in (solo, co_op):
        assert layout[0].start == 0
        assert all(before.stop == after.start for before, after in itertools.pairwise(layout))
    assert co_op[: len(solo)] == solo
    assert Game().observation().shape == (solo[-1].stop,)
    assert Game(RuleSet(players=2)).observation().shape == (co_op[-1].stop,)


def test_determinize_depends_on_the_players_knowledge_and_the_seed_alone():
    for index, game in enumerate(random_states(2, "closed", 20, seed=9)):
        player = index % 2
        first, second = game.copy(), game.copy()
        second.determinize(player, seed=1234)
        for one in (first, second):
            one.determinize(player, seed=index)
        assert first.position() == second.position()


def test_a_game_dealt_anew_does_not_tell_the_seed_it_was_dealt_from():
    game = Game(seed=77)
    game.determinize(0, seed=1)
    assert game._states["seed"][0] != Game(seed=77)._states["seed"][0]


@pytest.mark.parametrize(
    "other_origin",
    [
        lambda game: game.reseed(5),
        lambda game: game.determinize(0, seed=1),
        lambda game: Game.from_state(game.state, game.rules),
    ],
    ids=["reseed", "determinize", "from_state"],
)
def test_a_game_that_did_not_come_from_its_seed_alone_has_no_record(other_origin):
    """Nor have its copies, nor does it get one by what is played then."""
    game = Game(seed=77)
    game.apply(game.legal_actions()[0])
    assert game.record()["seed"] == 77
    game = other_origin(game) or game
    for one in (game, game.copy()):
        one.apply(one.legal_actions()[0])
        with pytest.raises(ValueError, match="no record"):
            one.record()

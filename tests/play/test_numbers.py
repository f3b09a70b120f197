"""Every number that the words of a decision state is the right one, for random positions of all games."""

import random
import re
from collections import Counter

import numpy as np
import pytest

from onirim_env import Game, RuleSet
from onirim_env.cards import KIND_NAMES, NIGHTMARE
from onirim_env.expansions import HAND_CARDS
from onirim_env.play.facts import Facts
from onirim_env.play.help import rules_text
from onirim_env.play.questions import ask
from onirim_env.play.refusals import why_refused
from onirim_env.play.session import Session
from onirim_env.play.table import discarded_text
from onirim_env.play.terminal import Terminal
from onirim_env.render.zones import doors_needed, is_location, kinds_of
from onirim_env.rules import EXPANSIONS


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """A game that is left is saved where one stands."""
    monkeypatch.chdir(tmp_path)


GAMES = {
    "solo": ({}, "open"),
    "options": ({"prophecy_discard": "optional", "series_search": "choice"}, "open"),
    "co-op": ({"players": 2}, "open"),
    "co-op, hidden hands": ({"players": 2, "draft": "dealt"}, "closed"),
    "all modules": ({"expansions": EXPANSIONS}, "open"),
    "towers": ({"expansions": ["towers", "crossroads"]}, "open"),
    "co-op, all modules": ({"players": 2, "expansions": EXPANSIONS}, "closed"),
}
REVEALS = ("prophecy_discard", "incantation", "look_order", "bottom_order", "look_discard")
SAMPLES = 300


def positions(name, seeds=3):
    """Give the positions of random games that rather look at the deck than not, by copies."""
    options, talk = GAMES[name]
    for seed in range(seeds):
        rng = random.Random(seed)
        game = Game(
            RuleSet(**{**options, "expansions": list(options.get("expansions", ()))}), seed, talk=talk
        )
        while not game.over:
            yield game.copy()
            texts = game.legal_texts()
            liked = [text for text in texts if text.startswith("discard") and text[-1] in "yh345"]
            liked += [text for text in texts if text.startswith(("open", "play"))]
            game.apply(rng.choice(liked if liked and rng.random() < 0.6 else texts))


def dealt_decks(game, rng):
    """Give decks that the game may have, as far as the player to move knows, each equally likely.

    A second way to deal hidden cards, by what a position says: a partner's hidden cards are any that a hand
    can hold, what lies at unknown places of the deck is in any order.
    """
    position, table = game.position(), Facts(game)
    known, deck, hidden = table.known_places, position["deck"], []
    if game.rules.players == 2 and game.talk == "closed":
        partner = position["players"][1 - game.player]
        hidden = list((Counter(partner["hand"]) - Counter(partner["public"])).elements())
    pool = [card for place, card in enumerate(deck) if place not in known] + hidden
    for _ in range(SAMPLES):
        left = list(pool)
        for card in rng.sample([card for card in left if card in HAND_CARDS], len(hidden)):
            left.remove(card)
        rng.shuffle(left)
        yield [card if place in known else left.pop() for place, card in enumerate(deck)]


def test_the_example_of_known_cards():
    """Two Locations known next, one Nightmare behind them: not the share of the whole deck."""
    session = Session(Game(seed=11))
    written = []
    answers = iter(["7", "4", "4", "3", "2", "q"])
    Terminal(session, ["play"], read=lambda _: next(answers), write=written.append, colour=False).run()
    assert "their Locations are discarded (4.5 on" in "\n".join(written)


@pytest.mark.parametrize("name", GAMES)
def test_the_expected_loss_is_the_mean_over_what_the_player_cannot_know(name):
    rng, compared = random.Random(0), 0
    for game in positions(name, 4):
        if game.phase != "nightmare" or "nightmare reveal five" not in game.legal_texts():
            continue
        [words] = [one.words for one in ask(game).choices if one.words.startswith("Lose the next")]
        stated = float(re.search(r"\(([\d.]+) on average", words)[1])
        losses = [sum(map(is_location, deck[:5])) for deck in dealt_decks(game, rng)]
        assert abs(stated - np.mean(losses)) < 0.06 + 4 * np.std(losses) / SAMPLES**0.5, words
        compared += 1
    assert compared >= 4


@pytest.mark.parametrize("name", ["solo", "options", "co-op"])
def test_the_expected_loss_is_that_of_determinized_games(name):
    """What is discarded when the way is taken, in games whose hidden cards are dealt anew."""
    compared = 0
    for game in positions(name, 2):
        if game.phase != "nightmare" or "nightmare reveal five" not in game.legal_texts():
            continue
        stated, losses = Facts(game).expected_locations(5), []
        for seed in range(SAMPLES):
            copy = game.copy()
            copy.determinize(game.player, seed)
            before = sum(map(is_location, copy.position()["discard"]))
            copy.apply("nightmare reveal five")
            losses.append(sum(map(is_location, copy.position()["discard"])) - before)
        assert abs(stated - np.mean(losses)) < 0.01 + 4.5 * np.std(losses) / SAMPLES**0.5
        compared += 1
    assert compared >= 3


def check_seen(game, action, stated):
    """So many cards are looked at after an action."""
    copy = game.copy()
    copy.apply(action)
    if copy.phase == "swap":
        copy.apply("no swap")
    if copy.phase in REVEALS:
        assert len(copy.position()["revealed"]) == stated
    else:
        assert len(set(game.position()["deck"][:stated])) <= 1  # equal cards leave no choice


def check_choice(game, action, words):
    """Compare the numbers in the words of a choice with what the choice does; return what was compared."""
    text, position = game.table.text(action), game.position()
    after = game.copy()
    after.apply(action)
    if match := re.search(r"(?:see|among|look at) the next (?:(\d+) )?cards?", words):
        check_seen(game, action, int(match[1] or 1))
        return "seen"
    if match := re.search(r"(\d) of 3 (\w+)", words):
        seen = after.describe(game.player)
        if "crossroads" not in game.rules.expansions and int(match[1]) < 3:
            assert seen["series"] == {f"{match[2]} {match[1]}": 1}
        return "series"
    if match := re.search(r"the deck holds (\d+|no) (\w+) Door", words):
        number = 0 if match[1] == "no" else int(match[1])
        assert [*position["deck"], *position["revealed"]].count(f"{match[2]} door") == number
        return "Doors of the deck"
    if match := re.search(r"back to the deck: (\d+) Doors? stays? in play", words):
        assert int(match[1]) == sum(len(one["doors"]) for one in after.position()["players"])
        return "Doors in play"
    if match := re.search(r"whole hand of (\d+)", words):
        own = position["players"][game.player]["hand"] + position["shared"]
        assert int(match[1]) == len(own)
        return "hand"
    if match := re.search(r"for (\d+) discarded cards", words):
        paid = len(after.position()["removed"]) - len(position["removed"])
        assert after.position()["to_pay"] + paid == int(match[1])
        return "price"
    if match := re.search(r"discard pile, which holds (\d+)", words):
        assert position["discard"].count(text.removeprefix("pay ")) == int(match[1])
        return "pile"
    return None


@pytest.mark.parametrize("name", GAMES)
def test_what_a_choice_says_in_numbers_is_what_it_does(name):
    compared = Counter()
    for game in positions(name):
        copy = game.copy()
        copy.determinize(game.player, 5)  # what is said holds whatever is hidden
        for one in (game, copy):
            for choice in ask(one).choices:
                compared[check_choice(one, choice.action, choice.words)] += 1
    assert compared["seen"] and compared["series"] and compared["hand"]


@pytest.mark.parametrize("name", GAMES)
def test_what_is_said_does_not_depend_on_hidden_cards(name):
    for game in positions(name, 2):
        copy = game.copy()
        copy.determinize(game.player, 7)
        if copy.legal_actions() == game.legal_actions() and game.position()["revealed"] == []:
            assert ask(copy) == ask(game)


@pytest.mark.parametrize("name", GAMES)
def test_questions_state_the_right_numbers(name):
    for game in positions(name):
        text, position = ask(game).text, game.position()
        if match := re.search(r"It holds (\d+)", text):
            colour = re.search(r"search the deck for a (\w+) Door", text, re.IGNORECASE)[1]
            assert position["deck"].count(f"{colour} door") == int(match[1])
        if match := re.search(r"you have (\d) of (\d) of them", text):
            own = position["players"][game.player]["doors"]
            assert own.count(position["drawn"]) == int(match[1]) <= int(match[2]) == 2 // game.rules.players
        if match := re.search(r"(\d+) of (\d+) cards still to pay", text):
            assert position["to_pay"] == int(match[1]) <= int(match[2])
        if match := re.search(r"Pick card (\d) of 3", text):
            assert len(position["players"][game.player]["hand"]) == int(match[1]) - 1
        for word, number in re.findall(r"(\w+) of (\d+)", discarded_text(game)):
            assert int(word) <= int(number)


@pytest.mark.parametrize("name", GAMES)
def test_help_counts_the_cards_of_the_game(name):
    options, _ = GAMES[name]
    rules = RuleSet(**options)
    numbers = {8: "eight", 9: "nine", 12: "twelve", 13: "thirteen", 10: "ten"}
    text = " ".join(rules_text(rules).split())
    assert f"find its {numbers[doors_needed(rules)]} Doors" in text
    assert f"all {numbers[doors_needed(rules)]} Doors are in play" in text
    assert f"There are {numbers[kinds_of(rules)[KIND_NAMES[NIGHTMARE]]]} Nightmares" in text


@pytest.mark.parametrize("name", ["all modules", "co-op, all modules"])
def test_only_leaving_the_deck_does_not_shuffle_it(name):
    """Known cards on top are known no more after any other way."""
    asked = Counter()
    for game in positions(name, 12):
        if game.phase != "series":
            continue
        assert "shuffle" in ask(game).text
        known = Facts(game).known_places
        for text in game.legal_texts() if known else ():
            after = game.copy()
            after.apply(text)
            if after.phase == "free":  # a question that comes before the shuffle
                after.apply("free none")
            asked[text == "pass"] += 1
            left = Facts(after).known_places if after.player == game.player else frozenset()
            drawn = len(game.position()["deck"]) - len(after.position()["deck"])
            assert len(left) >= len(known) - drawn if text == "pass" and left else not left
    assert asked[False]


@pytest.mark.parametrize("name", GAMES)
def test_an_action_that_is_refused_is_refused_with_a_true_reason(name):
    rng, reasons = random.Random(1), Counter()
    for game in positions(name, 2):
        position = game.position()
        legal = set(game.legal_texts())
        own = position["players"][game.player]
        for text in rng.sample(game.table.texts, 12):
            if text in legal or game.phase != "action":
                continue
            reason = why_refused(game, text)
            reasons[reason.split()[0]] += 1
            if match := re.fullmatch(r"your hand holds no (.+)", reason):
                assert match[1] not in own["hand"] and match[1] in text
            elif match := re.fullmatch(r"no (.+) is shared", reason):
                assert match[1] not in position["shared"]
            elif match := re.match(r"the row ends with a (\w+),", reason):
                assert own["row"][-1].endswith(match[1])
            elif match := re.search(r"the same: (place .+ right)$", reason):
                assert match[1] in legal
    assert reasons


def test_a_tower_that_is_placed_left_of_nothing_gets_a_reason():
    position = {"rules": {"expansions": ["towers"]}, "players": [{"hand": ["red tower 4", *4 * ["red sun"]]}]}
    session = Session(Game.from_position(position))
    written = []
    answers = iter(["place red tower 4 left", "play blue key", "place red tower 3 left", "q"])
    Terminal(session, ["play"], read=lambda _: next(answers), write=written.append, colour=False).run()
    printed = " ".join("\n".join(written).split())
    assert "left and right are the same: place red tower 4 right." in printed
    assert "play blue key cannot be done: your hand holds no blue key." in printed
    assert "place red tower 3 left cannot be done: your hand holds no red tower 3." in printed

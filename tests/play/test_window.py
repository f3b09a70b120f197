"""Playing in the window, from events of mouse and keyboard to the record of the game."""

import itertools
import json
import threading

import numpy as np
import pygame
import pytest

from onirim_env import Game, RuleSet
from onirim_env.play.session import Advice, Session
from onirim_env.play.sitting import Helpers
from tests.play.window_player import RIGHT, Person


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    Person.close_all()


def wanted(game, rng):
    """Return an action to take, rather playing, opening and foreseeing than not."""
    texts = game.legal_texts()
    liked = [text for text in texts if text.startswith(("play", "open", "nightmare")) or text.endswith("key")]
    return str(rng.choice(liked if liked and rng.random() < 0.7 else texts))


def prophecy_plan(game, rng):
    """Return a card to throw away and an order of the others, and the decisions that this means."""
    revealed = list(game.position()["revealed"])
    order = [str(card) for card in rng.permutation(revealed)]
    doors = [card for card in order if card.endswith("door")]
    order.sort(key=lambda card: card in doors)  # no Door is thrown away while there is another card
    thrown, rest = order[0], [str(card) for card in rng.permutation(order[1:])]
    copy, actions = game.copy(), []
    if game.rules.prophecy_actions == "permutation":
        for text in game.legal_texts():
            places = [int(word) - 1 for word in text.split() if word.isdigit()]
            if [revealed[place] for place in places if place < len(revealed)] == [thrown, *rest]:
                return thrown, rest, [text]
    actions.append(f"prophecy discard {thrown}")
    copy.apply(actions[0])
    for card in rest:
        if copy.phase == "prophecy_order":
            actions.append(f"prophecy place {card}")
            copy.apply(actions[-1])
    return thrown, rest, actions


GAMES = {
    "solo": ({}, "open"),
    "whole Prophecies": ({"prophecy_actions": "permutation"}, "open"),
    "solo options": ({"series_search": "choice", "prophecy_discard": "optional"}, "open"),
    "co-op": ({"players": 2}, "open"),
    "co-op, hidden hands": ({"players": 2}, "closed"),
}


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_mouse_is_the_one_that_was_meant(name):
    options, talk = GAMES[name]
    rng = np.random.default_rng(3)
    meant, phases = [], set()
    person = Person(Game(RuleSet(**options), seed=5, talk=talk))
    while not person.game.over:
        if person.desk.cover is not None:
            assert not person.scene.cards and not person.scene.choices
            person.click(person.button("uncover"))
            continue
        phases.add(person.game.phase)
        if person.game.phase == "prophecy_discard":
            thrown, order, actions = prophecy_plan(person.game, rng)
            person.order_by_drag(thrown, order)
            meant += actions
        else:
            meant.append(wanted(person.game, rng))
            person.choose_by_mouse(meant[-1])
        assert person.game.record()["actions"] == meant
    assert {"action", "prophecy_discard", "door", "nightmare"} <= phases
    assert any(button.name == "new_game" for button in person.scene.buttons)


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_by_keys_is_the_one_that_was_meant(name):
    options, talk = GAMES[name]
    rng = np.random.default_rng(7)
    meant, phases = [], set()
    person = Person(Game(RuleSet(**options), seed=1, talk=talk))
    while not person.game.over:
        if person.desk.cover is not None:
            person.key(pygame.K_RETURN)
            continue
        phases.add(person.game.phase)
        texts = person.game.legal_texts()
        text = wanted(person.game, rng)
        meant.append(text)
        number = texts.index(text) + 1
        if rng.random() < 0.5:
            person.type(str(number))
            if person.game.record()["actions"] != meant:  # a longer number could have been meant
                person.key(pygame.K_RETURN)
        else:
            for _ in range(min(number, len(texts) + 1 - number)):
                person.key(pygame.K_DOWN if number <= len(texts) + 1 - number else pygame.K_UP)
            person.key(pygame.K_RETURN)
        assert person.game.record()["actions"] == meant
    assert {"action", "prophecy_discard", "door", "nightmare"} <= phases


PROPHECY = {
    "phase": "prophecy_discard",
    "revealed": ["red sun", "nightmare", "red door", "blue moon", "green key"],
    "deck": ["red sun", "blue moon"],
    "players": [{"row": ["red sun"], "hand": ["red key", "blue sun", "brown sun", "brown key"]}],
}
ORDERED = [
    "prophecy discard nightmare",
    *(f"prophecy place {card}" for card in ("red door", "red sun", "blue moon")),
]


def test_a_prophecy_is_ordered_with_keys_alone():
    person = Person(Game.from_position(PROPHECY))
    person.key(pygame.K_RIGHT)
    person.key(pygame.K_RIGHT)
    person.key(pygame.K_d, "d")  # throws the nightmare away
    assert person.session.actions == []
    person.key(pygame.K_RIGHT)
    person.key(pygame.K_RIGHT)
    person.key(pygame.K_LEFT, mod=pygame.KMOD_SHIFT)  # the red Door comes first
    person.key(pygame.K_RETURN)
    assert person.session.actions == [*ORDERED, "prophecy place green key"][: len(person.session.actions)]
    assert person.session.actions[:4] == ORDERED


def test_a_prophecy_is_ordered_with_clicks_alone():
    person = Person(Game.from_position(PROPHECY))
    person.click(person.button("confirm_order"))
    assert person.session.actions == [] and "thrown away" in person.desk.message
    person.click(person.scene.revealed[1].rect)
    person.click(person.scene.thrown)
    person.click(person.scene.revealed[1].rect)
    person.click(person.scene.revealed[0].rect)
    person.click(person.button("confirm_order"))
    assert person.session.actions[:4] == ORDERED


def test_what_a_prophecy_throws_away_can_be_dragged_back():
    person = Person(Game.from_position(PROPHECY))
    person.drag(person.scene.revealed[4].rect, person.scene.thrown)
    person.drag(person.scene.revealed[0].rect, person.scene.thrown)
    assert person.desk.ordering.thrown == "red sun"
    assert person.desk.ordering.row == ["green key", "nightmare", "red door", "blue moon"]
    person.drag(person.scene.thrown, person.scene.revealed[0].rect)
    assert person.desk.ordering.thrown is None and sorted(person.desk.ordering.row) == sorted(
        PROPHECY["revealed"]
    )


def test_a_protected_door_is_not_thrown_away():
    position = {**PROPHECY, "rules": {"prophecy_door": "protected"}}
    person = Person(Game.from_position(position))
    person.drag(person.scene.revealed[2].rect, person.scene.thrown)
    assert person.desk.message == "The red door cannot be thrown away here."
    assert person.desk.ordering.row == PROPHECY["revealed"]


HAND = {
    "players": [{"row": ["red sun"], "hand": ["blue sun", "red moon", "red key", "green sun", "brown sun"]}]
}


def test_a_card_that_cannot_be_played_says_why_and_nothing_changes():
    person = Person(Game.from_position(HAND))
    before = person.game.copy()
    person.click(person.card("hand", "blue sun").rect)
    reason = "Two cards with the same symbol may not touch, and the row ends with a sun."
    assert person.desk.message == reason
    person.click(person.button("inert"))
    assert person.desk.message == reason and person.game == before and person.session.actions == []
    person.click(person.button("take", "discard blue sun"))
    assert person.session.actions == ["discard blue sun"]


@pytest.mark.parametrize(
    ("zone", "name", "answer"),
    [
        ("row", "red sun", "Choose a card of your hand, to play or to discard it."),
        ("deck", None, "Choose a card of your hand, to play or to discard it."),
        ("doors", "red door", "Choose a card of your hand, to play or to discard it."),
    ],
)
def test_clicks_on_other_cards_change_nothing(zone, name, answer):
    person = Person(Game.from_position(HAND))
    before = person.game.copy()
    person.click(person.card(zone, name).rect)
    assert person.desk.message == answer and person.game == before and not person.scene.menu


def test_only_the_key_of_a_door_opens_it():
    position = {"phase": "door", "drawn": "red door", "players": [{"hand": ["red key", "blue key"]}]}
    person = Person(Game.from_position(position))
    person.click(person.card("hand", "blue key").rect)
    assert person.desk.message == "Only the red key opens this Door." and person.session.actions == []
    person.click(person.card("drawn", "red door").rect)
    assert [button.action for button in person.scene.menu] == ["open door", "refuse door"]
    person.click(person.card("hand", "red key").rect)
    assert person.session.actions == ["open door"]


@pytest.mark.parametrize("way", ["right click", "shift", "discard mode"])
def test_a_card_is_discarded_at_once(way):
    person = Person(Game.from_position(HAND))
    card = person.card("hand", "red moon").rect
    if way == "right click":
        person.click(card, RIGHT)
    elif way == "shift":
        pygame.key.set_mods(pygame.KMOD_LSHIFT)
        person.click(card)
        pygame.key.set_mods(0)
    else:
        person.key(pygame.K_d, "d")
        person.click(card)
    assert person.session.actions == ["discard red moon"]


def test_pointing_at_a_card_tells_what_it_would_do():
    person = Person(Game.from_position(HAND))
    person.point(person.card("hand", "red moon").rect)
    assert person.app.mouse.words == "Play red moon: 2 of 3 red   /   Discard red moon"
    assert person.session.actions == []


def test_undo_takes_back_by_key_and_by_button():
    person = Person(Game(seed=7))
    start = person.game.copy()
    person.key(pygame.K_u, "u")
    assert person.desk.message == "There is no decision of yours to take back."
    person.type("1")
    assert person.game != start
    person.key(pygame.K_u, "u")
    assert person.game == start and person.desk.message == "Taken back."
    person.type("1")
    person.click(person.button("undo"))
    assert person.game == start


def test_a_game_saved_in_the_window_goes_on_from_its_file(tmp_path):
    person = Person(Game(seed=7))
    person.type("12")
    person.key(pygame.K_s, "s")
    assert person.desk.message == "Saved as onirim-7.json"
    person.type("1")
    person.click(person.button("save"))
    assert [path.name for path in tmp_path.iterdir()] == ["onirim-7.json"]
    loaded = Session.load(tmp_path / "onirim-7.json")
    assert loaded.game == person.game
    other = Person(loaded, loaded=tmp_path / "onirim-7.json")
    other.key(pygame.K_u, "u")
    assert len(other.session.actions) == len(person.session.actions) - 1


def close(person):
    person.post(pygame.QUIT)


def escape(person):
    person.key(pygame.K_ESCAPE)


def press_leave(person):
    person.click(person.button("leave"))


@pytest.mark.parametrize("leave", [close, escape, press_leave])
def test_leaving_keeps_the_game_and_says_how_to_go_on(leave, tmp_path):
    person = Person(Game(seed=7))
    person.type("1")
    leave(person)
    person.app.run()
    assert person.written == ["Saved. Go on with:\n  play --window --load onirim-7.json"]
    assert json.loads((tmp_path / "onirim-7.json").read_text())["actions"] == person.session.actions
    assert not pygame.display.get_init()


def test_nothing_runs_on_after_the_window_has_closed():
    before = set(threading.enumerate())
    person = Person(Game(seed=7))
    (worker,) = set(threading.enumerate()) - before
    close(person)
    person.app.run()
    worker.join(timeout=30)
    assert not worker.is_alive()


def test_ctrl_c_in_the_terminal_keeps_the_game(tmp_path, monkeypatch):
    person = Person(Game(seed=7))
    person.type("1")

    def interrupt(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(pygame.event, "wait", interrupt)
    with pytest.raises(KeyboardInterrupt):
        person.app.run()
    assert (tmp_path / "onirim-7.json").exists()


def test_the_end_offers_a_new_game_or_the_old_one_back():
    position = {"players": [{"hand": 5 * ["red sun"]}], "deck": []}
    person = Person(Game.from_position(position))
    person.key(pygame.K_n, "n")
    assert not person.game.over
    person.choose_in_list("discard red sun")
    assert person.game.over and any(words.text.startswith("You have lost") for words in person.scene.words)
    person.click(person.button("undo"))
    assert not person.game.over
    person.choose_in_list("discard red sun")
    person.click(person.button("new_game"))
    assert not person.game.over and person.session.actions == [] and person.desk.question is not None


def test_help_covers_the_table_until_the_next_key_or_click():
    person = Person(Game(seed=7))
    for key, text in ((pygame.K_F1, ""), (pygame.K_SLASH, "?")):
        person.key(key, text)
        assert any("eight Doors" in line for line in person.scene.veil)
        person.type("1")
        assert not person.scene.veil and person.session.actions == []
    person.click(person.button("help"))
    person.click(person.card("deck", None).rect)
    assert not person.scene.veil and person.desk.message == ""


def test_hints_in_the_window_say_what_they_rest_on():
    def advise(game):
        first, second, *_ = game.legal_actions()
        values, playouts = {first: 0.9, second: 0.75}, {first: 3, second: 1200}
        return Advice("tester", second, values, "win chance", playouts, "tester does not know this.")

    person = Person(Game(seed=7), helpers=Helpers(adviser=advise, always=True))
    person.wait_for_programs()
    words = [one.text for one in person.scene.words]
    assert "tester does not know this." in words
    assert any("with its win chance of each choice /number of playouts" in one for one in words)
    assert len(person.scene.choices) == len(person.game.legal_actions())
    bottom = person.scene.frame.decision.bottom
    assert all(one.y < bottom for one in person.scene.words if "tester" in one.text)


def test_a_hint_stands_beside_the_choices():
    def advise(game):
        return Advice("tester", game.legal_actions()[1], {game.legal_actions()[1]: 0.75}, "probability")

    person = Person(Game(seed=7), helpers=Helpers(adviser=advise))
    assert person.desk.advice is None
    person.key(pygame.K_h, "h")
    person.wait_for_programs()
    assert person.desk.advice.value_text(person.game.legal_actions()[1]) == "75 %"
    assert person.desk.message.startswith("tester would take 2: Play blue sun")
    always = Person(Game(seed=7), helpers=Helpers(adviser=advise, always=True))
    always.wait_for_programs()
    assert always.desk.advice is not None
    alone = Person(Game(seed=7))
    alone.key(pygame.K_h, "h")
    assert alone.desk.message.startswith("Nobody gives hints here")


@pytest.mark.parametrize("seat", [0, 1])
def test_a_partner_plays_its_seat_and_undo_goes_back_to_the_own_decision(seat):
    names = ["tester", "tester"]
    names[seat] = "you"
    helpers = Helpers(partner=lambda game: game.legal_actions()[-1])
    person = Person(Game(RuleSet(players=2), seed=3), helpers=helpers, humans={seat}, names=names)
    own = 0
    while not person.game.over:
        person.wait_for_programs()
        if not person.game.over:
            assert person.game.player == seat
            person.type("1")
            if person.desk.typed:
                person.key(pygame.K_RETURN)
            own += 1
    person.wait_for_programs()
    for _ in range(own):
        person.key(pygame.K_u, "u")
        assert person.game.player == seat
    assert len(person.session.actions) <= 1  # what the partner did before


def test_what_a_partner_thinks_after_an_undo_is_not_played():
    helpers = Helpers(partner=lambda game: game.legal_actions()[0])
    names = ["you", "tester"]
    person = Person(Game(RuleSet(players=2), seed=3), helpers=helpers, humans={0}, names=names)
    person.app.desk.take_choice(0)  # the partner thinks, and its move is not looked at yet
    assert person.desk.thinking == "partner"
    person.app.desk.undo()
    for _ in range(20):
        person.app.turn(10)
    assert person.session.actions == []


def test_an_error_of_a_partner_is_not_swallowed():
    def fail(game):
        raise ArithmeticError("no move")

    person = Person(
        Game(RuleSet(players=2), seed=3), helpers=Helpers(partner=fail), humans={1}, names=["tester", "you"]
    )
    with pytest.raises(ArithmeticError, match="no move"):
        person.wait_for_programs()


def test_the_cards_of_two_people_who_hide_them_are_never_shown_to_the_other():
    """Between them the window shows no card; what the own hand draws is told to its owner alone."""
    person = Person(Game(RuleSet(players=2, draft="dealt"), seed=7, talk="closed"))
    assert person.desk.cover == 0
    person.key(pygame.K_RETURN)
    person.choose_by_mouse(next(text for text in person.game.legal_texts() if text.startswith("play")))
    drawn = person.game.position()["players"][0]["hand"][-1]
    assert person.desk.cover == 1 and not person.scene.cards
    assert f"Drawn: {drawn}" in person.scene.veil
    person.key(pygame.K_RETURN)
    assert person.scene.veil[0] == "player 1, take a seat." and not person.scene.cards
    person.key(pygame.K_RETURN)
    hand = [one for one in person.scene.cards if one.zone == "hand" and one.player == 0]
    assert [one.name for one in hand].count(None) == 1 and drawn not in [one.name for one in hand]
    assert "Drawn: a hidden card" in person.desk.news


@pytest.mark.parametrize("talk", ["open", "closed"])
@pytest.mark.parametrize("players", [1, 2])
def test_the_window_tells_nothing_that_its_viewer_cannot_know(players, talk):
    changed = 0
    rng = np.random.default_rng(0)
    for seed in range(3):
        game = Game(RuleSet(players=players), seed=seed, talk=talk)
        while not game.over:
            shown = []
            other = game.copy()
            other.determinize(game.player, 5)
            changed += other != game
            for one in (game, other):
                person = Person(Session(one.copy(), {game.player}, ["one", "two"]))
                shown.append(pygame.surfarray.array3d(person.app.surface))
            assert np.array_equal(*shown)
            for _ in range(7):
                if not game.over:
                    game.apply(wanted(game, rng))
    assert changed > 8


@pytest.mark.parametrize("size", [(800, 600), (1280, 800), (600, 900)])
@pytest.mark.parametrize("name", GAMES)
def test_everything_is_in_the_window_and_no_choice_or_button_covers_another(name, size):
    options, talk = GAMES[name]
    rng = np.random.default_rng(1)
    for seed in range(1 if "prophecy_actions" in options else 2):
        person = Person(Game(RuleSet(**options), seed=seed, talk=talk), size)
        person.app._show = lambda: None
        while not person.game.over:
            while person.desk.cover is not None:
                person.desk.uncover()
            scene = person.app.painter.scene(person.desk)
            shown = [one.rect for one in (*scene.choices, *scene.buttons, *scene.revealed)]
            shown += [one.rect for one in scene.cards] + ([scene.thrown] if scene.thrown else [])
            for rect in shown:
                assert rect.x >= 0 and rect.y >= 0
                assert rect.right <= scene.frame.width and rect.bottom <= scene.frame.height
            for one, other in itertools.combinations(shown, 2):
                apart = one.right <= other.x or other.right <= one.x
                assert apart or one.bottom <= other.y or other.bottom <= one.y, (one, other)
            assert len(scene.choices) == len(person.desk.question.choices) or len(scene.choices) >= 2
            person.desk.take(wanted(person.game, rng))


def test_the_window_can_change_its_size():
    person = Person(Game(seed=7))
    before = person.scene.frame
    pygame.display.set_mode((1200, 700), pygame.RESIZABLE)
    person.post(pygame.VIDEORESIZE, size=(1200, 700), w=1200, h=700)
    assert person.scene.frame.width > before.width and person.app.painter.scale > 1.1
    person.choose_by_mouse("play red sun")
    assert person.session.actions == ["play red sun"]


def test_a_long_row_is_scrolled():
    row = ["red sun", "blue moon", "green key", "brown sun", "red moon", "blue key"] * 3
    person = Person(Game.from_position({"players": [{"row": row, "hand": ["red sun"] * 5}]}))
    assert [one.ordinal for one in person.scene.cards if one.zone == "row"][-1] == len(row) - 1
    person.point(person.card("row", "red moon").rect)
    for _ in range(20):
        person.post(pygame.MOUSEWHEEL, x=0, y=1, flipped=False)
    assert next(one.ordinal for one in person.scene.cards if one.zone == "row") == 0
    for _ in range(6):
        person.key(pygame.K_PAGEDOWN)
    assert [one.ordinal for one in person.scene.cards if one.zone == "row"][-1] == len(row) - 1


def test_nothing_is_drawn_while_nothing_happens():
    person = Person(Game(seed=7))
    drawn = []
    person.app._show = lambda: drawn.append(1)
    for _ in range(5):
        person.app.turn(1)
    person.point(person.scene.frame.footer._replace(width=20))
    assert drawn == []
    person.point(person.card("hand", "red sun").rect)
    assert drawn == [1]


def test_a_key_in_the_middle_of_a_drag_ends_it():
    person = Person(Game.from_position(PROPHECY))
    start, end = person.pixel(person.scene.revealed[4].rect), person.pixel(person.scene.thrown)
    person.post(pygame.MOUSEBUTTONDOWN, pos=start, button=1)
    person.post(pygame.MOUSEMOTION, pos=end, rel=(0, 0), buttons=(1, 0, 0))
    assert person.app.mouse.dragged == 4
    person.type("1")
    person.post(pygame.MOUSEBUTTONUP, pos=end, button=1)
    assert len(person.session.actions) == 1 and person.app.mouse.dragged is None


def test_a_window_may_be_very_small():
    person = Person(Game(seed=7), (60, 40))
    person.type("1")
    assert len(person.session.actions) == 1

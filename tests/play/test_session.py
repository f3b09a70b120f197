"""A session keeps its game's past, and tells each player what that player may know."""

import json

import numpy as np
import pytest

from onirim_env import Game, PositionError, RuleSet
from onirim_env.play.session import Session


def play_at_random(session, seed=0, most=10_000):
    rng = np.random.default_rng(seed)
    while not session.game.over and len(session.actions) < most:
        choices = session.question().choices
        session.take(choices[rng.integers(len(choices))].action)


@pytest.mark.parametrize("players", [1, 2])
def test_undo_gives_the_state_before(players):
    session = Session(Game(RuleSet(players=players), seed=5))
    states = []
    rng = np.random.default_rng(1)
    while not session.game.over:
        states.append(session.game.copy())
        session.take(int(rng.choice(session.game.legal_actions())))
    while states:
        assert session.undo()
        before = states.pop()
        assert session.game == before
        assert session.game.record() == before.record()
    assert not session.undo()


def test_undo_beside_a_partner_goes_back_to_the_own_decision():
    session = Session(Game(RuleSet(players=2, draft="dealt"), seed=5), humans={0}, names=("you", "rules"))
    session.take(session.game.legal_texts()[0])
    start = None
    while session.game.player == 0:
        session.take(session.game.legal_texts()[0])
    start = len(session.actions)
    session.take(session.game.legal_texts()[0])
    assert session.undo() and len(session.actions) < start and session.game.player == 0


def test_a_saved_game_goes_on_with_its_past(tmp_path):
    session = Session(Game(seed=9))
    play_at_random(session, most=25)
    session.save(tmp_path / "game.json")
    loaded = Session.load(tmp_path / "game.json")
    assert loaded.game == session.game and loaded.actions == session.actions
    assert loaded.news(0) == []
    assert loaded.undo() and session.undo() and loaded.game == session.game
    for one in (loaded, session):
        play_at_random(one, seed=4)
    assert loaded.game == session.game


def test_a_file_that_is_no_record_is_refused(tmp_path):
    file = tmp_path / "game.json"
    file.write_text(json.dumps({"moves": []}))
    with pytest.raises(PositionError, match="unknown field 'moves'"):
        Session.load(file)


def test_people_who_hide_their_hands_are_told_what_each_may_know():
    session = Session(Game(RuleSet(players=2, draft="dealt"), seed=7, talk="closed"))
    session.take(next(text for text in session.game.legal_texts() if text.startswith("play")))
    drawn = session.game.position()["players"][0]["hand"][-1]
    assert session.closed
    assert any(line == f"Drawn: {drawn}" for line in session.news(0))
    assert any(line == "Drawn: a hidden card" for line in session.news(1))
    assert session.news(0) == session.news(1) == []


def test_people_who_talk_are_told_once():
    session = Session(Game(RuleSet(players=2, draft="dealt"), seed=5))
    session.take(session.game.legal_texts()[0])
    assert session.news(0) and not session.news(1)

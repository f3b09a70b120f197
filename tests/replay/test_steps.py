"""Steps say of a game what happened in it, and nothing that stays hidden."""

import json
from collections import Counter

import pytest

from onirim_env import Game, PositionError, RuleSet
from onirim_env.play.narration import tell
from onirim_env.play.questions import ask
from onirim_env.play.session import Advice
from onirim_env.render.zones import kinds_of
from onirim_env.replay.steps import Curve, games_of, replay_steps, scene
from tests.replay.conftest import opinions, play, rising_curve


def test_there_is_a_step_for_each_decision_and_one_for_the_end(finished):
    record = finished.record()
    steps = replay_steps(games_of(record, finished.talk))["steps"]
    assert len(steps) == len(record["actions"]) + 1
    assert [step["taken"] is None for step in steps] == [False] * len(record["actions"]) + [True]


def test_every_step_has_the_legal_choices_the_one_taken_and_what_it_led_to(finished):
    game = Game(finished.rules, finished.record()["seed"], talk=finished.talk)
    steps = replay_steps(games_of(finished.record(), finished.talk))["steps"]
    for step, action in zip(steps, finished.record()["actions"]):
        question = ask(game)
        assert step["question"] == question.text
        assert step["choices"] == [[choice.words] for choice in question.choices]
        assert len(step["choices"]) == len(game.legal_actions())
        assert game.legal_texts()[step["taken"]] == action
        assert (step["player"], step["turn"], step["doors"]) == (game.player, game.turns + 1, game.doors)
        before = game.copy()
        game.apply(action)
        names = [f"player {seat}" for seat in range(game.rules.players)]
        assert step["happened"] == tell(before, action, game, before.player, names)[1:]
    assert steps[-1]["choices"] == []


def test_every_card_is_somewhere_on_the_table(finished):
    for game in games_of(finished.record(), finished.talk):
        shown = scene(game)
        zones = [side[zone] for side in shown["players"] for zone in ("row", "hand", "doors")]
        zones += [shown[zone] for zone in ("shared", "drawn", "swapping", "limbo", "discard")]
        for zone in shown.get("expansions", []):
            if zone["label"].split()[0] not in ("goals", "known", "fetched"):
                zones += zone["groups"]
        hidden = len(game.position().get("unused_denizens", []))
        assert sum(map(len, zones)) + shown["deck"] + hidden == sum(kinds_of(game.rules).values())
        assert len(shown["revealed"]) + len(shown["placed"]) <= shown["deck"]


def test_the_order_of_the_deck_stays_hidden(finished):
    """What the player to move cannot know may be dealt anew, and the table stays the same."""
    for number, game in enumerate(games_of(finished.record(), finished.talk)[:-1]):
        other = game.copy()
        other.determinize(game.player, number)
        shown, dealt = scene(game), scene(other)
        if game.talk == "closed":  # The replay shows both hands, and so does not hide the partner's.
            for one in (shown, dealt):
                del one["players"][1 - game.player]["hand"], one["players"][1 - game.player]["hidden"]
        assert shown == dealt


def test_in_closed_talk_the_cards_that_the_partner_does_not_know_are_marked():
    games = games_of(play("co_op_closed").record(), "closed")
    marks = Counter()
    for game in games:
        for own, side in zip(game.position()["players"], scene(game)["players"]):
            assert len(side["hidden"]) == len(own["hand"])
            assert side["hidden"].count("0") == len(own["public"])
            marks.update(side["hidden"])
    assert marks["0"] > 0 and marks["1"] > 0
    assert all(
        side["hidden"] == "" for game in games_of(games[-1].record()) for side in scene(game)["players"]
    )


def test_a_running_series_is_counted():
    games = games_of(play("co_op_default").record())
    lengths = [side["series"] for game in games for side in scene(game)["players"]]
    assert {1, 2} <= set(lengths)
    for game in games:
        for own, side in zip(game.position()["players"], scene(game)["players"]):
            colours = {name.split()[0] for name in own["row"][len(own["row"]) - side["series"] :]}
            assert len(colours) == (side["series"] > 0)


def test_advice_stands_beside_the_choices():
    games = games_of(play("solo_default").record())
    replay = replay_steps(games, ["critic"], opinions(games), rising_curve(games))
    assert replay["unit"] == "probability" and replay["adviser"] == "critic"
    assert replay["title"] == "Onirim: critic, solo, seed 3"
    for step in replay["steps"][:-1]:
        bars = [bar for _, _, bar in step["choices"]]
        assert bars == sorted(bars)
        numbers = [float(value.removesuffix(" %")) for _, value, _ in step["choices"]]
        assert numbers == pytest.approx([100 * bar for bar in bars], abs=0.6)
        assert step["advised"] == len(bars) - 1
    assert len(replay["curve"]["values"]) == len(replay["steps"])


def test_bars_of_scores_reach_from_the_worst_to_the_best():
    game = Game(seed=1)
    values = {action: float(-place) for place, action in enumerate(game.legal_actions())}
    advice = Advice("critic", game.legal_actions()[0], values, "score")
    choices = replay_steps([game], advices=[advice])["steps"][0]["choices"]
    assert choices[0][1:] == ["+0.00", 1.0]
    assert choices[-1][2] == 0.0


def test_what_is_never_done_or_at_once_does_not_squeeze_the_other_bars():
    game = Game(seed=1)
    numbers = [-1000.0, -999.5, 2.0, 1.0, 0.0, 507.0]
    values = dict(zip(game.legal_actions(), numbers))
    advice = Advice("critic", game.legal_actions()[0], values, "score")
    shown = [choice[1:] for choice in replay_steps([game], advices=[advice])["steps"][0]["choices"]]
    words = [["never", 0.0], ["never", 0.0], ["+2.00", 1.0], ["+1.00", 0.5], ["+0.00", 0.0], ["at once", 1.0]]
    assert shown[: len(numbers)] == words


def test_without_advice_there_are_no_numbers_and_no_curve(finished):
    replay = replay_steps(games_of(finished.record(), finished.talk))
    assert (replay["curve"], replay["unit"], replay["adviser"]) == (None, None, None)


def test_a_game_under_way_ends_with_the_decision_that_waits():
    game = Game(seed=5)
    game.apply(game.legal_texts()[0])
    replay = replay_steps(games_of(game.record()))
    assert replay["won"] is None and "not over" in replay["result"]
    assert len(replay["steps"]) == 2
    assert len(replay["steps"][-1]["choices"]) == len(game.legal_actions())


def test_a_game_from_a_position_is_shown(tmp_path):
    position = {"players": [{"hand": ["red sun"] * 5}], "deck": ["blue sun"] * 8}
    file = tmp_path / "record.json"
    actions = ["play red sun", "discard blue sun"]
    file.write_text(json.dumps({"position": position, "seed": 1, "actions": actions}))
    assert [step["taken"] is not None for step in replay_steps(games_of(file))["steps"]] == [
        True,
        True,
        False,
    ]


def test_a_curve_has_a_value_for_each_step():
    with pytest.raises(ValueError, match="curve of 3 values for 1 steps"):
        replay_steps([Game(RuleSet(), 1)], curve=Curve("Chance", [0.1, 0.2, 0.3]))


def test_a_record_that_does_not_replay_is_refused():
    with pytest.raises(PositionError, match=r"actions\[0\]"):
        games_of({"seed": 1, "actions": ["play tricks"]})

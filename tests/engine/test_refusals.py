"""Why an action is not legal: a true reason for every one of the table, in every phase."""

import random
import re
from collections import Counter

import numpy as np
import pytest

from onirim_env import Game, IllegalAction, RuleSet
from onirim_env.env import OnirimEnv
from onirim_env.mixed import MixedBatch
from onirim_env.refusals import PHASES, REASONS, UNKNOWN, refusal
from onirim_env.rules import EXPANSIONS
from tests.engine.expansion_lockstep import some_rules
from tests.engine.lockstep import random_rules
from tests.engine.observation_lockstep import dealt, placed
from tests.engine.test_expansion_model import late
from tests.long import long_after

MORE_LIKELY = (
    "play",
    "place",
    "search",
    "open",
    "take",
    "rally",
    "spell",
    "pay",
    "cyclobot",
    "store",
    "happy",
)
DEAD_END = {
    "rules": {"expansions": ["crossroads"], "hard": ["crossroads"]},
    "players": [
        {"row": ["red sun"], "hand": ["dead end", "red sun", "blue moon", "crossroad sun", "blue key"]}
    ],
}  # fmt: skip
CASES = [
    ("play dead end", "a Dead End cannot be played (X-3)"),
    ("discard dead end", "a Dead End cannot be discarded (X-3)"),
    ("discard green sun", "your hand holds no green sun"),
    ("play red sun", "the row ends with a sun, and two cards with the same symbol may not touch (P-1)"),
    ("open door", "it is an action of phase door, and this is phase action"),
    ("place red tower 3 left", "no such action in this game"),
    ("fly", "no such action in this game"),
]


def games_at_random(players, expansions, n_games):
    for seed in range(n_games):
        rng = random.Random(seed)
        names = list(EXPANSIONS) if expansions else []
        rules = some_rules(seed, players, names) if names else random_rules(rng, players)
        rules["prophecy_actions"] = ("sequential", "permutation")[seed % 3 == 2]
        if names:
            model = dealt(rng, rules)
            game = placed(late(model, rng) if seed % 4 else model, rules, seed)
        else:
            game = Game(RuleSet(**rules), seed=seed)
        while not game.over:
            yield game, rng
            texts = game.legal_texts()
            leanings = [text for text in texts if text.startswith(MORE_LIKELY)]
            game.apply(rng.choice(leanings if leanings and rng.random() < 0.5 else texts))


@pytest.mark.parametrize(("players", "expansions"), [(1, False), (2, False), (1, True), (2, True)])
@pytest.mark.parametrize("games", long_after(1, [10, 30]))
def test_no_reason_is_given_against_what_is_legal(players, expansions, games):
    """Each reason is a condition, so that a wrong one would sooner or later speak against a legal action."""
    phases = Counter()
    for game, rng in games_at_random(players, expansions, games):
        phases[game.phase] += 1
        if phases[game.phase] > 150 and rng.random() < 0.9:
            continue
        for text in game.legal_texts():
            assert refusal(game.state, game.rules, text) == "", (text, game.position())
    assert len(phases) > (15 if expansions else 5)


@pytest.mark.parametrize(("players", "expansions"), [(1, False), (2, False), (1, True), (2, True)])
@pytest.mark.parametrize("games", long_after(1, [2, 12]))
def test_an_illegal_action_gets_one_true_line(players, expansions, games):
    reasons = Counter()
    for game, rng in games_at_random(players, expansions, games):
        position, legal = game.position(), set(game.legal_texts())
        own = position["players"][game.player]
        for text in rng.sample(game.table.texts, 10):
            if text in legal:
                continue
            reason = game.why_not(text)
            reasons[re.sub(r"[a-z]+ (sun|moon|key|door|glyph)|phase .*", "", reason)] += 1
            assert "\n" not in reason and reason != UNKNOWN
            if match := re.fullmatch(r"your hand holds no (.+)", reason):
                assert match[1] not in own["hand"]
            elif match := re.fullmatch(r"no (.+) is shared", reason):
                assert match[1] not in position["shared"]
            elif match := re.fullmatch(r"it is an action of phase (.+), and this is phase (.+)", reason):
                assert match[2] == game.phase not in match[1].split(" or ")
            with pytest.raises(IllegalAction, match=re.escape(reason) or None):
                game.copy().apply(text)
    assert sum(count for reason, count in reasons.items() if not reason) < sum(reasons.values()) / 20


@pytest.mark.parametrize(("text", "reason"), CASES)
def test_a_game_says_why_not_before_what_is_legal(text, reason):
    game = Game.from_position(DEAD_END)
    with pytest.raises(IllegalAction, match=re.escape(f"is not legal: {reason}; legal are: ")):
        game.apply(text)


def test_a_crossroad_in_another_than_the_second_place_is_told_so():
    game = Game.from_position(DEAD_END)
    game.apply("play blue moon")
    game.apply("play crossroad sun")
    assert "(X-7)" in Game.from_position(
        {**DEAD_END, "players": [{"row": [], "hand": DEAD_END["players"][0]["hand"]}]}
    ).why_not("play crossroad sun")


def test_environments_say_why_not():
    env = OnirimEnv(illegal_action="raise", layout="full")
    _, info = env.reset(seed=7)
    texts = env._batch.table.texts
    for text, reason in (("open door", "of phase door"), ("escape", UNKNOWN)):
        assert not info["action_mask"][texts.index(text)]
        with pytest.raises(IllegalAction, match=f"is not legal: .*{reason}.*; legal are: "):
            env.step(texts.index(text))


def test_a_mixed_batch_says_what_the_game_of_the_row_does_not_have():
    batch = MixedBatch(2, [RuleSet(), RuleSet(expansions=["crossroads"])], illegal_action="raise")
    batch.deal(np.arange(2, dtype=np.uint64), numbers=np.array([0, 1]))
    masks = batch.view()[1]
    actions = masks.argmax(axis=1)
    for text, row in (("escape", 0), ("place red tower 3 left", 1)):
        wrong = actions.copy()
        wrong[row] = batch.table.id(text)
        with pytest.raises(IllegalAction, match=f"'{text}' .* is not legal: {UNKNOWN}; legal are: "):
            batch.step(wrong)


def test_reasons_are_of_families_that_there_are():
    assert set(REASONS) <= set(PHASES)

"""Agents of Odin: what they look at, that they play legally, and how strong they are."""

import itertools
import random

import numpy as np
import pytest

from agents.__main__ import main
from agents.odin.base import OdinAgent
from agents.odin.compiled.hands import ROOM, fewest_sets, list_plays
from agents.odin.evaluation import IllegalDecision, evaluate_seats
from agents.odin.registry import load_odin_agent, odin_agents
from onirim_env import MaskedSampler
from onirim_env.compiling.compile import kernel
from onirim_env.odin import RuleSet
from onirim_env.odin.actions import FIRST_TAKE, action_table
from onirim_env.odin.batch import OdinBatch
from onirim_env.odin.cards import GOAT, N_CARDS, bits_of, cards_in, number_of
from onirim_env.odin.engine.state import PHASE_TAKE

EVERYBODY = pytest.mark.parametrize("name", ["random", "simple", "search[playouts=2]"])


@kernel
def fewest(hand, room):
    return fewest_sets(hand, room[0])


@kernel
def turns(states, room):
    return list_plays(states[0], room[0])


def is_set(cards):
    plain = [card for card in cards if card != GOAT]
    colours, numbers = {card // 9 for card in plain}, {number_of(card) for card in cards}
    return len(colours) <= 1 or (GOAT not in cards and len(numbers) == 1)


def fewest_by_trying(cards):
    """The least number of sets, by trying all first sets that hold the first card."""
    if not cards:
        return 0
    first, *rest = cards
    best = len(cards)
    for size in range(len(rest) + 1):
        for others in itertools.combinations(rest, size):
            if is_set([first, *others]):
                best = min(best, 1 + fewest_by_trying([card for card in rest if card not in others]))
    return best


def test_the_fewest_sets_of_a_hand_are_those_found_by_trying_all():
    rng = random.Random(3)
    room = np.zeros(1, dtype=ROOM)
    for _ in range(150):
        size = rng.randint(1, 6)
        hand = rng.sample(rng.sample(range(N_CARDS), 15) + [GOAT] * (rng.random() < 0.3), size)
        hand = list(dict.fromkeys(hand))
        assert fewest(np.uint64(bits_of(hand)), room) == fewest_by_trying(hand), hand


def test_the_turns_that_are_looked_at_are_the_legal_ones():
    rules = RuleSet(players=3, goat=True, play_actions="whole")
    table = action_table(rules)
    games = OdinBatch(40, rules)
    games.deal(np.arange(40, dtype=np.uint64))
    sampler, room = MaskedSampler(seed=0), np.zeros(1, dtype=ROOM)
    masks = games.view()[1]
    seen = 0
    for _ in range(150):
        for row in range(40):
            state = games.states[row : row + 1]
            if games.ended[row]:
                continue
            found = room[0]["plays"][: turns(state, room)]
            legal = {table.texts[action] for action in np.flatnonzero(masks[row])}
            if state["phase"][0] == PHASE_TAKE:
                texts = {table.texts[FIRST_TAKE + cards_in(play["taken"])[0]] for play in found
                         if cards_in(play["taken"])[0] != GOAT}  # fmt: skip
                assert texts == {text for text in legal if text != "take goat"}
                continue
            texts = {
                "play " + ", ".join(table.texts[card].removeprefix("play ") if card != GOAT else "goat"
                                    for card in cards_in(play["cards"])) if play["cards"] else "pass"
                for play in found
            }  # fmt: skip
            assert texts == legal
            seen += len(found)
        masks = games.step(sampler(masks), games.ended.copy())[1]
    assert seen > 10_000


@EVERYBODY
@pytest.mark.parametrize(
    "rules",
    [
        RuleSet(players=3, goat=True, episode="hand"),
        RuleSet(players=2, play_actions="whole", episode="hand"),
        RuleSet(players=6, all_out="forced", episode="hand"),
    ],
    ids=repr,
)
def test_it_plays_legally_under_every_kind_of_rules(name, rules):
    result = evaluate_seats(
        load_odin_agent(name, rules), load_odin_agent("simple", rules), range(6), progress=False
    )
    assert result.shares.shape == (6, rules.players) and (result.shares <= 1).all()
    assert result.decisions > 0


@EVERYBODY
def test_what_it_decides_does_not_depend_on_the_other_games(name):
    rules = RuleSet(episode="hand")

    def play(batch_size):
        agents = load_odin_agent(name, rules), load_odin_agent("simple", rules)
        return evaluate_seats(*agents, range(30, 50), batch_size=batch_size, progress=False).points.tolist()

    assert play(4) == play(1000)


def test_simple_beats_random_and_shares_with_itself():
    rules = RuleSet(players=4)
    simple = evaluate_seats(
        load_odin_agent("simple", rules), load_odin_agent("random", rules), range(40), progress=False
    )
    assert simple.interval()[0] > 0.9
    itself = evaluate_seats(
        load_odin_agent("simple", rules), load_odin_agent("simple", rules), range(200), progress=False
    )
    assert abs(itself.share - 0.25) < 0.04  # four times its error


@pytest.mark.long
@pytest.mark.parametrize(("players", "share"), [(2, 0.723), (4, 0.441)])
def test_the_search_is_as_strong_as_the_rules_say(players, share):
    """Section 9.2: 16 playouts among players of the simple policy."""
    rules = RuleSet(players=players)
    result = evaluate_seats(
        load_odin_agent("search[playouts=16]", rules), load_odin_agent("simple", rules), range(150),
        progress=False,
    )  # fmt: skip
    low, high = result.interval()
    assert low - 0.03 < share < high + 0.03
    assert low > 1 / players


def test_an_illegal_decision_names_the_agent_and_the_deal():
    class Passer(OdinAgent):
        name = "passer"

        def act(self, rows, observations, masks):
            return np.full(len(rows), 55, dtype=np.int64)

    with pytest.raises(IllegalDecision, match=r"agent passer: 'pass' is not legal in the deal of seed 7"):
        evaluate_seats(Passer(RuleSet()), load_odin_agent("simple"), [7], progress=False)


def test_commands_list_and_measure_them(capsys):
    assert main(["list", "--game", "odin"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(odin_agents())
    assert main(["evaluate", "simple", "random", "--game", "odin", "--players", "3", "--games", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith(
        "odin-3p-v1: 5 deals, each once in every seat among 2 of simple; fair is 0.333"
    )
    assert lines[2].split()[:2] == ["simple", "15"] and lines[3].split()[0] == "random"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["clever"], "no agent 'clever' of Odin; agents are random, search, simple"),
        (["simple", "--players", "1"], "--players cannot be 1; Odin is for 2 to 6"),
        (["search[playouts=0]"], "playouts and candidates are 1 at least, not 0 and 8"),
        (["simple", "--games", "0"], "the number of games must be at least 1, not 0"),
    ],
)
def test_bad_input_gets_one_line(arguments, message, capsys):
    assert main(["evaluate", *arguments, "--game", "odin"]) == 2
    assert message in capsys.readouterr().err


def test_simple_plays_the_other_seats_of_an_environment():
    import gymnasium as gym

    shares = {}
    for opponents in ("random", "agents.odin.opponents:simple"):
        envs = gym.make_vec(
            "Odin-v0", num_envs=256, vectorization_mode="vector_entry_point", players=2, seats=0,
            opponents=opponents, episode="hand",
        )  # fmt: skip
        sampler = MaskedSampler(seed=0)
        _, infos = envs.reset(seed=1)
        games = wins = 0
        for _ in range(150):
            _, _, ended, _, infos = envs.step(sampler(infos["action_mask"]))
            games += ended.sum()
            wins += (ended & infos["won"]).sum() if ended.any() else 0
        shares[opponents] = wins / games
    assert 0.45 < shares["random"] < 0.55 and shares["agents.odin.opponents:simple"] < 0.1


def test_opponents_that_are_none_are_refused():
    from onirim_env.odin.env import OdinEnv

    for opponents in ("clever", "agents.odin.opponents:clever", "no.such.module:simple", 5):
        with pytest.raises(ValueError, match="opponents cannot be"):
            OdinEnv(seats=0, opponents=opponents)
    with pytest.raises(ValueError, match="seats cannot be 2; allowed are 'all' and the seats 0 to 1"):
        OdinEnv(seats=2)

"""Games that are prolonged: by a player who puts the end off, and by cards that lie as he would like."""

from __future__ import annotations

import argparse
import random

import numpy as np

from onirim_env import Game, RuleSet, max_decisions
from onirim_env.batch import GameBatch
from onirim_env.cards import REVEAL_SIZE
from onirim_env.expansions import names_of
from onirim_env.expansions.form import Group
from tests.engine.expansion_lockstep import all_sets
from tests.engine.random_sets import rules_of

WORTH = {
    # beside the turn
    "spell paradoxical": 90, "spell parallel": 89, "squirrel spies": 88, "harpoon hunter": 88, "cyclobot": 87,
    "treasure keeper": 86, "hammer bird": 85, "failsafe": 84, "architect": 83,
    # of the turn: what brings further decisions, and no whole hand
    "place": 60, "escape": 0, "swap out": 70, "no swap": 10,
    # what is met
    "refuse door": 80, "refuse denizen": 30, "rally": 50, "mirror": 80, "nightmare return": 70,
    "nightmare discard": 50, "nightmare reveal": 60, "nightmare hand": 5, "spell powerful": 45,
    "false destruction": 80, "lose": 10, "happy look": 60, "happy search": 40, "remove premonition": 30,
    # what is looked at
    "prophecy discard nothing": 70, "prophecy discard nightmare": 60, "incantation take nothing": 60,
    "look done": 50, "search": 50, "pass": 30,
}  # fmt: skip
"""How much a stalling player likes actions, by the beginning of their texts; all others ``USUAL``."""
USUAL = 40
SHOWING = ("key", "glyph", "tower 5", "tower 4")
"""Discards of these cards show others, which then are put back one by one."""
LOCATIONS, KEYS = set(names_of(Group.LOCATIONS)), set(names_of(Group.KEYS))


def worth_of(text: str) -> float:
    """Return how much a stalling player likes an action."""
    if text.startswith(("prophecy discard", "look discard")) and text.endswith("door"):
        return 1.0  # it may end the game (O-10)
    found = [begin for begin in WORTH if text.startswith(begin)]
    if found:
        return WORTH[max(found, key=len)]
    if text.startswith("discard"):
        return USUAL + (10 if text.endswith(SHOWING) else 5)
    return USUAL


def stalling_games(rules: RuleSet, stalling: int, others: int, seed: int) -> np.ndarray:
    """Play games side by side and return the decisions of each.

    Parameters
    ----------
    rules
        The rule set.
    stalling, others
        How many games are prolonged, and how many are played at random.
    seed
        Decides cards and picks.
    """
    size = stalling + others
    batch = GameBatch(size, rules, illegal_action="raise")
    batch.deal(np.arange(size, dtype=np.uint64) + np.uint64(seed << 16))
    rng = np.random.default_rng(seed)
    # Each game has a liking of its own: what prolongs a game differs from set to set.
    likes = np.array([worth_of(text) for text in batch.table.texts]) + rng.normal(
        0, 12, (size, len(batch.table))
    )
    likes[stalling:] = 0
    lengths = np.zeros(size, dtype=np.int64)
    playing = np.ones(size, dtype=bool)
    _, masks = batch.view()
    while playing.any():
        picks = likes + rng.random(likes.shape)
        actions = np.where(masks != 0, picks, -np.inf).argmax(axis=1)
        _, masks, _ = batch.step(actions)
        lengths += playing
        playing &= ~batch.ended
        if batch.n_ended:  # another game takes the place, but counts no more
            batch.deal_next(batch.ended.copy())
            _, masks = batch.view()
    return lengths


def with_luck(position: dict, returning: bool) -> dict:
    """Return a position with the deck as one who stalls would like it to lie; any order may come up.

    Doors lie on top, to be refused; then, where Nightmares come back, some of them, each on five cards that
    it puts into Limbo; then Keys, other cards of the hand, and what is left.
    """
    doors, nightmares, keys, hand, others = groups = [], [], [], [], []
    for card in position["deck"]:
        kinds = (card.endswith("door"), card == "nightmare", card in KEYS, card in LOCATIONS, True)
        groups[kinds.index(True)].append(card)
    begin = []
    if returning:
        others += nightmares[::2]
        nightmares = nightmares[1::2]
        while nightmares and len(others) >= REVEAL_SIZE:
            begin += [nightmares.pop(), *others[:REVEAL_SIZE]]
            del others[:REVEAL_SIZE]
    deck = [*doors, *begin, *keys, *hand, *others, *nightmares]
    known = len(deck) if position["rules"]["players"] == 1 else [len(deck)] * 2
    return {**position, "deck": deck, "known": known}


def lucky_game(rules: RuleSet, seed: int) -> int:
    """Play a game in which the cards of each turn lie well for one who stalls; return its decisions."""
    rng = random.Random(seed)
    game = Game(rules, seed=seed)
    returning = "towers" in rules.expansions and rules.false_destruction == "free"
    decisions = turn = 0
    while not game.over:
        position = game.position()
        if game.phase == "action" and position["turns"] >= turn:
            turn = position["turns"] + 1
            game = Game.from_position(with_luck(position, returning), seed=seed)
        game.apply(max(game.legal_texts(), key=lambda text: lucky_worth(text) + rng.random()))
        decisions += 1
    return decisions


def lucky_worth(text: str) -> float:
    """Return how much an action is liked where Doors can be refused as long as there are Keys."""
    if text.startswith(("play", "discard", "draft", "rally")) and text.endswith("key"):
        return 20
    if text.startswith("nightmare discard"):
        return 20
    if text.startswith("discard"):
        return USUAL + 1
    return worth_of(text)


def main() -> None:
    """Prolong games of all 128 sets of expansions, solo and co-op, and compare with the bounds."""
    parser = argparse.ArgumentParser(prog="python -m tests.engine.stalling", description=main.__doc__)
    parser.add_argument("--games", type=int, default=100, help="games of each set (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="decides cards and picks (default: 0)")
    parser.add_argument("--random-options", action="store_true", help="with random rule options of that seed")
    arguments = parser.parse_args()
    nearest = []
    for number, expansions in enumerate(all_sets()):
        for players in (1, 2):
            seed = arguments.seed * 128 + number
            rules = RuleSet(players=players, expansions=expansions)
            if arguments.random_options:
                rules = rules_of(seed, players, expansions)
            longest = int(stalling_games(rules, arguments.games, arguments.games, seed).max())
            lucky = max(lucky_game(rules, seed + game) for game in range(2))
            bound = max_decisions(rules)
            names = ", ".join(expansions) or "no expansion"
            print(
                f"{players} players: {longest} decisions, {lucky} with luck, below {bound} ({names})",
                flush=True,
            )
            assert max(longest, lucky) < bound, rules
            nearest.append(bound / max(longest, lucky))
    print(f"bounds are {min(nearest):.1f} to {max(nearest):.1f} times the longest games")


if __name__ == "__main__":
    main()

"""Random games of every set of expansions, many at once: no card is lost, and there is always a choice."""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter

import numpy as np

from onirim_env import Game, MaskedSampler, RuleSet
from onirim_env.batch import GameBatch
from onirim_env.cards import SOLO_HAND
from onirim_env.expansions import ALL_KIND_NAMES, kind_counts
from onirim_env.observation import highest_values
from tests.engine.expansion_lockstep import all_sets, some_rules

MOST_DECISIONS = 5000
"""A random game with all expansions takes some hundred decisions; one of more than these goes on for ever."""
CHECKED_EVERY = 20
"""After so many steps of a batch, the cards of one of its games are counted."""


def cards_of(position: dict) -> Counter[str]:
    """Return all cards of a position, wherever they lie."""
    cards: Counter[str] = Counter()
    zones = ("deck", "shared", "limbo", "discard", "revealed", "placed", "removed", "towers")
    for zone in zones:
        cards.update(position.get(zone, ()))
    cards.update(position.get("unused_denizens", ()))
    for group in position.get("dreamcatchers", ()):
        cards.update(group)
    for player in position["players"]:
        for zone in ("row", "hand", "doors", "denizens", "stored"):
            cards.update(player.get(zone, ()))
    for zone in ("drawn", "swapping", "fetched"):
        card = position.get(zone)
        cards.update([card] if card else [])
    return cards


def check_cards(game: Game) -> None:
    """Fail unless a game has exactly the cards of its rule set."""
    counts = kind_counts(game.rules.expansions)
    expected = Counter({name: number for name, number in zip(ALL_KIND_NAMES, counts) if number})
    found = cards_of(game.position())
    assert found == expected, (game.phase, found - expected, expected - found)


def check_game(batch: GameBatch, row: int) -> None:
    """Fail unless the cards of a game are all there, and its hand is not too large."""
    game = Game.from_state(batch.states[row : row + 1], batch.rules, talk=batch.talk)
    check_cards(game)
    for player in game.position()["players"]:
        assert len(player["hand"]) <= SOLO_HAND, player


def play_set(rules: RuleSet, games: int, size: int, seed: int) -> tuple[int, int]:
    """Play games of a rule set to their ends; return decisions and how many games were won."""
    batch = GameBatch(min(size, games), rules, talk=("open", "closed")[seed % 2])
    batch.deal(np.arange(len(batch), dtype=np.uint64) + np.uint64(seed << 32))
    sampler = MaskedSampler(seed=seed)
    lengths = np.zeros(len(batch), dtype=np.int64)
    highest = highest_values(rules)
    decisions = ended = won = steps = 0
    observations, masks = batch.view()
    while ended < games:
        assert masks.any(axis=1).all(), "a decision without a choice"
        assert (observations >= 0).all() and (observations <= highest).all(), "outside the bounds"
        if steps % CHECKED_EVERY == 0:
            check_game(batch, (steps // CHECKED_EVERY) % len(batch))
        observations, masks, _ = batch.step(sampler(masks))
        assert (batch.illegal_in < 0).all(), "an action of the mask was refused"
        steps += 1
        lengths += 1
        assert lengths.max() < MOST_DECISIONS, "a game without an end"
        if batch.n_ended:
            rows = np.flatnonzero(batch.ended)
            check_game(batch, int(rows[0]))
            ended += len(rows)
            won += int(batch.results(rows)["won"].sum())
            decisions += int(lengths[rows].sum())
            lengths[rows] = 0
            batch.deal_next(batch.ended.copy())
            observations[rows], masks[rows] = batch.view(rows)
    return decisions, won


def main() -> None:
    """Play random games of all 128 sets of expansions, solo and co-op, with random options."""
    parser = argparse.ArgumentParser(prog="python -m tests.engine.random_sets", description=main.__doc__)
    parser.add_argument("--games", type=int, default=10_000, help="games of each set (default: %(default)s)")
    parser.add_argument("--size", type=int, default=500, help="games side by side (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first set (default: 0)")
    parser.add_argument("--sets", type=int, default=128, help="how many sets (default: all)")
    arguments = parser.parse_args()
    sets = list(enumerate(all_sets()))[arguments.first : arguments.first + arguments.sets]
    start = time.perf_counter()
    for number, expansions in sets:
        for players in (1, 2):
            rules = rules_of(number, players, expansions)
            decisions, won = play_set(rules, arguments.games, arguments.size, number)
            names = ", ".join(expansions) or "no expansion"
            print(
                f"set {number} of 128, {players} players, after {time.perf_counter() - start:.0f} s: "
                f"{decisions:,} decisions, {won} won ({names})",
                flush=True,
            )
    print(f"{arguments.games:,} games each of {len(sets)} sets, solo and co-op, without a fault")


def rules_of(number: int, players: int, expansions: list[str]) -> RuleSet:
    """Return the rules of a set with random options, the same at each call."""
    rules = some_rules(number, players, expansions)
    rules["prophecy_actions"] = random.Random(number).choice(("sequential", "permutation"))
    return RuleSet(**rules)


if __name__ == "__main__":
    main()

"""Positions of random games, changed at random: each is refused in one line, or is a game like any other."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np

from onirim_env import Game, IllegalAction, PositionError, RuleSet
from onirim_env.engine.records import phase_names
from onirim_env.observation import highest_values
from onirim_env.positions.fields import KINDS, PLAYER_KINDS
from tests.engine.expansion_lockstep import all_sets, some_rules
from tests.engine.position_mutations import mutant_of
from tests.engine.random_sets import check_cards

LONGEST_MESSAGE = 4000
"""A message may list the names of all cards, but repeats no more than a piece of what was given."""
MOST_DECISIONS = 3000
REFUSED_ACTIONS = 6
"""So many actions that are not listed are tried at each decision."""
READ_BACK_EVERY = 5
"""After so many decisions, and at both ends, the position is read back."""
MUTANTS_OF_A_POSITION = 12


class Fault(AssertionError):
    """A position that was taken although it is not a game like any other."""


def random_position(rng: random.Random, number: int, players: int) -> dict[str, Any]:
    """Return the position of a random game with the expansions of a set, somewhere on its way."""
    rules = some_rules(rng.randrange(2**20), players, all_sets()[number])
    rules["prophecy_actions"] = rng.choice(("sequential", "permutation"))
    game = Game(RuleSet(**rules), seed=rng.randrange(2**32), talk=rng.choice(("open", "closed")))
    wanted = rng.choice(sorted(set(phase_names(game.rules)) - {"action"}))
    stop = rng.randrange(400)
    position = game.position()
    for decision in range(stop + 1):
        if game.over:
            break
        position = game.position()
        if game.phase == wanted or (decision == stop and rng.random() < 0.5):
            break
        game.apply(rng.choice(game.legal_actions()))
    return json.loads(json.dumps(position))  # type: ignore[no-any-return]


def check_refusal(error: PositionError) -> None:
    """Fail unless a message is one line that begins with a field."""
    message = str(error)
    if "\n" in message or not message or len(message) > LONGEST_MESSAGE:
        raise Fault(f"a message of {len(message)} characters: {message[:200]!r}")
    field = message.split(":")[0].split("[")[0].split(".")[0]
    if field not in (*KINDS, *PLAYER_KINDS) and "unknown field" not in message:
        raise Fault(f"a message that names no field: {message[:200]!r}")


def check_actions(rng: random.Random, game: Game) -> None:
    """Fail unless every listed action is taken on a copy, and some others are refused."""
    mask = game.action_mask()
    listed = np.flatnonzero(mask)
    if not listed.size:
        raise Fault(f"no action in phase {game.phase}")
    for action in listed:
        other = game.copy()
        other.apply(int(action))
        check_cards(other)
    rest = np.flatnonzero(mask == 0)
    for action in rng.sample(rest.tolist(), min(REFUSED_ACTIONS, len(rest))):
        try:
            game.copy().apply(action)
        except IllegalAction:
            continue
        raise Fault(f"{game.table.texts[action]!r} is not listed, but taken")


def check_reading_back(game: Game) -> None:
    """Fail unless a position reads back to the same one, with the same choices."""
    position = game.position()
    again = Game.from_position(json.loads(json.dumps(position)), talk=game.talk)
    found = again.position()
    if found != position:
        fields = [field for field in position if found.get(field) != position[field]]
        raise Fault(f"{', '.join(fields)} read back otherwise in phase {game.phase}")
    if again.legal_texts() != game.legal_texts():
        raise Fault(f"other choices after reading back in phase {game.phase}")


def check_observations(game: Game, highest: np.ndarray) -> None:
    """Fail unless what players observe is within its bounds."""
    for player in range(game.rules.players):
        observation = game.observation(player)
        if (observation < 0).any() or (observation > highest).any():
            raise Fault(f"an observation outside its bounds in phase {game.phase}")


def play_to_end(rng: random.Random, game: Game) -> int:
    """Play a game to its end with random actions, all checks on the way; return the decisions."""
    highest = highest_values(game.rules)
    decisions = 0
    while True:
        check_cards(game)
        check_observations(game, highest)
        if game.over or decisions % READ_BACK_EVERY == 0:
            check_reading_back(game)
        if game.over:
            return decisions
        check_actions(rng, game)
        if decisions > MOST_DECISIONS:
            raise Fault("a game without an end")
        game.apply(rng.choice(game.legal_actions()))
        decisions += 1


def check_mutant(rng: random.Random, mutant: Any) -> bool:
    """Fail where a mutant is neither refused in one line nor a game; return whether it is a game."""
    before = repr(mutant)
    try:
        game = Game.from_position(mutant, seed=rng.randrange(2**32), talk=rng.choice(("open", "closed")))
    except PositionError as error:
        check_refusal(error)
        return False
    finally:
        if repr(mutant) != before:
            raise Fault("reading has changed the position")
    play_to_end(rng, game)
    return True


def mutants(seed: int, number: int) -> Iterator[tuple[random.Random, dict[str, Any]]]:
    """Yield mutants of positions of all sets, solo and co-op, each with a source of randomness."""
    made = 0
    for place in range(number):
        rng = random.Random(f"{seed} {place}")
        position = random_position(rng, place * 37 % 128, 1 + place // 128 % 2)
        for _ in range(MUTANTS_OF_A_POSITION):
            if made == number:
                return
            made += 1
            yield rng, mutant_of(rng, position)


def run(seed: int, number: int, progress: bool = False, most_faults: int = 1) -> Counter[str]:
    """Check mutants, and return how many were refused and played.

    Raises
    ------
    Fault
        Once there are so many faults; the message has the position of each.
    """
    counts: Counter[str] = Counter()
    faults: list[str] = []
    for done, (rng, mutant) in enumerate(mutants(seed, number), 1):
        try:
            counts["played" if check_mutant(rng, mutant) else "refused"] += 1
        except Exception as error:
            faults.append(f"{type(error).__name__}: {str(error)[:500]}\n{json.dumps(mutant, default=repr)}")
            counts["faulty"] += 1
            if progress:
                print(f"\r{faults[-1]}", flush=True)
            if len(faults) >= most_faults:
                break
        if progress and (done % 20 == 0 or done == number):
            print(f"\r{bar(done, number)} {dict(counts)}", end="", file=sys.stderr, flush=True)
    if progress:
        print(file=sys.stderr)
    if faults:
        raise Fault("\n\n".join(faults))
    return counts


def bar(done: int, number: int, width: int = 30) -> str:
    """Return how far it is, as a bar of text."""
    full = width * done // number
    return f"[{'#' * full}{'.' * (width - full)}] {done:,} of {number:,}"


def main() -> int:
    """Read changed positions of games with all sets of expansions; refuse them or play them to their ends."""
    parser = argparse.ArgumentParser(prog="python -m tests.engine.position_fuzzer", description=main.__doc__)
    parser.add_argument("--mutants", type=int, default=20_000, help="how many (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other positions (default: 0)")
    parser.add_argument("--faults", type=int, default=20, help="stop after so many (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        counts = run(arguments.seed, arguments.mutants, progress=True, most_faults=arguments.faults)
    except Fault as fault:
        print(f"{len(str(fault).split(chr(10) * 2))} faults, printed above", file=sys.stderr)
        return 1
    print(f"{counts['refused']:,} refused in one line, {counts['played']:,} played to their ends")
    return 0


if __name__ == "__main__":
    sys.exit(main())

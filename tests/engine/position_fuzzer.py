"""Positions of random games, changed at random: each is refused in one line, or is a game like any other."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from onirim_env import Game, IllegalAction, PositionError, RuleSet
from onirim_env.engine.records import phase_names
from onirim_env.modules import ALL_KIND_NAMES
from onirim_env.modules.book_of_steps import SPELLS
from onirim_env.modules.oniverse import DENIZENS
from onirim_env.modules.premonitions import PREMONITIONS
from onirim_env.modules.towers import NAMES as TOWERS
from onirim_env.modules.towers import edges_of
from onirim_env.modules.verbs import DOORS, HAND_CARDS
from onirim_env.observation import highest_values
from onirim_env.position_fields import KINDS, PLAYER_KINDS
from tests.engine.module_lockstep import all_sets, some_rules
from tests.engine.random_sets import check_cards

LONGEST_MESSAGE = 4000
"""A message may list the names of all cards, but repeats no more than a piece of what was given."""
MOST_DECISIONS = 3000
REFUSED_ACTIONS = 6
"""So many actions that are not listed are tried at each decision."""
READ_BACK_EVERY = 5
"""After so many decisions, and at both ends, the position is read back."""
MUTANTS_OF_A_POSITION = 12

WORDS = (
    *ALL_KIND_NAMES, *PREMONITIONS, *(f"spell {name}" for name in SPELLS),
    *phase_names(RuleSet(expansions=["glyphs"])), "incantation", "look 3", "look 4", "look 5",
    "shared red sun", "", "red star", "/dev/zero",
)  # fmt: skip
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, -1, 127, 128, 255, 10**30, 1.0, 0.5, float("nan"), "", "red sun",
    "x" * 10_000, [], {}, [[]], [None], [0], [1.5], ["red sun"], [["red sun"]], [[0, 1], [2]],
    {"red sun": 1}, [{}], b"red sun",
)  # fmt: skip

Path = tuple[Any, ...]


class Fault(AssertionError):
    """A position that was taken although it is not a game like any other."""


def random_position(rng: random.Random, number: int, players: int) -> dict[str, Any]:
    """Return the position of a random game with the modules of a set, somewhere on its way."""
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


def paths_of(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield where every value of a position lies, itself and its rules left out."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        if path or key != "rules":
            yield (*path, key)
            yield from paths_of(one, (*path, key))


def holder_of(position: dict[str, Any], path: Path) -> Any:
    """Return what holds the value at a path."""
    for key in path[:-1]:
        position = position[key]
    return position


def value_at(position: dict[str, Any], path: Path) -> Any:
    """Return the value at a path."""
    return holder_of(position, path)[path[-1]]


def lists_of(position: dict[str, Any]) -> list[list[Any]]:
    """Return the lists of a position that hold texts, or may."""
    values = (value_at(position, path) for path in paths_of(position))
    return [
        value for value in values if isinstance(value, list) and all(isinstance(one, str) for one in value)
    ]


def put_odd_value(rng: random.Random, position: dict[str, Any]) -> None:
    """Put a value of any kind anywhere."""
    path = rng.choice(list(paths_of(position)))
    holder_of(position, path)[path[-1]] = rng.choice(ODD_VALUES)


def put_other_value(rng: random.Random, position: dict[str, Any]) -> None:
    """Put another value of the same kind somewhere."""
    path = rng.choice(list(paths_of(position)))
    value = value_at(position, path)
    if isinstance(value, bool):
        value = not value
    elif isinstance(value, int):
        value += rng.choice((-1, 1, 1, 2, 5, 60))
    elif isinstance(value, list):
        value = rng.sample(value, len(value))[: rng.randrange(len(value) + 1)]
    else:
        value = rng.choice(WORDS)
    holder_of(position, path)[path[-1]] = value


def move_card(rng: random.Random, position: dict[str, Any]) -> None:
    """Move a text from one list to another one."""
    lists = lists_of(position)
    full = [one for one in lists if one]
    if full:
        one = rng.choice(full)
        word = one.pop(rng.randrange(len(one)))
        other = rng.choice(lists)
        other.insert(rng.randrange(len(other) + 1), word)


def exchange_cards(rng: random.Random, position: dict[str, Any]) -> None:
    """Let two texts of lists change places."""
    full = [one for one in lists_of(position) if one]
    if full:
        first, second = rng.choice(full), rng.choice(full)
        here, there = rng.randrange(len(first)), rng.randrange(len(second))
        first[here], second[there] = second[there], first[here]


def leave_out(rng: random.Random, position: dict[str, Any]) -> None:
    """Take a value away."""
    path = rng.choice(list(paths_of(position)))
    holder = holder_of(position, path)
    if isinstance(holder, dict):
        del holder[path[-1]]
    else:
        holder.pop(path[-1])


def change_phase(rng: random.Random, position: dict[str, Any]) -> None:
    """Put another phase, now and then with what it needs."""
    position["phase"] = rng.choice(phase_names(RuleSet(**position["rules"])))
    hand = position["players"][position["to_move"]]["hand"] if "players" in position else []
    if rng.random() < 0.5:
        position["drawn"] = rng.choice((None, "nightmare", "happy dream", "red door", "mirror"))
    if rng.random() < 0.5 and hand and "discard" in position:
        position["discard"].append(hand.pop())
    if rng.random() < 0.5 and "deck" in position:
        number = rng.choice((1, 4, 5, 7))
        position["revealed"], position["deck"] = position["deck"][:number], position["deck"][number:]
    if rng.random() < 0.3:
        position["acted"] = rng.random() < 0.5


def change_rules(rng: random.Random, position: dict[str, Any]) -> None:
    """Play the position by other rules."""
    players = position["rules"]["players"]
    position["rules"] = some_rules(rng.randrange(2**20), players, rng.choice(all_sets()))


def add_field(rng: random.Random, position: dict[str, Any]) -> None:
    """Put a field in, of a position or of a player."""
    if rng.random() < 0.7:
        position[rng.choice([*KINDS, "cards"])] = rng.choice((*ODD_VALUES, *WORDS))
    elif isinstance(position.get("players"), list) and position["players"]:
        player = rng.choice(position["players"])
        if isinstance(player, dict):
            player[rng.choice([*PLAYER_KINDS, "cards"])] = rng.choice((*ODD_VALUES, *WORDS))


def leave_most_out(rng: random.Random, position: dict[str, Any]) -> None:
    """Keep the rules, the phase and a few other fields."""
    for field in list(position):
        if field not in ("rules", "phase") and rng.random() < 0.6:
            del position[field]


def turn_deck(rng: random.Random, position: dict[str, Any]) -> None:
    """Give only the top of the deck, or leave it empty."""
    deck = position.pop("deck", [])
    if rng.random() < 0.6:
        position["deck_top"] = deck[: rng.randrange(8)]
        position.pop("discard" if rng.random() < 0.5 else "limbo", None)
    else:
        position["deck"] = deck[: rng.randrange(3)]


def take_from_deck(position: dict[str, Any], words: tuple[str, ...], most: int) -> list[str]:
    """Take some of the cards of these names out of the deck and off the discard pile."""
    taken: list[str] = []
    for zone in ("deck", "discard"):
        for card in [card for card in position.get(zone, ()) if card in words][: most - len(taken)]:
            position[zone].remove(card)
            taken.append(card)
    return taken


def gain_doors(rng: random.Random, position: dict[str, Any]) -> None:
    """Put Doors of the deck in play, now and then all of them."""
    position.pop("goals_met", None)
    for door in take_from_deck(position, DOORS, rng.choice((1, 3, 6, 13, 13))):
        fewest = min(position["players"], key=lambda player: (player["doors"].count(door), rng.random()))
        fewest["doors"].append(door)


def rally_denizens(rng: random.Random, position: dict[str, Any]) -> None:
    """Let Denizens of the deck be rallied, and a Keeper hold a card."""
    player = rng.choice(position["players"])
    player["denizens"] += take_from_deck(position, DENIZENS, rng.choice((1, 4, 8)))
    if "treasure keeper" in player["denizens"] and not player["stored"]:
        player["stored"] = take_from_deck(position, tuple(rng.sample(HAND_CARDS, 10)), 1)


def build_towers(rng: random.Random, position: dict[str, Any]) -> None:
    """Build a row of Towers that may touch, as far as random tries lead."""
    row = position["towers"]
    for tower in rng.sample(TOWERS, len(TOWERS)):
        if not row or not set(edges_of(row[-1])[1]) & set(edges_of(tower)[0]):
            row += take_from_deck(position, (tower,), 1)


def catch_dreams(rng: random.Random, position: dict[str, Any]) -> None:
    """Put Lost Dreams and other cards under Dreamcatchers."""
    groups = position["dreamcatchers"]
    for group in groups[: rng.randrange(len(groups) + 1)]:
        group += take_from_deck(position, ("lost dream",), rng.choice((0, 1, 4)))
        group += take_from_deck(position, (*DOORS, "nightmare", "dead end"), rng.randrange(3))


def turn_premonitions(rng: random.Random, position: dict[str, Any]) -> None:
    """Turn some Premonitions up, the others down."""
    order = rng.sample(PREMONITIONS, len(PREMONITIONS))
    face_up = rng.randrange(len(order) + 1)
    position["premonitions"], position["premonition_reserve"] = order[:face_up], order[face_up:]


def fill_hand(rng: random.Random, position: dict[str, Any]) -> None:
    """Put other cards of the deck in the hand."""
    hand = position["players"][position["to_move"]]["hand"]
    cards = take_from_deck(position, tuple(rng.sample(HAND_CARDS, 12)), len(hand))
    position["discard"] += hand[: len(cards)]
    hand[: len(cards)] = cards


MUTATIONS: tuple[Callable[[random.Random, dict[str, Any]], None], ...] = (
    put_odd_value, put_other_value, put_other_value, move_card, move_card, exchange_cards, leave_out,
    change_phase, change_phase, change_rules, add_field, leave_most_out, turn_deck,
)  # fmt: skip


ARRANGEMENTS: tuple[Callable[[random.Random, dict[str, Any]], None], ...] = (
    gain_doors, gain_doors, rally_denizens, build_towers, catch_dreams, turn_premonitions, fill_hand,
)  # fmt: skip
"""Changes that lead to positions which random games seldom come to."""


def mutant_of(rng: random.Random, position: dict[str, Any]) -> dict[str, Any]:
    """Return a position that is arranged otherwise, changed at one to four places, or both."""
    mutant = json.loads(json.dumps(position))
    arranged = rng.random() < 0.5
    changes = [rng.choice(ARRANGEMENTS) for _ in range(rng.randrange(1, 5) if arranged else 0)]
    number = rng.choice((0, 0, 1, 1) if arranged else (1, 1, 1, 2, 2, 3, 4))
    for change in [*changes, *(rng.choice(MUTATIONS) for _ in range(number))]:
        try:
            change(rng, mutant)
        except (LookupError, TypeError, AttributeError, ValueError):  # a field is not there, or is odd
            continue
    return mutant  # type: ignore[no-any-return]


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
    """Yield mutants of positions of all sets of modules, solo and co-op, each with a source of randomness."""
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

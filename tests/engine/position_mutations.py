"""Random changes of positions: of any kind anywhere, and such that lead to positions seldom come to."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from onirim_env import RuleSet
from onirim_env.engine.records import phase_names
from onirim_env.expansions import ALL_KIND_NAMES, EXPANSION_TABLES, HAND_CARDS
from onirim_env.expansions.book_of_steps import SPELLS
from onirim_env.expansions.form import DOORS
from onirim_env.expansions.oniverse import DENIZENS
from onirim_env.expansions.premonitions import PREMONITIONS
from onirim_env.expansions.towers import NAMES as TOWERS
from onirim_env.expansions.towers import edges_of
from onirim_env.positions.fields import KINDS, PLAYER_KINDS
from onirim_env.positions.phases import DRAWN, PHASES_OF_FIELD, REVEALED
from tests.engine.expansion_lockstep import all_sets, some_rules

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
    if "premonitions" not in position:
        return
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


def enter_phase(rng: random.Random, position: dict[str, Any]) -> None:
    """Enter another phase with about what it needs."""
    expansions = position["rules"].get("expansions", ())
    own = [
        phase
        for expansion in EXPANSION_TABLES
        if expansion.keyword in expansions
        for phase in expansion.phases
    ]
    phase = rng.choice([*own, *own, *SHARED_PHASES])
    for field in UNDER_WAY:
        position.pop(field, None)
    position["phase"] = phase
    hand = position["players"][position["to_move"]]["hand"]
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2, 4))):
        if hand and phase not in WHOLE_HAND:
            position["discard"].append(hand.pop(rng.randrange(len(hand))))
    for field, phases in PHASES_OF_FIELD.items():
        if phase in phases:
            position[field] = rng.choice(VALUES_OF.get(field, tuple(hand) or ("red sun",)))
    if phase in DRAWN:
        position["drawn"] = rng.choice(take_from_deck(position, DRAWN[phase], 5) or [None])
    if phase in REVEALED:
        number = rng.choice((1, 4, 5, 5, 7))
        position["revealed"], position["deck"] = position["deck"][:number], position["deck"][number:]
    if phase == "free" and rng.random() < 0.5:
        position["kept_dreamcatcher"] = rng.randrange(1, 5)
    if phase == "planning" and rng.random() < 0.5:
        position["swapped_goal"] = rng.randrange(8)
    if rng.random() < 0.2:
        position["acted"] = rng.random() < 0.5


def end_with_series(rng: random.Random, position: dict[str, Any]) -> None:
    """Let a row end with cards of one colour, as many as make a series or other ones."""
    colour = rng.choice(("red", "blue", "green", "brown"))
    last = rng.choice((f"{colour} key", "crossroad key"))
    cards = [f"{colour} sun", f"{colour} moon", f"{colour} sun", last]
    row = position["players"][position["to_move"]]["row"]
    for card in cards[: rng.choice((2, 3, 3, 3, 4))]:
        row += take_from_deck(position, (card,), 1)
    position["players"][position["to_move"]].pop("used", None)


def leave_little(rng: random.Random, position: dict[str, Any]) -> None:
    """Discard most of the deck."""
    left = rng.choice((0, 1, 2, 3, 6))
    position["discard"] += position["deck"][left:]
    position["deck"] = position["deck"][:left]
    position["known"] = 0


SHARED_PHASES = (
    "series", "door", "nightmare", "look_discard", "look_order", "bottom_order", "prophecy_order", "lost",
)  # fmt: skip
UNDER_WAY = (
    "drawn", "swapping", "follows", "prophecy_follows", "acted", "begun", "spell", "to_pay", "swapped_goal",
    "kept_dreamcatcher", "premonition", "premonition_keys", "fetched", "given", "revealed", "placed", "known",
)  # fmt: skip
"""Fields that say what is under way."""
WHOLE_HAND = ("planning", "payment", "paradox", "architect", "cyclobot_give", "cyclobot_take", "keeper_store")
VALUES_OF: dict[str, tuple[Any, ...]] = {
    "spell": tuple(f"spell {name}" for name in SPELLS),
    "to_pay": (1, 2, 3, 5, 7),
    "premonition": ("brown2", "pair2"),
    "premonition_keys": (1, 2),
}

ARRANGEMENTS: tuple[Callable[[random.Random, dict[str, Any]], None], ...] = (
    gain_doors, gain_doors, rally_denizens, build_towers, catch_dreams, turn_premonitions, fill_hand,
    enter_phase, enter_phase, enter_phase, end_with_series, leave_little,
)  # fmt: skip
"""Changes that lead to positions which random games seldom come to."""


def mutant_of(rng: random.Random, position: dict[str, Any]) -> dict[str, Any]:
    """Return a position that is arranged otherwise, changed at one to four places, or both."""
    mutant = json.loads(json.dumps(position))
    arranged = rng.random() < 0.6
    changes = [rng.choice(ARRANGEMENTS) for _ in range(rng.randrange(1, 6) if arranged else 0)]
    number = rng.choice((0, 0, 0, 1) if arranged else (1, 1, 1, 2, 2, 3, 4))
    for change in [*changes, *(rng.choice(MUTATIONS) for _ in range(number))]:
        try:
            change(rng, mutant)
        except (LookupError, TypeError, AttributeError, ValueError):  # a field is not there, or is odd
            continue
    return mutant  # type: ignore[no-any-return]

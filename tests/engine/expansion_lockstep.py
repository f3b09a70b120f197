"""Playing games with expansions on the engine and the plain model side by side."""

from __future__ import annotations

import argparse
import random
from collections import Counter

from onirim_env import Game
from onirim_env.cards import TOP_PLACES
from onirim_env.expansions import EXPANSION_TABLES
from onirim_env.expansions.shared import BOTTOM_PLACES
from onirim_env.rules import CAN_BE_HARD, EXPANSIONS, OPTIONS, options_of
from tests.engine.leading import comparable, lead
from tests.model.game import PlainGame


def random_rules(rng: random.Random, players: int, expansions: list[str], hard: list[str]) -> dict:
    """Return random values for every option, with expansions."""
    options = [*OPTIONS, *options_of(tuple(expansions))]
    rules = {option.keyword: rng.choice(option.values) for option in options}
    rules.update(players=players, prophecy_actions="sequential", expansions=expansions, hard=hard)
    return rules


def start(rng: random.Random, rules: dict) -> tuple[PlainGame, Game]:
    """Deal a game with the model and set the engine to the same position."""
    model = PlainGame.deal({name: value for name, value in rules.items() if name != "prophecy_actions"}, rng)
    position = model.position()
    position["rules"] = rules
    if rules["players"] == 2:
        for player in position["players"]:
            player["public"] = list(player["hand"])
    return model, Game.from_position(position, seed=rng.randrange(2**32), talk="closed")


def shown(game: Game, model: PlainGame) -> dict:
    """Return the engine's position with the fields that the model writes."""
    position, wanted = game.position(), model.position()
    fields = {name: position[name] for name in wanted}
    fields["players"] = [
        {name: player[name] for name in names}
        for player, names in zip(position["players"], wanted["players"])
    ]
    return {**fields, "rules": wanted["rules"]}


def differences(model: PlainGame, position: dict) -> dict:
    """Return where the model and the engine's position (from :func:`shown`) differ; nothing where alike."""
    first, second = comparable(model.position()), comparable(position)
    return {name: (first[name], second[name]) for name in first if first[name] != second[name]}


def apply_both(model: PlainGame, game: Game, text: str) -> PlainGame:
    """Take a decision in both, and return the model, which must stand where the engine stands."""
    game.apply(text)
    position = shown(game, model)
    model = lead(model, text, position)
    assert not differences(model, position), (text, differences(model, position))
    return model


def known_to(game: Game, player: int) -> dict:
    """Return what the engine's observation tells of hidden cards, in the words of the model."""
    seen = game.describe(player)
    top, bottom = ({}, {})
    for label in (*seen["top"], *seen.get("new_top", ())):
        _, place, card = label.split(maxsplit=2)
        top[int(place) - 1] = card
    for label in seen.get("bottom", ()):
        _, place, card = label.split(maxsplit=2)
        bottom[int(place) - 1] = card
    partner = Counter(seen.get("partner_hand", {})) + Counter(seen.get("new_partner_hand", {}))
    return {
        "top": [top.get(place) for place in range(max(top, default=-1) + 1)],
        "bottom": [bottom.get(place) for place in range(max(bottom, default=-1) + 1)],
        "partner": sorted(partner.elements()),
    }


def first_places(cards: list, number: int) -> list:
    """Return the first places of a list of known cards, without unknown ones at its end."""
    cards = cards[:number]
    while cards and cards[-1] is None:
        cards = cards[:-1]
    return cards


def compare_knowledge(model: PlainGame, game: Game) -> None:
    """Compare what each player knows of deck and partner, as far as observations show it."""
    for player in range(len(model.players)):
        expected = model.knowledge(player)
        found = known_to(game, player)
        expected["top"] = first_places(expected["top"], TOP_PLACES)
        shows_bottom = set(game.rules.expansions) & {"book_of_steps", "glyphs", "oniverse"}
        expected["bottom"] = first_places(expected["bottom"], BOTTOM_PLACES) if shows_bottom else []
        assert found == expected, (player, found, expected)


def play(seed: int, rules: dict, most: int = 600) -> int:
    """Play one random game in both, comparing everything; return the number of decisions."""
    rng = random.Random(seed)
    model, game = start(rng, rules)
    assert not differences(model, shown(game, model)), differences(model, shown(game, model))
    decisions = 0
    while model.phase not in ("won", "lost") and decisions < most:
        legal = model.legal()
        assert legal, f"a decision without a choice in phase {model.phase}"
        assert sorted(legal) == sorted(game.legal_texts()), (
            model.phase,
            sorted(set(legal) ^ set(game.legal_texts())),
        )
        model = apply_both(model, game, rng.choice(legal))
        decisions += 1
        assert game.turns == model.turns
        if not game.over and not model.revealed and not model.placed:
            compare_knowledge(model, game)
    if model.phase in ("won", "lost"):
        assert game.over and game.phase == model.phase and game.legal_texts() == []
    return decisions


def some_rules(seed: int, players: int, expansions: list[str]) -> dict:
    """Return random rules with some expansions: all normal for an even seed, else hard now and then."""
    rng = random.Random(seed)
    can_be_hard = [name for name in expansions if name in CAN_BE_HARD]
    hard = [name for name in can_be_hard if rng.random() < 0.7] if seed % 2 else []
    return random_rules(rng, players, expansions, hard)


def all_sets() -> list[list[str]]:
    """Return the 128 sets of expansions."""
    return [
        [name for bit, name in enumerate(EXPANSIONS) if number >> bit & 1]
        for number in range(1 << len(EXPANSION_TABLES))
    ]


def main() -> None:
    """Play games of all 128 sets of expansions, solo and co-op, hard and not, beside the plain model."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.engine.expansion_lockstep", description=main.__doc__
    )
    parser.add_argument("--games", type=int, default=200, help="games of each set (default: %(default)s)")
    parser.add_argument("--first", type=int, default=0, help="number of the first set (default: 0)")
    parser.add_argument("--sets", type=int, default=128, help="how many sets (default: all)")
    arguments = parser.parse_args()
    sets = list(enumerate(all_sets()))[arguments.first : arguments.first + arguments.sets]
    total = 0
    for number, expansions in sets:
        for players in (1, 2):
            decisions = sum(
                play(seed, some_rules(seed, players, expansions)) for seed in range(arguments.games)
            )
            total += decisions
            names = ", ".join(expansions) or "no expansion"
            print(f"set {number} of 128, {players} players: {decisions:,} decisions ({names})", flush=True)
    print(f"{arguments.games:,} games each of {len(sets)} sets, solo and co-op: {total:,} decisions alike")


if __name__ == "__main__":
    main()

"""Playing the engine beside the plain model, and comparing every entry of every observation."""

from __future__ import annotations

import copy
import random
from collections import Counter
from functools import cache

from onirim_env import Game, RuleSet, observation_layout
from tests.engine.expansion_lockstep import apply_both, differences, shown
from tests.engine.leading import lead
from tests.engine.loose_positions import loose_game
from tests.model.game import PlainGame
from tests.model.observation import Entries, PlainView

#: What brings a game on, so that random games come to series, Doors and effects.
LEADING_ON = ("search", "chaos", "take", "open", "incantation take", "rally", "place", "free", "spell")
POWERS = ("architect", "cyclobot", "squirrel", "harpoon", "hammer", "treasure", "store", "failsafe", "happy")


def placed(model: PlainGame, rules: dict, seed: int) -> Game:
    """Return the engine's game at the model's position, with what the model's players know."""
    position = model.position()
    position["rules"] = rules
    seen = [[place for place, who in enumerate(model.seen) if player in who] for player in (0, 1)]
    position["known"] = seen[: len(model.players)]
    if model.is_coop:
        for shown_player, player in zip(position["players"], model.players):
            shown_player["public"] = list(player["public"])
    return loose_game(position, seed, talk="closed")


def dealt(rng: random.Random, rules: dict) -> PlainGame:
    """Deal a game with the model: what was drafted or dealt lies open."""
    model = PlainGame.deal({name: value for name, value in rules.items() if name != "prophecy_actions"}, rng)
    for player in model.players:
        player["public"] = list(player["hand"]) if model.is_coop else []
    return model


def named(game: Game, player: int, talk: str) -> Entries:
    """Return what is not zero of the engine's observation, by field and label."""
    told = game.copy()
    told.talk = talk
    vector = told.observation(player)
    names = names_of(game.rules)
    return {names[index]: float(vector[index]) for index in vector.nonzero()[0]}


@cache
def names_of(rules: RuleSet) -> list[tuple[str, str]]:
    """Return field and label of each entry."""
    return [(field.name, label) for field in observation_layout(rules) for label in field.labels]


def compare(model: PlainGame, game: Game) -> Counter:
    """Fail unless each player is shown what the model says; return how often each field said anything."""
    met: Counter = Counter()
    by_place = game.rules.prophecy_actions == "permutation"
    lying = game.position()["revealed"] if by_place else None
    for talk in ("open", "closed")[: len(model.players)]:  # alone there is nobody to talk to
        for player in range(len(model.players)):
            expected = PlainView(model, player, talk, lying).values()
            found = named(game, player, talk)
            wrong = {
                name: (found.get(name, 0.0), expected.get(name, 0.0))
                for name in {**found, **expected}
                if abs(found.get(name, 0.0) - expected.get(name, 0.0)) > 1e-6
            }
            assert not wrong, f"(found, expected) for player {player}, {talk}, in {model.phase}: {wrong}"
            met.update({field for field, _ in found})
    return met


def small_decisions(text: str, revealed: list[str]) -> list[str]:
    """Return a whole Prophecy as one discard and the order of the others."""
    places = [int(word) - 1 for word in text.split() if word.isdigit()]
    first, *others = [revealed[place] for place in places if place < len(revealed)]
    return [f"prophecy discard {first}", *(f"prophecy place {card}" for card in others)]


def apply_whole(model: PlainGame, game: Game, text: str) -> PlainGame:
    """Carry a whole Prophecy out in the engine, and its small decisions in the model."""
    texts, trial = [], copy.deepcopy(model)
    for small in small_decisions(text, model.revealed):
        trial.apply(small)
        texts.append(small)
        if not trial.phase.startswith("prophecy"):
            break
    game.apply(text)
    for small in texts[:-1]:
        model.apply(small)
    position = shown(game, model)
    model = lead(model, texts[-1], position)
    assert not differences(model, position), (text, differences(model, position))
    return model


def apply_any(model: PlainGame, game: Game, text: str) -> PlainGame:
    """Take a decision of the engine's in both, and return the model."""
    is_whole = text.startswith("prophecy discard place")
    return (apply_whole if is_whole else apply_both)(model, game, text)


def choose(rng: random.Random, model: PlainGame, legal: list[str]) -> str:
    """Pick at random, with a leaning to what goes on with a series, gains Doors and uses powers."""
    row = model.own("row")
    goes_on = f" {row[-1].split()[0]} " if row else " no card "
    leanings = [text for text in legal if text.startswith("play") and goes_on in text]
    leanings += [text for text in legal if text.startswith((*LEADING_ON, *POWERS))]
    leanings += [text for text in legal if text.startswith("discard") and text.endswith("key")]
    return rng.choice(leanings if leanings and rng.random() < 0.6 else legal)


def follow(rng: random.Random, model: PlainGame, game: Game, most: int = 400) -> tuple[Counter, Counter]:
    """Play a random game in both, and compare at each decision; return phases and fields that were met."""
    phases: Counter = Counter()
    fields = compare(model, game)
    while model.phase not in ("won", "lost") and phases.total() < most:
        phases[model.phase] += 1
        model = apply_any(model, game, choose(rng, model, game.legal_texts()))
        if model.phase not in ("won", "lost"):
            fields += compare(model, game)
    return phases + Counter([model.phase]), fields

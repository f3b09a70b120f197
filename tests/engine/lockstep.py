"""Playing the engine and the plain model side by side, and comparing everything they show."""

import itertools
import pickle
import random
from collections import Counter

from onirim_env import Game
from onirim_env.rules import OPTIONS
from tests.model.game import PlainGame

ZONES_OF_PLAYER = ("row", "hand", "doors")
ORDERED = ("deck", "placed", "row")


def random_rules(rng: random.Random, players: int) -> dict:
    """Return random values for every rule option (the way a Prophecy is put is none)."""
    rules = {option.keyword: rng.choice(option.values) for option in OPTIONS}
    return {**rules, "players": players, "prophecy_actions": "sequential"}


def start(rng: random.Random, players: int) -> tuple[PlainGame, Game]:
    """Deal a game with the model and set the engine to the same position, deck included."""
    rules = random_rules(rng, players)
    model_rules = {name: value for name, value in rules.items() if name != "prophecy_actions"}
    model = PlainGame.deal(model_rules, rng)
    position = model.position()
    if players == 2:
        # What was drafted or dealt lies open: the partner knows every personal card.
        for player in position["players"]:
            player["public"] = list(player["hand"])
    return model, Game.from_position(position, seed=rng.randrange(2**32), talk="closed")


def shown(position: dict, ordered_deck: bool = True) -> dict:
    """Return what two positions must agree in: lists in order where order counts, else sorted."""
    result = {name: position[name] for name in ("phase", "to_move", "drawn", "swapping", "prophecy_follows")}
    for name in ("shared", "limbo", "discard", "revealed", "placed", "deck"):
        keeps_order = name in ORDERED and (ordered_deck or name != "deck")
        result[name] = list(position[name]) if keeps_order else sorted(position[name])
    for index, player in enumerate(position["players"]):
        for name in ZONES_OF_PLAYER:
            cards = player[name]
            result[f"{name} {index}"] = list(cards) if name in ORDERED else sorted(cards)
    return result


def all_cards(position: dict) -> Counter:
    """Count every card of a position."""
    cards = Counter()
    for name in ("shared", "limbo", "discard", "revealed", "placed", "deck"):
        cards.update(position[name])
    for player in position["players"]:
        for name in ZONES_OF_PLAYER:
            cards.update(player[name])
    cards.update(card for card in (position["drawn"], position["swapping"]) if card)
    return cards


def known_to(game: Game, player: int) -> dict:
    """Return what the engine's observation tells of hidden cards, in the words of the model."""
    seen = game.describe(player)
    places = {}
    for label in seen["top"]:
        _, place, card = label.split(maxsplit=2)
        places[int(place) - 1] = card
    top = [places.get(place) for place in range(max(places) + 1)] if places else []
    partner = sorted(Counter(seen.get("partner_hand", {})).elements())
    return {"top": top, "partner": partner}


class FollowingRandom:
    """Stands in for the model's random numbers: its first shuffle puts given cards on top."""

    def __init__(self, top=()):
        self.top = list(top)

    def shuffle(self, cards: list) -> None:
        rest = list((Counter(cards) - Counter(self.top)).elements())
        cards[:] = self.top + rest
        self.top = []


def apply_both(model: PlainGame, game: Game, text: str) -> PlainGame:
    """Take a decision in both and return the model, which must stand where the engine stands.

    A search shuffles the deck and the refill then draws from it, so the model has to draw the
    cards that the engine drew: every order of them is tried.
    """
    shuffles = model.shuffles
    before = None
    if model.phase in ("action", "series"):
        model.rng = None
        before = pickle.dumps(model)  # several times as fast as copy.deepcopy
    model.rng = FollowingRandom()
    model.apply(text)
    game.apply(text)
    position = game.position()
    if model.shuffles == shuffles:
        assert shown(model.position()) == shown(position)
        return model
    if shown(model.position(), ordered_deck=False) != shown(position, ordered_deck=False):
        assert before is not None, text
        model = _model_that_drew_alike(before, text, position)
    model.set_deck(position["deck"])
    assert shown(model.position()) == shown(position)
    return model


def _model_that_drew_alike(before: bytes, text: str, position: dict) -> PlainGame:
    gone = Counter(pickle.loads(before).deck) - Counter(position["deck"])
    expected = shown(position, ordered_deck=False)
    for number in range(len(list(gone.elements())) + 1):
        for drawn in sorted(set(itertools.permutations(sorted(gone.elements()), number))):
            model = pickle.loads(before)
            model.rng = FollowingRandom(drawn)
            model.apply(text)
            if shown(model.position(), ordered_deck=False) == expected:
                return model
    raise AssertionError(f"no order of {dict(gone)} leads the model to where the engine is after {text!r}")


def play(seed: int, players: int, *, only_to_first_shuffle: bool, check_knowledge: bool = False) -> int:
    """Play one random game in both, comparing everything; return the number of decisions."""
    rng = random.Random(seed)
    model, game = start(rng, players)
    assert shown(model.position()) == shown(game.position())
    every_card = all_cards(game.position())
    shuffles = model.shuffles
    decisions = 0
    while model.phase not in ("won", "lost"):
        legal = model.legal()
        assert legal, "a decision without a choice"
        assert sorted(legal) == sorted(game.legal_texts())
        model = apply_both(model, game, rng.choice(legal))
        decisions += 1
        assert all_cards(game.position()) == every_card
        assert game.turns == model.turns
        if check_knowledge and not game.over and not model.phase.startswith("prophecy"):
            for player in range(players):
                knowledge = model.knowledge(player)
                knowledge["top"] = knowledge["top"][:5]
                while knowledge["top"] and knowledge["top"][-1] is None:
                    knowledge["top"].pop()
                assert known_to(game, player) == knowledge
        if only_to_first_shuffle and model.shuffles > shuffles:
            return decisions
    assert game.over and game.phase == model.phase and game.legal_texts() == []
    return decisions

"""Leading the plain model to where another game is whose shuffles and draws are its own.

A decision may shuffle the deck, draw, and shuffle again. What the other game drew is not told, so the
cards that are gone from its deck are tried, draw by draw, until the model stands where the other one does.
"""

import pickle
from collections import Counter

from tests.model.expansions.cards import fills_hand, is_door
from tests.model.game import PlainGame

UNORDERED = ("shared", "limbo", "discard", "revealed", "removed", "premonitions", "unused_denizens")
UNORDERED_OF_PLAYER = ("hand", "doors", "denizens", "stored")
MOST_TRIES = 20_000


def comparable(position: dict, ordered_deck: bool = True) -> dict:
    """Return a position with the lists sorted whose order means nothing."""
    result = {name: sorted(value) if name in UNORDERED else value for name, value in position.items()}
    result["players"] = [
        {name: sorted(value) if name in UNORDERED_OF_PLAYER else value for name, value in player.items()}
        for player in position["players"]
    ]
    if not ordered_deck:
        result["deck"] = sorted(position["deck"])
    if "dreamcatchers" in position:
        result["dreamcatchers"] = [sorted(group) for group in position["dreamcatchers"]]
    return result


class _NextCard(Exception):
    """A card must be drawn that the plan does not name."""


class _Guide:
    """Draws for a model: from its first shuffle on, the cards of a plan where no player knows the top one."""

    def __init__(self, model: PlainGame, plan: list) -> None:
        self.model, self.plan, self.n_drawn = model, plan, 0
        self.was_shuffled = False
        self.draw_top = model.draw
        model.rng, model.draw = self, self.draw

    def shuffle(self, cards: list) -> None:
        """Leave the order to the draws."""
        self.was_shuffled = True

    def draw(self) -> tuple:
        model = self.model
        if not self.was_shuffled or model.seen[0]:
            return self.draw_top()
        if self.n_drawn == len(self.plan):
            raise _NextCard
        wanted = self.plan[self.n_drawn]
        self.n_drawn += 1
        cards = zip(model.deck, model.seen, strict=True)
        place = next(place for place, (card, seen) in enumerate(cards) if card == wanted and not seen)
        return model.deck.pop(place), model.seen.pop(place)

    def candidates(self, position: dict, may_return: bool, in_order: bool) -> list:
        """Return what may be drawn next, the likeliest last.

        Those are the cards that are not in the other deck and those that its hand has more of, with
        ``may_return`` also those that may have come back into the deck from Limbo. With ``in_order`` only
        one order is tried of draws that rarely matter: first what goes to Limbo, then what the other game
        has in the place that is being filled.
        """
        model = self.model
        gone = Counter(model.deck) - Counter(position["deck"])
        cards = zip(model.deck, model.seen, strict=True)
        unknown = sorted({card for card, seen in cards if not seen})
        is_own = len(model.own("hand")) < (3 if model.is_coop else 5)
        zone = model.own("hand") if is_own else model.shared
        missing = Counter(position["players"][model.to_move]["hand"] if is_own else position["shared"])
        missing -= Counter(zone)
        # Cards alike may have come back into the deck from under Dreamcatchers.
        also = {card for card in unknown if (missing[card] > 0 if fills_hand(card) else may_return)}
        found = [card for card in unknown if gone[card] or card in also]
        if in_order:
            found = [card for card in found if self._is_in_order(card, zone, missing)]
        return sorted(found, key=lambda card: (bool(gone[card]), not fills_hand(card), missing[card]))

    def _is_in_order(self, card: str, zone: list, missing: Counter) -> bool:
        last = self.plan[-1] if self.plan else None
        if fills_hand(card):
            return missing[card] > 0 and (last is None or zone[-1:] != [last] or last <= card)
        if last is None or fills_hand(last):
            return True
        return not any(map(fills_hand, self.plan)) and _stops(last) <= _stops(card)


def _stops(card: str) -> tuple:
    """Sort what may stop a refill behind what only goes to Limbo."""
    return not is_door(card) and card != "lost dream", card


def lead(before: PlainGame, text: str, position: dict) -> PlainGame:
    """Return a copy of the model after a decision, as the other game's position shows it, deck included.

    Parameters
    ----------
    before
        The model before the decision; it is not changed.
    text
        The decision.
    position
        The other game's position after it.
    """
    wanted = comparable(position, ordered_deck=False)
    rng, before.rng = before.rng, None
    kept = pickle.dumps(before)  # several times as fast as copy.deepcopy
    before.rng = rng
    for may_return, in_order in ((False, True), (True, True), (False, False), (True, False)):
        plans: list[list] = [[]]
        for _ in range(MOST_TRIES):
            if not plans:
                break
            plan = plans.pop()
            model = pickle.loads(kept)
            guide = _Guide(model, plan)
            try:
                model.apply(text)
            except _NextCard:
                plans.extend([*plan, card] for card in guide.candidates(position, may_return, in_order))
                continue
            if comparable(model.position(), ordered_deck=False) == wanted:
                del model.draw
                model.rng = rng
                model.set_deck(position["deck"])
                return model
    raise AssertionError(f"no draws lead the model to where the other game is after {text!r}")

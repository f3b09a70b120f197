"""Happy Dreams and Dark Premonitions."""

from collections import Counter

from tests.model.expansions.cards import COLOURS, card_moved, colour_of, is_location, on_top, symbol_of, texts
from tests.model.expansions.expansion import Expansion

PREMONITIONS = ("red2", "blue2", "green2", "brown2", "pair2", "doors3", "doors5", "rainbow4")


class Premonitions(Expansion):
    """Effects that the Doors in play, of both players, bring about."""

    name = "premonitions"

    def read(self, position):
        self.face_up = list(position.get("premonitions", []))
        self.reserve = list(position.get("premonition_reserve", []))
        self.resolving = position.get("premonition")
        self.keys_left = position.get("premonition_keys", 0)
        self.fetched = position.get("fetched")

    def fields(self):
        return {
            "premonitions": list(self.face_up),
            "premonition_reserve": list(self.reserve),
            "premonition": self.resolving,
            "premonition_keys": self.keys_left,
            "fetched": self.fetched,
        }

    def cards(self):
        return [self.fetched] if self.fetched else []

    @classmethod
    def deal(cls, rules, rng):
        """HP-1: four face up, five in the harder variant, six by option."""
        shuffled = list(PREMONITIONS)
        rng.shuffle(shuffled)
        face_up = 5 if cls.name in rules["hard"] else 4
        face_up = 6 if rules["premonitions_face_up"] == "six" else face_up
        return {"premonitions": shuffled[:face_up], "premonition_reserve": shuffled[face_up:]}

    # Dark Premonitions
    def _doors(self):
        return [door for player in self.game.players for door in player["doors"]]

    def _met(self):
        """HP-2: the face-up Premonitions whose condition holds; O-D2: the Oniverse Door is of no colour."""
        doors = self._doors()
        number = Counter(map(colour_of, doors))
        holds = {f"{colour}2": number[colour] >= 2 for colour in COLOURS}
        holds["pair2"] = any(number[colour] >= 2 for colour in COLOURS)
        holds["rainbow4"] = all(number[colour] for colour in COLOURS)
        holds["doors3"], holds["doors5"] = len(doors) >= 3, len(doors) >= 5
        return [
            premonition for premonition in PREMONITIONS if premonition in self.face_up and holds[premonition]
        ]

    def before_refill(self):
        """HP-2: those met are carried out one by one, the player chooses the order."""
        while met := self._met():
            if len(met) > 1:
                self.game.phase = "premonition"
                return True
            if self._carry_out(met[0]):
                return True
        return False

    def legal_premonition(self):
        return texts("premonition", self._met())

    def do_premonition(self, text):
        if not self._carry_out(text.split()[-1]):
            self.game.go_on()

    def _carry_out(self, premonition):
        """Remove it and carry its effect out; whether the player is asked something, or the game is over."""
        game = self.game
        self.face_up.remove(premonition)
        if premonition == "red2":  # no Crossroads, but Glyphs and Towers
            return self._discard_from_deck(lambda card: is_location(card) and colour_of(card) == "red")
        if premonition == "rainbow4":
            return self._discard_from_deck(lambda card: card == "happy dream")
        if premonition == "blue2":
            self.keys_left = 2
            return self._discard_keys_if_decided()
        if premonition == "green2" and "nightmare" in game.discard:
            game.discard.remove("nightmare")
            game.limbo.append("nightmare")
        elif premonition in ("brown2", "pair2") and self._doors():
            self.resolving, game.phase = premonition, "premonition_door"
            return True
        elif premonition == "doors3":
            if not game.take_new_hand():
                return True
            self._turn_up(1)
        elif premonition == "doors5":
            self._turn_up(2)
        return False

    def _turn_up(self, number):
        self.face_up += self.reserve[:number]
        del self.reserve[:number]

    def _discard_from_deck(self, is_meant, number=None):
        """The deck is looked through; whether the player is asked something then."""
        game = self.game
        cards = [card for card in game.deck if is_meant(card)][:number]
        for card in cards:
            game.take_from_deck(card)
        game.discard += cards
        return self._end_look()

    def _end_look(self):
        """D-6: a search, so a Dreamcatcher may be freed before the shuffle; whether it asks."""
        if any(expansion.before_shuffle() for expansion in self.game.expansions):
            return True
        self.game.shuffle()
        return False

    def _discard_keys_if_decided(self):
        keys = [card for card in self.game.deck if symbol_of(card) == "key"]
        if len(keys) > self.keys_left and len(set(keys)) > 1:
            self.game.phase = "premonition_keys"
            return True
        number, self.keys_left = self.keys_left, 0
        return self._discard_from_deck(lambda card: symbol_of(card) == "key", number)

    def legal_premonition_keys(self):
        return texts("premonition discard", [card for card in self.game.deck if symbol_of(card) == "key"])

    def do_premonition_keys(self, text):
        card = text.removeprefix("premonition discard ")
        self.game.take_from_deck(card)
        self.game.discard.append(card)
        self.keys_left -= 1
        if not (self._discard_keys_if_decided() if self.keys_left else self._end_look()):
            self.game.go_on()

    def legal_premonition_door(self):
        """The Door may be anybody's; for pair2 it is one of a pair (HP-2)."""
        number = Counter(self._doors())
        whose = {"premonition return": self.game.own("doors")}
        if self.game.is_coop:
            whose["premonition return partner"] = self.game.players[1 - self.game.to_move]["doors"]
        least = 2 if self.resolving == "pair2" else 1
        return [
            text
            for verb, doors in whose.items()
            for text in texts(verb, [door for door in doors if number[door] >= least])
        ]

    def do_premonition_door(self, text):
        game = self.game
        self.resolving = None
        is_partners = "partner" in text.split()
        door = " ".join(text.split()[-2:])
        game.lose_door(door, 1 - game.to_move if is_partners else game.to_move)
        game.go_on()

    # Happy Dreams (HP-4)
    def dream_drawn(self, dream):
        if dream != "happy dream":
            return False
        self.game.drawn, self.game.phase = dream, "happy_dream"
        return True

    def legal_happy_dream(self):
        return [*texts("remove premonition", self.face_up), "happy look", "happy search"]

    def do_happy_dream(self, text):
        game = self.game
        game.discard.append(game.drawn)
        game.drawn = None
        if text == "happy look":
            game.expansion("looking").look(7, "look_discard")
        elif text == "happy search" and game.deck:
            game.phase = "happy_search"
        elif text == "happy search":
            game.finish_search()
        else:
            self.face_up.remove(text.split()[-1])
            game.go_on()

    def legal_happy_search(self):
        return on_top(self.game.deck)

    def do_happy_search(self, text):
        self.fetched = card_moved(text)
        self.game.take_from_deck(self.fetched)
        self.game.finish_search()

    def put_fetched_on_top(self):
        """HP-4 c: after the shuffle; the player alone knows the card."""
        if self.fetched:
            self.game.deck.insert(0, self.fetched)
            self.game.seen.insert(0, {self.game.to_move})
            self.fetched = None

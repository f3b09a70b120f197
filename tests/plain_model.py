"""A plain model of the rules of Onirim, the oracle of the lockstep tests.

Written from the rules alone, whose numbers it cites (``P-4``): no line or idea is shared with the engine.
"""

import random
from collections import Counter
from itertools import takewhile

#: The 76 cards (1.1), as kind -> number of copies.
PACK = Counter({"nightmare": 10})
for _colour, _suns in {"red": 9, "blue": 8, "green": 7, "brown": 6}.items():
    PACK.update({f"{_colour} sun": _suns, f"{_colour} moon": 4, f"{_colour} key": 3, f"{_colour} door": 2})

LOCATIONS = [card for card in PACK if card.endswith(("sun", "moon", "key"))]

#: The options of the rules (section 4) with their defaults.
DEFAULTS = {
    "prophecy_discard": "mandatory",  # O-1
    "prophecy_door": "lost",  # O-2
    "reveal_short_deck": "allowed",  # O-3
    "door_key": "optional",  # O-5
    "series_search": "automatic",  # O-6
    "stop_when_unwinnable": False,  # O-10
    "nightmare_return_door": True,  # O-13
    "duplicate_door": "limbo",  # O-20
    "shared_refill": "resolved",  # O-21
    "draft": "choice",  # O-23
}
#: The lists of cards of a position that belong to no player.
ZONES = ("shared", "limbo", "discard", "deck", "revealed", "placed")


def colour_of(card):
    return card.split()[0]


def symbol_of(card):
    return card.split()[-1]


def key_of(door):
    return door.replace("door", "key")


def texts(verb, cards):
    """One action for each kind among the cards."""
    return [f"{verb} {card}" for card in dict.fromkeys(cards)]


class PlainGame:
    """One game, solo or co-op: ``phase``, ``to_move``, ``turns`` completed, ``shuffles`` of the deck.

    Parameters
    ----------
    position : dict
        A position with its whole deck; cards named nowhere are discarded. It may also tell how many of the
        deck's top cards are ``known`` (a number, or one for each player), and each player's ``public``
        cards, those in the hand that the partner knows.
    rng : random.Random, optional
        Shuffles the deck: ``rng.shuffle(deck)`` is all that is asked of it.
    """

    def __init__(self, position, rng=None):
        self.rules = {"players": 1, **DEFAULTS, **position.get("rules", {})}
        self.is_coop = self.rules["players"] == 2
        self.rng = rng or random.Random()
        self.phase, self.to_move = position.get("phase", "action"), position.get("to_move", 0)
        self.turns = self.shuffles = 0
        players = [*position.get("players", []), {}, {}][: self.rules["players"]]
        zones = ("row", "hand", "doors", "public")
        self.players = [{zone: list(player.get(zone, [])) for zone in zones} for player in players]
        for zone in ZONES:
            setattr(self, zone, list(position.get(zone, [])))
        self.drawn, self.swapping = position.get("drawn"), position.get("swapping")
        self.prophecy_follows = position.get("prophecy_follows", False)
        self.discard += (PACK - Counter(self.all_cards())).elements()
        known = position.get("known", 0)
        known = [known] * len(self.players) if isinstance(known, int) else known
        # For each place of the deck, and of the cards that a Prophecy revealed, the players who have seen it.
        self.seen = [{who for who, n in enumerate(known) if place < n} for place in range(len(self.deck))]
        self.revealed_seen = [{self.to_move} for _ in self.revealed]

    @classmethod
    def deal(cls, rules, rng):
        """A new game after the set-up (S-1 to S-3, C-1), which in co-op may leave the draft to be decided."""
        game = cls({"rules": rules, "deck": list(PACK.elements())}, rng)
        game._shuffle()  # S-1
        face_up = game.shared if game.is_coop else game._own("hand")
        while len(face_up) < (8 if game.is_coop else 5):  # S-2, C-1
            card, _ = game._draw()
            (face_up if card in LOCATIONS else game.limbo).append(card)
        game._shuffle_limbo_in()  # S-3
        if game.is_coop and game.rules["draft"] == "choice":  # O-23
            game.phase = "draft"
        elif game.is_coop:
            for game.to_move in (0, 0, 0, 1, 1, 1):
                game._take(game.shared[0])
            game.to_move = 0
        return game

    def legal(self):
        """Texts of the legal actions; none when the game is won or lost."""
        decisions = {
            "draft": texts("take", self.shared),  # C-1
            "series": ["search", "pass"],  # P-2, O-6
            "swap": ["no swap", *texts("swap out", self._own("hand"))],  # C-7
            "swap_in": texts("swap in", self.shared),
            "prophecy_order": texts("prophecy place", self.revealed),  # P-8
            "won": [],
            "lost": [],
        }
        return decisions[self.phase] if self.phase in decisions else getattr(self, f"_legal_{self.phase}")()

    def apply(self, text):
        """Take one decision and run on to the next; an illegal one raises ValueError and changes nothing."""
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal in phase {self.phase}; legal: {self.legal()}")
        getattr(self, f"_do_{self.phase}")(text)

    def position(self):
        """The position, every field, in lists of its own."""
        players = [{zone: list(player[zone]) for zone in ("row", "hand", "doors")} for player in self.players]
        fields = {"rules": dict(self.rules), "phase": self.phase, "to_move": self.to_move, "players": players}
        fields.update({zone: list(getattr(self, zone)) for zone in ZONES})
        fields.update(drawn=self.drawn, swapping=self.swapping, prophecy_follows=self.prophecy_follows)
        return fields

    def set_deck(self, order):
        """Put the cards of the deck into the order that another program's shuffle gave them."""
        assert Counter(order) == Counter(self.deck), "not the cards of the deck"
        self.deck = list(order)

    def knowledge(self, player):
        """What a player knows without talk (C-11): the ``top`` of the deck, and the ``partner``'s cards."""
        top = [card if player in seen else None for card, seen in zip(self.deck, self.seen, strict=True)]
        while top and top[-1] is None:
            top.pop()
        return {"top": top, "partner": sorted(self.players[1 - player]["public"]) if self.is_coop else []}

    def all_cards(self):
        """Every card of the game, zone after zone."""
        cards = [card for card in (self.drawn, self.swapping) if card is not None]
        for zone in ZONES:
            cards += getattr(self, zone)
        for player in self.players:
            cards += player["row"] + player["hand"] + player["doors"]
        return cards

    # Phase 1: play or discard (T-1, T-2), and the draft before it
    def _do_draft(self, text):
        self._take(text.removeprefix("take "))  # C-1: in turn, until each holds three
        self.to_move = 1 - self.to_move
        if all(len(player["hand"]) == 3 for player in self.players):
            self.phase, self.to_move = "action", 0

    def _legal_action(self):
        """P-1, P-7: any card may be discarded; the own row (C-4) takes no symbol twice running."""
        hand, row = self._whole_hand(), self._own("row")
        fitting = [card for card in hand if not row or symbol_of(card) != symbol_of(row[-1])]
        return texts("play", fitting) + texts("discard", hand)

    def _do_action(self, text):
        verb, named = text.split(" ", 1)
        card = self._give_up(named)
        if verb == "play":
            self._own("row").append(card)
            self._look_for_series()
            return
        self.discard.append(card)
        self.prophecy_follows = symbol_of(card) == "key"  # P-8
        self.phase = "swap"  # C-7, before a Prophecy (O-22)
        if not self.is_coop:
            self._after_discard()

    def _look_for_series(self):
        """P-2 to P-6: each third card of an unbroken run of one colour completes a series."""
        colour = colour_of(self._own("row")[-1])
        run = list(takewhile(lambda card: colour_of(card) == colour, reversed(self._own("row"))))
        is_complete = len(run) % 3 == 0 and self._gains_from(f"{colour} door")  # O-20
        if is_complete and self.rules["series_search"] == "choice":  # O-6
            self.phase = "series"
        else:
            self._do_series("search" if is_complete and f"{colour} door" in self.deck else "pass")

    def _do_series(self, text):
        """P-2, P-5, O-26: a search takes a Door of the colour, if there is one, and shuffles the deck."""
        door = f"{colour_of(self._own('row')[-1])} door"
        if text == "search" and door in self.deck:
            place = self.deck.index(door)
            del self.deck[place], self.seen[place]
            self._put_in_play(door)
        if self.phase != "won":
            if text == "search":
                self._shuffle()
            self._refill()

    def _do_swap(self, text):
        if text == "no swap":
            self._after_discard()
        else:  # C-7: one personal card is put up
            self.swapping, self.phase = self._give_up(text.removeprefix("swap out ")), "swap_in"

    def _do_swap_in(self, text):
        """C-7: the card put up becomes shared, the chosen one personal."""
        self._take(text.removeprefix("swap in "))
        self.shared, self.swapping = [*self.shared, self.swapping], None
        self._after_discard()

    # Prophecy (P-8 to P-11)
    def _after_discard(self):
        """P-8, P-9: after a Key the player alone sees the top five cards, or all, together (O-12)."""
        if self.prophecy_follows and self.deck:
            self.phase = "prophecy_discard"
            for _ in range(min(5, len(self.deck))):
                card, seen = self._draw()
                self.revealed.append(card)
                self.revealed_seen.append(seen | {self.to_move})
        self.prophecy_follows = False
        if not self.revealed:
            self._refill()

    def _legal_prophecy_discard(self):
        cards = self.revealed
        if self.rules["prophecy_door"] == "protected":  # O-2
            cards = [card for card in cards if symbol_of(card) != "door"] or cards
        nothing = ["nothing"] if self.rules["prophecy_discard"] == "optional" else []  # O-1
        return texts("prophecy discard", cards + nothing)

    def _do_prophecy_discard(self, text):
        """P-8, P-10: a card goes, without effect; of two copies, the one that the partner knew."""
        discarded = text.removeprefix("prophecy discard ")
        if discarded != "nothing":
            places = [place for place, card in enumerate(self.revealed) if card == discarded]
            place = max(places, key=lambda place: 1 - self.to_move in self.revealed_seen[place])
            self.discard.append(self.revealed.pop(place))
            del self.revealed_seen[place]
        if len(self.revealed) > 1:  # the partner does not see the new order
            self.revealed_seen = [{self.to_move} for _ in self.revealed]
        self.phase = "prophecy_order"
        if symbol_of(discarded) == "door" and self.rules["stop_when_unwinnable"]:  # O-10
            self._put_back()
            self.phase = "lost"
        else:
            self._end_prophecy_if_decided()

    def _do_prophecy_order(self, text):
        self.placed.append(text.removeprefix("prophecy place "))
        self.revealed.remove(self.placed[-1])
        self.revealed_seen.pop()  # all alike, for more than one card was put back
        self._end_prophecy_if_decided()

    def _end_prophecy_if_decided(self):
        """P-8: cards of one kind have one order only, so they are placed without a question."""
        if len(set(self.revealed)) <= 1:
            self._put_back()
            self._refill()

    def _put_back(self):
        """P-8: the cards lie on top of the deck again, the first placed uppermost."""
        self.deck = self.placed + self.revealed + self.deck
        self.seen = [{self.to_move} for _ in self.placed] + self.revealed_seen + self.seen
        self.placed, self.revealed, self.revealed_seen = [], [], []

    # Phase 2: refill (F-1 to F-6), and the turn's end
    def _refill(self, is_new_hand=False):
        """F-1: draw and deal with card after card until the hand is complete; then phase 3 (F-5, L-1)."""
        while (place := self._place_to_fill()) is not None:
            if not self.deck:
                self.phase = "lost"  # W-2, C-10
                return
            card, seen = self._draw()
            if card in LOCATIONS:
                self._join(place, card, seen)
            elif is_new_hand or (place == "shared" and self.rules["shared_refill"] == "limbo"):
                self.limbo.append(card)  # N-4, N-5, O-21
            elif card == "nightmare":
                self.drawn, self.phase = card, "nightmare"  # F-4
                return
            elif not self._gains_from(card) or key_of(card) not in self._own("hand") + self.shared:
                self.limbo.append(card)  # F-3, C-3, O-20: of no use, or without its Key
            elif self.rules["door_key"] == "optional":
                self.drawn, self.phase = card, "door"  # F-3, O-5
                return
            elif self._open(card) == "won":
                return
        self._shuffle_limbo_in()
        self.turns, self.phase = self.turns + 1, "action"
        self.to_move = 1 - self.to_move if self.is_coop else 0  # C-2

    def _legal_door(self):
        key = key_of(self.drawn)  # F-3, C-3: personal or shared
        ways = {key: "open door", f"shared {key}": "open door with shared key"}
        return [action for named, action in ways.items() if named in self._whole_hand()] + ["refuse door"]

    def _do_door(self, text):
        door, self.drawn = self.drawn, None
        if text == "refuse door":
            self.limbo.append(door)  # F-3
        elif self._open(door, text == "open door with shared key") == "won":
            return
        self._refill()

    def _open(self, door, is_key_shared=False):
        """F-3: a Key is discarded, without a Prophecy (P-11), and the Door put in play; returns the phase."""
        is_key_shared = is_key_shared or key_of(door) not in self._own("hand")
        self.discard.append(self._give_up(f"shared {key_of(door)}" if is_key_shared else key_of(door)))
        return self._put_in_play(door)

    def _put_in_play(self, door):
        """W-1, C-8: a Door is gained; eight, in co-op four colours for each, win. Returns the phase."""
        self._own("doors").append(door)
        doors = [set(player["doors"]) if self.is_coop else player["doors"] for player in self.players]
        if all(len(gained) == (4 if self.is_coop else 8) for gained in doors):
            self.phase = "won"
        return self.phase

    def _gains_from(self, door):
        """O-20: whether the Door is of use; in co-op a second one of a colour may not be."""
        return not self.is_coop or self.rules["duplicate_door"] == "kept" or door not in self._own("doors")

    # Nightmare (F-4, N-1 to N-6)
    def _legal_nightmare(self):
        keys = [card for card in self._whole_hand() if symbol_of(card) == "key"]
        actions = texts("nightmare discard", keys)  # N-1
        if self.rules["nightmare_return_door"]:  # N-2, O-13, O-25
            actions += texts("nightmare return", self._own("doors"))
        if len(self.deck) >= 5 or self.rules["reveal_short_deck"] == "allowed":  # N-3, O-3
            actions.append("nightmare reveal five")
        return [*actions, "nightmare discard hand"]  # N-4, O-4

    def _do_nightmare(self, text):
        self.discard.append(self.drawn)
        self.drawn = None
        if text == "nightmare discard hand":  # N-4, C-5
            self.discard += self._own("hand") + self.shared
            for cards in (self._own("hand"), self._own("public"), self.shared):
                cards.clear()
        elif text == "nightmare reveal five":  # N-3
            for _ in range(min(5, len(self.deck))):
                card, _ = self._draw()
                (self.discard if card in LOCATIONS else self.limbo).append(card)
        elif text.startswith("nightmare return "):  # N-2
            self.limbo.append(text.removeprefix("nightmare return "))
            self._own("doors").remove(self.limbo[-1])
        else:  # N-1, without a Prophecy (P-11)
            self.discard.append(self._give_up(text.removeprefix("nightmare discard ")))
        self._refill(is_new_hand=text == "nightmare discard hand")  # N-6

    # Cards on the move
    def _own(self, zone):
        """Row, hand, Doors or public cards of the player to move."""
        return self.players[self.to_move][zone]

    def _whole_hand(self):
        """C-3: the own cards, and the shared ones, which are called so: "shared red key"."""
        return self._own("hand") + [f"shared {card}" for card in self.shared]

    def _give_up(self, named):
        """A card of the whole hand leaves it; of two own copies, the one that the partner knows goes."""
        card = named.removeprefix("shared ")
        (self._own("hand") if named == card else self.shared).remove(card)
        if named == card and card in self._own("public"):
            self._own("public").remove(card)
        return card

    def _take(self, card):
        """C-1, C-7: a face-up card becomes a personal one, which the partner knows."""
        self.shared.remove(card)
        self._own("hand").append(card)
        self._own("public").append(card)

    def _place_to_fill(self):
        """F-1, C-6: where the next Location belongs, personal places first; None if the hand is complete."""
        if len(self._own("hand")) < (3 if self.is_coop else 5):
            return "hand"
        return "shared" if self.is_coop and len(self.shared) < 2 else None

    def _join(self, place, card, seen):
        """F-2: a Location fills its place; a partner who saw it in the deck knows it in the hand."""
        (self._own("hand") if place == "hand" else self.shared).append(card)
        if place == "hand" and 1 - self.to_move in seen:
            self._own("public").append(card)

    def _draw(self):
        """The top card, and who had seen it."""
        return self.deck.pop(0), self.seen.pop(0)

    def _shuffle_limbo_in(self):
        """L-1, S-3, C-14: without a card in Limbo the deck is not shuffled."""
        if self.limbo:
            self.deck, self.limbo = self.deck + self.limbo, []
            self._shuffle()

    def _shuffle(self):
        """All knowledge of the deck ends with its order (1.2)."""
        self.rng.shuffle(self.deck)
        self.seen = [set() for _ in self.deck]
        self.shuffles += 1

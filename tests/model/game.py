"""A plain model of the rules of Onirim, the oracle of the lockstep tests.

Written from the rules alone, whose numbers it cites (``P-4``): no line or idea is shared with the engine.
The base game is here; each expansion is a class in ``expansions`` that hooks in at named points.
"""

import random
from collections import Counter
from itertools import takewhile

from tests.model.expansions import expansions_of
from tests.model.expansions.cards import (
    DEFAULTS,
    EXPANSION_DEFAULTS,
    colour_of,
    fills_hand,
    is_door,
    is_labyrinth_card,
    pack,
    symbol_of,
    texts,
)
from tests.model.refill import Refill

#: The lists of cards of a position that belong to no player.
ZONES = ("shared", "limbo", "discard", "deck", "revealed", "placed")
#: The phases that come before the main action (T-2).
FREE_PHASES = (
    "draft", "action", "paradox", "planning", "architect", "cyclobot_give", "cyclobot_take", "keeper_store",
)  # fmt: skip


class PlainGame(Refill):
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
        given = position.get("rules", {})
        defaults = {**DEFAULTS, **EXPANSION_DEFAULTS} if given.get("expansions") else DEFAULTS
        self.rules = {"players": 1, **defaults, **given}
        self.pack = pack(self.rules)
        self.is_coop = self.rules["players"] == 2
        self.rng = rng or random.Random()
        self.phase, self.to_move = position.get("phase", "action"), position.get("to_move", 0)
        self.turns = self.shuffles = 0
        players = [*position.get("players", []), {}, {}][: self.rules["players"]]
        zones = ("row", "hand", "doors", "public")
        self.players = [{zone: list(player.get(zone, [])) for zone in zones} for player in players]
        for zone in (*ZONES, "removed"):
            setattr(self, zone, list(position.get(zone, [])))
        self.drawn, self.swapping = position.get("drawn"), position.get("swapping")
        self.prophecy_follows = position.get("prophecy_follows", False)
        self.follows = position.get("follows")
        before = self.phase in FREE_PHASES or (self.phase == "payment" and not self.drawn)
        self.acted = position.get("acted", not before)
        self.expansions = expansions_of(self, position)
        self.discard += (self.pack - Counter(self.all_cards())).elements()
        # For each place of the deck, and of the cards that a Prophecy revealed, the players who have seen it.
        self.seen = [set() for _ in self.deck]
        self._read_known(position.get("known", 0), from_bottom=False)
        self._read_known(position.get("known_bottom", 0), from_bottom=True)
        public = position.get("revealed_public", self._reveals_to_all())
        watchers = range(len(self.players)) if public else [self.to_move]
        self.revealed_seen = [set(watchers) for _ in self.revealed]

    @classmethod
    def deal(cls, rules, rng):
        """A new game after the set-up (S-1 to S-3, C-1), which in co-op may leave the draft to be decided."""
        game = cls({"rules": rules}, rng)
        fields = {}
        for expansion in game.expansions:
            fields.update(expansion.deal(game.rules, rng))
        unused = Counter(fields.get("unused_denizens", []))
        game = cls({"rules": rules, **fields, "deck": list((game.pack - unused).elements())}, rng)
        game.shuffle()  # S-1
        face_up = game.shared if game.is_coop else game.own("hand")
        while len(face_up) < (8 if game.is_coop else 5):  # S-2, C-1
            card, _ = game.draw()
            (face_up if fills_hand(card) else game.limbo).append(card)
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
            "swap": ["no swap", *texts("swap out", self.own("hand"))],  # C-7
            "swap_in": texts("swap in", self.shared),
            "prophecy_order": texts("prophecy place", self.revealed),  # P-8
            "won": [],
            "lost": [],
        }
        return decisions[self.phase] if self.phase in decisions else self._method("legal")()

    def apply(self, text):
        """Take one decision and run on to the next; an illegal one raises ValueError and changes nothing."""
        if text not in self.legal():
            raise ValueError(f"{text!r} is not legal in phase {self.phase}; legal: {self.legal()}")
        self._method("do")(text)

    def position(self):
        """The position, every field, in lists of its own."""
        players = [{zone: list(player[zone]) for zone in ("row", "hand", "doors")} for player in self.players]
        fields = {"rules": dict(self.rules), "phase": self.phase, "to_move": self.to_move, "players": players}
        fields.update({zone: list(getattr(self, zone)) for zone in ZONES})
        fields.update(drawn=self.drawn, swapping=self.swapping, prophecy_follows=self.prophecy_follows)
        if self.expansions:
            fields["removed"] = list(self.removed)
            fields.update(follows=self.follows, acted=self.acted)
            if self.is_coop:
                fields["revealed_public"] = self.revealed_is_public()
        for expansion in self.expansions:
            fields.update(expansion.fields())
            for who, player in enumerate(players):
                player.update(expansion.player_fields(who))
        return fields

    def _reveals_to_all(self):
        """Whether the cards beside the deck can only be those of an Incantation or of a Harpoon Hunter."""
        secret = "book_of_steps" in self.rules.get("expansions", ())
        return self.phase == "incantation" or (self.phase == "bottom_order" and not secret)

    def revealed_is_public(self):
        """Whether both players see the cards beside the deck (Incantation, Harpoon Hunter)."""
        seen = self.revealed_seen if self.phase in ("incantation", "bottom_order") else []
        return bool(seen) and all(len(who) > 1 for who in seen)

    def set_deck(self, order):
        """Put the cards of the deck into the order that another program's shuffle gave them."""
        assert Counter(order) == Counter(self.deck), "not the cards of the deck"
        self.deck = list(order)

    def knowledge(self, player):
        """What a player knows without talk (C-11): the ``top`` of the deck, and the ``partner``'s cards.

        With expansions also the ``bottom``, from the last card upwards; a card known is in both lists.
        """
        top = [card if player in seen else None for card, seen in zip(self.deck, self.seen, strict=True)]
        bottom = top[::-1]
        for cards in (top, bottom):
            while cards and cards[-1] is None:
                cards.pop()
        partner = sorted(self.players[1 - player]["public"]) if self.is_coop else []
        return {"top": top, "partner": partner, **({"bottom": bottom} if self.expansions else {})}

    def all_cards(self):
        """Every card of the game, zone after zone."""
        cards = [card for card in (self.drawn, self.swapping) if card is not None]
        for zone in (*ZONES, "removed"):
            cards += getattr(self, zone)
        for player in self.players:
            cards += player["row"] + player["hand"] + player["doors"]
        return cards + self.of_expansions("cards")

    def expansion(self, name):
        """The expansion of a name, or None where it is not played."""
        return next((expansion for expansion in self.expansions if expansion.name == name), None)

    def of_expansions(self, hook, *arguments):
        """What the expansions list at a hook, one after the other."""
        return [item for expansion in self.expansions for item in getattr(expansion, hook)(*arguments)]

    def _method(self, kind):
        """What lists or carries out the decisions of the phase: an expansion's method, or one of the base."""
        name = f"{kind}_{self.phase}"
        owner = next((expansion for expansion in self.expansions if hasattr(expansion, name)), None)
        return getattr(owner, name) if owner else getattr(self, f"_{name}")

    def _read_known(self, known, from_bottom):
        for who, places in enumerate([known] * len(self.players) if isinstance(known, int) else known):
            for place in range(places) if isinstance(places, int) else places:
                self.seen[-1 - place if from_bottom else place].add(who)

    # Phase 1: play or discard (T-1, T-2), and the draft before it
    def _do_draft(self, text):
        self._take(text.removeprefix("take "))  # C-1: in turn, until each holds three
        self.to_move = 1 - self.to_move
        if all(len(player["hand"]) == 3 for player in self.players):
            self.phase, self.to_move = "action", 0

    def _legal_action(self):
        """P-1, P-7: all but Dead Ends (X-3) may be discarded; the own row (C-4) takes no symbol twice."""
        cards = self.whole_hand() + self.of_expansions("stored_cards")
        discardable = [card for card in cards if symbol_of(card) != "end"]
        actions = texts("play", filter(self._fits_row, cards)) + texts("discard", discardable)
        return actions + self.of_expansions("actions")

    def _fits_row(self, card):
        row = self.own("row")
        fits = is_labyrinth_card(card) and (not row or symbol_of(card) != symbol_of(row[-1]))
        return fits and all(expansion.may_play(card) for expansion in self.expansions)

    def _do_action(self, text):
        for expansion in self.expansions:
            expansion.turn_begins_with(text)
        for expansion in self.expansions:
            if text in expansion.actions():
                expansion.act(text)
                return
        verb, named = text.split(" ", 1)
        card = self.give_up(named)
        if verb == "play":
            self.play(card)
            return
        self.acted = True
        self.discard.append(card)
        self.prophecy_follows = symbol_of(card) == "key"  # P-8
        self.follows = next(
            filter(None, (expansion.after_discard(card) for expansion in self.expansions)), None
        )
        self.phase = "swap"  # before a Prophecy (C-7)
        if not self.is_coop:
            self._after_discard()

    def play(self, card):
        """P-2 to P-6: each third card of an unbroken run of one colour completes a series."""
        self.acted = True
        self.own("row").append(card)
        run = list(takewhile(lambda one: colour_of(one) == colour_of(card), reversed(self.own("row"))))
        crossroads = self.expansion("crossroads")
        is_complete = crossroads.completes_series() if crossroads else len(run) % 3 == 0
        ways = self._legal_series()[:-1] if is_complete else []
        if not ways:
            self.go_on()
        elif self.rules["series_search"] == "choice" or len(ways) > 1 or not self._finds_door(ways[0]):
            self.phase = "series"  # O-6
        else:
            self._do_series(ways[0])

    def series_colour(self):
        """The colour of the series that the row ends with: that of its last card but a Crossroad (X-1)."""
        return colour_of(next(card for card in reversed(self.own("row")) if colour_of(card) != "crossroad"))

    def _legal_series(self):
        """P-2, O-6, O-20: the search, in automatic play where it can bring something, and other ways."""
        door = f"{self.series_colour()} door"
        dreamcatchers = self.expansion("dreamcatchers")
        can_bring = door in self.deck or (dreamcatchers and dreamcatchers.occupied())  # D-6
        searches = self.gains_from(door) and (can_bring or self.rules["series_search"] == "choice")
        ways = self.of_expansions("series_ways", self.series_colour())
        return (["search"] if searches else []) + ways + ["pass"]

    def _searched_door(self, text):
        """The Door that a way to gain one by a series names."""
        words = text.split()
        place = words.index("door") if "door" in words else 0
        return f"{words[place - 1]} door" if place else f"{self.series_colour()} door"

    def _finds_door(self, way):
        """Whether a search of the deck puts a Door in play, at no cost."""
        door = self._searched_door(way)
        return way.startswith("search") and door in self.deck and self.accepts(door)

    def _do_series(self, text):
        """P-2, P-5: a search takes a Door of the colour, if there is one, and shuffles the deck."""
        if text == "pass":
            self.go_on()
            return
        door = self._searched_door(text)
        if text.startswith("chaos "):
            self.expansion("oniverse").use("chromatic chaos")
        if "dreamcatcher" in text:  # D-7
            self.expansion("dreamcatchers").take_out(door, int(text.split()[-1]))
            self.put_in_play(door)
        elif door in self.deck:
            self.take_from_deck(door)
            self.put_in_play(door)
        if self.phase != "won":
            self.finish_search()

    def finish_search(self):
        """P-2: a search ends with a shuffle, before which a Dreamcatcher may be freed (D-6)."""
        if not any(expansion.before_shuffle() for expansion in self.expansions):
            self.shuffle_after_search()

    def shuffle_after_search(self):
        self.shuffle()
        premonitions = self.expansion("premonitions")
        if premonitions:
            premonitions.put_fetched_on_top()
        self.go_on()

    def _do_swap(self, text):
        if text == "no swap":
            self._after_discard()
        else:  # C-7: one personal card is put up
            self.swapping, self.phase = self.give_up(text.removeprefix("swap out ")), "swap_in"

    def _do_swap_in(self, text):
        """C-7: the card put up becomes shared, the chosen one personal."""
        self._take(text.removeprefix("swap in "))
        self.shared, self.swapping = [*self.shared, self.swapping], None
        self._after_discard()

    # Prophecy (P-8 to P-11)
    def _after_discard(self):
        """P-8, P-9: after a Key the player alone sees the top five cards, or all, together."""
        if self.prophecy_follows and self.deck:
            self.phase = "prophecy_discard"
            for _ in range(min(5, len(self.deck))):
                card, seen = self.draw()
                self.revealed.append(card)
                self.revealed_seen.append(seen | {self.to_move})
        what, self.follows, self.prophecy_follows = self.follows, None, False
        if not self.revealed and not (what and any(expansion.follow(what) for expansion in self.expansions)):
            self.go_on()

    def _legal_prophecy_discard(self):
        cards = self.revealed
        if self.rules["prophecy_door"] == "protected":  # O-2
            cards = [card for card in cards if not is_door(card)] or cards
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
        if is_door(discarded) and self.rules["stop_when_unwinnable"]:  # O-10
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
            self.go_on()

    def _put_back(self):
        """P-8: the cards lie on top of the deck again, the first placed uppermost."""
        self.deck = self.placed + self.revealed + self.deck
        self.seen = [{self.to_move} for _ in self.placed] + self.revealed_seen + self.seen
        self.placed, self.revealed, self.revealed_seen = [], [], []

    # Cards on the move
    def own(self, zone):
        """Row, hand, Doors or public cards of the player to move."""
        return self.players[self.to_move][zone]

    def whole_hand(self):
        """C-3: the own cards, and the shared ones, which are called so: "shared red key"."""
        return self.own("hand") + [f"shared {card}" for card in self.shared]

    def give_up(self, named):
        """A card of the whole hand leaves it; of two own copies, the one that the partner knows goes."""
        if named.startswith("stored "):
            return self.expansion("oniverse").give_up_stored(named.removeprefix("stored "))
        card = named.removeprefix("shared ")
        (self.own("hand") if named == card else self.shared).remove(card)
        if named == card and card in self.own("public"):
            self.own("public").remove(card)
        return card

    def _take(self, card):
        """C-1, C-7: a face-up card becomes a personal one, which the partner knows."""
        self.shared.remove(card)
        self.own("hand").append(card)
        self.own("public").append(card)

    def _place_to_fill(self):
        """F-1, C-6: where the next Location belongs, personal places first; None if the hand is complete."""
        if len(self.own("hand")) < (3 if self.is_coop else 5):
            return "hand"
        return "shared" if self.is_coop and len(self.shared) < 2 else None

    def _join(self, place, card, seen):
        """F-2: a Location fills its place; a partner who saw it in the deck knows it in the hand."""
        (self.own("hand") if place == "hand" else self.shared).append(card)
        if place == "hand" and 1 - self.to_move in seen:
            self.own("public").append(card)

    def take_from_deck(self, card):
        """A card that a search found leaves the deck, which a shuffle follows."""
        place = self.deck.index(card)
        del self.deck[place], self.seen[place]

    def draw(self):
        """The top card, and who had seen it."""
        return self.deck.pop(0), self.seen.pop(0)

    def _shuffle_limbo_in(self):
        """L-1, S-3, C-14: without a card in Limbo the deck is not shuffled."""
        if self.limbo:
            self.deck, self.limbo = self.deck + self.limbo, []
            self.shuffle()

    def shuffle(self):
        """All knowledge of the deck ends with its order."""
        self.rng.shuffle(self.deck)
        self.seen = [set() for _ in self.deck]
        self.shuffles += 1

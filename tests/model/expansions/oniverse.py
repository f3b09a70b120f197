"""The Door to the Oniverse."""

from itertools import takewhile

from tests.model.expansions.cards import (
    COLOURS,
    DENIZENS,
    colour_of,
    is_labyrinth_card,
    is_location,
    key_of,
    symbol_of,
    texts,
)
from tests.model.expansions.expansion import Expansion


class Oniverse(Expansion):
    """A Door of any colour, and Denizens that help once each."""

    name = "oniverse"

    def read(self, position):
        given = [*position.get("players", []), {}, {}][: len(self.game.players)]
        self.denizens = [list(player.get("denizens", [])) for player in given]
        self.stored = [list(player.get("stored", [])) for player in given]
        self.unused = list(position.get("unused_denizens", []))
        self.given = position.get("given")
        self._show_given()

    def _show_given(self):
        """A personal card that Cyclobot takes lies open, so the partner knows it."""
        is_personal = self.given is not None and not self.given.startswith("shared ")
        if is_personal and self.given not in self.game.own("public"):
            self.game.own("public").append(self.given)

    def fields(self):
        return {"unused_denizens": list(self.unused), "given": self.given}

    def player_fields(self, who):
        return {"denizens": list(self.denizens[who]), "stored": list(self.stored[who])}

    def cards(self):
        return [card for cards in (*self.denizens, *self.stored, self.unused) for card in cards]

    @classmethod
    def deal(cls, rules, rng):
        """O-D1, O-36: eight of the sixteen Denizens are removed unseen."""
        shuffled = [*DENIZENS, *DENIZENS]
        rng.shuffle(shuffled)
        return {"unused_denizens": shuffled[: 16 - rules["denizens"]]}

    def has(self, denizen):
        return denizen in self.denizens[self.game.to_move]

    def use(self, denizen):
        """O-D4: a Denizen is discarded when its power is used."""
        self.denizens[self.game.to_move].remove(denizen)
        self.game.discard.append(denizen)

    # Rallying (O-D3)
    def dream_drawn(self, dream):
        if dream not in DENIZENS:
            return False
        self.game.drawn, self.game.phase = dream, "denizen"
        if self.legal_denizen() != ["refuse denizen"]:
            return True
        self.game.discard.append(dream)
        self.game.drawn = None
        return False

    def legal_denizen(self):
        cards = [card for card in self.game.whole_hand() if symbol_of(card) != "end"]
        return [*texts(f"rally {self.game.drawn} with", cards), "refuse denizen"]

    def do_denizen(self, text):
        game = self.game
        if text == "refuse denizen":
            game.discard.append(game.drawn)
        else:
            game.discard.append(game.give_up(text.partition(" with ")[2]))
            self.denizens[game.to_move].append(game.drawn)
        game.drawn = None
        game.go_on()

    # The Oniverse Door (O-D2) and Chromatic Chaos
    def series_ways(self, colour):
        game = self.game
        others = [f"{other} door" for other in COLOURS if other != colour and self.has("chromatic chaos")]
        ways = {"oniverse door": "search oniverse door"} | {door: f"chaos search {door}" for door in others}
        return [
            way
            for door, way in ways.items()
            if door in game.deck and game.gains_from(door) and game.accepts(door)
        ]

    def door_ways(self, door):
        keys = [f"{colour} key" for colour in COLOURS if f"{colour} key" != key_of(door)]
        held = [named for key in keys for named in (key, f"shared {key}") if named in self.game.whole_hand()]
        if door == "oniverse door":
            return [f"open door with {named}" for named in held]
        return [f"chaos open door with {named}" for named in held if self.has("chromatic chaos")]

    # The Mirror
    def nightmare_answers(self):
        return ["mirror"] if self.has("mirror") else []

    def answer(self, text):
        """4.10: an own one."""
        self.use("mirror")
        self.game.end_nightmare(self.game.limbo)

    # Free powers
    def actions(self):
        game, row = self.game, self.game.own("row")
        stores = self.denizens[game.to_move].count("treasure keeper") > len(self.stored[game.to_move])
        can_use = {
            "architect": bool(row and self.legal_architect()),
            "cyclobot": any(map(is_location, game.whole_hand())) and any(map(is_location, game.discard)),
            "squirrel spies": bool(game.deck),
            "harpoon hunter": bool(game.deck),
            "hammer bird": bool(row),
            "treasure keeper": stores and bool(game.whole_hand()),
        }
        return [denizen for denizen, able in can_use.items() if able and self.has(denizen)]

    def act(self, text):
        game = self.game
        if text != "treasure keeper":
            self.use(text)
        if text == "squirrel spies":
            game.expansion("looking").look(5)
        elif text == "harpoon hunter":
            self._hunt()
        elif text == "hammer bird":
            self._hammer()
        else:
            game.phase = {"cyclobot": "cyclobot_give", "treasure keeper": "keeper_store"}.get(text, text)

    def legal_architect(self):
        """The action itself: a Location of the last card's symbol."""
        game = self.game
        cards = [card for card in game.whole_hand() + self.stored_cards() if is_labyrinth_card(card)]
        cards = [card for card in cards if symbol_of(card) == symbol_of(game.own("row")[-1])]
        return texts(
            "play", [card for card in cards if all(expansion.may_play(card) for expansion in game.expansions)]
        )

    def do_architect(self, text):
        self.game.play(self.game.give_up(text.removeprefix("play ")))

    def legal_cyclobot_give(self):
        return texts("cyclobot give", filter(is_location, self.game.whole_hand()))

    def do_cyclobot_give(self, text):
        self.given, self.game.phase = text.removeprefix("cyclobot give "), "cyclobot_take"
        self._show_given()

    def legal_cyclobot_take(self):
        return texts("cyclobot take", filter(is_location, self.game.discard))

    def do_cyclobot_take(self, text):
        """The card from the discard pile takes the place of the one given; everybody has seen it."""
        game = self.game
        card, named, self.given = text.removeprefix("cyclobot take "), self.given, None
        game.discard.remove(card)
        game.discard.append(game.give_up(named))
        if named.startswith("shared "):
            game.shared.append(card)
        else:
            game.own("hand").append(card)
            game.own("public").append(card)
        game.go_on()

    def _hunt(self):
        game = self.game
        looking = game.expansion("looking")
        looking.reveal(5)
        game.discard += [card for card in game.revealed if card == "nightmare"]
        game.revealed = [card for card in game.revealed if card != "nightmare"]
        game.revealed_seen = game.revealed_seen[: len(game.revealed)]  # all alike
        looking.put_at_bottom()

    def _hammer(self):
        """X-1: a Crossroad at the end goes alone."""
        game, row = self.game, self.game.own("row")
        colour = colour_of(row[-1])
        run = list(takewhile(lambda card: colour_of(card) == colour, reversed(row)))
        number = 1 if colour == "crossroad" else len(run)
        game.discard += row[-number:]
        del row[-number:]
        if game.expansion("crossroads"):
            game.expansion("crossroads").row_shortened()
        game.go_on()

    # Repentant Treasure Keeper
    def legal_keeper_store(self):
        return texts("store", self.game.whole_hand())

    def do_keeper_store(self, text):
        """The hand is filled again before the action; the card stored lies open."""
        self.stored[self.game.to_move].append(self.game.give_up(text.removeprefix("store ")))
        self.game.go_on()

    def stored_cards(self):
        return [f"stored {card}" for card in self.stored[self.game.to_move]]

    def give_up_stored(self, card):
        """O-D4: the Keeper goes with the card that it stored."""
        self.stored[self.game.to_move].remove(card)
        self.use("treasure keeper")
        return card

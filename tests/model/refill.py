"""Phases 2 and 3 of the plain model: the refill, Doors and Nightmares met in it, and the end of a turn."""

from tests.model.expansions.cards import colour_of, fills_hand, is_door, key_of, symbol_of, texts


class Refill:
    """The part of ``PlainGame`` that follows a decision."""

    # Phase 2: refill (F-1 to F-6), and the turn's end
    def go_on(self):
        """What comes after each decision: effects that are due, the refill, phase 3."""
        if any(expansion.before_refill() for expansion in self.expansions) or not self.fill():
            return
        if not self.acted:
            self.phase = "action"  # a free action is done (T-2)
        elif not any(expansion.phase_3() for expansion in self.expansions):
            self._shuffle_limbo_in()
            self.end_turn()

    def fill(self, is_new_hand=False):
        """F-1: draw and deal with card after card until the hand is complete; whether that came to pass."""
        while (place := self._place_to_fill()) is not None:
            if not self.deck:
                self.phase = "lost"  # W-2, C-10
                return False
            card, seen = self.draw()
            if fills_hand(card):
                self._join(place, card, seen)
            elif is_new_hand or (place == "shared" and self.rules["shared_refill"] == "limbo"):
                self.limbo.append(card)  # N-4, N-5, O-21
            elif self._meet(card):
                return False
        return True

    def _meet(self, card):
        """F-3, F-4: deal with a Door or a Dream; whether the refill stops there."""
        if not is_door(card) and card != "nightmare":
            return any(expansion.dream_drawn(card) for expansion in self.expansions)
        self.drawn, self.phase = card, "door" if is_door(card) else "nightmare"
        if card == "nightmare":
            return True
        if not self.gains_from(card) or not self.accepts(card) or self._legal_door() == ["refuse door"]:
            self.limbo.append(card)  # F-3, C-3, O-20: of no use, or without its Key
            self.drawn = None
            return False
        if self.rules["door_key"] == "automatic" and key_of(card) in self.own("hand") + self.shared:  # O-5
            self._do_door(self._legal_door()[0])
        return True

    def end_turn(self):
        self.turns, self.phase, self.acted = self.turns + 1, "action", False
        self.to_move = 1 - self.to_move if self.is_coop else 0  # C-2
        for expansion in self.expansions:
            expansion.turn_ended()

    def _legal_door(self):
        key = key_of(self.drawn)  # F-3, C-3: personal or shared
        ways = {key: "open door", f"shared {key}": "open door with shared key"}
        opening = [action for named, action in ways.items() if named in self.whole_hand()]
        return (
            opening
            + [way for expansion in self.expansions for way in expansion.door_ways(self.drawn)]
            + ["refuse door"]
        )

    def _do_door(self, text):
        """F-3: a Key is discarded, without a Prophecy (P-11), and the Door put in play."""
        door, self.drawn = self.drawn, None
        if text == "refuse door":
            self.limbo.append(door)
        else:
            if text.startswith("chaos "):
                self.expansion("oniverse").use("chromatic chaos")
            named = text.partition(" with ")[2] or key_of(door)
            self.discard.append(self.give_up(f"shared {key_of(door)}" if named == "shared key" else named))
            if self.put_in_play(door) == "won":
                return
        self.go_on()

    def accepts(self, door):
        """Whether the Door, if obtained now, is put in play and does not go to Limbo (B-2)."""
        return all(expansion.accepts(door) for expansion in self.expansions)

    def put_in_play(self, door):
        """W-1, C-8: a Door is obtained, and put in play if its turn has come (B-2). Returns the phase."""
        if not self.accepts(door):
            self.limbo.append(door)
            return self.phase
        self.own("doors").append(door)
        for expansion in self.expansions:
            expansion.door_gained(door)
        return self.check_victory()

    def check_victory(self):
        """W-1, C-8, G-2, O-D2: all Doors, in co-op four colours for each, and what expansions ask for."""
        doors = [door for player in self.players for door in player["doors"]]
        colours = [{colour_of(door) for door in player["doors"]} - {"oniverse"} for player in self.players]
        if (
            len(doors) == sum(n for card, n in self.pack.items() if is_door(card))
            and all(len(gained) == 4 for gained in colours)
            and all(expansion.is_victorious() for expansion in self.expansions)
        ):
            self.phase = "won"
        return self.phase

    def gains_from(self, door):
        """O-20, G-2: whether the Door is of use; in co-op the partner needs one of each colour, too."""
        useful = max(1, self.pack[door] - 1)
        return (
            not self.is_coop
            or self.rules["duplicate_door"] == "kept"
            or self.own("doors").count(door) < useful
        )

    def lose_door(self, door, who=None):
        """A Door in play goes to Limbo."""
        self.players[self.to_move if who is None else who]["doors"].remove(door)
        self.limbo.append(door)
        for expansion in self.expansions:
            expansion.door_lost(door)

    # Nightmare (F-4, N-1 to N-6)
    def _legal_nightmare(self):
        keys = [card for card in self.whole_hand() if symbol_of(card) == "key"]
        actions = texts("nightmare discard", keys)  # N-1
        if self.rules["nightmare_return_door"]:  # N-2, O-13, C-13
            actions += texts("nightmare return", self.own("doors"))
        if len(self.deck) >= 5 or self.rules["reveal_short_deck"] == "allowed":  # N-3, O-3
            actions.append("nightmare reveal five")
        return [*actions, "nightmare discard hand", *self.of_expansions("nightmare_answers")]  # N-4

    def _do_nightmare(self, text):
        for expansion in self.expansions:
            if text in expansion.nightmare_answers():
                expansion.answer(text)
                return
        if text == "nightmare discard hand":  # N-4; the new hand is part of the penalty (TW-4)
            if not self.take_new_hand():
                self.lay_nightmare_aside(self.discard)
                return
        elif text == "nightmare reveal five":  # N-3; X-5: Dead Ends are not discarded
            for _ in range(min(5, len(self.deck))):
                card, _ = self.draw()
                (self.discard if fills_hand(card) and card != "dead end" else self.limbo).append(card)
        elif text.startswith("nightmare return "):  # N-2
            self.lose_door(text.removeprefix("nightmare return "))
        else:  # N-1, without a Prophecy (P-11)
            self.discard.append(self.give_up(text.removeprefix("nightmare discard ")))
        if not any(expansion.after_nightmare() for expansion in self.expansions):
            self.end_nightmare(self.discard)

    def end_nightmare(self, pile):
        """The Nightmare is laid aside, and the refill goes on (N-6)."""
        self.lay_nightmare_aside(pile)
        self.go_on()

    def lay_nightmare_aside(self, pile):
        """The Nightmare goes to a pile."""
        pile.append(self.drawn)
        self.drawn = None

    def take_new_hand(self):
        """N-4, C-5: not the partner's personal cards; whether the deck gives a new hand."""
        self.discard += self.own("hand") + self.shared
        for cards in (self.own("hand"), self.own("public"), self.shared):
            cards.clear()
        return self.fill(is_new_hand=True)

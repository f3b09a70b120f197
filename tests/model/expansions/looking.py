"""Looking at cards of the deck and putting them back, at the top or at the bottom, in any order."""

from tests.model.expansions.cards import at_bottom, card_moved, is_door, on_top, texts
from tests.model.expansions.expansion import Expansion


class Looking(Expansion):
    """What several expansions share; it brings no cards."""

    name = "looking"

    def look(self, number, phase="look_order"):
        """The player alone looks at the top cards, or all, to put them back on top in any order."""
        self._lift(number, {self.game.to_move})
        self._ask(phase)

    def reveal(self, number):
        """The top cards, or all, are shown to everybody and lie beside the deck."""
        self._lift(number, set(range(len(self.game.players))))

    def look_at_bottom(self, number, phase):
        """The player alone looks at the bottom cards, or all."""
        game = self.game
        first = max(0, len(game.deck) - number)
        game.revealed, game.deck = game.deck[first:], game.deck[:first]
        game.revealed_seen, game.seen = [one | {game.to_move} for one in game.seen[first:]], game.seen[:first]
        if len(game.revealed) > 1:
            self.forget()
        game.phase = phase

    def forget(self):
        """The partner does not see the order in which more than one card are put back."""
        self.game.revealed_seen = [{self.game.to_move} for _ in self.game.revealed]

    def put_at_bottom(self):
        """The revealed cards go to the bottom in any order: the player is asked, or they go at once.

        What everybody has seen stays in sight until it is there.
        """
        self.game.phase = "bottom_order"
        self._end_if_decided()

    def legal_look_discard(self):
        """HP-4 b: any number of the cards seen may be discarded."""
        return [*texts("look discard", self.game.revealed), "look done"]

    def do_look_discard(self, text):
        game = self.game
        if text == "look done":
            self._ask("look_order")
            return
        card = text.removeprefix("look discard ")
        places = [place for place, one in enumerate(game.revealed) if one == card]
        # Of two copies, the one that the partner knew.
        place = max(places, key=lambda place: 1 - game.to_move in game.revealed_seen[place])
        game.discard.append(game.revealed.pop(place))
        del game.revealed_seen[place]
        if is_door(card) and game.rules["stop_when_unwinnable"]:  # O-10
            self._end()
            game.phase = "lost"
        else:
            self._ask("look_discard")

    def legal_look_order(self):
        return on_top(self.game.revealed)

    def do_look_order(self, text):
        self._place(card_moved(text))

    def legal_bottom_order(self):
        return at_bottom(self.game.revealed)

    def do_bottom_order(self, text):
        self._place(card_moved(text))

    def _lift(self, number, watchers):
        game = self.game
        for _ in range(min(number, len(game.deck))):
            card, seen = game.draw()
            game.revealed.append(card)
            game.revealed_seen.append(seen | watchers)

    def _ask(self, phase):
        game = self.game
        game.phase = phase
        if phase == "look_order" and len(game.revealed) > 1:
            self.forget()
        if not game.revealed or phase == "look_order":
            self._end_if_decided()

    def _place(self, card):
        game = self.game
        game.placed.append(card)
        game.revealed.remove(card)
        game.revealed_seen.pop()  # all alike, for more than one card were put back
        self._end_if_decided()

    def _end_if_decided(self):
        """Cards of one kind have one order only, so they are placed without a question."""
        if len(set(self.game.revealed)) <= 1:
            self._end()
            self.game.go_on()

    def _end(self):
        game = self.game
        cards = game.placed + game.revealed
        seen = [{game.to_move} for _ in game.placed] + game.revealed_seen
        if game.phase == "bottom_order":
            if len(cards) > 1:  # nobody but the player sees in which order they are put there
                seen = [{game.to_move} for _ in cards]
            game.deck, game.seen = game.deck + cards, game.seen + seen
        else:
            game.deck, game.seen = cards + game.deck, seen + game.seen
        game.placed, game.revealed, game.revealed_seen = [], [], []

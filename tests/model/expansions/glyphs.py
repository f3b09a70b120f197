"""The Glyphs."""

from tests.model.expansions.cards import is_door, symbol_of, texts
from tests.model.expansions.expansion import Expansion


class Glyphs(Expansion):
    """A fourth symbol, and the Incantation of a discarded Glyph."""

    name = "glyphs"

    def after_discard(self, card):
        return "incantation" if symbol_of(card) == "glyph" else None  # G-3

    def follow(self, what):
        """G-3: the top five cards are revealed; one Door among them may be put in play."""
        if what != "incantation":
            return False
        looking = self.game.expansion("looking")
        looking.reveal(5)
        self.game.phase = "incantation"
        if self.legal_incantation() in ([], ["incantation take nothing"]):
            looking.put_at_bottom()
        return True

    def legal_incantation(self):
        """G-4, O-31: one Door that the player can keep (O-20), or none."""
        doors = [card for card in self.game.revealed if is_door(card) and self.game.gains_from(card)]
        nothing = ["nothing"] if self.game.rules["incantation_door"] == "optional" else []
        return texts("incantation take", doors + nothing)

    def do_incantation(self, text):
        """G-5: a Door out of order goes to Limbo."""
        game = self.game
        door = text.removeprefix("incantation take ")
        if door != "nothing":
            place = game.revealed.index(door)
            del game.revealed[place], game.revealed_seen[place]
            if game.put_in_play(door) == "won":
                return
        game.expansion("looking").put_at_bottom()

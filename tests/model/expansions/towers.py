"""The Towers."""

from itertools import pairwise

from tests.model.expansions.cards import colour_of, is_tower
from tests.model.expansions.expansion import Expansion

SUN, MOON = {"sun"}, {"moon"}

#: Symbols of the left and of the right edge.
EDGES = {
    "red tower 3": (SUN | MOON, MOON),
    "red tower 4": (SUN, MOON),
    "red tower 5": (set(), MOON),
    "blue tower 3": (MOON, SUN | MOON),
    "blue tower 4": (MOON, MOON),
    "blue tower 5": (MOON, set()),
    "green tower 3": (SUN, SUN | MOON),
    "green tower 4": (SUN, SUN),
    "green tower 5": (SUN, set()),
    "brown tower 3": (SUN | MOON, SUN),
    "brown tower 4": (MOON, SUN),
    "brown tower 5": (set(), SUN),
}


def is_legal(towers):
    """TW-2: no touching edges share a symbol."""
    return not any(EDGES[left][1] & EDGES[right][0] for left, right in pairwise(towers))


def are_aligned(towers):
    """TW-6: four adjacent Towers of four colours."""
    return any(len(set(map(colour_of, towers[place : place + 4]))) == 4 for place in range(len(towers) - 3))


class Towers(Expansion):
    """A second row, with two ends, shared by both players (TW-9)."""

    name = "towers"

    def read(self, position):
        self.towers = list(position.get("towers", []))

    def fields(self):
        return {"towers": list(self.towers)}

    def cards(self):
        return self.towers

    def is_victorious(self):
        return are_aligned(self.towers)

    def _row_with(self, card, side):
        return [card, *self.towers] if side == "left" else [*self.towers, card]

    def actions(self):
        """TW-2: in an empty row both sides are the same."""
        game = self.game
        cards = game.whole_hand() + game.of_expansions("stored_cards")
        return [
            f"place {named} {side}"
            for named in dict.fromkeys(filter(is_tower, cards))
            for side in (("left", "right") if self.towers else ("right",))
            if is_legal(self._row_with(" ".join(named.split()[-3:]), side))
        ]

    def act(self, text):
        named, side = text.removeprefix("place ").rsplit(" ", 1)
        self.game.acted = True
        self.towers = self._row_with(self.game.give_up(named), side)
        if self.game.check_victory() != "won":
            self.game.go_on()

    def after_discard(self, card):
        return f"look {card.split()[-1]}" if is_tower(card) else None  # TW-3

    def follow(self, what):
        if not what.startswith("look "):
            return False
        self.game.expansion("looking").look(int(what.split()[-1]))
        return True

    # Nightmares (TW-4 to TW-7)
    def after_nightmare(self):
        if not self.towers or (are_aligned(self.towers) and not self.is_hard):
            return False
        self.game.phase = "tower_loss"
        return True

    def legal_tower_loss(self):
        """TW-4, and False Destruction (TW-5, O-34)."""
        rows = {card: [one for one in self.towers if one != card] for card in self.towers}
        losses = [f"lose {card}" for card, row in rows.items() if is_legal(row)]
        may_save = not losses or self.game.rules["false_destruction"] == "free"
        return losses + (["false destruction"] if may_save else [])

    def do_tower_loss(self, text):
        if text == "false destruction":
            self.game.end_nightmare(self.game.limbo)
            return
        card = text.removeprefix("lose ")
        self.towers.remove(card)
        self.game.discard.append(card)
        self.game.lay_nightmare_aside(self.game.discard)
        if self.game.check_victory() != "won":  # TW-6, W-1: the others have moved together
            self.game.go_on()

"""Crossroads and Dead Ends."""

from tests.model.expansions.cards import colour_of, is_door
from tests.model.expansions.expansion import Expansion


def can_be_one_series(cards):
    """X-1: at most one Crossroad, the others of one colour."""
    colours = [colour_of(card) for card in cards]
    return colours.count("crossroad") <= 1 and len({*colours} - {"crossroad"}) <= 1


class Crossroads(Expansion):
    """Locations of any colour, and cards that only fill the hand.

    ``used`` is how many of the first cards of a row serve in no series any more.
    """

    name = "crossroads"

    def read(self, position):
        self.used = [0] * len(self.game.players)
        given = position.get("players", [])
        for who, player in enumerate(self.game.players):
            row = player["row"]
            if who < len(given) and "used" in given[who]:
                self.used[who] = given[who]["used"]
                continue
            for size in range(1, len(row) + 1):
                self.used[who] = self._used_after(row[:size], self.used[who])

    def player_fields(self, who):
        return {"used": self.used[who]}

    def _used_after(self, row, used):
        """O-37: how many cards are used after the last one was played.

        X-7: hard, a Crossroad counts for the series that it is the second card of, and for no other.
        """
        restarts = self.is_hard or self.game.rules["crossroad_series"] == "restart"
        if restarts and not can_be_one_series(row[used:]):
            return len(row) - 1
        last = row[used:][-3:]
        return len(row) if len(last) == 3 and can_be_one_series(last) else used

    def completes_series(self):
        """Whether the card just played completes a series; X-1."""
        who, row = self.game.to_move, self.game.own("row")
        self.used[who] = self._used_after(row, self.used[who])
        return self.used[who] == len(row)

    def row_shortened(self):
        self.used[self.game.to_move] = min(self.used[self.game.to_move], len(self.game.own("row")))

    def may_play(self, card):
        """X-7: hard, a Crossroad is played only where it is the second card of a series."""
        if not self.is_hard or "crossroad" not in card:
            return True
        pending = self.game.own("row")[self.used[self.game.to_move] :]
        return len(pending) == 1 and colour_of(pending[0]) != "crossroad"

    def door_ways(self, door):
        """X-2: the Crossroad Key opens a Door of any colour."""
        keys = [card for card in ("crossroad key", "shared crossroad key") if card in self.game.whole_hand()]
        return [f"open door with {card}" for card in keys if is_door(door)]

    # Escape
    def actions(self):
        return ["escape"]

    def act(self, text):
        self.game.acted = True
        if self.game.take_new_hand():
            self.game.go_on()

"""The Dreamcatchers."""

from tests.model.expansions.cards import colour_of, is_door
from tests.model.expansions.expansion import Expansion


class Dreamcatchers(Expansion):
    """Limbo goes under Dreamcatchers, one group under each, the oldest group first."""

    name = "dreamcatchers"

    def read(self, position):
        self.catchers = [list(group) for group in position.get("dreamcatchers", [[], [], [], []])]
        self.books = position.get("failsafe_books", 0 if self.is_hard else 2)  # D-1, D-10
        self.kept = position.get("kept_dreamcatcher")
        self.begun = position.get("begun", self._has_begun())
        self._sort()

    def fields(self):
        return {
            "dreamcatchers": [list(group) for group in self.catchers],
            "failsafe_books": self.books,
            "kept_dreamcatcher": self.kept,
            "begun": self.begun,
        }

    def _has_begun(self):
        """What the phase tells: a Book (D-8) may lead to Premonitions that are due in a position."""
        game = self.game
        if game.phase == "free" or game.phase.startswith("premonition"):
            return game.acted
        return game.phase not in ("draft", "action")

    def cards(self):
        return [card for group in self.catchers for card in group]

    def _sort(self):
        """Empty Dreamcatchers stand behind the others."""
        self.catchers.sort(key=lambda group: not group)

    def occupied(self):
        """Numbers of the occupied Dreamcatchers; of those with equal cards, the first."""
        first = {}
        for number, group in enumerate(self.catchers, 1):
            if group and number != self.kept:
                first.setdefault(tuple(sorted(group)), number)
        return list(first.values())

    def dream_drawn(self, dream):
        if dream == "lost dream":
            self.game.limbo.append(dream)  # D-2
        return False

    def is_victorious(self):
        return self.cards().count("lost dream") == 4  # D-9

    # Searches
    def series_ways(self, colour):
        """D-7: a Door may come from under a Dreamcatcher."""
        game = self.game
        oniverse = game.expansion("oniverse")
        has_chaos = oniverse is not None and oniverse.has("chromatic chaos")
        ways = []
        for number in self.occupied():
            for door in dict.fromkeys(filter(is_door, self.catchers[number - 1])):
                fits = colour_of(door) in (colour, "oniverse")
                # Edge 53: the Door of the colour may be one that goes to Limbo, as in a search of the deck.
                may_be_taken = colour_of(door) == colour or ((fits or has_chaos) and game.accepts(door))
                if may_be_taken and game.gains_from(door):
                    ways.append(f"{'' if fits else 'chaos '}take {door} from dreamcatcher {number}")
        return ways

    def take_out(self, door, number):
        """D-7: the catcher that held the Door is not freed by the same search."""
        group = self.catchers[number - 1]
        group.remove(door)
        self.kept = number if group else None
        self._sort()

    def before_shuffle(self):
        """D-6: a search may free one Dreamcatcher."""
        if not self.occupied():
            self.kept = None
            return False
        self.game.phase = "free"
        return True

    def legal_free(self):
        return [*(f"free dreamcatcher {number}" for number in self.occupied()), "free none"]

    def do_free(self, text):
        self.kept = None
        if text != "free none":
            self._free(text)
        self.game.shuffle_after_search()

    def _free(self, text):
        """The cards of the Dreamcatcher join the deck, which is then shuffled."""
        group = self.catchers[int(text.split()[-1]) - 1]
        self._into_deck(group)
        group.clear()
        self._sort()

    def _into_deck(self, cards):
        self.game.deck += cards
        self.game.seen += [set() for _ in cards]

    # Failsafe Books (D-8)
    def turn_begins_with(self, text):
        self.begun = self.begun or not text.startswith("failsafe ")

    def turn_ended(self):
        self.begun = False

    def actions(self):
        """D-8: only before anything else is done in the turn."""
        if not self.books or self.begun:
            return []
        return [f"failsafe dreamcatcher {number}" for number in self.occupied()]

    def act(self, text):
        self.books -= 1
        self._free(text)
        self.game.shuffle()
        self.game.go_on()

    # The end of a turn
    def phase_3(self):
        """D-3, D-4: Limbo goes under an empty Dreamcatcher, or there are too many groups."""
        game = self.game
        if not game.limbo:
            return False
        empty = next((group for group in self.catchers if not group), None)
        if empty is not None:
            empty += game.limbo
            game.limbo = []
            if game.check_victory() != "won":  # D-9
                game.end_turn()
        elif game.rules["overload"] == "one" and len(self.occupied()) > 1:
            game.phase = "overload"
        else:
            self.do_overload("give up dreamcatcher 1")
        return True

    def legal_overload(self):
        return [f"give up dreamcatcher {number}" for number in self.occupied()]

    def do_overload(self, text):
        """D-4, D-5, O-32: a Dreamcatcher is lost, and with the last one the game."""
        game = self.game
        lost = self.catchers.pop(int(text.split()[-1]) - 1)
        emptied = [lost] if game.rules["overload"] == "one" else [lost, *self.catchers]
        for group in [*emptied, game.limbo]:
            self._into_deck(group)
            group.clear()
        game.shuffle()
        if self.catchers:
            game.end_turn()
        else:
            game.phase = "lost"

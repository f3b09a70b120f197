"""The Book of Steps Lost and Found."""

from tests.model.expansions.cards import COLOURS, card_moved, on_top, texts
from tests.model.expansions.expansion import Expansion

#: Spell -> its cost, and that of the hard side (B-4).
COSTS = {
    "spell paradoxical prophecy": (5, 6),
    "spell parallel planning": (7, 9),
    "spell powerful punishment": (10, 12),
}


class BookOfSteps(Expansion):
    """Goals in a row, and spells paid from the discard pile."""

    name = "book_of_steps"

    def read(self, position):
        self.goals = list(position.get("goals", []))
        self.goals_met = self._met_by(position.get("players", []))
        if "goals_met" in position:
            self.goals_met = set(position["goals_met"])
        self.spell, self.to_pay = position.get("spell"), position.get("to_pay", 0)
        self.swapped_goal = position.get("swapped_goal")

    def _met_by(self, players):
        """The first Goals that the Doors in play have met."""
        doors = [door for player in players for door in player.get("doors", [])]
        met = set()
        for place, goal in enumerate(self.goals):
            if goal in doors:
                doors.remove(goal)
                met.add(place)
        return met

    def fields(self):
        return {
            "goals": list(self.goals),
            "goals_met": sorted(self.goals_met),
            "spell": self.spell,
            "to_pay": self.to_pay,
            "swapped_goal": self.swapped_goal,
        }

    @classmethod
    def deal(cls, rules, rng):
        """B-1, B-5: two Goals of each colour, three with the Glyphs, and one for the Oniverse Door."""
        goals = [f"{colour} door" for colour in COLOURS] * (3 if "glyphs" in rules["expansions"] else 2)
        goals += ["oniverse door"] if "oniverse" in rules["expansions"] else []
        rng.shuffle(goals)
        return {"goals": goals}

    # Goals
    def _face_up(self):
        return [place for place in range(len(self.goals)) if place not in self.goals_met]

    def accepts(self, door):
        """B-2: the Door of the first face-up Goal."""
        face_up = self._face_up()
        return bool(face_up) and self.goals[face_up[0]] == door

    def door_gained(self, door):
        self.goals_met.add(self._face_up()[0])

    def door_lost(self, door):
        """B-3: the first face-down Goal of the colour is open again."""
        self.goals_met.remove(min(place for place in self.goals_met if self.goals[place] == door))

    # Spells (B-4)
    def _can_pay(self, spell):
        return len(self.game.discard) >= COSTS[spell][self.is_hard]

    def actions(self):
        game = self.game
        able = {
            "spell paradoxical prophecy": bool(game.deck),
            "spell parallel planning": len(self._goals_to_swap()) > 1,
        }
        return [spell for spell, is_useful in able.items() if is_useful and self._can_pay(spell)]

    def nightmare_answers(self):
        return [spell for spell in ["spell powerful punishment"] if self._can_pay(spell)]

    def act(self, text):
        self.spell, self.to_pay = text, COSTS[text][self.is_hard]
        self._pay_if_decided()

    answer = act

    def legal_payment(self):
        return texts("pay", self.game.discard)

    def do_payment(self, text):
        self._pay(text.removeprefix("pay "))
        self._pay_if_decided()

    def _pay(self, card):
        self.game.discard.remove(card)
        self.game.removed.append(card)
        self.to_pay -= 1

    def _pay_if_decided(self):
        """When the rest of the price can be paid in one way only, it is paid without a question."""
        discard = self.game.discard
        if len(discard) > self.to_pay > 0 and len(set(discard)) > 1:
            self.game.phase = "payment"
            return
        while self.to_pay:
            self._pay(discard[0])
        spell, self.spell = self.spell, None
        if spell == "spell powerful punishment":
            self.game.end_nightmare(self.game.discard)
        elif spell == "spell paradoxical prophecy":
            self.game.expansion("looking").look_at_bottom(5, "paradox")
        else:
            self.game.phase = "planning"

    def legal_paradox(self):
        """One of the bottom cards goes on top, the others back to the bottom."""
        return on_top(self.game.revealed)

    def do_paradox(self, text):
        game = self.game
        place = game.revealed.index(card_moved(text))
        game.deck.insert(0, game.revealed.pop(place))
        game.seen.insert(0, game.revealed_seen.pop(place))
        game.expansion("looking").put_at_bottom()

    def _goals_to_swap(self):
        """O-30: the places of the Goals that may be swapped."""
        return (
            self._face_up() if self.game.rules["parallel_planning"] == "face_up" else range(len(self.goals))
        )

    def legal_planning(self):
        """The one nearer to the start of the row is named first."""
        places = self._goals_to_swap()
        if self.swapped_goal is None:
            places = places[:-1]
        else:
            places = [place for place in places if place > self.swapped_goal]
        return [f"swap goal {place + 1}" for place in places]

    def do_planning(self, text):
        second = int(text.split()[-1]) - 1
        if self.swapped_goal is None:
            self.swapped_goal = second
            return
        first, self.swapped_goal = self.swapped_goal, None
        self.goals[first], self.goals[second] = self.goals[second], self.goals[first]
        other = {first: second, second: first}
        self.goals_met = {other.get(place, place) for place in self.goals_met}
        self.game.go_on()

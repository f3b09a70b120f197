"""What an expansion of the plain model may hook into."""


class Expansion:
    """The hooks of an expansion, at named points of the game; those here change nothing.

    An expansion's own phases are methods: ``legal_<phase>`` lists the texts, ``do_<phase>`` carries one out.

    Parameters
    ----------
    game : PlainGame
        The game, whose base zones the expansion moves cards in.
    position : dict
        The position that the game starts from; the expansion reads its own fields from it.
    """

    name = ""

    def __init__(self, game, position):
        self.game = game
        self.is_hard = self.name in game.rules.get("hard", [])
        self.read(position)

    def read(self, position):
        """Take the expansion's fields from a position."""

    def fields(self):
        """The expansion's fields of a position."""
        return {}

    def player_fields(self, who):
        """The expansion's fields of a player in a position."""
        return {}

    def cards(self):
        """The cards that lie in the expansion's own zones."""
        return []

    @classmethod
    def deal(cls, rules, rng):
        """The expansion's fields after the set-up."""
        return {}

    # Phase 1
    def turn_begins_with(self, text):
        """An action of phase 1 is about to be carried out."""

    def turn_ended(self):
        """The next turn is about to begin."""

    def stored_cards(self):
        """Further cards that may be played or discarded as if in the hand, by name."""
        return []

    def may_play(self, card):
        """Whether the card may be put in the row, its symbol aside."""
        return True

    def actions(self):
        """Further actions of phase 1, free ones too."""
        return []

    def act(self, text):
        """Carry one of them out."""

    def after_discard(self, card):
        """What discarding the card as the action brings about, if anything, in a word."""

    def follow(self, what):
        """Carry that out; whether it is this expansion's."""
        return False

    def series_ways(self, colour):
        """Further ways of gaining a Door by a series of the colour."""
        return []

    def before_shuffle(self):
        """Before the shuffle after a search; whether the player is asked something first."""
        return False

    # Doors
    def accepts(self, door):
        """Whether the Door, if obtained now, is put in play."""
        return True

    def door_gained(self, door):
        """A Door was put in play."""

    def door_lost(self, door):
        """A Door in play goes to Limbo."""

    def door_ways(self, door):
        """Further ways of opening a drawn Door."""
        return []

    def is_victorious(self):
        """Whether the expansion's own condition of victory holds."""
        return True

    # Phases 2 and 3
    def before_refill(self):
        """Before drawing starts or goes on; whether the player is asked something, or the game is over."""
        return False

    def dream_drawn(self, dream):
        """A Dream of the expansion was drawn to fill the hand; whether the player is asked something."""
        return False

    def nightmare_answers(self):
        """Further answers to a Nightmare."""
        return []

    def answer(self, text):
        """Carry one of them out."""

    def after_nightmare(self):
        """A Nightmare's penalty was paid; whether the player is asked something before it is discarded."""
        return False

    def phase_3(self):
        """The end of a turn instead of the base one; whether there is one, which then ends the turn."""
        return False

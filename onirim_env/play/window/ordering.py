"""Cards of a Prophecy, or others that were looked at, while a person puts them in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onirim_env.game import Game

WHOLE = "prophecy discard place "
"""How the action begins that is a whole Prophecy."""
PLACES = {
    "prophecy_discard": "prophecy place {}",  # what follows it
    "prophecy_order": "prophecy place {}",
    "look_order": "put {} on top",
    "bottom_order": "put {} at the bottom",
}
"""How a card is put back, by the phase; the first one put back is drawn first."""


class Ordering:
    """The revealed cards as they lie on the screen.

    Parameters
    ----------
    game
        A game in one of the phases of :data:`PLACES`.

    Attributes
    ----------
    row
        The cards that go back, first drawn first.
    thrown
        The card at the place for the one that is thrown away, or None.
    throws
        Whether a card may be thrown away in this decision.
    touched
        Whether anything has been moved.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._legal = game.legal_texts()
        self.row: list[str] = list(game.position()["revealed"])
        self._revealed = tuple(self.row)
        self.thrown: str | None = None
        self.throws = game.phase == "prophecy_discard"
        self.touched = False

    @property
    def must_throw(self) -> bool:
        """Whether a card has still to be thrown away (not with O-1)."""
        return self.throws and self.thrown is None and "prophecy discard nothing" not in self._legal

    def move(self, start: int, end: int) -> None:
        """Put a card of the row at another place of the row."""
        self.row.insert(end, self.row.pop(start))
        self.touched = True

    def throw(self, index: int) -> bool:
        """Put a card of the row at the place of the one that is thrown away; return whether it may lie there.

        A card that lay there takes its place in the row.
        """
        card = self.row[index]
        if not self.throws or not self._can_throw(card):
            return False
        del self.row[index]
        if self.thrown is not None:
            self.row.insert(index, self.thrown)
        self.thrown = card
        self.touched = True
        return True

    def take_back(self, index: int) -> None:
        """Put the card that would be thrown away into the row."""
        if self.thrown is not None:
            self.row.insert(index, self.thrown)
            self.thrown = None
            self.touched = True

    def _can_throw(self, card: str) -> bool:
        if f"prophecy discard {card}" in self._legal:
            return True
        return any(self._read(text)[0] == card for text in self._legal if text.startswith(WHOLE))

    def _read(self, text: str) -> tuple[str, ...]:
        """Return the cards of a whole Prophecy: the one thrown away, then the order of the others."""
        places = [int(word) - 1 for word in text.split() if word.isdigit()]
        return tuple(self._revealed[place] for place in places if place < len(self._revealed))

    def actions(self) -> list[str]:
        """Return the decisions that put the cards as they lie: one, or a sequence of small ones."""
        if self.must_throw:
            return []
        wanted = (self.thrown, *self.row)
        for text in self._legal:
            if text.startswith(WHOLE) and self._read(text) == wanted:
                return [text]
        game, actions = self._game.copy(), []
        if self.throws:
            actions.append(f"prophecy discard {self.thrown or 'nothing'}")
            game.apply(actions[0])
        left = list(self.row)
        phase = "prophecy_order" if self.throws else game.phase
        while game.phase == phase and left:  # the last cards of one kind are placed by themselves
            actions.append(PLACES[phase].format(left.pop(0)))
            game.apply(actions[-1])
        return actions

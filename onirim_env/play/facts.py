"""What words about a game are made from: facts of its position that are open to the player to move."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from onirim_env.cards import KIND_OF_NAME, SERIES_LENGTH
from onirim_env.position import series_length

if TYPE_CHECKING:
    from onirim_env.game import Game


def series_of(row: Sequence[str]) -> int:
    """Return the length of the running series at the end of a row (P-2 to P-6)."""
    return series_length([KIND_OF_NAME[name] for name in row])


class Facts:
    """A game and its position, with the questions that sentences ask of them.

    Parameters
    ----------
    game
        The game.

    Attributes
    ----------
    position : dict
        Its position (docs/positions.md), hidden cards included.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.position: dict[str, Any] = game.position()

    @property
    def own(self) -> dict[str, Any]:
        """Row, hand and Doors of the player to move."""
        one: dict[str, Any] = self.position["players"][self.game.player]
        return one

    @property
    def hand(self) -> list[str]:
        """The cards that the player to move may use: own and, in co-op, shared ones (C-3)."""
        return [*self.own["hand"], *self.position["shared"]]

    @property
    def deck(self) -> list[str]:
        """The cards in the deck, those of a Prophecy included: as they would come, if nothing shuffles."""
        return [*self.position["placed"], *self.position["revealed"], *self.position["deck"]]

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return len(self.deck)

    def doors_in_deck(self, colour: str) -> int:
        """Return the Doors of a colour in the deck; every other place where one can lie is open."""
        return self.deck.count(f"{colour} door")

    def can_keep(self, colour: str) -> bool:
        """Whether the player to move may gain another Door of a colour (O-20)."""
        rules = self.game.rules
        if rules.players == 1 or rules.duplicate_door == "kept":
            return True
        return f"{colour} door" not in self.own["doors"]

    def searches(self, action: str) -> bool:
        """Whether an action of the player to move searches the deck, which shuffles it (P-2, O-6)."""
        if action == "search":
            return True
        if not action.startswith("play") or self.game.rules.series_search == "choice":
            return False
        *_, colour, symbol = action.split()
        completes = series_of([*self.own["row"], f"{colour} {symbol}"]) == SERIES_LENGTH
        return completes and self.can_keep(colour) and self.doors_in_deck(colour) > 0

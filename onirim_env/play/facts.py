"""What words about a game are made from: facts of its position that are open to the player to move."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from onirim_env.cards import KIND_OF_NAME, PROPHECY_SIZE, SERIES_LENGTH
from onirim_env.expansions import HAND_CARDS
from onirim_env.positions.words import series_length
from onirim_env.render.zones import is_location

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

    @property
    def known_places(self) -> frozenset[int]:
        """The places of the deck, 0 being the top, whose cards the player to move knows."""
        last = len(self.position["deck"]) - 1
        top, bottom = (self._known_of(self.position.get(field, 0)) for field in ("known", "known_bottom"))
        return frozenset({*top, *(last - place for place in bottom)})

    def _known_of(self, known: Any) -> set[int]:
        """Return places that a position gives for each player, or for one: as a number or one by one."""
        each = known if isinstance(known, list) and len(known) == self.game.rules.players else [known]
        # In open talk each knows what the other does.
        own = each if self.game.talk == "open" else each[self.game.player : self.game.player + 1]
        return {place for one in own for place in (range(one) if isinstance(one, int) else one)}

    @property
    def next_goal(self) -> str | None:
        """The Door of the first Goal that is not met; None without Goals (B-5)."""
        goals, met = self.position.get("goals", []), self.position.get("goals_met", [])
        return next((goal for place, goal in enumerate(goals) if place not in met), None)

    def listed(self, zone: str) -> str:
        """Return the cards of a zone in words."""
        return ", ".join(self.position[zone]) or "nothing"

    @staticmethod
    def next_cards(number: int) -> str:
        """Return the next cards of the deck in words."""
        return "the next card" if number == 1 else f"the next {number} cards"

    @staticmethod
    def named(match: re.Match[str]) -> str:
        """Return the card that a text names, with where it is taken from if that is not the own hand.

        They are the groups ``card`` and ``source`` of a pattern.
        """
        return f"the {match['source']}{match['card']}" if match["source"] else match["card"]

    def expected_locations(self, number: int) -> float:
        """Return how many Locations the next cards of the deck hold on average.

        The average is over all that the player to move cannot know: the cards at the other places of the
        deck, and those that the partner hides.

        Parameters
        ----------
        number
            How many cards; the deck may have fewer.
        """
        deck, known = self.position["deck"], self.known_places
        coming = range(min(number, len(deck)))
        certain = sum(is_location(deck[place]) for place in coming if place in known)
        unknown = [card for place, card in enumerate(deck) if place not in known]
        if not unknown:
            return float(certain)
        hidden = self._hidden_from_player()
        locations = sum(map(is_location, [*unknown, *hidden]))
        # What the partner hides is of the cards that a hand can hold: Locations and Dead Ends.
        held = locations + sum(card in HAND_CARDS and not is_location(card) for card in [*unknown, *hidden])
        in_deck = locations - len(hidden) * locations / max(1, held)
        return certain + sum(place not in known for place in coming) * in_deck / len(unknown)

    def _hidden_from_player(self) -> list[str]:
        """Return the cards of the partner's hand that the player to move does not know."""
        if self.game.rules.players == 1 or self.game.talk == "open":
            return []
        partner = self.position["players"][1 - self.game.player]
        return list((Counter(partner["hand"]) - Counter(partner["public"])).elements())

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


def prophecy_words(table: Facts) -> str:
    """Return what the Prophecy of a discarded Key brings."""
    shown = min(PROPHECY_SIZE, table.deck_size)
    if shown == 0:
        return "no Prophecy, for the deck is empty"
    lose = "may lose" if table.game.rules.prophecy_discard == "optional" else "lose"
    which = "it" if shown == 1 else "one of them"
    return f"a Prophecy, see {table.next_cards(shown)} and {lose} {which}"

"""What happened between two decisions, in words.

The engine runs from one decision to the next without telling how. What came from the deck in between
is found again from the order in which its cards would have come.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from onirim_env.actions import ORDERS
from onirim_env.cards import LOCATION_NAMES, N_DOORS, PERSONAL_HAND, REVEAL_SIZE, SOLO_HAND
from onirim_env.play.facts import Facts

if TYPE_CHECKING:
    from onirim_env.game import Game

NO_REFILL = ("prophecy_discard", "prophecy_order", "series", "swap", "swap_in", "draft")
"""Phases that begin before the hand is filled."""


def tell(before: Game, action: str, after: Game, viewer: int, names: Sequence[str]) -> list[str]:
    """Return what a decision did, as a player sees it: a line for each thing that happened.

    Parameters
    ----------
    before, after
        The game before the decision and at the next one.
    action
        Text of the decision.
    viewer
        Who is told: cards that this player cannot know are not named.
    names
        What the players are called.
    """
    if before.rules.expansions:
        from onirim_env.play.expansion_narration import tell_expansions

        return tell_expansions(before, action, after, viewer, names)
    return Story(before, action, after, viewer, names).lines


def coming_cards(facts: Facts, action: str) -> list[str]:
    """Return the deck, first card first, as it lies once an action is taken and before the refill."""
    if facts.searches(action):
        return _deck_after_search(facts.game, action)
    if not action.startswith("prophecy"):
        return facts.deck
    placed, rest, deck = (list(facts.position[zone]) for zone in ("placed", "revealed", "deck"))
    if action.startswith("prophecy place"):
        rest.remove(action.removeprefix("prophecy place "))
        return [*placed, action.removeprefix("prophecy place "), *rest, *deck]
    if " then " in action:
        number = facts.game.table.texts.index(action) - _first_order(facts.game)
        return [*(rest[place] for place in ORDERS[number][1:] if place < len(rest)), *deck]
    if action != "prophecy discard nothing":
        rest.remove(discarded_by_prophecy(facts, action))
    return [*rest, *deck]


def discarded_by_prophecy(facts: Facts, action: str) -> str:
    """Return the card that a Prophecy throws away."""
    words = action.removeprefix("prophecy discard ")
    if words.startswith("place "):
        return str(facts.position["revealed"][int(words.split()[1]) - 1])
    return words


def _first_order(game: Game) -> int:
    return len(game.table) - len(ORDERS)


def _deck_after_search(game: Game, action: str) -> list[str]:
    """Return the deck after a search: in a copy whose hands hold a card more, nothing is drawn then."""
    from onirim_env.engine.state import SHARED
    from onirim_env.game import Game

    states = game.state
    states["limbo"] = 0
    for hand in (game.player, SHARED)[: game.rules.players]:
        states["hand"][0, hand, states["hand_size"][0, hand]] = 0
        states["hand_size"][0, hand] += 1
    searched = Game._of(states, game.rules, game.talk, "0x0", None, None)
    searched.apply(action)
    return list(Facts(searched).position["deck"])


class Story:
    """The events of one decision, found again in order.

    Parameters
    ----------
    before, action, after, viewer, names
        As for :func:`tell`.

    Attributes
    ----------
    lines
        The events in words.
    hand, shared, limbo
        The cards of the player to move, the shared ones and those in Limbo, as the story leaves them.
    doors
        How many Doors are then in play.
    """

    def __init__(self, before: Game, action: str, after: Game, viewer: int, names: Sequence[str]) -> None:
        self._before, self._action, self._after = Facts(before), action, Facts(after)
        self._open = before.rules.players == 1 or viewer == before.player or before.talk == "open"
        self._own = viewer == before.player
        self._solo = before.rules.players == 1
        self.doors = before.doors
        self._own_doors = list(self._before.own["doors"])
        self.limbo = list(self._before.position["limbo"])
        self.hand = list(self._before.own["hand"])
        self.shared = list(self._before.position["shared"])
        self.lines = [f"> {action}" if self._solo else f"> {names[before.player]}: {self._headline()}"]
        self._tell_action()
        stopped = after.phase == "lost" and self._after.deck_size > 0  # O-10
        if after.phase not in NO_REFILL and before.phase != "draft" and not stopped:
            self._tell_refill()
        self._tell_end()

    def _headline(self) -> str:
        if self._action.startswith("prophecy place") and not self._open:
            return "puts a card of the Prophecy back"
        return self._action

    def _gain(self, door: str, how: str) -> None:
        self.doors += 1
        self._own_doors.append(door)
        self.lines.append(f"{how} ({self.doors} of {N_DOORS} Doors)")

    def _tell_action(self) -> None:
        """Tell what the decision itself does."""
        action = self._action
        verb, *rest = action.split()
        card = " ".join(rest[-2:])
        if verb in ("play", "discard"):
            (self.shared if "shared" in rest else self.hand).remove(card)
        if self._before.searches(action):
            colour = (self._before.own["row"][-1] if action == "search" else card).split()[0]
            if self._before.doors_in_deck(colour) and self._before.can_keep(colour):
                self._gain(f"{colour} door", f"The series finds a {colour} Door, and the deck is shuffled")
            else:
                self.lines.append(f"The deck has no {colour} Door; it is shuffled")
        elif verb == "prophecy" and rest[0] == "discard" and action != "prophecy discard nothing":
            self._tell_thrown(discarded_by_prophecy(self._before, action))
        elif verb == "open":
            colour = self._before.position["drawn"].split()[0]
            (self.shared if "shared" in rest else self.hand).remove(f"{colour} key")
            self._gain(f"{colour} door", f"The Key opens the {colour} Door")
        elif verb == "refuse":
            self.limbo.append(self._before.position["drawn"])
        elif verb == "nightmare":
            self._tell_payment(rest)
        elif verb == "take":
            self.shared.remove(card)
            self.hand.append(card)
        elif action.startswith("swap in"):
            given = self._before.position["swapping"]
            self.shared.remove(card)
            self.shared.append(given)
            self.hand.append(card)
        elif action.startswith("swap out"):
            self.hand.remove(card)

    def _tell_thrown(self, card: str) -> None:
        if card.endswith("door"):
            self.lines.append(f"A {card.split()[0]} Door is thrown away: the game can no longer be won")
        elif " then " in self._action or not self._own:
            self.lines.append(f"Thrown away: {card}")

    def _tell_payment(self, words: list[str]) -> None:
        if words[0] == "return":
            colour = words[1]
            self.doors -= 1
            self.limbo.append(f"{colour} door")
            self.lines.append(f"The {colour} Door goes to Limbo ({self.doors} of {N_DOORS} Doors)")
        elif words == ["discard", "hand"]:
            self.lines.append(f"Discarded: {self._listed(self.hand)}" + self._also(self.shared))
            self.hand, self.shared = [], []
        elif words[-1] == "key":
            (self.shared if "shared" in words else self.hand).remove(" ".join(words[-2:]))

    def _listed(self, cards: list[str]) -> str:
        return ", ".join(cards) or "nothing"

    def _also(self, shared: list[str]) -> str:
        return "" if self._solo else f"; of the shared cards: {self._listed(shared)}"

    def _tell_refill(self) -> None:
        """Tell what is drawn until the next decision."""
        coming = coming_cards(self._before, self._action)
        locations = self._before.game.cards_left - self._after.game.cards_left
        if self._action.startswith("prophecy discard") and self._action != "prophecy discard nothing":
            locations -= discarded_by_prophecy(self._before, self._action) in LOCATION_NAMES
        if self._action == "nightmare reveal five":
            shown, coming = coming[:REVEAL_SIZE], coming[REVEAL_SIZE:]
            self._tell_revealed(shown)
            locations -= sum(card in LOCATION_NAMES for card in shown)
        after = self._after.game
        pending = self._after.position["drawn"]
        drawn: list[str] = []
        for card in coming:
            if locations == 0 and pending is None and not after.over:
                break
            if after.won and self.doors == after.doors:
                break
            if card in LOCATION_NAMES:
                locations -= 1
                drawn.append(self._fill(card))
                continue
            self._flush(drawn)
            if locations == 0 and card == pending:
                self._tell_pending(card)
                break
            self._pass_by(card)
        self._flush(drawn)

    def _tell_revealed(self, shown: list[str]) -> None:
        lost = [card for card in shown if card in LOCATION_NAMES]
        back = [card for card in shown if card not in LOCATION_NAMES]
        self.limbo += back
        line = f"The next {len(shown)} cards: {self._listed(lost)} discarded"
        self.lines.append(line + (f"; {', '.join(back)} to Limbo" if back else ""))

    def _fill(self, card: str) -> str:
        """Put a drawn Location where one is missing (F-2, C-6), and return what is told of it."""
        if len(self.hand) < (SOLO_HAND if self._solo else PERSONAL_HAND):
            self.hand.append(card)
            return card if self._open else "a hidden card"
        self.shared.append(card)
        return f"{card} (shared)"

    def _flush(self, drawn: list[str]) -> None:
        if drawn:
            self.lines.append(f"Drawn: {', '.join(drawn)}")
            drawn.clear()

    def _tell_pending(self, card: str) -> None:
        """Tell of a card that asks for a decision; the question says the rest."""
        name = "Nightmare!" if card == "nightmare" else f"{card.split()[0]} Door"
        self.lines.append(f"Drawn: a {name}")

    def _pass_by(self, card: str) -> None:
        """Tell of a Door or Nightmare that is drawn and asks nothing (F-3, N-4, O-5, O-20, O-21)."""
        name, why = "Nightmare", "not resolved this time"
        rules = self._before.game.rules
        unresolved = self._action == "nightmare discard hand" or (
            rules.shared_refill == "limbo" and not self._solo and len(self.hand) == PERSONAL_HAND
        )
        if card != "nightmare":
            colour = card.split()[0]
            name, key = f"{colour} Door", f"{colour} key"
            hands = [hand for hand in (self.hand, self.shared) if key in hand]
            keeps = self._solo or rules.duplicate_door == "kept" or card not in self._own_doors
            if hands and keeps and not unresolved:  # only with O-5: otherwise it would be asked
                hands[0].remove(key)
                self._gain(card, f"Drawn: a {name}, opened with the {key}")
                return
            if not unresolved:
                why = f"no {key}" if keeps else "in play already"
        self.limbo.append(card)
        self.lines.append(f"Drawn: a {name} ({why}); it goes to Limbo")

    def _tell_end(self) -> None:
        """Tell of the end of the turn and of the game."""
        after, before = self._after.game, self._before.game
        if after.turns > before.turns and self.limbo:
            self.lines.append(f"End of the turn: {self._listed(self.limbo)} shuffled into the deck")


def ending(game: Game) -> str:
    """Return in one line how an ended game has ended, and why."""
    if game.rules.expansions:
        from onirim_env.play.expansion_narration import ending_with_expansions

        return ending_with_expansions(game)
    position = game.position()
    thrown = [card for card in position["discard"] if card.endswith("door")]
    if game.won:
        return f"You have won: all {N_DOORS} Doors are in play."
    if not thrown:
        return "You have lost: the deck is empty, and a card had to be drawn to fill the hand."
    first = thrown[0].split()[0]
    if position["deck"]:
        return f"You have lost: a {first} Door was thrown away, and all {N_DOORS} are needed."
    return (
        f"You have lost: the deck is empty (and a {first} Door had been thrown away, so it could not be won)."
    )

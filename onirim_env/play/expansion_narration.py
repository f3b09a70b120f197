"""What happened between two decisions of a game with expansions, in words.

With expansions one decision can shuffle the deck more than once, so that its way cannot be followed card by
card. What is told is what the table shows: the difference between the two positions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from onirim_env.expansions import HAND_CARDS, expansion_of
from onirim_env.expansions.premonitions import EFFECTS
from onirim_env.play.facts import Facts
from onirim_env.render.zones import by_kind, doors_needed

if TYPE_CHECKING:
    from onirim_env.game import Game

_SECRET = ("prophecy place", "put ")
_DECIDED = ("payment", "tower_loss")
"""Phases in which the drawn card is one that was told of before."""


def tell_expansions(before: Game, action: str, after: Game, viewer: int, names: Sequence[str]) -> list[str]:
    """Return what a decision did, as a player sees it; see :func:`onirim_env.play.narration.tell`."""
    return _Change(before, action, after, viewer, names).lines


def ending_with_expansions(game: Game) -> str:
    """Return in one line how an ended game with expansions has ended, and why."""
    rules = game.rules
    number = doors_needed(rules)
    if game.won:
        others = [goal for goal in (expansion_of(name).victory for name in rules.expansions) if goal]
        return f"You have won: {' and '.join([f'all {number} Doors are in play', *others])}."
    position = game.position()
    if "dreamcatchers" in rules.expansions and not position["dreamcatchers"]:
        return "You have lost: the last Dreamcatcher is gone."
    thrown = [card for card in position["discard"] if card.endswith("door")]
    if position["deck"] and thrown:
        return f"You have lost: the {thrown[0]} was thrown away, and all {number} Doors are needed."
    return "You have lost: the deck is empty, and a card had to be drawn to fill the hand."


def _more(after: Iterable[str], before: Iterable[str]) -> list[str]:
    """Return the cards that have come to a zone."""
    return by_kind((Counter(after) - Counter(before)).elements())


class _Change:
    """The difference that a decision makes, as lines of text."""

    def __init__(self, before: Game, action: str, after: Game, viewer: int, names: Sequence[str]) -> None:
        self._before, self._after, self._action = Facts(before), Facts(after), action
        self._player, self._names = before.player, names
        self._open = before.rules.players == 1 or viewer == before.player or before.talk == "open"
        who = f"{names[before.player]}: " if before.rules.players > 1 else ""
        self.lines = [f"> {who}{self._headline()}"]
        drawn = self._drawn()
        self._tell_discards()
        self._tell_doors()
        self._tell_goals()
        self._tell_towers()
        self._tell_denizens()
        self._tell_premonitions()
        if drawn:
            self.lines.append(f"Drawn: {', '.join(map(self._shown, drawn))}")
        self._tell_pending()
        self._tell_limbo([card for card in drawn if card not in HAND_CARDS])
        self._tell_dreamcatchers()

    def _headline(self) -> str:
        if self._open or not self._action.startswith(_SECRET):
            return self._action
        return "puts a card back"

    def _say(self, start: str, cards: Sequence[str]) -> None:
        if cards:
            self.lines.append(f"{start}: {', '.join(cards)}")

    def _shown(self, card: str) -> str:
        """Return a drawn card as the viewer may know it."""
        if self._open or card not in HAND_CARDS:
            return card
        shared = _more(self._after.position["shared"], self._before.position["shared"])
        return f"{card} (shared)" if card in shared else "a hidden card"

    def _tell_discards(self) -> None:
        verb, *_ = self._action.split()
        added = _more(self._after.position["discard"], self._before.position["discard"])
        named = [card for card in added if verb != "discard" or not self._action.endswith(card)]
        self._say("Discarded", named)

    def _tell_doors(self) -> None:
        needed = doors_needed(self._after.game.rules)
        for player, (old, new) in enumerate(
            zip(self._before.position["players"], self._after.position["players"])
        ):
            count = f" ({self._after.game.doors} of {needed} Doors)"
            whose = f" of {self._names[player]}" if len(self._names) > 1 else ""
            for card in _more(new["doors"], old["doors"]):
                self.lines.append(f"In play{whose}: {card}{count}")
            for card in _more(old["doors"], new["doors"]):
                self.lines.append(f"Lost{whose}: {card}, to Limbo{count}")

    def _tell_goals(self) -> None:
        old, new = (one.position.get("goals", []) for one in (self._before, self._after))
        moved = [str(place + 1) for place, (one, other) in enumerate(zip(old, new)) if one != other]
        if moved:
            self.lines.append(f"Goals {' and '.join(moved)} have changed places")

    def _tell_towers(self) -> None:
        old, new = (one.position.get("towers", []) for one in (self._before, self._after))
        self._say("Lost Tower", _more(old, new))

    def _tell_denizens(self) -> None:
        players = zip(self._before.position["players"], self._after.position["players"])
        for player, (old, new) in enumerate(players):
            whose = f" by {self._names[player]}" if len(self._names) > 1 else ""
            self._say(f"Rallied{whose}", _more(new.get("denizens", []), old.get("denizens", [])))
            self._say(f"Stored{whose}", _more(new.get("stored", []), old.get("stored", [])))

    def _tell_premonitions(self) -> None:
        old, new = (one.position.get("premonitions", []) for one in (self._before, self._after))
        for name in old:
            if name not in new and self._action != f"remove premonition {name}":
                self.lines.append(f"Premonition {name} is carried out: {EFFECTS[name]}")
        for name in new:
            if name not in old:
                self.lines.append(f"Premonition {name} is turned up: {EFFECTS[name]}")

    def _drawn(self) -> list[str]:
        """Return the cards drawn, in order where no shuffle hides it."""
        zones = []
        for one in (self._before, self._after):
            zones.append([*one.position["players"][self._player]["hand"], *one.position["shared"]])
        added = _more(zones[1], zones[0])
        verb = self._action.split()[0]
        if verb in ("take", "swap") or self._action.startswith("cyclobot take"):
            added = [card for card in added if not self._action.endswith(card)]
        return self._walk(added) or added

    def _walk(self, added: list[str]) -> list[str]:
        """Return what came from the deck until a hand was filled, if its order tells that."""
        if self._before.position["revealed"] or self._before.position["placed"] or not added:
            return []
        left, walked = Counter(added), []
        gained = Counter(card for one in self._after.position["players"] for card in one["doors"])
        for card in self._before.deck:
            if not +left:
                break
            if card in HAND_CARDS and not left[card]:
                return []
            left[card] -= card in HAND_CARDS
            if card in HAND_CARDS or not gained[card]:
                walked.append(card)
        return walked

    def _tell_pending(self) -> None:
        card = self._after.position["drawn"]
        if card is None or self._after.game.phase in _DECIDED:
            return
        same = self._before.position["drawn"] == card and self._before.game.phase in _DECIDED
        if not same or self._after.game.phase != self._before.game.phase:
            self.lines.append(f"Drawn: {card}")

    def _tell_limbo(self, passed: list[str]) -> None:
        before, after = self._before.position["limbo"], self._after.position["limbo"]
        if self._after.game.turns == self._before.game.turns:
            self._say("To Limbo", _more(after, before))
            return
        limbo = [*before, *(card for card in passed if card not in self._after.position["discard"])]
        if limbo and "dreamcatchers" not in self._after.game.rules.expansions:
            self.lines.append(f"End of the turn: {', '.join(limbo)} shuffled into the deck")

    def _tell_dreamcatchers(self) -> None:
        old, new = (one.position.get("dreamcatchers", []) for one in (self._before, self._after))
        if len(new) < len(old):
            self.lines.append(f"A Dreamcatcher is lost; {len(new)} are left")
        groups = [Counter(", ".join(group) for group in one if group) for one in (old, new)]
        for group in (groups[1] - groups[0]).elements():
            self.lines.append(f"Under a Dreamcatcher: {group}")
        for group in (groups[0] - groups[1]).elements():
            self.lines.append(f"No longer under a Dreamcatcher: {group}")

"""How many decisions a game can have: a bound for every rule set, from the rules alone.

No game goes on for ever, for every decision uses something up. A card of the hand that is played, discarded
or spent never comes back, and every turn takes one at least. What does go back into the deck, such as a Door
that was refused, is met once a turn at most. What may be done beside that uses up Denizens, Failsafe Books,
Premonitions, or cards of the discard pile.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from onirim_env.cards import (
    FACE_UP,
    PROPHECY_SIZE,
    REVEAL_SIZE,
    SERIES_LENGTH,
    SHARED_HAND,
    SOLO_HAND,
)
from onirim_env.expansions import ALL_KIND_NAMES, kind_counts, names_of
from onirim_env.expansions.book_of_steps import COSTS, PARADOX_SIZE
from onirim_env.expansions.dreamcatchers import BOOKS, CATCHERS
from onirim_env.expansions.form import Group
from onirim_env.expansions.glyphs import INCANTATION_SIZE
from onirim_env.expansions.oniverse import DENIZENS, HUNTER_SIZE, SPIES_SIZE
from onirim_env.expansions.premonitions import HAPPY_LOOK_SIZE, KEYS_LOST, PREMONITIONS
from onirim_env.rules import RuleSet

_SEARCHING_PREMONITIONS = 3
"""red2, blue2 and rainbow4 look through the deck."""
_RETURNING_PREMONITIONS = 2
"""brown2 and pair2 ask for a Door."""
_POWERS = dict(zip(DENIZENS, (1, 3, SPIES_SIZE, HUNTER_SIZE, 1, 0, 1, 2)))
"""Decisions that the power of each Denizen brings: to use it, and what it asks."""


def max_decisions(rules: RuleSet) -> int:
    """Return a number of decisions that no game of a rule set comes to.

    As ``max_episode_steps`` it truncates no game. It holds however the cards lie and whatever is played.

    Parameters
    ----------
    rules
        The rule set. With two players the decisions of both count.

    Returns
    -------
    int
        The bound. Games are far shorter as a rule.

    Examples
    --------
    >>> max_decisions(RuleSet())
    545
    """
    return _Bound(rules).decisions


class _Bound:
    """The parts of the bound for a rule set, each with why it holds."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self.counts = dict(zip(ALL_KIND_NAMES, kind_counts(rules.expansions)))
        self.co_op = rules.players > 1

    def plays(self, expansion: str) -> bool:
        """Whether an expansion is played."""
        return expansion in self.rules.expansions

    def number(self, names: Iterable[str]) -> int:
        """Return how many cards of some names there are."""
        return sum(self.counts[name] for name in names)

    @property
    def decisions(self) -> int:
        """The bound itself. A limit truncates the step that reaches it, so it is one more than the sum."""
        parts = (
            self.draft, self.main_actions, self.swaps, self.series_decisions, self.looks, self.doors_asked,
            self.nightmare_decisions, self.spells, self.denizens, self.dreamcatchers, self.premonitions,
        )  # fmt: skip
        return sum(parts) + 1

    # The turns.

    @property
    def draft(self) -> int:
        """C-1."""
        return FACE_UP - SHARED_HAND if self.co_op and self.rules.draft == "choice" else 0

    @cached_property
    def hand_cards(self) -> int:
        """Cards that join a hand when they are drawn."""
        return self.number(names_of(Group.HAND))

    @cached_property
    def main_actions(self) -> int:
        """Each puts a card of the hand away for good, and begins with full hands.

        Cyclobots exchange one card for another; Dead Ends that a Nightmare reveals are still to come.
        """
        return self.hand_cards - (FACE_UP if self.co_op else SOLO_HAND) + 1

    @property
    def swaps(self) -> int:
        """C-7: after each discard a card that is put up, and one that is taken for it."""
        return 2 * self.main_actions if self.co_op else 0

    @cached_property
    def cyclobots(self) -> int:
        """Each brings one card back from the discard pile, once."""
        return self.counts["cyclobot"]

    @cached_property
    def series(self) -> int:
        """A card of a row serves in one series, and is put there by a main action."""
        cards = self.number(names_of(Group.ROW)) + self.cyclobots
        return min(self.main_actions, cards) // SERIES_LENGTH

    @property
    def series_decisions(self) -> int:
        """O-6."""
        return self.series if self.rules.expansions or self.rules.series_search == "choice" else 0

    @property
    def looks(self) -> int:
        """What discarded Keys, Glyphs and Towers show is put back card by card; the last by itself."""
        prophecy = PROPHECY_SIZE - 1
        if self.rules.prophecy_actions == "permutation":
            prophecy = 1
        if self.rules.prophecy_discard == "optional":
            prophecy = PROPHECY_SIZE
        towers = sum(number * (int(name[-1]) - 1) for name, number in self.counts.items() if "tower" in name)
        glyphs = sum(number for name, number in self.counts.items() if name.endswith("glyph"))
        return self.keys * prophecy + (glyphs + self.cyclobots) * INCANTATION_SIZE + towers

    @cached_property
    def keys(self) -> int:
        """Keys of all kinds."""
        return self.number(names_of(Group.KEYS))

    # What is met while hands are filled.

    @cached_property
    def doors(self) -> int:
        """Doors of all kinds."""
        return sum(number for name, number in self.counts.items() if name.endswith("door"))

    @cached_property
    def meetings(self) -> int:
        """How often a card may be met that goes to Limbo each time.

        Limbo goes back into the deck at the end of a turn; under Dreamcatchers, only when one of them is
        freed by a search or by a Book, or lost, and the last one that is lost ends the game.
        """
        if not self.plays("dreamcatchers"):
            return self.main_actions
        searches = self.series
        if self.plays("premonitions"):
            searches += _SEARCHING_PREMONITIONS + self.counts["happy dream"]
        return min(self.main_actions, 1 + searches + self.books + CATCHERS - 1)

    @cached_property
    def doors_asked(self) -> int:
        """A Door that was asked for lies in Limbo or in play, and so is not met twice in a turn.

        Where Keys are spent by themselves (O-5), only Keys of other kinds are asked for.
        """
        other_keys = self.plays("crossroads") or self.plays("oniverse")
        asks = self.rules.door_key == "optional" or other_keys
        return self.doors * self.meetings if asks else 0

    @property
    def nightmare_decisions(self) -> int:
        """How each Nightmare is resolved, and which Tower is lost then."""
        if not self.plays("towers"):
            return self.nightmares
        return 2 * (self.falsely_resolved if self.rules.false_destruction == "free" else self.nightmares)

    @property
    def nightmares(self) -> int:
        """One that is resolved is discarded; a Premonition brings one back."""
        return self.counts["nightmare"] + self.plays("premonitions")

    @property
    def falsely_resolved(self) -> int:
        """With False Destruction Nightmares come back, so what resolves them is counted.

        N-1 takes a Key; N-2 a Door, which a Key, a Glyph or a series gained; N-4 all cards that the hand had
        before it was filled, but for one under a Keeper. N-3 reveals five cards: those of the hand are gone,
        others are met as Doors are, and so is the Nightmare.
        """
        paid = (
            self.keys
            + self.number(n for n in self.counts if n.endswith("glyph"))
            + self.cyclobots
            + self.series
        )
        new_hands = self.hand_cards // (SOLO_HAND - 1)
        others = sum(self.counts.values()) - self.number(names_of(Group.LOCATIONS))
        revealed = others * self.meetings - self.doors_asked + self.hand_cards
        return paid + new_hands + revealed // (REVEAL_SIZE + 1) + 1  # the last deck may be shorter

    # What is used up beside that.

    @property
    def spells(self) -> int:
        """Each takes cards of the discard pile out of the game: to name it, to pay, to carry it out."""
        if not self.plays("book_of_steps"):
            return 0
        costs = COSTS["book_of_steps" in self.rules.hard]
        carried_out = (PARADOX_SIZE - 1, 2, 0)
        cards = sum(self.counts.values())
        return max(cards * (1 + cost + more) // cost for cost, more in zip(costs, carried_out))

    @property
    def denizens(self) -> int:
        """Each is met once, and its power used once (O-D3, O-D4)."""
        if not self.plays("oniverse"):
            return 0
        powers = sorted((_POWERS[name] for name in DENIZENS for _ in range(self.counts[name])), reverse=True)
        return self.rules.denizens + sum(powers[: self.rules.denizens])

    @cached_property
    def books(self) -> int:
        """Failsafe Books."""
        return 0 if "dreamcatchers" in self.rules.hard else BOOKS

    @property
    def dreamcatchers(self) -> int:
        """Books, what searches may free (those of Happy Dreams are counted there), and overloads."""
        if not self.plays("dreamcatchers"):
            return 0
        searches = self.series + (_SEARCHING_PREMONITIONS if self.plays("premonitions") else 0)
        return self.books + searches + CATCHERS - 1

    @property
    def premonitions(self) -> int:
        """Each Premonition is carried out once, each Happy Dream used once (HP-2, HP-4)."""
        if not self.plays("premonitions"):
            return 0
        asked = KEYS_LOST + _RETURNING_PREMONITIONS
        return len(PREMONITIONS) + asked + self.counts["happy dream"] * (1 + HAPPY_LOOK_SIZE)

"""A game on the desk: what clicks and keys do, whatever shows it.

Positions are in the units of ``places.py``, keys are named as pygame names them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from onirim_env.files import shown
from onirim_env.play.narration import ending
from onirim_env.play.questions import Question
from onirim_env.play.session import Advice
from onirim_env.play.sitting import (
    NOBODY_ADVISES,
    NOTHING_TO_TAKE_BACK,
    TAKEN_BACK,
    Sitting,
    hint_lines,
    new_seed,
)
from onirim_env.play.window.ordering import PLACES, Ordering
from onirim_env.play.window.uses import WANTED, actions_of, why_not
from onirim_env.render.layout import layout
from onirim_env.render.places import CardPlace, Layout

Job = Callable[[], Any]
Start = Callable[[int, str, Job], None]
"""Begins a job beside the game; its result comes to :meth:`Desk.finish` with the same number and name."""

DISCARDING = "A click on a card discards it now. D ends that."


class Desk:
    """A sitting whose people use a mouse and keys.

    Parameters
    ----------
    sitting
        The game and its people.
    start
        Begins what takes time: a partner's move, a hint.

    Attributes
    ----------
    news
        What has happened since the last decision of a person here.
    message
        An answer to the last thing that was done, for the status line.
    cover
        Who has to come before the screen, where hands are hidden: nothing else is shown then.
    menu
        The card whose uses are shown beside it.
    ordering
        The cards of a Prophecy, or others that were looked at, while they are put in order.
    picked
        The place in it of the card that keys or clicks move.
    focus
        Index of the choice that Enter takes.
    """

    def __init__(self, sitting: Sitting, start: Start) -> None:
        self.sitting = sitting
        self._start = start
        self._number = 0
        self.left = False
        self.helping = False
        self.counts_discarded = False
        self.news: list[str] = []
        self.message = ""
        self._refresh()

    @property
    def session(self) -> Any:
        """The session."""
        return self.sitting.session

    # --- the game

    def _refresh(self) -> None:
        """Look at the game as it stands now, and begin what goes on by itself."""
        sitting, game = self.sitting, self.session.game
        self._number += 1
        self.cover: int | None = None
        self.menu: CardPlace | None = None
        self.ordering: Ordering | None = None
        self.picked: int | None = None
        self.focus: int | None = None
        self.first_choice = 0
        self.row_scroll = 0
        self.discarding = False
        self.typed = ""
        self.advice: Advice | None = None
        self.thinking: str | None = None
        self.question: Question | None = None
        viewer = self.session.viewer
        self.where: Layout = layout(game, viewer)
        self.position = game.position()
        self.seen = game.describe(viewer)
        if game.over:
            return
        if sitting.partner_moves:
            copy = game.copy()
            self._begin("partner", lambda: sitting.partner_choice(copy))
            return
        if sitting.changes_seats:
            self.cover = game.player
            return
        sitting.seat = game.player
        self.question = self.session.question()
        if game.phase in PLACES:
            self.ordering = Ordering(game)
        if sitting.helpers.always:
            self._ask_for_hint()

    def _begin(self, name: str, job: Job) -> None:
        self.thinking = name
        self._start(self._number, name, job)

    def finish(self, number: int, name: str, result: Any) -> None:
        """Take the result of a job, unless the game has gone on or back since."""
        if number != self._number:
            return
        self.thinking = None
        if name == "partner":
            self.session.take(result)
            self.news += self.session.news(self.session.viewer)
            self._refresh()
            return
        self.advice = result
        if self.advice is not None and self.question is not None and not self.sitting.helpers.always:
            self.message = hint_lines(self.advice, self.question)[0]

    def take(self, *actions: int | str) -> None:
        """Take a decision, or the small ones that a Prophecy consists of."""
        player = self.session.game.player
        for action in actions:
            self.session.take(action)
        self.news = self.session.news(player)
        self.message = ""
        self._refresh()

    def take_choice(self, index: int) -> None:
        """Take a choice by its place in the list."""
        if self.question is not None and index < len(self.question.choices):
            self.take(self.question.choices[index].action)

    def confirm_order(self) -> None:
        """Put the cards of a Prophecy back as they lie."""
        if self.ordering is None:
            return
        actions = self.ordering.actions()
        if actions:
            self.take(*actions)
        else:
            self.message = "First drag the card that is thrown away to its place at the right."

    # --- commands

    def undo(self) -> None:
        """Take the last decision of a person back."""
        back = self.session.undo()
        self.message = TAKEN_BACK if back else NOTHING_TO_TAKE_BACK
        if back:
            self.news = []
            self._refresh()

    def save(self) -> None:
        """Save where the game was saved before, or to a new file."""
        keeping = self.sitting.keeping
        problem = keeping.save_again()
        self.message = problem if problem is not None else f"Saved as {shown(str(keeping.file))}"

    def hint(self) -> None:
        """Ask the adviser."""
        if self.sitting.helpers.adviser is None:
            self.message = NOBODY_ADVISES
        elif self.advice is not None and self.question is not None:
            self.message = hint_lines(self.advice, self.question)[0]
        elif self.question is not None and self.thinking is None:
            self._ask_for_hint()

    def _ask_for_hint(self) -> None:
        copy = self.session.game.copy()
        self._begin("hint", lambda: self.sitting.advice(copy))

    def help(self) -> None:
        """Show the help, or hide it."""
        self.helping = not self.helping

    def leave(self) -> None:
        """Close what lies over the desk, or leave the game."""
        if self.helping:
            self.helping = False
        elif self.menu is not None:
            self.menu = None
        else:
            self.left = True

    def new_game(self) -> None:
        """Deal another game, when this one has ended."""
        if not self.session.game.over:
            self.message = "A new game can be dealt when this one has ended."
            return
        self.sitting = self.sitting.again(new_seed())
        self.news, self.message = [], ""
        self._refresh()

    def discard_mode(self) -> None:
        """Let clicks discard cards, or play them again."""
        self.discarding = not self.discarding
        self.menu = None
        self.message = DISCARDING if self.discarding else "A click on a card plays it, or asks."

    def counts(self) -> None:
        """Count the discard pile instead of the cards not seen yet, or those again."""
        self.counts_discarded = not self.counts_discarded

    def uncover(self) -> None:
        """Go on where a person has read the news, or has come before the screen."""
        if self.cover is None:
            return
        if self.sitting.seat is not None:
            self.sitting.seat, self.news = None, []
            return
        self.sitting.seat = self.cover
        self.news = self.session.news(self.cover)
        self._refresh()

    # --- cards

    def uses(self, place: CardPlace) -> list[str]:
        """Return the actions that a card stands for, for a person who decides now."""
        return actions_of(self.session.game, place) if self.question is not None else []

    def words(self, text: str) -> str:
        """Return what an action does, in the words of its choice."""
        assert self.question is not None
        action = self.session.game.table.id(text)
        return next(choice.words for choice in self.question.choices if choice.action == action)

    def describe(self, place: CardPlace) -> str:
        """Return in words what can be done with a card."""
        uses = self.uses(place)
        parts = [self.words(text) for text in uses]
        if len(uses) == 1 and uses[0].startswith("discard"):
            parts.append(why_not(self.session.game, place))
        return "   /   ".join(parts)

    def use(self, place: CardPlace, discard: bool = False) -> None:
        """Do what a click on a card means: its one use, or the choice between several."""
        if self.question is None:
            return
        uses = self.uses(place)
        opened, self.menu = self.menu, None
        game = self.session.game
        if not uses:
            self.message = why_not(game, place)
        elif game.phase == "action" and (discard or self.discarding):
            self.take(uses[-1])
        elif game.phase == "action" and len(uses) == 1 and self.something_to_play:
            self.message = why_not(game, place)
            self.menu = place if opened != place else None
        elif len(uses) == 1:
            self.take(uses[0])
        else:
            self.menu = place if opened != place else None

    @property
    def something_to_play(self) -> bool:
        """Whether any card can be played: a click on another one does not discard it at once then."""
        return any(text.startswith("play") for text in self.session.game.legal_texts())

    def reason(self, place: CardPlace) -> str:
        """Return why a card cannot be played."""
        return why_not(self.session.game, place)

    # --- a Prophecy

    def pick(self, index: int) -> None:
        """Take up a card of the Prophecy with a click, or put the one taken up in its place."""
        ordering = self.ordering
        if ordering is None:
            return
        if self.picked is None or self.picked == index:
            self.picked = index if self.picked is None else None
            thrown = ", or THROWN AWAY" if ordering.throws else ""
            self.message = f"Click on the place where it goes{thrown}." if self.picked is not None else ""
            return
        ordering.move(self.picked, index)
        self.picked, self.message = None, ""

    def throw(self, index: int) -> None:
        """Put a card of the Prophecy at the place for the one that is thrown away."""
        if self.ordering is None:
            return
        card = self.ordering.row[index]
        done = self.ordering.throw(index)
        self.message = "" if done else f"The {card} cannot be thrown away here."
        self.picked = None

    def click_thrown(self) -> None:
        """Do what a click on the place of the card that is thrown away means."""
        if self.ordering is None:
            return
        if self.picked is not None:
            self.throw(self.picked)
        elif self.ordering.thrown is not None:
            self.ordering.take_back(len(self.ordering.row))
        else:
            self.message = "Drag the card here that is thrown away for good."

    # --- what is shown

    def scroll_row(self, cards: int) -> None:
        """Show earlier cards of the own row, or later ones."""
        row = self.position["players"][self.where.viewer]["row"]
        self.row_scroll = min(max(0, self.row_scroll + cards), len(row))

    @property
    def wanted(self) -> str:
        """What the people at the desk can do now, in a line."""
        if self.thinking == "hint":
            return "A hint is on its way ..."
        if self.question is None:
            return ""
        return WANTED.get(self.session.game.phase, "Click on a card or a choice, or type its number.")

    @property
    def verdict(self) -> str:
        """How the game has ended, in a sentence."""
        return ending(self.session.game)

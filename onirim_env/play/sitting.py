"""People and programs at one game: what playing in a terminal and in a window have in common."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from onirim_env.game import Game
from onirim_env.play.keeping import Keeping
from onirim_env.play.questions import Question
from onirim_env.play.session import Advice, Session
from onirim_env.render.zones import doors_needed

NEW_SEEDS = 1_000_000
"""Games are dealt from a seed below this one when none is given: short enough to be told to somebody."""
SHOWN_VALUES = 3
"""How many values of an adviser a hint shows."""
SHOWN_WIDTH = 7
"""So many characters a value has room for at least."""
NOBODY_ADVISES = "Nobody gives hints here: `python -m agents play --hint rules` in a clone does."
TAKEN_BACK = "Taken back."
NOTHING_TO_TAKE_BACK = "There is no decision of yours to take back."


@dataclass(frozen=True)
class Helpers:
    """Programs at the table.

    Attributes
    ----------
    partner
        Decides for the seats that no person has.
    adviser
        Gives hints.
    always
        Whether a hint comes with every question.
    """

    partner: Callable[[Game], int] | None = None
    adviser: Callable[[Game], Advice] | None = None
    always: bool = False


class Sitting:
    """A session, the programs at its table, and who sits before the screen.

    Parameters
    ----------
    session
        The game.
    command
        The words of the command line that starts such a game, without seed, rules and file.
    helpers
        Partner and adviser.
    loaded
        The file that the game came from: it may be written again.

    Attributes
    ----------
    keeping : Keeping
        Saves the game.
    seat : int or None
        Who sits before the screen, where hands are hidden.
    """

    def __init__(
        self,
        session: Session,
        command: Sequence[str],
        helpers: Helpers | None = None,
        *,
        loaded: Path | None = None,
    ) -> None:
        self.session = session
        self.helpers = helpers if helpers is not None else Helpers()
        self.keeping = Keeping(session, command, loaded)
        self.seat: int | None = None
        self._command = list(command)

    @property
    def partner_moves(self) -> bool:
        """Whether a program decides next."""
        game = self.session.game
        return not game.over and game.player not in self.session.humans

    @property
    def changes_seats(self) -> bool:
        """Whether another person has to come before the screen; the draft hides nothing yet."""
        game = self.session.game
        return self.session.closed and not game.over and game.phase != "draft" and self.seat != game.player

    def partner_choice(self, game: Game) -> int:
        """Return what the partner does in a game."""
        assert self.helpers.partner is not None
        return self.helpers.partner(game)

    def advice(self, game: Game) -> Advice | None:
        """Return what the adviser says of a game, or None where nobody advises."""
        return None if self.helpers.adviser is None else self.helpers.adviser(game)

    def asked(self, question: Question) -> str:
        """Return what is asked, and whom where several people play."""
        whose = "" if len(self.session.humans) == 1 else f"{self.session.names[self.session.game.player]}: "
        return whose + question.text

    def result(self) -> str:
        """Return the figures of an ended game."""
        session = self.session
        plural = "" if session.taken_back == 1 else "s"
        back = f", {session.taken_back} decision{plural} taken back" if session.taken_back else ""
        doors = f"{session.game.doors} of {doors_needed(session.game.rules)} Doors"
        turns = f"{session.game.turns} turn{'s' * (session.game.turns != 1)}"
        return f"{doors}, {turns}{back}."

    def again(self, seed: int) -> Sitting:
        """Return a sitting of the same people and programs at a new game with the same rules."""
        old = self.session
        game = Game(old.game.rules, seed, talk=old.game.talk)
        return Sitting(Session(game, old.humans, old.names), self._command, self.helpers)


def new_seed() -> int:
    """Return a seed for somebody who has not given one."""
    return secrets.randbelow(NEW_SEEDS)


def hint_lines(advice: Advice, question: Question) -> list[str]:
    """Return a hint in words: what the adviser would take, and its best values."""
    words = {choice.action: choice.words for choice in question.choices}
    place_of = {action: place for place, action in enumerate(words, start=1)}
    lines = [f"{advice.name} would take {place_of[advice.action]}: {words[advice.action]}"]
    best = sorted(advice.values, key=lambda action: (action != advice.action, -advice.values[action]))
    shown = {action: advice.value_text(action) for action in best[:SHOWN_VALUES]}
    width = max([SHOWN_WIDTH, *map(len, shown.values())])
    for action, value in shown.items():
        lines.append(f"  {value:>{width}} {advice.unit}  {place_of[action]}  {words[action]}")
    if shown and advice.playouts:
        lines.append("  (A number behind / says in how many playouts a value was found: few are much luck.)")
    if advice.caution:
        lines.append(f"({advice.caution})")
    return lines

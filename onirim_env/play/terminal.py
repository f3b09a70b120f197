"""Playing at a terminal: prints the table and what is asked, reads answers and commands."""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from onirim_env.errors import quoted
from onirim_env.play.colours import bold, is_terminal, paint, wants_colour
from onirim_env.play.help import help_text
from onirim_env.play.keeping import command_text
from onirim_env.play.leaving import kept, read_line
from onirim_env.play.narration import ending
from onirim_env.play.questions import Question
from onirim_env.play.refusals import why_refused
from onirim_env.play.session import Session
from onirim_env.play.sitting import (
    NOBODY_ADVISES,
    NOTHING_TO_TAKE_BACK,
    SHOWN_WIDTH,
    TAKEN_BACK,
    Helpers,
    Sitting,
    hint_lines,
)
from onirim_env.play.table import WIDTH, discarded_text, table_text
from onirim_env.render.zones import doors_needed

PROMPT = "your choice (? for help): "
DIGITS = 9
"""No number of a choice has more digits, and Python makes no number of thousands of them."""
CLEAR = "\x1b[2J\x1b[3J\x1b[H"


class Leave(Exception):
    """The player has asked to leave."""


class Terminal:
    """A session at a terminal.

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
    read
        Reads a line after a prompt; EOFError at the end. What it raises ends the game, which is kept.
    write
        Writes a text and a line end.
    colour
        Whether to write in colour.
    private
        Whether the screen can be cleared between two people who hide their hands.
    """

    def __init__(
        self,
        session: Session,
        command: Sequence[str],
        helpers: Helpers | None = None,
        *,
        loaded: Path | None = None,
        read: Callable[[str], str] = read_line,
        write: Callable[[str], None] = print,
        colour: bool | None = None,
        private: bool | None = None,
    ) -> None:
        self.session = session
        self._sitting = Sitting(session, command, helpers, loaded=loaded)
        self._keeping = self._sitting.keeping
        self._read, self._write = read, write
        self._colour = wants_colour(sys.stdout) if colour is None else colour
        self._private = (is_terminal(sys.stdin) and is_terminal(sys.stdout)) if private is None else private

    def run(self) -> None:
        """Play until the game has ended and nothing is taken back, or the player leaves.

        Raises
        ------
        KeyboardInterrupt
            After the game has been saved.
        """
        needed = doors_needed(self.session.game.rules)
        with kept(lambda: self._keeping, self._write, ""), suppress(Leave, EOFError):
            self._say(f"Onirim: find the {needed} Doors before the deck runs out. ? explains the game.")
            while not self.session.game.over or self._after_the_end():
                self._decide()

    def _say(self, text: str) -> None:
        """Write a text, wrapped, in colour where there is colour."""
        lines = [
            line if len(line) <= WIDTH else textwrap.fill(line, WIDTH, subsequent_indent=_hanging(line))
            for line in text.split("\n")
        ]
        text = "\n".join(lines)
        self._write(paint(text) if self._colour else text)

    def _decide(self) -> None:
        """Let whoever is to move decide once."""
        session = self.session
        player = session.game.player
        if self._sitting.partner_moves:
            session.take(self._sitting.partner_choice(session.game))
            self._tell(session.viewer)
            return
        self._seat_player(player)
        self._tell(player)
        self._show_table()
        question = session.question()
        self._show_question(question)
        while True:
            done = self._answer(self._read(PROMPT).strip(), question)
            if done:
                return

    def _seat_player(self, player: int) -> None:
        """Ask for the other player where hands are hidden; those of the draft are not yet."""
        sitting = self._sitting
        if sitting.changes_seats and self._private:
            if sitting.seat is not None:
                self._read(f"{self.session.names[sitting.seat]}: Enter clears the screen ")
            self._write(CLEAR)
            self._read(f"{self.session.names[player]}, take a seat; Enter shows your cards ")
        sitting.seat = player

    def _tell(self, viewer: int) -> None:
        news = self.session.news(viewer)
        if news:
            self._say("\n".join(line if line.startswith(">") else f"  {line}" for line in news))

    def _show_table(self) -> None:
        session = self.session
        self._say("\n" + table_text(session.game, session.viewer, session.names) + "\n")

    def _show_question(self, question: Question) -> None:
        self._say(self._sitting.asked(question))
        sitting = self._sitting
        advice = sitting.advice(self.session.game) if sitting.helpers.always else None
        if advice is not None:
            values = f", with its {advice.values_text}" if advice.values else ""
            caution = f" ({advice.caution})" if advice.caution else ""
            self._say(f"* is what {advice.name} would do{values}.{caution}")
            values_width = max([SHOWN_WIDTH, *map(len, map(advice.value_text, advice.values))])
        width = len(str(len(question.choices)))
        for number, choice in enumerate(question.choices, start=1):
            mark = ""
            if advice is not None:
                star = "*" if choice.action == advice.action else " "
                value = f"{advice.value_text(choice.action):>{values_width}} " if advice.values else ""
                mark = f"{value}{star}  "
            self._say(f"  {number:>{width}}  {mark}{choice.words}")

    def _answer(self, line: str, question: Question) -> bool:
        """Carry out a line of input; return whether the question is settled."""
        word, _, rest = line.partition(" ")
        if line == "":
            self._show_table()
            self._show_question(question)
        elif line.isascii() and line.isdigit():
            number = int(line) if len(line) <= DIGITS else 0
            if 1 <= number <= len(question.choices):
                self._take(question.choices[number - 1].action)
                return True
            self._say(f"There is no choice {_cut(line)}: the numbers go from 1 to {len(question.choices)}.")
        elif line in self.session.game.legal_texts():
            self._take(self.session.game.table.id(line))
            return True
        elif line in self.session.game.table.texts:
            self._say(f"{line} cannot be done: {why_refused(self.session.game, line)}.")
        elif word in ("u", "undo") and not rest:
            if self.session.undo():
                self._say(TAKEN_BACK)
                return True
            self._say(NOTHING_TO_TAKE_BACK)
        elif word in ("s", "save"):
            self._save(rest.strip())
        elif word in ("?", "help") and not rest:
            self._say(help_text(self.session.game.rules))
        elif word in ("h", "hint") and not rest:
            self._hint(question)
        elif word in ("d", "discards") and not rest:
            self._say(f"Discard pile: {discarded_text(self.session.game)}.")
        elif word in ("q", "quit") and not rest:
            raise Leave
        else:
            last = len(question.choices)
            self._say(f"{quoted(line)} is no choice: a number from 1 to {last}, or u, s FILE, h, d, q, ?.")
        return False

    def _take(self, action: int) -> None:
        player = self.session.game.player
        self.session.take(action)
        self._tell(player)

    def _hint(self, question: Question) -> None:
        advice = self._sitting.advice(self.session.game)
        self._say(NOBODY_ADVISES if advice is None else "\n".join(hint_lines(advice, question)))

    def _save(self, name: str) -> None:
        """Save to a file of a name, unless another game may lie there."""
        if not name:
            self._say("Save where? Write s and the name of a file, such as: s game.json")
            return
        problem = self._keeping.save_by_name(name)
        if problem is not None:
            self._say(problem)
            return
        self._write(command_text("Saved. Go on with", self._keeping.resume_command()))

    def _after_the_end(self) -> bool:
        """Show how the game has ended; return whether it goes on, because something is taken back."""
        session, game = self.session, self.session.game
        self._tell(session.viewer)
        self._show_table()
        verdict = ending(game)
        self._say(bold(verdict) if self._colour else verdict)
        self._say(self._sitting.result())
        again = self._keeping.replay_text()
        if again is not None:
            self._write(again)
        while True:
            line = self._read("Enter leaves, s FILE saves the game, u takes the last decision back: ").strip()
            if line in ("u", "undo"):
                return session.undo()
            if line.partition(" ")[0] not in ("s", "save"):
                return False
            self._save(line.partition(" ")[2].strip())


def _cut(line: str) -> str:
    """Return a number for a message: long ones without their middle."""
    return quoted(line).strip("'")


def _hanging(line: str) -> str:
    """Return the indentation of what is wrapped: that of the words, behind a choice's number and hint."""
    start = re.match(r" *(?:\d+ [^A-Za-z]*)?", line)
    return " " * (start.end() if start is not None else 0)

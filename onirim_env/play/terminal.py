"""Playing at a terminal: prints the table and what is asked, reads answers and commands."""

from __future__ import annotations

import re
import shlex
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from onirim_env.cards import N_DOORS
from onirim_env.game import Game
from onirim_env.play.colours import bold, paint, wants_colour
from onirim_env.play.help import help_text
from onirim_env.play.narration import ending
from onirim_env.play.questions import Question
from onirim_env.play.session import Advice, Session
from onirim_env.play.table import WIDTH, discarded_text, table_text

PROMPT = "your choice (? for help): "
SHOWN_VALUES = 3
"""How many values of an adviser a hint shows."""

CLEAR = "\x1b[2J\x1b[3J\x1b[H"


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
        Reads a line after a prompt; EOFError at the end.
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
        read: Callable[[str], str] = input,
        write: Callable[[str], None] = print,
        colour: bool | None = None,
        private: bool | None = None,
    ) -> None:
        self.session = session
        self._command = list(command)
        self._helpers = helpers if helpers is not None else Helpers()
        self._own_files = {loaded.absolute()} if loaded is not None else set()
        self._saved_to = loaded
        self._saved_actions = session.actions if loaded is not None else None
        self._read, self._write = read, write
        self._colour = wants_colour(sys.stdout) if colour is None else colour
        self._private = (sys.stdin.isatty() and sys.stdout.isatty()) if private is None else private
        self._seat: int | None = None  # who sits before the screen, when hands are hidden

    def run(self) -> None:
        """Play until the game has ended and nothing is taken back, or the player leaves.

        Raises
        ------
        KeyboardInterrupt
            After the game has been saved.
        """
        try:
            self._say(f"Onirim: find the {N_DOORS} Doors before the deck runs out. ? explains the game.")
            while not self.session.game.over or self._after_the_end():
                self._decide()
        except (Leave, EOFError):
            self._farewell()
        except KeyboardInterrupt:
            self._farewell()
            raise

    def _say(self, text: str) -> None:
        """Write a text, wrapped, in colour where there is colour."""
        lines = [
            line if len(line) <= WIDTH else textwrap.fill(line, WIDTH, subsequent_indent=_hanging(line))
            for line in text.split("\n")
        ]
        text = "\n".join(lines)
        self._write(paint(text) if self._colour else text)

    def _say_command(self, what: str, command: str) -> None:
        """Write a command that can be copied: on one line, however long it is."""
        self._write(f"{what}:\n  {command}")

    def _decide(self) -> None:
        """Let whoever is to move decide once."""
        session = self.session
        player = session.game.player
        if player not in session.humans:
            assert self._helpers.partner is not None
            session.take(self._helpers.partner(session.game))
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
        hidden = self.session.closed and self.session.game.phase != "draft"
        if hidden and self._private and self._seat != player:
            if self._seat is not None:
                self._read(f"{self.session.names[self._seat]}: Enter clears the screen ")
            self._write(CLEAR)
            self._read(f"{self.session.names[player]}, take a seat; Enter shows your cards ")
        self._seat = player

    def _tell(self, viewer: int) -> None:
        news = self.session.news(viewer)
        if news:
            self._say("\n".join(line if line.startswith(">") else f"  {line}" for line in news))

    def _show_table(self) -> None:
        session = self.session
        self._say("\n" + table_text(session.game, session.viewer, session.names) + "\n")

    def _show_question(self, question: Question) -> None:
        whose = "" if len(self.session.humans) == 1 else f"{self.session.names[self.session.game.player]}: "
        self._say(whose + question.text)
        advice = self._advice() if self._helpers.always else None
        if advice is not None:
            values = f", with its {advice.unit} of each choice" if advice.values else ""
            self._say(f"* is what {advice.name} would do{values}.")
        width = len(str(len(question.choices)))
        for number, choice in enumerate(question.choices, start=1):
            mark = ""
            if advice is not None:
                star = "*" if choice.action == advice.action else " "
                mark = f"{advice.value_text(choice.action):>7} {star}  " if advice.values else f"{star}  "
            self._say(f"  {number:>{width}}  {mark}{choice.words}")

    def _advice(self) -> Advice | None:
        adviser = self._helpers.adviser
        return None if adviser is None else adviser(self.session.game)

    def _answer(self, line: str, question: Question) -> bool:
        """Carry out a line of input; return whether the question is settled."""
        word, _, rest = line.partition(" ")
        if line == "":
            self._show_table()
            self._show_question(question)
        elif line.isdecimal():
            if 1 <= int(line) <= len(question.choices):
                self._take(question.choices[int(line) - 1].action)
                return True
            self._say(f"There is no choice {line}: the numbers go from 1 to {len(question.choices)}.")
        elif line in self.session.game.legal_texts():
            self._take(self.session.game.table.id(line))
            return True
        elif word in ("u", "undo") and not rest:
            if self.session.undo():
                self._say("Taken back.")
                return True
            self._say("There is no decision of yours to take back.")
        elif word in ("s", "save"):
            self._save(rest.strip())
        elif word in ("?", "help") and not rest:
            self._say(help_text(self.session.game.rules.players))
        elif word in ("h", "hint") and not rest:
            self._hint(question)
        elif word in ("d", "discards") and not rest:
            self._say(f"Discard pile: {discarded_text(self.session.game)}.")
        elif word in ("q", "quit") and not rest:
            raise Leave
        else:
            last = len(question.choices)
            self._say(f"{line!r} is no choice: a number from 1 to {last}, or u, s FILE, h, d, q, ?.")
        return False

    def _take(self, action: int) -> None:
        player = self.session.game.player
        self.session.take(action)
        self._tell(player)

    def _hint(self, question: Question) -> None:
        advice = self._advice()
        if advice is None:
            self._say("Nobody gives hints here: `python -m agents play --hint rules` in a clone does.")
            return
        words = {choice.action: choice.words for choice in question.choices}
        number = list(words).index(advice.action) + 1
        self._say(f"{advice.name} would take {number}: {words[advice.action]}")
        best = sorted(advice.values, key=lambda action: -advice.values[action])[:SHOWN_VALUES]
        for action in best:
            place = list(words).index(action) + 1
            self._say(f"  {advice.value_text(action):>7} {advice.unit}  {place}  {words[action]}")

    def _save(self, name: str) -> bool:
        """Save to a file of a name, unless another game may lie there; return whether it is done."""
        if not name:
            self._say("Save where? Write s and the name of a file, such as: s game.json")
            return False
        file = Path(name).expanduser()
        if file.exists() and file.absolute() not in self._own_files:
            self._say(f"{file} is there already; choose another name.")
            return False
        try:
            self.session.save(file)
        except OSError as error:
            self._say(f"{file} cannot be written: {error.strerror or error}.")
            return False
        self._own_files.add(file.absolute())
        self._saved_to, self._saved_actions = file, self.session.actions
        self._say_command("Saved. Go on with", self._resume(file))
        return True

    def _resume(self, file: Path) -> str:
        return shlex.join([*self._command, "--load", str(file)])

    def _new_file(self) -> Path:
        """Return the name of a file that is not there yet."""
        seed = self.session.game.record()["seed"]
        number, file = 1, Path(f"onirim-{seed}.json")
        while file.exists():
            number += 1
            file = Path(f"onirim-{seed}-{number}.json")
        return file

    def _farewell(self) -> None:
        """Keep the game of somebody who leaves, and say how to go on."""
        self._write("")
        session = self.session
        if session.game.over:
            return
        if not session.actions:
            self._say_command("Nothing was decided yet. The same game again", self._replay())
        elif session.actions == self._saved_actions and self._saved_to is not None:
            self._say_command("Go on with", self._resume(self._saved_to))
        elif not self._save(str(self._new_file())):
            self._say_command("The game is not saved. Its beginning", self._replay())
            self._say(f"What was played: {', '.join(session.actions)}")

    def _replay(self) -> str:
        """Return the command that deals the same game."""
        game = self.session.game
        default = type(game.rules)().as_dict()
        words = list(self._command)
        for keyword, value in game.rules.as_dict().items():
            if keyword == "players" and value != default[keyword]:
                words += ["--players", str(value)]
            elif value != default[keyword]:
                words += ["--option", f"{keyword}={value}"]
        return shlex.join([*words, "--seed", str(game.record()["seed"])])

    def _after_the_end(self) -> bool:
        """Show how the game has ended; return whether it goes on, because something is taken back."""
        session, game = self.session, self.session.game
        self._tell(session.viewer)
        self._show_table()
        verdict = ending(game)
        self._say(bold(verdict) if self._colour else verdict)
        plural = "" if session.taken_back == 1 else "s"
        back = f", {session.taken_back} decision{plural} taken back" if session.taken_back else ""
        self._say(f"{game.doors} of {N_DOORS} Doors, {game.turns} turns{back}.")
        self._say_command("The same game again", self._replay())
        while True:
            line = self._read("Enter leaves, s FILE saves the game, u takes the last decision back: ").strip()
            if line in ("u", "undo"):
                return session.undo()
            if line.partition(" ")[0] not in ("s", "save"):
                self._write("")
                return False
            self._save(line.partition(" ")[2].strip())


def _hanging(line: str) -> str:
    """Return the indentation of what is wrapped: that of the words, behind a choice's number and hint."""
    start = re.match(r" *(?:\d+ [^A-Za-z]*)?", line)
    return " " * (start.end() if start is not None else 0)

"""Keeping a game: saving it, and the commands that bring it back."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from onirim_env.play.session import Session


class Keeping:
    """Where a session's game is kept.

    Parameters
    ----------
    session
        The game.
    command
        The words of the command line that starts such a game, without seed, rules and file.
    loaded
        The file that the game came from: it may be written again.

    Attributes
    ----------
    file : Path or None
        Where the game was saved last, or came from.
    """

    def __init__(self, session: Session, command: Sequence[str], loaded: Path | None = None) -> None:
        self._session = session
        self._command = list(command)
        self._own_files = {loaded.absolute()} if loaded is not None else set()
        self.file = loaded
        self._saved_actions = session.actions if loaded is not None else None

    @property
    def up_to_date(self) -> bool:
        """Whether the game is saved as it stands."""
        return self.file is not None and self._session.actions == self._saved_actions

    def save(self, file: Path) -> str | None:
        """Save to a file, unless another game may lie there.

        Returns
        -------
        str or None
            Why it is not saved; None when it is.
        """
        if file.exists() and file.absolute() not in self._own_files:
            return f"{file} is there already; choose another name."
        try:
            self._session.save(file)
        except OSError as error:
            return f"{file} cannot be written: {error.strerror or error}."
        self._own_files.add(file.absolute())
        self.file, self._saved_actions = file, self._session.actions
        return None

    def new_file(self) -> Path:
        """Return the name of a file that is not there yet."""
        seed = self._session.game.record()["seed"]
        number, file = 1, Path(f"onirim-{seed}.json")
        while file.exists():
            number += 1
            file = Path(f"onirim-{seed}-{number}.json")
        return file

    def resume_command(self) -> str:
        """Return the command that goes on with the game that was saved last."""
        return shlex.join([*self._command, "--load", str(self.file)])

    def replay_command(self) -> str:
        """Return the command that deals the same game."""
        game = self._session.game
        default = {**type(game.rules)(expansions=game.rules.expansions).as_dict(), "expansions": []}
        words = list(self._command)
        for keyword, value in game.rules.as_dict().items():
            if keyword in ("expansions", "hard") and value:
                words += [f"--{keyword}", *value]
            elif keyword == "players" and value != default[keyword]:
                words += ["--players", str(value)]
            elif value != default.get(keyword, value):
                words += ["--option", f"{keyword}={value}"]
        return shlex.join([*words, "--seed", str(game.record()["seed"])])

    def farewell(self) -> list[str]:
        """Keep the game of somebody who leaves; return how to go on, nothing after the game's end."""
        session = self._session
        if session.game.over:
            return []
        if not session.actions:
            return [command_text("Nothing was decided yet. The same game again", self.replay_command())]
        if self.up_to_date:
            return [command_text("Go on with", self.resume_command())]
        problem = self.save(self.new_file())
        if problem is None:
            return [command_text("Saved. Go on with", self.resume_command())]
        return [
            problem,
            command_text("The game is not saved. Its beginning", self.replay_command()),
            f"What was played: {', '.join(session.actions)}",
        ]


def command_text(what: str, command: str) -> str:
    """Return a command that can be copied: on one line, however long it is."""
    return f"{what}:\n  {command}"

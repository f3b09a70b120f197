"""Keeping a game: saving it, and the commands that bring it back."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from onirim_env.errors import FileError
from onirim_env.files import MOST_JSON, read_file, reason, shown
from onirim_env.play.session import Session

MAX_SEED = 2**63
"""Seeds of a command line are below this."""
SEED_IN_NAME = 20
"""So many characters of a seed stand in the name of a new file: those of records may be long."""


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
        self._own_files = {_whole(loaded): _content(loaded)} if loaded is not None else {}
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
        try:
            self._write(file)
        except FileExistsError:
            changed = (
                "has been changed by somebody else" if _whole(file) in self._own_files else "is there already"
            )
            return f"{shown(file)} {changed}; choose another name."
        except (OSError, ValueError) as error:  # the latter for a NUL in the name
            return f"{shown(file)} cannot be written: {reason(error)}."
        return None

    def save_by_name(self, name: str) -> str | None:
        """Save to a file of a name that somebody has typed; ``~`` is the home.

        Returns
        -------
        str or None
            Why it is not saved; None when it is.
        """
        with suppress(ValueError):  # a NUL: no home has it, and no file
            name = os.path.expanduser(name)  # noqa: PTH111 - a Path raises where there is no such user
        return self.save(Path(name))

    def save_again(self) -> str | None:
        """Save where the game was saved before or came from; where that cannot be, to a new file.

        Returns
        -------
        str or None
            Why it is not saved; None when it is.
        """
        saved = self.file is not None and self.save(self.file) is None
        return None if saved else self.save_anew()

    def save_anew(self) -> str | None:
        """Save to a new file: in the current folder, or else where one can be written.

        Returns
        -------
        str or None
            Why it is not saved; None when it is.
        """
        problem = None
        for folder in _folders():
            try:
                self._write_anew(folder)
            except OSError as error:
                here = "this folder" if folder == Path() else shown(folder)
                problem = problem or f"In {here} nothing can be written: {reason(error)}."
            else:
                return None
        return problem

    def _write_anew(self, folder: Path) -> None:
        """Save under the first name in a folder that is not taken."""
        seed, number = self._session.game.record()["seed"], 1
        text = str(int(seed) if isinstance(seed, int) else f"{int(seed, 16):#x}")[:SEED_IN_NAME]
        while True:
            try:
                self._write(folder / f"onirim-{text}{f'-{number}' if number > 1 else ''}.json")
            except FileExistsError:
                number += 1
            else:
                return

    def _write(self, file: Path) -> None:
        """Save to a file that is the game's own, or to one that is not there.

        Raises
        ------
        FileExistsError
            When it is there, and holds something else than what this game has written to it.
        OSError, ValueError
            When it cannot be written.
        """
        whole = _whole(file)
        written = self._own_files.get(whole)
        own = written is not None and _content(file) == written
        if not own:
            # Another game may be saved at this moment: only one of them makes the file.
            file.open("xb").close()
        try:
            self._session.save(file)
        except BaseException:
            if not own:
                with suppress(OSError):
                    file.unlink()
            raise
        self._own_files[whole] = _content(file)
        self.file, self._saved_actions = file, self._session.actions

    def resume_command(self) -> str:
        """Return the command that goes on with the game that was saved last."""
        file = str(self.file)
        return shlex.join([*self._command, "--load", f"./{file}" if file.startswith("-") else file])

    def replay_command(self) -> str | None:
        """Return the command that deals the same game; None where only a file has its beginning."""
        game = self._session.game
        record = game.record()
        seed = record["seed"]
        if record["position"] is not None or (isinstance(seed, int) and seed >= MAX_SEED):
            return None
        default = {**type(game.rules)(expansions=game.rules.expansions).as_dict(), "expansions": []}
        words = list(self._command)
        for keyword, value in game.rules.as_dict().items():
            if keyword in ("expansions", "hard") and value:
                words += [f"--{keyword}", *value]
            elif keyword == "players" and value != default[keyword]:
                words += ["--players", str(value)]
            elif value != default.get(keyword, value):
                words += ["--option", f"{keyword}={value}"]
        seed_text = str(seed) if isinstance(seed, int) else f"{int(seed, 16):#x}"
        return shlex.join([*words, "--seed", seed_text])

    def replay_text(self) -> str | None:
        """Return how the same game is dealt again, or None where no command does."""
        command = self.replay_command()
        return None if command is None else command_text("The same game again", command)

    def farewell(self, failed: bool = False) -> list[str]:
        """Keep the game of somebody who leaves; return how to go on.

        Parameters
        ----------
        failed
            Whether an error ends the game: then one that has ended is kept, too.
        """
        session = self._session
        if session.game.over and not failed:
            return []
        if self.up_to_date:
            return [command_text("Go on with", self.resume_command())]
        again = self.replay_text()
        if not session.actions and again is not None:
            return [f"Nothing was decided yet. {again}"]
        problem = self.save_anew()
        if self.file is not None and self.up_to_date:
            folder = self.file.parent
            here = f"In this folder nothing can be written; the game is kept in {shown(folder)}."
            elsewhere = [here] if folder != Path() else []
            return [*elsewhere, command_text("Saved. Go on with", self.resume_command())]
        beginning = "" if again is None else f" {again}"
        return [
            str(problem),
            f"The game is not saved.{beginning}",
            f"What was played: {', '.join(session.actions)}",
        ]


def _whole(file: Path) -> Path:
    """Return a file with its folder, as far as there is one: that of the process may be gone."""
    try:
        return file.absolute()
    except OSError:
        return file


def _content(file: Path) -> bytes | None:
    """Return what stands in a file; None where no saved game can be."""
    try:
        return read_file(file, MOST_JSON)
    except FileError:
        return None


def _folders() -> list[Path]:
    """Return where a game may be kept: in the current folder, at home, with temporary files."""
    folders = [Path()]
    with suppress(OSError, RuntimeError):
        folders.append(Path.home())
    with suppress(OSError):  # there may be none
        folders.append(Path(tempfile.gettempdir()))
    return folders


def command_text(what: str, command: str) -> str:
    """Return a command that can be copied: on one line, however long it is."""
    return f"{what}:\n  {command}"

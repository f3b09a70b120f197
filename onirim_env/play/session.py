"""A game that is being played, with its past: nothing here reads or writes a terminal."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path

from onirim_env.files import read_json, write_json
from onirim_env.game import Game
from onirim_env.play.narration import tell
from onirim_env.play.questions import Question, ask

SURE = 400.0
"""Scores beyond this are no measure: they stand for what is done at once, or never."""


@dataclass(frozen=True)
class Advice:
    """What an adviser thinks of a decision.

    Attributes
    ----------
    name
        Who advises.
    action
        The action that it would take.
    values
        What it thinks of actions, by id; empty where it does not say.
    unit
        What the values are: ``"probability"``, ``"win chance"`` or ``"score"``.
    playouts
        In how many playouts each value was found, of an adviser that tries actions out: the fewer, the
        more of it is luck. Empty for others.
    caution
        What the adviser does not know of these rules, in a sentence; empty where it knows them.
    """

    name: str
    action: int
    values: dict[int, float] = field(default_factory=dict)
    unit: str = "score"
    playouts: dict[int, int] = field(default_factory=dict)
    caution: str = ""

    def value_text(self, action: int) -> str:
        """Return the value of an action in words, empty where there is none."""
        value = self.values.get(action)
        if value is None or not isfinite(value):
            return ""
        if self.unit == "score" and abs(value) > SURE:
            return "at once" if value > 0 else "never"
        behind = f" /{self.playouts[action]}" if action in self.playouts else ""
        return f"{value:+.2f}" if self.unit == "score" else f"{100 * value:.0f} %{behind}"

    @property
    def values_text(self) -> str:
        """What the values are, in words."""
        return f"{self.unit} of each choice" + (" /number of playouts" if self.playouts else "")


class Session:
    """A game between people who share a terminal, or one of them and a program.

    Parameters
    ----------
    game
        The game, at its beginning or later.
    humans
        The seats that decide at the terminal; all by default.
    names
        What the players are called; ``player 0`` ... by default.
    """

    def __init__(
        self, game: Game, humans: Collection[int] | None = None, names: Sequence[str] | None = None
    ) -> None:
        seats = range(game.rules.players)
        self.game = game
        self.humans = frozenset(seats if humans is None else humans)
        self.names = tuple(names) if names is not None else tuple(f"player {seat}" for seat in seats)
        self.taken_back = 0
        self._past: list[tuple[Game, str]] = []  # each decision: the game before it, and what was done
        self._told = [0] * game.rules.players

    @classmethod
    def load(
        cls,
        record: Path,
        humans: Collection[int] | None = None,
        names: Sequence[str] | None = None,
        *,
        talk: str = "open",
    ) -> Session:
        """Return the session of a record's game at its end, with its whole past.

        Raises
        ------
        FileError
            For a file that cannot be read, or is no JSON.
        PositionError
            For one that is no record, or does not replay.
        """
        loaded = read_json(record, "record")
        end = Game.from_record(loaded, talk=talk)
        session = cls(Game.from_record({**loaded, "actions": [], "result": None}, talk=talk), humans, names)
        for action in end.record()["actions"]:
            session._past.append((session.game.copy(), action))
            session.game.apply(action)
        session._told = [len(session._past)] * end.rules.players
        return session

    @property
    def closed(self) -> bool:
        """Whether two people at one terminal hide their hands from each other."""
        return len(self.humans) > 1 and self.game.talk == "closed"

    @property
    def viewer(self) -> int:
        """The player from whose seat the table is seen."""
        return self.game.player if self.game.player in self.humans else min(self.humans)

    @property
    def actions(self) -> list[str]:
        """The texts of the decisions that have been taken, by whomever."""
        return [action for _, action in self._past]

    def question(self) -> Question:
        """Return the decision that is waited for, in words."""
        return ask(self.game)

    def take(self, action: int | str) -> None:
        """Take a decision, given as an id or a text.

        Raises
        ------
        IllegalAction
            The session is as it was.
        """
        before, after = self.game, self.game.copy()
        after.apply(action)
        text = action if isinstance(action, str) else after.table.text(action)
        # Ctrl-C may come at any moment: the game that is kept then is whole, before the action or after it.
        self._past.append((before, text))
        self.game = after

    def undo(self) -> bool:
        """Take the last decision of a person back, with all that came after it.

        Returns
        -------
        bool
            Whether there was one.
        """
        places = [place for place, (before, _) in enumerate(self._past) if before.player in self.humans]
        if not places:
            return False
        self.game = self._past[places[-1]][0].copy()
        del self._past[places[-1] :]
        self._told = [min(told, len(self._past)) for told in self._told]
        self.taken_back += 1
        return True

    def news(self, viewer: int) -> list[str]:
        """Return what a player has not been told yet, a line for each event.

        People who share the screen are told together, unless they hide their hands.
        """
        first = self._told[viewer]
        for seat in [viewer] if self.closed else range(len(self._told)):
            self._told[seat] = len(self._past)
        games = [before for before, _ in self._past[first:]] + [self.game]
        lines: list[str] = []
        for index, (before, action) in enumerate(self._past[first:]):
            lines += tell(before, action, games[index + 1], viewer, self.names)
        return lines

    def save(self, file: Path) -> None:
        """Write the record of the game.

        Raises
        ------
        OSError
            When the file cannot be written.
        """
        write_json(file, self.game.record())

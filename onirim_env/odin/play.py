"""Odin in the terminal: one person at the table, opponents in the other seats."""

from __future__ import annotations

import sys
from collections.abc import Callable

import numpy as np

from onirim_env.errors import IllegalAction
from onirim_env.odin.game import Game
from onirim_env.odin.render.text import card_text, render_text
from onirim_env.sampling import MaskedSampler
from onirim_env.shells.seats import Opponents

HELP = """\
Answer with the number of a choice or its text: `play red 5`, or in short `r5` (colours r b g n o p, brown is
n), `pass` or `.`, `end` or `/`. A play is built card by card, higher numbers first, until it is ended.
  ?  this help    rules  the rules in short    q  leave
Signs before a player: > to move, o owns the table, l led the round."""
RULES = """\
The leader of a round lays one card, or the whole hand where it is all of one colour or one number. The others
lay as many cards as the table or one more, of one colour or one number, of a higher value (the digits in
descending order), and take one of the beaten cards; or pass, which is not final. When all others have passed,
the owner of the table leads anew. Who has no card left ends the hand, each card left costs the others a
point; the fewest points win when somebody reaches the limit."""
SHORT = {"pass": ".", "end": "/"}


def short_text(action: str) -> str:
    """Return the shortest answer for an action: ``r5`` for ``play red 5`` and for ``take red 5``."""
    if action in SHORT:
        return SHORT[action]
    _, cards = action.split(" ", 1)
    return " ".join(card_text(card).lower() for card in cards.split(", "))


def read_choice(answer: str, legal: list[str]) -> str | None:
    """Return the legal action that an answer means; None for none."""
    answer = " ".join(answer.lower().split())
    if answer.isascii() and answer.isdigit() and 1 <= int(answer) <= len(legal):
        return legal[int(answer) - 1]
    for action in legal:
        if answer in (action, short_text(action), action.split(" ", 1)[-1]):
            return action
    return None


class Table:
    """A game at this terminal.

    Parameters
    ----------
    game
        The game.
    seat
        The person's.
    opponents
        What the others do; None for random legal play.
    ask, tell
        Read an answer after a prompt, and print a text.
    """

    def __init__(
        self,
        game: Game,
        seat: int,
        opponents: Opponents | None,
        ask: Callable[[str], str] | None = None,
        tell: Callable[[str], None] = print,
    ) -> None:
        self._game, self._seat = game, seat
        self._opponents = opponents
        self._sampler = MaskedSampler(seed=0)
        self._ask, self._tell = ask or input, tell

    def run(self) -> bool:
        """Play to the end; return whether it was reached: the person may leave before."""
        self._tell(f"You are player {self._seat}. ? for help.")
        while not self._game.over:
            if self._game.player == self._seat:
                chosen = self._choose()
                if chosen is None:
                    return False
                self._game.apply(chosen)
            else:
                self._opponents_turn()
            if self._game.hand_points is not None:
                self._tell(f"The hand has ended. Its points: {self._game.hand_points}")
        self._tell(render_text(self._game, self._seat).rstrip())
        return True

    def _opponents_turn(self) -> None:
        """Let an opponent take a whole turn, and tell what all have seen of it."""
        game, mover = self._game, self._game.player
        assert mover is not None
        before = game.position()
        laid = taken = ""
        going_on = True
        while going_on:
            chosen = self._chosen_by_opponent()
            game.apply(chosen)
            if game.hand_points is not None:
                self._tell(f"player {mover} goes out")
                return
            after = game.position()
            if after["owner"] == mover and after["table"] != before["table"]:
                laid = ", ".join(after["table"])
            known = before["players"][mover]["public"]
            taken = ", ".join(card for card in after["players"][mover]["public"] if card not in known)
            going_on = game.player == mover and game.phase in ("add", "take")
        what = f"plays {laid}" if laid else "passes"
        self._tell(f"player {mover} {what}" + (f" and takes {taken}" if taken else ""))

    def _chosen_by_opponent(self) -> str:
        game = self._game
        mask = game.action_mask()
        if self._opponents is None:
            action = int(self._sampler(mask))
        else:
            action = int(np.asarray(self._opponents(game.observation()[None], mask[None]))[0])
        if not 0 <= action < len(mask) or not mask[action]:
            raise IllegalAction(f"opponents gave action {action}, which is not legal")
        return game.table.text(action)

    def _choose(self) -> str | None:
        """Return what the person chooses; None to leave."""
        legal = self._game.legal_texts()
        self._tell("\n" + render_text(self._game, self._seat).rstrip())
        self._tell("  ".join(f"{number}) {action}" for number, action in enumerate(legal, 1)))
        while True:
            try:
                answer = self._ask("> ").strip()
            except EOFError:
                return None
            if answer.lower() in ("q", "quit", "exit"):
                return None
            if answer == "?":
                self._tell(HELP)
            elif answer.lower() == "rules":
                self._tell(RULES)
            elif answer:
                chosen = read_choice(answer, legal)
                if chosen is not None:
                    return chosen
                self._tell(f"{answer!r} is none of the choices; they are {', '.join(legal)}")


def can_edit_lines() -> None:
    """Let lines be edited where a person types them."""
    if sys.stdin is not None and sys.stdin.isatty():
        try:
            import readline  # noqa: F401
        except ImportError:
            return

"""What a module brings: the form in which each of them is told."""

from __future__ import annotations

from typing import NamedTuple

from onirim_env.rules import Option


class Module(NamedTuple):
    """An expansion, as far as it is a list of things; its rules stand in ``engine/modules``.

    Attributes
    ----------
    keyword
        Its name in ``expansions`` and ``hard``.
    title
        Its name in the box.
    cards
        Names and numbers of the cards that it shuffles into the deck, of kinds of its own.
    doors
        How many further Doors of each colour it shuffles in.
    phases
        Names of its decisions.
    options
        Its rule options.
    hard
        What its harder variant changes; empty where it has none.
    """

    keyword: str
    title: str
    cards: tuple[tuple[str, int], ...] = ()
    doors: int = 0
    phases: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    hard: str = ""

"""Decisions of games with expansions in plain words: what is asked and why."""

from __future__ import annotations

from collections.abc import Callable

from onirim_env.expansions import EXPANSION_TABLES, expansion_of
from onirim_env.play.expansion_words import ordinal
from onirim_env.play.facts import Facts
from onirim_env.rules import title_of


def question_text(table: Facts) -> str:
    """Return what is asked in a phase, and why; every phase has a sentence."""
    asked = _ASKED.get(table.game.phase, f"Decide: {table.game.phase.replace('_', ' ')}.")
    return asked(table) if callable(asked) else asked


def _action(table: Facts) -> str:
    row = table.own["row"]
    texts = table.game.legal_texts()
    verbs = ["play", "discard", *(["place a Tower"] if "towers" in table.game.rules.expansions else [])]
    text = f"Your turn: {', '.join(verbs[:-1])} or {verbs[-1]}{' a card' * (len(verbs) == 2)}."
    if not any(one.startswith(("play", "discard", "place")) for one in texts):
        text = "Your turn: your hand holds Dead Ends only."
    if row:
        text += f" The row ends with a {row[-1].split()[1]}, so play another symbol than that."
    if any(one.startswith("failsafe") for one in texts):
        text += " A Failsafe Book comes before anything else."
    free = ("spell", "squirrel", "cyclobot", "harpoon", "hammer", "treasure")
    if any(one.startswith(free) for one in texts):
        text += " Spells and Denizens come before that, as many as you like."
    return text


def _series(table: Facts) -> str:
    text = (
        "You have completed a series. What does it find? Only leaving the deck as it is does not shuffle it."
    )
    goal = table.next_goal
    return text if goal is None else f"{text} The next Goal is the {goal}; another Door goes to Limbo."


def _door(table: Facts) -> str:
    return (
        f"You draw a {table.position['drawn']}. Open it with one of these Keys, or keep the Key? "
        "A Door that is not opened goes to Limbo."
    )


def _swap(table: Facts) -> str:
    follows = table.position["follows"]
    after = "Prophecy" if table.position["prophecy_follows"] else {"incantation": "Incantation"}.get(follows)
    after = "look at the deck" if follows and follows.startswith("look") else after
    shared = table.listed("shared")
    later = f" The {after} comes after it." if after else ""
    return (
        f"You have discarded, so you may swap one card with a shared one ({shared}).{later} What do you give?"
    )


def _look_order(table: Facts) -> str:
    place = ordinal(len(table.position["placed"]) + 1)
    return f"You look at {table.listed('revealed')}. Which one is drawn {place}{_after(table)}?"


def _after(table: Facts) -> str:
    placed = table.position["placed"]
    return f" after {table.listed('placed')}" if placed else ""


def _bottom_order(table: Facts) -> str:
    return (
        f"These cards go to the bottom of the deck: {table.listed('revealed')}. "
        f"Which comes next{_after(table)}? The last one will be the deck's last card."
    )


_ASKED: dict[str, str | Callable[[Facts], str]] = {
    "action": _action,
    "series": _series,
    "door": _door,
    "nightmare": "A Nightmare! It has to be paid for, or turned away, in one of these ways.",
    "swap": _swap,
    "look_order": _look_order,
    "bottom_order": _bottom_order,
    **{phase: asked for expansion in EXPANSION_TABLES for phase, asked in expansion.questions.items()},
}


def expansions_help(expansions: tuple[str, ...]) -> str:
    """Return what expansions add to the game, a line for each."""
    return "".join(f"{title_of(name)}: {expansion_of(name).goal}.\n" for name in expansions)

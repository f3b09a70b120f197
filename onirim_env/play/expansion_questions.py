"""Decisions of games with expansions in plain words: what is asked and why."""

from __future__ import annotations

from collections.abc import Callable

from onirim_env.play.expansion_words import happy_look_words, next_goal, ordinal, power_words, spell_price
from onirim_env.play.facts import Facts
from onirim_env.rules import title_of


def question_text(table: Facts) -> str:
    """Return what is asked in a phase, and why; every phase has a sentence."""
    asked = _ASKED.get(table.game.phase)
    return asked(table) if asked is not None else f"Decide: {table.game.phase.replace('_', ' ')}."


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "nothing"


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
    goal = next_goal(table)
    return text if goal is None else f"{text} The next Goal is the {goal}; another Door goes to Limbo."


def _door(table: Facts) -> str:
    return (
        f"You draw a {table.position['drawn']}. Open it with one of these Keys, or keep the Key? "
        "A Door that is not opened goes to Limbo."
    )


def _nightmare(table: Facts) -> str:
    return "A Nightmare! It has to be paid for, or turned away, in one of these ways."


def _swap(table: Facts) -> str:
    follows = table.position["follows"]
    after = "Prophecy" if table.position["prophecy_follows"] else {"incantation": "Incantation"}.get(follows)
    after = "look at the deck" if follows and follows.startswith("look") else after
    shared = _listed(table.position["shared"])
    later = f" The {after} comes after it." if after else ""
    return (
        f"You have discarded, so you may swap one card with a shared one ({shared}).{later} What do you give?"
    )


def _payment(table: Facts) -> str:
    spell = (table.position["spell"] or "").removeprefix("spell ")
    price = spell_price(table, spell)
    return (
        f"{spell.title()}: {table.position['to_pay']} of {price} cards still to pay. Which card of the "
        "discard pile is removed from the game?"
    )


def _paradox(table: Facts) -> str:
    return (
        f"Paradoxical Prophecy: the deck ends with {_listed(table.position['revealed'])}. Which one goes on "
        "top? The others go back to the bottom."
    )


def _planning(table: Facts) -> str:
    if table.position["swapped_goal"] is None:
        return "Parallel Planning: two Goals change places. Which is the first?"
    return f"Parallel Planning: with which one does Goal {table.position['swapped_goal'] + 1} change places?"


def _incantation(table: Facts) -> str:
    goal = next_goal(table)
    needed = f" The next Goal is the {goal}; another Door goes to Limbo." if goal is not None else ""
    return (
        f"Incantation: the next cards are {_listed(table.position['revealed'])}. Which Door do you take? "
        f"The other cards go to the bottom.{needed}"
    )


def _look_order(table: Facts) -> str:
    place = ordinal(len(table.position["placed"]) + 1)
    return f"You look at {_listed(table.position['revealed'])}. Which one is drawn {place}{_after(table)}?"


def _after(table: Facts) -> str:
    placed = table.position["placed"]
    return f" after {_listed(placed)}" if placed else ""


def _bottom_order(table: Facts) -> str:
    return (
        f"These cards go to the bottom of the deck: {_listed(table.position['revealed'])}. "
        f"Which comes next{_after(table)}? The last one will be the deck's last card."
    )


def _look_discard(table: Facts) -> str:
    return f"Happy Dream: you look at {_listed(table.position['revealed'])}. Which of them are discarded?"


def _happy_dream(table: Facts) -> str:
    return f"A Happy Dream! Remove a Premonition, {happy_look_words(table)}, or search the deck for any card?"


def _happy_search(table: Facts) -> str:
    return "Happy Dream: which card of the deck will be the next one? The deck is shuffled before."


def _free(table: Facts) -> str:
    return "The deck is about to be shuffled after a search. Free a Dreamcatcher: its cards go into the deck?"


def _overload(table: Facts) -> str:
    return (
        "Limbo holds cards, and no Dreamcatcher is empty. Which Dreamcatcher is given up? Without any the "
        "game is lost."
    )


def _tower_loss(table: Facts) -> str:
    towers = _listed(table.position["towers"])
    return f"The Nightmare strikes a Tower, too. Which one of {towers} is lost? The others must still fit."


def _premonition(table: Facts) -> str:
    return "Several Premonitions are fulfilled. Which one is carried out first?"


def _premonition_keys(table: Facts) -> str:
    number = table.position["premonition_keys"]
    return f"A Premonition takes {number} Key{'s' * (number != 1)} of the deck. Which Key is discarded?"


def _premonition_door(table: Facts) -> str:
    return f"Premonition {table.position['premonition']} takes a Door. Which one goes to Limbo?"


def _denizen(table: Facts) -> str:
    denizen = table.position["drawn"]
    power = power_words(table, denizen)
    return f"You draw the {denizen.title()}: {power}. Rally it by discarding a card? It helps once."


def _architect(table: Facts) -> str:
    return f"Architect: the row ends with {table.own['row'][-1]}. Which card of that symbol do you play?"


def _cyclobot_give(table: Facts) -> str:
    return "Cyclobot: which Location of yours goes to the discard pile?"


def _cyclobot_take(table: Facts) -> str:
    return f"Cyclobot: which discarded Location do you take for your {table.position['given']}?"


def _keeper_store(table: Facts) -> str:
    return "Treasure Keeper: which card do you store? It is safe there, and another one is drawn."


_ASKED: dict[str, Callable[[Facts], str]] = {
    "action": _action,
    "series": _series,
    "door": _door,
    "nightmare": _nightmare,
    "swap": _swap,
    "payment": _payment,
    "paradox": _paradox,
    "planning": _planning,
    "incantation": _incantation,
    "look_order": _look_order,
    "bottom_order": _bottom_order,
    "look_discard": _look_discard,
    "happy_dream": _happy_dream,
    "happy_search": _happy_search,
    "free": _free,
    "overload": _overload,
    "tower_loss": _tower_loss,
    "premonition": _premonition,
    "premonition_keys": _premonition_keys,
    "premonition_door": _premonition_door,
    "denizen": _denizen,
    "architect": _architect,
    "cyclobot_give": _cyclobot_give,
    "cyclobot_take": _cyclobot_take,
    "keeper_store": _keeper_store,
}

_GOALS = {
    "book_of_steps": "Doors count only in the order of the Goals; discarded cards pay for spells",
    "glyphs": "a fourth symbol, 3 Doors of each colour; a discarded Glyph can bring a Door of the next five",
    "dreamcatchers": "Limbo goes under a Dreamcatcher each turn; catch all four Lost Dreams",
    "towers": "touching edges of Towers share no symbol; win with four of four colours side by side",
    "premonitions": "Doors fulfil Dark Premonitions; Happy Dreams help against them",
    "crossroads": "Crossroads count for any colour; Dead Ends fill the hand, Escape discards it",
    "oniverse": "find the Oniverse Door, too; rallied Denizens help once",
}
"""Each expansion in a line."""


def expansions_help(expansions: tuple[str, ...]) -> str:
    """Return what expansions add to the game, a line for each."""
    return "".join(f"{title_of(name)}: {_GOALS[name]}.\n" for name in expansions)

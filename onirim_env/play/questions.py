"""Decisions in plain words: what is asked and why, and what each choice means."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from onirim_env.cards import (
    DOORS_PER_COLOUR,
    FACE_UP,
    MAX_PLAYERS,
    N_DOORS,
    PERSONAL_HAND,
    REVEAL_SIZE,
    SERIES_LENGTH,
)
from onirim_env.play.expansion_questions import question_text
from onirim_env.play.expansion_words import words_of
from onirim_env.play.facts import Facts, prophecy_words, series_of
from onirim_env.render.zones import doors_needed

if TYPE_CHECKING:
    from onirim_env.game import Game


@dataclass(frozen=True)
class Choice:
    """One of the things that can be done.

    Attributes
    ----------
    action
        Its id.
    words
        What it does, in words.
    """

    action: int
    words: str


@dataclass(frozen=True)
class Question:
    """A decision.

    Attributes
    ----------
    text
        What is asked, and why.
    choices
        What can be answered, in the order of the ids.
    """

    text: str
    choices: tuple[Choice, ...]


def ask(game: Game) -> Question:
    """Return the decision that a game waits for, in the words of the player to move."""
    table = Facts(game)
    asked = _ASKED.get(game.phase, _with_expansions)
    if game.rules.expansions and game.phase not in _SAME_WITH_EXPANSIONS:
        asked = _with_expansions
    text, words = asked(table)
    choices = [Choice(action, words(game.table.text(action))) for action in game.legal_actions()]
    return Question(text, tuple(choices))


_Asked = tuple[str, Callable[[str], str]]
_SAME_WITH_EXPANSIONS = ("prophecy_discard", "prophecy_order", "draft", "swap_in")
"""Phases that are asked in the same words with any expansions."""


def _with_expansions(table: Facts) -> _Asked:
    return question_text(table), lambda text: words_of(table, text)


def _action(table: Facts) -> _Asked:
    texts = table.game.legal_texts()
    row = table.own["row"]
    if not any(text.startswith("play") for text in texts):
        symbol = row[-1].split()[1]
        why = f"the row ends with a {symbol}, and so is every card of yours; one of them has to be discarded."
    elif row:
        symbol = row[-1].split()[1]
        why = f"play or discard a card. The row ends with a {symbol}, so play another symbol than that."
    else:
        why = "play or discard a card. Three of one colour in a row find a Door of that colour."
    return f"Your turn: {why}", lambda text: _play(table, text)


def _play(table: Facts, text: str) -> str:
    verb, *shared, colour, symbol = text.split()
    card = f"{colour} {symbol}"
    name = f"the shared {card}" if shared else card
    if verb == "discard":
        if symbol != "key":
            return f"Discard {name}"
        return f"Discard {name}: {prophecy_words(table)}"
    length = series_of([*table.own["row"], card])
    if length < SERIES_LENGTH:
        running = series_of(table.own["row"])
        breaks = 1 < running < SERIES_LENGTH and length == 1
        broken = f"; breaks your {running} {table.own['row'][-1].split()[0]}" if breaks else ""
        return f"Play {name}: {length} of {SERIES_LENGTH} {colour}{broken}"
    if not table.can_keep(colour):
        return f"Play {name}: {SERIES_LENGTH} of {SERIES_LENGTH} {colour}, but you have your {colour} Door"
    if not table.doors_in_deck(colour):
        return f"Play {name}: {SERIES_LENGTH} of {SERIES_LENGTH} {colour}, but the deck has no {colour} Door"
    if table.game.rules.series_search == "choice":
        return f"Play {name}: completes the series, and you may search for a {colour} Door"
    return f"Play {name}: completes the series and gains a {colour} Door"


def _prophecy_discard(table: Facts) -> _Asked:
    revealed = table.position["revealed"]
    text = (
        f"Prophecy: the next cards of the deck are {', '.join(revealed)}. "
        "Which one is thrown away for good? (A Nightmare does no harm this way.) "
        "The others go back on top, in your order."
    )
    return text, lambda action: _prophecy_words(table, action)


def _prophecy_words(table: Facts, text: str) -> str:
    if text == "prophecy discard nothing":
        return "Throw nothing away"
    words = text.removeprefix("prophecy discard ")
    if not words.startswith("place "):
        return f"Throw away {words}{_loss(table, words)}"
    revealed = table.position["revealed"]
    places = [int(word) - 1 for word in words.split() if word.isdigit()]
    names = [revealed[place] for place in places if place < len(revealed)]
    back = f"; then draw {', '.join(names[1:])}" if len(names) > 1 else ""
    return f"Throw away {names[0]}{_loss(table, names[0])}{back}"


def _loss(table: Facts, card: str) -> str:
    if card.endswith("door"):
        needed = doors_needed(table.game.rules)
        return f", and with it the game: all {'eight' if needed == N_DOORS else needed} Doors are needed"
    return ": gone, and no harm done" if card == "nightmare" else ""


def _prophecy_order(table: Facts) -> _Asked:
    placed, revealed = table.position["placed"], table.position["revealed"]
    step = len(placed) + 1
    before = f" after {', '.join(placed)}" if placed else ""
    place = _ordinal(step)
    text = (
        f"Prophecy, card {step} of {len(placed) + len(revealed)} to put back: "
        f"which of {', '.join(revealed)} is drawn {place}{before}?"
    )
    return text, lambda action: f"{action.removeprefix('prophecy place ').capitalize()} is drawn {place}"


def _ordinal(number: int) -> str:
    return {1: "first", 2: "second", 3: "third", 4: "fourth", 5: "fifth"}[number]


def _series(table: Facts) -> _Asked:
    colour = table.own["row"][-1].split()[0]
    left = table.doors_in_deck(colour)
    text = (
        f"You have completed a {colour} series. Search the deck for a {colour} Door? "
        f"It holds {left}. A search shuffles the deck; without one its order stays."
    )
    words = {"search": f"Search for a {colour} Door and shuffle", "pass": "Leave the deck as it is"}
    return text, words.__getitem__


def _door(table: Facts) -> _Asked:
    door = table.position["drawn"]
    colour = door.split()[0]
    have = table.own["doors"].count(door)
    held = f"you have {have} of {DOORS_PER_COLOUR // table.game.rules.players} of them"
    text = (
        f"You draw a {colour} Door ({held}), and have a {colour} Key. Open the Door, or keep the Key? "
        "A Door that is not opened goes back into the deck at the end of the turn."
    )
    words = {
        "open door": f"Open the Door: it is yours, the {colour} key is discarded",
        "open door with shared key": f"Open the Door with the shared {colour} key",
        "refuse door": f"Keep the {colour} key; the Door goes back into the deck",
    }
    return text, words.__getitem__


def _nightmare(table: Facts) -> _Asked:
    text = (
        "A Nightmare! It has to be paid for, in one of these ways. Then the Nightmare is gone, "
        "and your hand is filled."
    )
    return text, lambda action: _nightmare_words(table, action)


def _nightmare_words(table: Facts, text: str) -> str:
    words = text.removeprefix("nightmare ")
    if words.startswith("return"):
        colour = words.split()[1]
        left = table.game.doors - 1
        return f"Give your {colour} Door back to the deck: {left} Door{'s' * (left != 1)} stay in play"
    if words == "reveal five":
        shown = min(REVEAL_SIZE, table.deck_size)
        lost = f"their Locations are discarded ({_expected(table)}), Doors and Nightmares go back"
        return f"Lose {table.next_cards(shown)} of the deck: {lost}"
    if words == "discard hand":
        kept = "; your partner's cards stay" if table.game.rules.players > 1 else ""
        return f"Discard your whole hand of {len(table.hand)} and draw a new one{kept}"
    *_, colour, _ = words.split()
    shared = "the shared " if "shared" in words else "your "
    return f"Discard {shared}{colour} key: it opens no Door and shows no cards any more"


def _expected(table: Facts) -> str:
    """Return how many Locations the next cards hold on average."""
    return f"{table.expected_locations(REVEAL_SIZE):.1f} on average, each a turn less"


def _draft(table: Facts) -> _Asked:
    taken = len(table.own["hand"])
    text = (
        f"Pick card {taken + 1} of {PERSONAL_HAND} for your hand; you and your partner pick in turn from "
        f"{FACE_UP} face-up cards, and the last {FACE_UP - MAX_PLAYERS * PERSONAL_HAND} are shared."
    )
    return text, lambda action: action.capitalize()


def _swap(table: Facts) -> _Asked:
    after = " The Prophecy comes after it." if table.position["prophecy_follows"] else ""
    text = (
        "You have discarded, so you may swap one card of your hand with a shared one "
        f"({', '.join(table.position['shared'])}).{after} Which one do you give?"
    )
    return (
        text,
        lambda action: "Swap nothing" if action == "no swap" else f"Give {action.removeprefix('swap out ')}",
    )


def _swap_in(table: Facts) -> _Asked:
    text = f"Which shared card do you take for your {table.position['swapping']}?"
    return text, lambda action: f"Take {action.removeprefix('swap in ')}"


_ASKED: dict[str, Callable[[Facts], _Asked]] = {
    "action": _action,
    "prophecy_discard": _prophecy_discard,
    "prophecy_order": _prophecy_order,
    "series": _series,
    "door": _door,
    "nightmare": _nightmare,
    "draft": _draft,
    "swap": _swap,
    "swap_in": _swap_in,
}

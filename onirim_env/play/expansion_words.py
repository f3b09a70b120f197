"""What the actions of games with expansions do, in words.

A table of patterns gives each text its words, those of an expansion in its own file
(``onirim_env/expansions``); what no pattern names is shown as it is, so that every action has words.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from onirim_env.cards import REVEAL_SIZE, SERIES_LENGTH
from onirim_env.expansions import EXPANSION_TABLES
from onirim_env.expansions.form import SOURCE
from onirim_env.play.facts import Facts, prophecy_words
from onirim_env.render.zones import row_series


def words_of(table: Facts, text: str) -> str:
    """Return what an action does, in words; never empty.

    Parameters
    ----------
    table
        The game.
    text
        The action's text.
    """
    for pattern, words in PATTERNS:
        match = pattern.fullmatch(text)
        if match is not None:
            if callable(words):
                return words(table, match)
            named = table.named(match) if "source" in match.groupdict() else ""
            return words.format(**match.groupdict(""), named=named)
    return text.capitalize()


def _play(table: Facts, match: re.Match[str]) -> str:
    own, card, name = table.own, match["card"], table.named(match)
    used = min(own.get("used", 0), len(own["row"]))
    series = row_series([*own["row"], card], used, table.game.rules)
    if series is None or not series[0]:
        return f"Play {name}: counts for any colour"
    colour, length = series
    if length < SERIES_LENGTH:
        return f"Play {name}: {length} of {SERIES_LENGTH} {colour}"
    return f"Play {name}: completes a {colour} series{_finding(table, colour)}"


def _finding(table: Facts, colour: str) -> str:
    """Return what a completed series can find."""
    number = table.doors_in_deck(colour)
    words = f"; the deck holds {number or 'no'} {colour} Door{'s' * (number > 1)}"
    goal = table.next_goal
    if goal is not None and goal != f"{colour} door" and number:
        words += f", which would go to Limbo: the next Goal is the {goal}"
    return words


def _discard(table: Facts, match: re.Match[str]) -> str:
    name = table.named(match)
    return f"Discard {name}: {prophecy_words(table)}" if match["card"].endswith(" key") else f"Discard {name}"


def _whose(match: re.Match[str]) -> str:
    return "the shared" if match["source"] else "your"


def _on_top(table: Facts, match: re.Match[str]) -> str:
    if table.game.phase == "look_order":
        return f"{match['card'].capitalize()} is drawn {ordinal(len(table.position['placed']) + 1)}"
    return f"Put {match['card']} on top of the deck: it is drawn next"


def _at_bottom(table: Facts, match: re.Match[str]) -> str:
    place = ordinal(len(table.position["placed"]) + 1)
    return f"{match['card'].capitalize()} goes to the bottom, drawn {place} of these cards"


def _reveal(table: Facts, match: re.Match[str]) -> str:
    shown = min(REVEAL_SIZE, table.deck_size)
    return (
        f"Lose {table.next_cards(shown)} of the deck: their Locations are discarded "
        f"({table.expected_locations(REVEAL_SIZE):.1f} on average), the others go to Limbo"
    )


def _hand(table: Facts, match: re.Match[str]) -> str:
    kept = "; your partner's cards stay" if table.game.rules.players > 1 else ""
    return f"Discard your whole hand of {len(table.hand)} and draw a new one{kept}"


def _search(table: Facts, match: re.Match[str]) -> str:
    row = table.own["row"]
    series = row_series(row[-SERIES_LENGTH:], 0, table.game.rules) if row else None
    colour = series[0] if series is not None and series[0] else ""
    return f"Search the deck for a {colour} Door and shuffle it".replace("a  ", "a ")


def ordinal(number: int) -> str:
    """Return a small number as an ordinal word."""
    words = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")
    return words[number - 1] if number <= len(words) else f"{number}th"


_Words = str | Callable[[Facts, "re.Match[str]"], str]

_SHARED: tuple[tuple[str, _Words], ...] = (
    # the turn
    (rf"play {SOURCE}(?P<card>.+)", _play),
    (rf"discard {SOURCE}(?P<card>.+)", _discard),
    # series and Doors
    ("search", _search),
    ("pass", "Leave the deck as it is"),
    ("open door", "Open the Door: it is yours, the key of its colour is discarded"),
    (r"open door with shared key", "Open the Door with the shared key of its colour"),
    (
        rf"open door with {SOURCE}(?P<card>.+)",
        lambda table, match: (
            f"Open the Door with {'the shared' if match['source'] else 'your'} {match['card']}"
        ),
    ),
    ("refuse door", "Keep the key; the Door goes to Limbo"),
    # Nightmares
    (r"nightmare return (?P<card>.+)", "Give your {card} back: it goes to Limbo"),
    ("nightmare reveal five", _reveal),
    ("nightmare discard hand", _hand),
    (
        rf"nightmare discard {SOURCE}(?P<card>.+)",
        lambda table, match: f"Discard {_whose(match)} {match['card']}",
    ),
    # cards beside the deck
    (r"put (?P<card>.+) on top", _on_top),
    (r"put (?P<card>.+) at the bottom", _at_bottom),
    # co-op
    ("no swap", "Swap nothing"),
    (r"swap out (?P<card>.+)", "Give {card}"),
    (r"swap in (?P<card>.+)", "Take {card}"),
    (r"take (?P<card>.+)", "Take {card}"),
)
PATTERNS: tuple[tuple[re.Pattern[str], _Words], ...] = tuple(
    (re.compile(pattern), words)
    for table in (*(expansion.words for expansion in EXPANSION_TABLES), _SHARED)
    for pattern, words in table
)
"""Patterns of texts, the first that fits first, and their words: those of each expansion, then of several."""

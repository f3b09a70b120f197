"""What the actions of expansions do, in words.

A table of patterns gives each text its words; what no pattern names is shown as it is, so that every
action has words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable

from onirim_env.cards import NIGHTMARE, REVEAL_SIZE, SERIES_LENGTH
from onirim_env.expansions import ALL_KIND_NAMES
from onirim_env.expansions.book_of_steps import COSTS, PARADOX_SIZE, SPELLS
from onirim_env.expansions.glyphs import INCANTATION_SIZE
from onirim_env.expansions.oniverse import HUNTER_SIZE, SPIES_SIZE
from onirim_env.expansions.premonitions import HAPPY_LOOK_SIZE
from onirim_env.play.facts import Facts, next_cards
from onirim_env.play.questions import prophecy_words
from onirim_env.render.zones import row_series

_SOURCE = r"(?P<source>shared |stored )?"
_NIGHTMARE_NAME = ALL_KIND_NAMES[NIGHTMARE]

PREMONITIONS = {
    "red2": "at 2 red Doors, every red Location still in the deck is discarded",
    "blue2": "at 2 blue Doors, 2 Keys of the deck are discarded",
    "green2": "at 2 green Doors, a discarded Nightmare goes to Limbo",
    "brown2": "at 2 brown Doors, a Door goes to Limbo",
    "pair2": "at 2 Doors of a colour, one Door of a pair goes to Limbo",
    "doors3": "at 3 Doors, the hand is discarded and drawn anew, and one more Premonition is turned up",
    "doors5": "at 5 Doors, two more Premonitions are turned up",
    "rainbow4": "at a Door of each colour, every Happy Dream still in the deck is discarded",
}
"""When each Premonition is carried out, and what it does."""
POWERS = {
    "architect": "play a card that has the symbol of the row's last card",
    "cyclobot": "exchange a Location of your hand for one on the discard pile",
    "squirrel spies": "look at {spies} and put what you see back in any order",
    "harpoon hunter": "{hunter}: Nightmares are discarded, the others go to the bottom",
    "hammer bird": "discard the last card of the row and the run of its colour before it",
    "chromatic chaos": "gain a Door with a Key or a series of another colour",
    "mirror": "put a drawn Nightmare in Limbo, unresolved",
    "treasure keeper": "store a card of your hand, safe from everything, and draw another",
}
"""What each Denizen can do, once; see :func:`power_words`."""
SPELL_EFFECTS = (
    "one of the last {} cards of the deck goes on top",
    "two Goals change places",
    "the Nightmare is discarded without effect",
)


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
            return words(table, match) if callable(words) else words.format(**match.groupdict(""))
    return text.capitalize()


def spell_price(table: Facts, spell: str) -> int:
    """Return how many discarded cards a spell costs (B-4)."""
    hard = "book_of_steps" in table.game.rules.hard
    return COSTS[hard][SPELLS.index(spell)]


def _named(match: re.Match[str], group: str = "card") -> str:
    source = match["source"]
    return f"the {source}{match[group]}" if source else match[group]


def _play(table: Facts, match: re.Match[str]) -> str:
    own, card, name = table.own, match["card"], _named(match)
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
    goal = next_goal(table)
    if goal is not None and goal != f"{colour} door" and number:
        words += f", which would go to Limbo: the next Goal is the {goal}"
    return words


def next_goal(table: Facts) -> str | None:
    """Return the Door of the first Goal that is not met; None without the Book of Steps."""
    goals = table.position.get("goals", [])
    met = table.position.get("goals_met", [])
    return next((goal for place, goal in enumerate(goals) if place not in met), None)


def _discard(table: Facts, match: re.Match[str]) -> str:
    *_, symbol = match["card"].split()
    name, size = _named(match), table.deck_size
    if symbol == "key":
        return f"Discard {name}: {prophecy_words(table)}"
    if symbol in ("glyph", "3", "4", "5") and size == 0:
        return f"Discard {name}: the deck is empty, there is nothing to see"
    if symbol == "glyph":
        shown = min(INCANTATION_SIZE, size)
        return f"Discard {name}: an Incantation, a Door among {next_cards(shown)} can be yours"
    if symbol.isdigit():
        return (
            f"Discard {name}: see {next_cards(min(int(symbol), size))}{_in_any_order(min(int(symbol), size))}"
        )
    return f"Discard {name}"


def _in_any_order(number: int) -> str:
    return " and put them back in any order" if number > 1 else ""


def _spell(table: Facts, match: re.Match[str]) -> str:
    spell = match["spell"]
    price = spell_price(table, spell)
    effect = SPELL_EFFECTS[SPELLS.index(spell)].format(min(PARADOX_SIZE, table.deck_size))
    return f"Cast {spell.title()} for {price} discarded cards: {effect}"


def _pay(table: Facts, match: re.Match[str]) -> str:
    pile = table.position["discard"].count(match["card"])
    return f"Pay with a {match['card']} of the discard pile, which holds {pile}"


def _power(table: Facts, match: re.Match[str]) -> str:
    return f"{match['power'].title()}: {power_words(table, match['power'])}"


def power_words(table: Facts, power: str) -> str:
    """Return what a Denizen can do now."""
    size = table.deck_size
    return POWERS[power].format(
        spies=next_cards(min(SPIES_SIZE, size)), hunter=next_cards(min(HUNTER_SIZE, size))
    )


def happy_look_words(table: Facts) -> str:
    """Return which cards a Happy Dream lets the player see."""
    return f"look at {next_cards(min(HAPPY_LOOK_SIZE, table.deck_size))}"


def _group(table: Facts, match: re.Match[str]) -> str:
    """Return the cards under a Dreamcatcher."""
    groups = table.position["dreamcatchers"]
    number = int(match["number"])
    counts = Counter(groups[number - 1]) if number <= len(groups) else Counter()
    return ", ".join(f"{n} {name}" if n > 1 else name for name, n in counts.items()) or "nothing"


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
        f"Lose {next_cards(shown)} of the deck: their Locations are discarded "
        f"({table.expected_locations(REVEAL_SIZE):.1f} on average), the others go to Limbo"
    )


def _hand(table: Facts, match: re.Match[str]) -> str:
    kept = "; your partner's cards stay" if table.game.rules.players > 1 else ""
    return f"Discard your whole hand of {len(table.hand)} and draw a new one{kept}"


def _goal(table: Facts, match: re.Match[str]) -> str:
    number = int(match["number"])
    goals, first = table.position["goals"], table.position["swapped_goal"]
    if first is None:
        return f"Move Goal {number}, the {goals[number - 1]}"
    return f"Let it change places with Goal {number}, the {goals[number - 1]}"


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

_TABLE: tuple[tuple[str, _Words], ...] = (
    # the turn
    (rf"play {_SOURCE}(?P<card>.+)", _play),
    (rf"discard {_SOURCE}(?P<card>.+)", _discard),
    (
        rf"place {_SOURCE}(?P<card>.+) (?P<side>left|right)",
        lambda table, match: f"Place {_named(match)} at the {match['side']} end of the Towers",
    ),
    ("escape", "Escape: discard your whole hand and draw a new one"),
    (rf"spell (?P<spell>{'|'.join(SPELLS)})", _spell),
    (
        r"failsafe dreamcatcher (?P<number>\d+)",
        lambda table, match: (
            f"Spend a Failsafe Book: Dreamcatcher {match['number']} goes back into the deck "
            f"({_group(table, match)})"
        ),
    ),
    (rf"(?P<power>{'|'.join(POWERS)})", _power),
    # series and Doors
    ("search", _search),
    ("pass", "Leave the deck as it is"),
    ("search oniverse door", "Search the deck for the Oniverse Door and shuffle it"),
    (r"chaos search (?P<card>.+)", "Spend Chromatic Chaos: search for a {card} instead, and shuffle"),
    (
        r"(?P<chaos>chaos )?take (?P<card>.+) from dreamcatcher (?P<number>\d+)",
        lambda table, match: (
            f"{'Spend Chromatic Chaos: take' if match['chaos'] else 'Take'} the {match['card']} "
            f"from Dreamcatcher {match['number']}, and shuffle the deck"
        ),
    ),
    ("open door", "Open the Door: it is yours, the key of its colour is discarded"),
    (r"open door with shared key", "Open the Door with the shared key of its colour"),
    (
        rf"(?P<chaos>chaos )?open door with {_SOURCE}(?P<card>.+)",
        lambda table, match: (
            f"{'Spend Chromatic Chaos: open' if match['chaos'] else 'Open'} the Door with "
            f"{'the shared' if match['source'] else 'your'} {match['card']}"
        ),
    ),
    ("refuse door", "Keep the key; the Door goes to Limbo"),
    # Nightmares
    (r"nightmare return (?P<card>.+)", "Give your {card} back: it goes to Limbo"),
    ("nightmare reveal five", _reveal),
    ("nightmare discard hand", _hand),
    (
        rf"nightmare discard {_SOURCE}(?P<card>.+)",
        lambda table, match: f"Discard {'the shared' if match['source'] else 'your'} {match['card']}",
    ),
    (r"lose (?P<card>.+)", "Lose the {card}: it is discarded"),
    ("false destruction", "Lose no Tower: the Nightmare goes to Limbo instead of the discard pile"),
    # cards beside the deck
    (r"put (?P<card>.+) on top", _on_top),
    (r"put (?P<card>.+) at the bottom", _at_bottom),
    (r"look discard (?P<card>.+)", "Discard {card}"),
    ("look done", "Discard nothing more"),
    ("incantation take nothing", "Put no Door in play"),
    (r"incantation take (?P<card>.+)", "Take the {card}"),
    # spells, Dreamcatchers
    (r"pay (?P<card>.+)", _pay),
    (r"swap goal (?P<number>\d+)", _goal),
    ("free none", "Free no Dreamcatcher"),
    (
        r"free dreamcatcher (?P<number>\d+)",
        lambda table, match: (
            f"Free Dreamcatcher {match['number']}: {_group(table, match)} back into the deck"
        ),
    ),
    (
        r"give up dreamcatcher (?P<number>\d+)",
        lambda table, match: f"Give up Dreamcatcher {match['number']} (with {_group(table, match)})",
    ),
    # Premonitions and Happy Dreams
    (r"premonition discard (?P<card>.+)", "Discard a {card} of the deck"),
    (r"premonition return partner (?P<card>.+)", "Your partner's {card} goes to Limbo"),
    (r"premonition return (?P<card>.+)", "Your {card} goes to Limbo"),
    (
        r"premonition (?P<name>\w+)",
        lambda table, match: f"Carry out {match['name']} first: {PREMONITIONS[match['name']]}",
    ),
    (
        r"remove premonition (?P<name>\w+)",
        lambda table, match: f"Remove Premonition {match['name']}: {PREMONITIONS[match['name']]}",
    ),
    (
        "happy look",
        lambda table, match: (
            f"{happy_look_words(table).capitalize()}: discard any of them, put the others back in any order"
        ),
    ),
    ("happy search", "Search the deck for any card: it will be the next one"),
    # Denizens
    (
        rf"rally (?P<denizen>{'|'.join(POWERS)}) with {_SOURCE}(?P<card>.+)",
        lambda table, match: f"Rally the {match['denizen'].title()} by discarding {_named(match)}",
    ),
    ("refuse denizen", "Let it go: the Denizen is discarded"),
    (rf"cyclobot give {_SOURCE}(?P<card>.+)", lambda table, match: f"Give {_named(match)}"),
    (r"cyclobot take (?P<card>.+)", "Take the {card} of the discard pile"),
    (
        rf"store {_SOURCE}(?P<card>.+)",
        lambda table, match: f"Store {_named(match)} under the Treasure Keeper",
    ),
    # co-op
    ("no swap", "Swap nothing"),
    (r"swap out (?P<card>.+)", "Give {card}"),
    (r"swap in (?P<card>.+)", "Take {card}"),
    (r"take (?P<card>.+)", "Take {card}"),
)
PATTERNS = tuple((re.compile(pattern), words) for pattern, words in _TABLE)
"""Patterns of texts, the first that fits first, and their words."""

"""The cards and the options of the plain model: the tables of docs/rules.md and docs/expansions.md."""

from collections import Counter

COLOURS = ("red", "blue", "green", "brown")

#: The 76 cards of the base game, as kind -> number of copies.
PACK = Counter({"nightmare": 10})
for _colour, _suns in {"red": 9, "blue": 8, "green": 7, "brown": 6}.items():
    PACK.update({f"{_colour} sun": _suns, f"{_colour} moon": 4, f"{_colour} key": 3, f"{_colour} door": 2})

DENIZENS = (
    "architect",
    "cyclobot",
    "squirrel spies",
    "harpoon hunter",
    "hammer bird",
    "chromatic chaos",
    "mirror",
    "treasure keeper",
)

#: The cards that each expansion shuffles into the deck.
EXPANSION_PACKS = {
    "book_of_steps": Counter(),
    "glyphs": Counter(
        {f"{colour} glyph": 2 for colour in COLOURS} | {f"{colour} door": 1 for colour in COLOURS}
    ),
    "dreamcatchers": Counter({"lost dream": 4}),
    "towers": Counter({f"{colour} tower {value}": 1 for colour in COLOURS for value in (3, 4, 5)}),
    "premonitions": Counter({"happy dream": 4}),
    "crossroads": Counter({"crossroad sun": 3, "crossroad moon": 2, "crossroad key": 1, "dead end": 10}),
    "oniverse": Counter({"oniverse door": 1} | dict.fromkeys(DENIZENS, 2)),
}

#: The options of the rules with their defaults.
DEFAULTS = {
    "prophecy_discard": "mandatory",  # O-1
    "prophecy_door": "lost",  # O-2
    "reveal_short_deck": "allowed",  # O-3
    "door_key": "optional",  # O-5
    "series_search": "automatic",  # O-6
    "stop_when_unwinnable": False,  # O-10
    "nightmare_return_door": True,  # O-13
    "duplicate_door": "limbo",  # O-20
    "shared_refill": "resolved",  # O-21
    "draft": "choice",  # O-23
}

#: Those of the expansions (O-30 to O-37), for games with expansions.
EXPANSION_DEFAULTS = {
    "hard": [],
    "parallel_planning": "face_up",  # O-30
    "incantation_door": "optional",  # O-31
    "overload": "all",  # O-32
    "false_destruction": "free",  # O-34
    "premonitions_face_up": "usual",  # HP-1
    "denizens": 8,  # O-36
    "crossroad_series": "window",  # O-37
}


def pack(rules):
    """Every card of the deck under some rules, with the Denizens that are then removed unseen (O-D1)."""
    cards = Counter(PACK)
    for name in rules.get("expansions", []):
        cards.update(EXPANSION_PACKS[name])
    return cards


def colour_of(card):
    """The first word, which for a Crossroad (X-1) and for a Dead End is no colour."""
    return card.split()[0]


def symbol_of(card):
    return card.split()[-1]


def key_of(door):
    return door.replace("door", "key")


def is_door(card):
    return symbol_of(card) == "door"


def is_tower(card):
    return " tower " in card


def is_labyrinth_card(card):
    """A Location for the row: with a Sun, a Moon, a Key or a Glyph (G-1), also a Crossroad (X-1)."""
    return symbol_of(card) in ("sun", "moon", "key", "glyph")


def is_location(card):
    """Towers are Locations too (TW-1); Dead Ends are not (X-5)."""
    return is_labyrinth_card(card) or is_tower(card)


def fills_hand(card):
    """Whether a drawn card joins the hand: a Location, a Tower (TW-1) or a Dead End (X-3)."""
    return is_location(card) or card == "dead end"


def on_top(cards):
    return [f"put {card} on top" for card in dict.fromkeys(cards)]


def at_bottom(cards):
    return [f"put {card} at the bottom" for card in dict.fromkeys(cards)]


def card_moved(text):
    """The card that such an action names."""
    return text.removeprefix("put ").removesuffix(" on top").removesuffix(" at the bottom")


def texts(verb, cards):
    """One action for each kind among the cards."""
    return [f"{verb} {card}" for card in dict.fromkeys(cards)]

# ruff: noqa: E501  (the tables have one line each)
"""The Door to the Oniverse: a Door of any colour, and Denizens that help once."""

from __future__ import annotations

import re
from typing import Any

from onirim_env.cards import COLOURS, DOOR_NAMES, MAX_PLAYERS, NO_CARD
from onirim_env.errors import PositionError, quoted
from onirim_env.expansions.form import SOURCE, Entries, Expansion, Group, SeenField, Verb, Zone
from onirim_env.expansions.given import Cards, Described, Facts, Reader, Writer
from onirim_env.expansions.towers import NAMES as TOWERS
from onirim_env.json_kinds import CARD, CARDS, check_number
from onirim_env.rules import RuleSet

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
DENIZENS_OF_A_KIND = 2
SPIES_SIZE = HUNTER_SIZE = 5
DOOR = "oniverse door"

_COLOUR_KEYS = tuple(f"{colour} key" for colour in COLOURS)


def _is_used_by_itself(rules: RuleSet, text: str) -> bool:
    """Chromatic Chaos is used while a Door is gained, by the actions that begin with chaos."""
    return text != "chromatic chaos"


def _with_towers(rules: RuleSet, text: str) -> bool:
    return "towers" in rules.expansions


def _rally(name: str, words: str, meaning: str, co_op: bool) -> tuple[Verb, ...]:
    """Return a verb for each Denizen: an action names both, and the argument is the card."""
    return tuple(
        Verb(f"{name}_{index}", f"rally {denizen} with {words}{{}}", Group.LOCATIONS, meaning, co_op)
        for index, denizen in enumerate(DENIZENS)
    )


def _read(reader: Reader, cards: Cards) -> dict[str, Any]:
    unused = reader.zone("unused_denizens", DENIZENS)
    check_number("unused_denizens", unused, DENIZENS_OF_A_KIND * len(DENIZENS) - reader.rules.denizens)
    first = reader.kind_of(DENIZENS[0])
    state: dict[str, Any] = {"unused": [unused.count(first + index) for index in range(len(DENIZENS))]}
    given = reader.position.get("given")
    if given is not None:
        if given.removeprefix("shared ") not in reader.words.locations:
            raise PositionError(f"given: {quoted(given)} is no Location of the hand")
        state["given_shared"] = given.startswith("shared ")
        state["given"] = reader.kind_of(given.removeprefix("shared "))
    rallied, stored = [], []
    for player, entry in enumerate(reader.players()):
        at = f"players[{player}]"
        kinds = reader.kinds(f"{at}.denizens", entry.get("denizens", ()), DENIZENS)
        rallied.append([kinds.count(first + index) for index in range(len(DENIZENS))])
        stored.append(reader.kinds(f"{at}.stored", entry.get("stored", ()), reader.words.hand))
        check_number(f"{at}.stored", stored[-1], entry.get("denizens", []).count("treasure keeper"))
    return {**state, "denizens": rallied, "stored": stored, "n_stored": list(map(len, stored))}


def _write(writer: Writer) -> dict[str, Any]:
    given = writer.card("given")
    return {
        "unused_denizens": writer.counted(writer.record["unused"], DENIZENS),
        "given": f"shared {given}" if given and writer.record["given_shared"] else given,
    }


def _write_player(writer: Writer, player: int) -> dict[str, Any]:
    record = writer.record
    stored = record["stored"][player, : record["n_stored"][player]]
    return {"denizens": writer.counted(record["denizens"][player], DENIZENS), "stored": writer.names(stored)}


def _architects_used(described: Described) -> int:
    """Return how many Architects may have put a card in a row; one may be about to."""
    used = described.names(described.cards.discard).count("architect")
    used += described.fields.get("removed", []).count("architect") - (described.phase == "architect")
    if used < 0:
        raise PositionError("discard: no Architect, which is used in phase architect")
    return used


def _check_under_way(described: Described) -> None:
    given = described.fields.get("given")
    if given is None:
        return
    cards = described.cards
    hand = cards.shared if given.startswith("shared ") else cards.hands[described.to_move]
    if given.removeprefix("shared ") not in described.names(hand):
        raise PositionError(f"given: {given!r} is not in the hand")


def _zones(position: dict[str, Any]) -> list[Zone]:
    zones = []
    for player, one in enumerate(position["players"]):
        who = f" {player}" if len(position["players"]) > 1 else ""
        zones.append(Zone(f"denizens{who}", (tuple(one["denizens"]),), player=player))
        if one["stored"]:
            zones.append(Zone(f"stored{who}", (tuple(one["stored"]),), player=player))
    return zones


_POWERS = {
    "architect": "play a card that has the symbol of the row's last card",
    "cyclobot": "exchange a Location of your hand for one on the discard pile",
    "squirrel spies": "look at {spies} and put what you see back in any order",
    "harpoon hunter": "{hunter}: Nightmares are discarded, the others go to the bottom",
    "hammer bird": "discard the last card of the row and the run of its colour before it",
    "chromatic chaos": "gain a Door with a Key or a series of another colour",
    "mirror": "put a drawn Nightmare in Limbo, unresolved",
    "treasure keeper": "store a card of your hand, safe from everything, and draw another",
}
"""What each Denizen can do, once."""


def _power(table: Facts, denizen: str) -> str:
    """Return what a Denizen can do now."""
    spies, hunter = (table.next_cards(min(size, table.deck_size)) for size in (SPIES_SIZE, HUNTER_SIZE))
    return _POWERS[denizen].format(spies=spies, hunter=hunter)


def _use(table: Facts, match: re.Match[str]) -> str:
    return f"{match['power'].title()}: {_power(table, match['power'])}"


def _rally_words(table: Facts, match: re.Match[str]) -> str:
    return f"Rally the {match['denizen'].title()} by discarding {table.named(match)}"


def _chaos_open(table: Facts, match: re.Match[str]) -> str:
    return f"Spend Chromatic Chaos: open the Door with {'the shared' if match['source'] else 'your'} {match['card']}"


def _ask_denizen(table: Facts) -> str:
    denizen = table.position["drawn"]
    return f"You draw the {denizen.title()}: {_power(table, denizen)}. Rally it by discarding a card? It helps once."


def _ask_architect(table: Facts) -> str:
    return f"Architect: the row ends with {table.own['row'][-1]}. Which card of that symbol do you play?"


def _ask_take(table: Facts) -> str:
    return f"Cyclobot: which discarded Location do you take for your {table.position['given']}?"


EXPANSION = Expansion(
    "oniverse",
    goal="find the Oniverse Door, too; rallied Denizens help once",
    cards=((DOOR, 1), *((denizen, DENIZENS_OF_A_KIND) for denizen in DENIZENS)),
    phases=("denizen", "architect", "cyclobot_give", "cyclobot_take", "keeper_store"),
    uses=("ON_TOP", "AT_BOTTOM", "OPEN_WITH", "OPEN_WITH_SHARED", "SEARCH", "bottom"),
    verbs=(
        Verb("NIGHTMARE_DOOR", "nightmare return {}", (DOOR,), "resolve a Nightmare with the Oniverse Door (N-2)"),
        Verb("SEARCH_ONIVERSE", "search {}", {0: DOOR}, "search for the Oniverse Door (O-D2)"),
        Verb("CHAOS_OPEN", "chaos open door with {}", _COLOUR_KEYS, "spend a Key of another colour and Chromatic Chaos"),
        Verb("CHAOS_OPEN_SHARED", "chaos open door with shared {}", _COLOUR_KEYS, "spend a shared one and Chromatic Chaos", True),
        Verb("CHAOS_SEARCH", "chaos search {}", DOOR_NAMES, "search for a Door of another colour with Chromatic Chaos"),
        Verb("POWER", "{}", dict(enumerate(DENIZENS)), "use the power of a rallied Denizen (O-D4)", when=_is_used_by_itself),
        Verb("CYCLOBOT_GIVE", "cyclobot give {}", Group.LOCATIONS, "the card that goes to the discard pile"),
        Verb("CYCLOBOT_GIVE_SHARED", "cyclobot give shared {}", Group.LOCATIONS, "the shared card that goes there", True),
        Verb("CYCLOBOT_TAKE", "cyclobot take {}", Group.LOCATIONS, "the card that comes from there"),
        Verb("STORE", "store {}", Group.HAND, "put a card under the Treasure Keeper"),
        Verb("STORE_SHARED", "store shared {}", Group.HAND, "put a shared card under the Treasure Keeper", True),
        Verb("PLAY_STORED", "play stored {}", Group.ROW, "put the stored card in the row"),
        Verb("DISCARD_STORED", "discard stored {}", Group.LOCATIONS, "discard the stored card"),
        Verb("PLACE_STORED_LEFT", "place stored {} left", TOWERS, "add the stored Tower to the left end of its row", when=_with_towers),
        Verb("PLACE_STORED_RIGHT", "place stored {} right", TOWERS, "add the stored Tower to the right end", when=_with_towers),
        Verb("REFUSE_DENIZEN", "{}", {0: "refuse denizen"}, "the drawn Denizen is discarded (O-D3)"),
        *_rally("RALLY", "", "rally a drawn Denizen by discarding a card (O-D3)", False),
        *_rally("RALLY_SHARED", "shared ", "rally a drawn Denizen by discarding a shared card (O-D3)", True),
    ),
    seen=(
        SeenField("oniverse_door", ("self", "partner"), 1, "whether the Oniverse Door is in play, and before whom"),
        SeenField("denizens", DENIZENS, 2, "own rallied Denizens"),
        SeenField("partner_denizens", DENIZENS, 2, "the partner's rallied Denizens", True),
        SeenField("stored", Entries(Group.ANY), 2, "own stored cards"),
        SeenField("partner_stored", Entries(Group.ANY), 2, "the partner's stored cards", True),
        SeenField("given", Entries(Group.ANY), 1, "the card that a Cyclobot takes"),
        SeenField("given_shared", ("yes",), 1, "whether that is a shared card", True),
    ),
    state=(
        ("denizens", "int8", (MAX_PLAYERS, len(DENIZENS))),
        ("stored", "uint8", (MAX_PLAYERS, DENIZENS_OF_A_KIND)),
        ("n_stored", "int8", (MAX_PLAYERS,)),
        ("unused", "int8", (len(DENIZENS),)),  # removed unseen at the set-up
        ("given", "int8", ()),  # the card that the Cyclobot takes, or NO_CARD
        ("given_shared", "int8", ()),
    ),
    position={"unused_denizens": CARDS, "given": CARD},
    player_position={"denizens": CARDS, "stored": CARDS},
    drawn={"denizen": DENIZENS},
    said_in={"given": ("cyclobot_take",)},
    missing={
        "denizen": "hand: no card to rally a Denizen with",
        "architect": "hand: no card that an Architect may play",
        "cyclobot_give": "discard: no Location to exchange, or none in the hand",
        "cyclobot_take": "discard: no Location to exchange",
        "keeper_store": "denizens: no Treasure Keeper without a card",
    },
    lists={"stored": "n_stored"},
    unset={"given": NO_CARD},
    read=_read,
    write=_write,
    write_player=_write_player,
    check_under_way=_check_under_way,
    equal_symbols=_architects_used,
    zones=_zones,
    words=(
        (rf"(?P<power>{'|'.join(DENIZENS)})", _use),
        ("search oniverse door", "Search the deck for the Oniverse Door and shuffle it"),
        (r"chaos search (?P<card>.+)", "Spend Chromatic Chaos: search for a {card} instead, and shuffle"),
        (rf"chaos open door with {SOURCE}(?P<card>.+)", _chaos_open),
        (rf"rally (?P<denizen>{'|'.join(DENIZENS)}) with {SOURCE}(?P<card>.+)", _rally_words),
        ("refuse denizen", "Let it go: the Denizen is discarded"),
        (rf"cyclobot give {SOURCE}(?P<card>.+)", "Give {named}"),
        (r"cyclobot take (?P<card>.+)", "Take the {card} of the discard pile"),
        (rf"store {SOURCE}(?P<card>.+)", "Store {named} under the Treasure Keeper"),
    ),
    questions={
        "denizen": _ask_denizen,
        "architect": _ask_architect,
        "cyclobot_give": "Cyclobot: which Location of yours goes to the discard pile?",
        "cyclobot_take": _ask_take,
        "keeper_store": "Treasure Keeper: which card do you store? It is safe there, and another one is drawn.",
    },
)  # fmt: skip

# ruff: noqa: E501  (the tables have one line each)
"""The Door to the Oniverse: a Door of any colour, and Denizens that help once."""

from __future__ import annotations

from onirim_env.cards import COLOURS, DOOR_NAMES, MAX_PLAYERS
from onirim_env.expansions.form import Entries, Expansion, Group, SeenField, Verb
from onirim_env.expansions.towers import NAMES as TOWERS
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


EXPANSION = Expansion(
    "oniverse",
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
    position=("unused_denizens", "given"),
    player_position=("denizens", "stored"),
)  # fmt: skip

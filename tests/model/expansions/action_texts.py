"""Every text that an action can have under some rules, by phase (the table of ``expansions_spec.md``)."""

from tests.model.expansions.cards import (
    COLOURS,
    DENIZENS,
    EXPANSION_PACKS,
    at_bottom,
    is_door,
    is_labyrinth_card,
    is_location,
    is_tower,
    on_top,
    pack,
    symbol_of,
    texts,
)
from tests.model.expansions.premonitions import PREMONITIONS


def all_texts(rules):
    """Phase -> its texts, for a rule set with all its keywords."""
    expansions, is_coop = rules.get("expansions", []), rules["players"] == 2
    kinds = list(pack(rules))
    hand = [card for card in kinds if is_location(card) or card == "dead end"]
    from_hand = hand + [f"shared {card}" for card in hand] * is_coop
    for_action = from_hand + [f"stored {card}" for card in hand] * ("oniverse" in expansions)
    doors = [card for card in kinds if is_door(card)]
    found = {"action": texts("play", filter(is_labyrinth_card, for_action))}
    found["action"] += texts("discard", filter(is_location, for_action))
    found["prophecy_discard"] = [*texts("prophecy discard", kinds), "prophecy discard nothing"]
    found["prophecy_order"] = texts("prophecy place", kinds)
    found["series"] = ["search", "pass"]
    found["door"] = ["open door", "refuse door"] + ["open door with shared key"] * is_coop
    keys = [card for card in from_hand if symbol_of(card) == "key"]
    found["nightmare"] = texts("nightmare discard", keys) + texts("nightmare return", doors)
    found["nightmare"] += ["nightmare reveal five", "nightmare discard hand"]
    if is_coop:
        found["draft"], found["swap_in"] = texts("take", hand), texts("swap in", hand)
        found["swap"] = ["no swap", *texts("swap out", hand)]
    if expansions:
        found["look_order"], found["bottom_order"] = on_top(kinds), at_bottom(kinds)
    for name in EXPANSION_PACKS:
        if name in expansions:
            for phase, more in EXPANSION_TEXTS[name](kinds, from_hand, for_action, doors, expansions).items():
                found[phase] = found.get(phase, []) + list(more)
    return found


def _book_of_steps(kinds, from_hand, for_action, doors, expansions):
    return {
        "action": ["spell paradoxical prophecy", "spell parallel planning"],
        "nightmare": ["spell powerful punishment"],
        "payment": texts("pay", kinds),
        "paradox": on_top(kinds),
        "planning": [f"swap goal {number}" for number in range(1, 14)],
    }


def _glyphs(kinds, from_hand, for_action, doors, expansions):
    return {"incantation": texts("incantation take", [*doors, "nothing"])}


def _dreamcatchers(kinds, from_hand, for_action, doors, expansions):
    verbs = ["take", "chaos take"] if "oniverse" in expansions else ["take"]
    return {
        "action": [f"failsafe dreamcatcher {number}" for number in range(1, 5)],
        "series": [
            f"{verb} {door} from dreamcatcher {n}" for verb in verbs for door in doors for n in range(1, 5)
        ],
        "free": [*(f"free dreamcatcher {number}" for number in range(1, 5)), "free none"],
        "overload": [f"give up dreamcatcher {number}" for number in range(1, 5)],
    }


def _towers(kinds, from_hand, for_action, doors, expansions):
    placed = [f"place {card} {side}" for card in filter(is_tower, for_action) for side in ("left", "right")]
    lost = texts("lose", filter(is_tower, kinds))
    return {"action": placed, "tower_loss": [*lost, "false destruction"]}


def _premonitions(kinds, from_hand, for_action, doors, expansions):
    keys = [card for card in kinds if symbol_of(card) == "key"]
    verbs = ["premonition return"]
    if any(card.startswith("shared ") for card in from_hand):
        verbs.append("premonition return partner")
    return {
        "premonition": texts("premonition", PREMONITIONS),
        "premonition_door": [text for verb in verbs for text in texts(verb, doors)],
        "premonition_keys": texts("premonition discard", keys),
        "happy_dream": [*texts("remove premonition", PREMONITIONS), "happy look", "happy search"],
        "look_discard": [*texts("look discard", kinds), "look done"],
        "happy_search": on_top(kinds),
    }


def _crossroads(kinds, from_hand, for_action, doors, expansions):
    keys = [card for card in from_hand if card.endswith("crossroad key")]
    return {"action": ["escape"], "door": texts("open door with", keys)}


def _oniverse(kinds, from_hand, for_action, doors, expansions):
    keys = [card for card in from_hand if symbol_of(card) == "key" and "crossroad" not in card]
    spent = list(filter(is_location, from_hand))
    powers = [denizen for denizen in DENIZENS if denizen not in ("chromatic chaos", "mirror")]
    coloured = [f"{colour} door" for colour in COLOURS]
    return {
        "action": powers,
        "architect": texts("play", filter(is_labyrinth_card, for_action)),
        "cyclobot_give": texts("cyclobot give", spent),
        "cyclobot_take": texts("cyclobot take", filter(is_location, kinds)),
        "keeper_store": texts("store", from_hand),
        "denizen": [text for denizen in DENIZENS for text in texts(f"rally {denizen} with", spent)]
        + ["refuse denizen"],
        "door": texts("open door with", keys) + texts("chaos open door with", keys),
        "series": ["search oniverse door", *texts("chaos search", coloured)],
        "nightmare": ["mirror"],
    }


EXPANSION_TEXTS = {
    "book_of_steps": _book_of_steps,
    "glyphs": _glyphs,
    "dreamcatchers": _dreamcatchers,
    "towers": _towers,
    "premonitions": _premonitions,
    "crossroads": _crossroads,
    "oniverse": _oniverse,
}

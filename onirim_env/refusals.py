"""Why an action is not legal, in a few words and from what the player to move sees.

Nothing here is asked for before an action has been refused: the engine says what is legal, and this only why
something else is not. Where no reason is certain, there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from onirim_env.actions import EXPANSION_VERBS, VERBS, action_table
from onirim_env.cards import PROPHECY_SIZE
from onirim_env.expansions import ALL_KIND_NAMES
from onirim_env.expansions.towers import edges_of
from onirim_env.rules import EXPANSION_BIT, EXPANSIONS, RuleSet

UNKNOWN = "no such action in this game"
DEAD_END = "dead end"


class Refused(NamedTuple):
    """An action that is not legal, and the game.

    Attributes
    ----------
    text
        The action.
    family
        Name of its family of actions.
    card
        The card that it names; empty where it names none.
    position
        The game's position (docs/positions.md).
    rules
        Its rule set.
    """

    text: str
    family: str
    card: str
    position: Mapping[str, Any]
    rules: RuleSet

    @property
    def own(self) -> Mapping[str, Any]:
        """Row, hand and Doors of the player to move."""
        one: Mapping[str, Any] = self.position["players"][self.position["to_move"]]
        return one

    @property
    def hand(self) -> list[str]:
        """The cards that the action may take its card from, where that is a hand."""
        if self.family.startswith(("SWAP_IN", "TAKE")) or "SHARED" in self.family:
            return list(self.position["shared"])
        if "STORED" in self.family:
            return list(self.own.get("stored", ()))
        return list(self.own["hand"])


def refusal(state: np.ndarray, rules: RuleSet, text: str) -> str:
    """Return why an action is not legal now; empty where no reason is certain.

    Parameters
    ----------
    state
        The game's record, shape (1,).
    rules
        A rule set of its kind of records; which expansions are played, the record says itself.
    text
        The action.
    """
    from onirim_env.positions.records import write_position

    played = _played(int(state[0]["rules"]), rules)
    families = _families()
    if text not in families or text not in action_table(played).texts:
        return unknown(text, played)
    position = write_position(state, rules)
    family, card = families[text]
    phases = PHASES["RALLY" if family.startswith("RALLY") else family]
    if position["phase"] not in phases:
        return f"it is an action of phase {' or '.join(phases)}, and this is phase {position['phase']}"
    return _reason(Refused(text, family, card, position, played))


def unknown(text: str, rules: RuleSet) -> str:
    """Return why a rule set has no such action: no table has what Dead Ends can never do."""
    verb = text.split(" ", 1)[0]
    if text.endswith(DEAD_END) and "crossroads" in rules.expansions and verb in ("play", "discard", "rally"):
        return f"a Dead End cannot be {'played' if verb == 'play' else 'discarded'} (X-3)"
    return UNKNOWN


def _played(flags: int, rules: RuleSet) -> RuleSet:
    """Return the rule set with the expansions of a record alone: games of a mixed batch lack some."""
    expansions = [name for bit, name in enumerate(EXPANSIONS) if flags & EXPANSION_BIT << bit]
    if set(expansions) == set(rules.expansions):
        return rules
    return RuleSet(**rules.base_game().as_dict(), expansions=expansions)


@cache
def _families() -> dict[str, tuple[str, str]]:
    """Return of each action that there is its family and the card that it names."""
    found: dict[str, tuple[str, str]] = {}
    families = [(verb.name, verb.texts) for verb in VERBS]
    families += [(verb.name, tuple(verb.texts.values())) for verb in EXPANSION_VERBS]
    for name, texts in families:
        for text in texts:
            found.setdefault(text, (name, _card_in(text)))
    return found


def _card_in(text: str) -> str:
    """Return the last card that a text names, in its longest reading."""
    places = ((text.rfind(name), len(name), name) for name in ALL_KIND_NAMES)
    place, _, name = max(places)
    return name if place >= 0 else ""


def _missing(refused: Refused) -> str:
    """Return that the card is not in the hand that the action takes it from, if it is not."""
    if refused.card in refused.hand:
        return ""
    if refused.family.startswith(("SWAP_IN", "TAKE")) or "SHARED" in refused.family:
        return f"no {refused.card} is shared"
    return (
        f"no {refused.card} is stored" if "STORED" in refused.family else f"your hand holds no {refused.card}"
    )


def _play(refused: Refused) -> str:
    row = refused.own["row"]
    if missing := _missing(refused):
        return missing
    symbol = refused.card.split()[1]
    if refused.position["phase"] == "architect":
        if row[-1].split()[1] != symbol:
            return f"the row ends with a {row[-1].split()[1]}, and an Architect plays a card with that symbol"
    elif row and row[-1].split()[1] == symbol:
        return f"the row ends with a {symbol}, and two cards with the same symbol may not touch (P-1)"
    return _crossroad(refused) if refused.card.startswith("crossroad") else ""


def _crossroad(refused: Refused) -> str:
    pending = refused.own["row"][refused.own["used"] :]
    is_second = len(pending) == 1 and not pending[0].startswith("crossroad")
    if is_second or "crossroads" not in refused.rules.hard:
        return ""
    return "here a Crossroad may be played only as the second card of a series (X-7)"


def _place(refused: Refused) -> str:
    if missing := _missing(refused):
        return missing
    *words, side = refused.text.split()
    towers = refused.position["towers"]
    if not towers:
        same = f"the first Tower has no neighbour, so left and right are the same: {' '.join(words)} right"
        return same if side == "left" else ""
    pair = (refused.card, towers[0]) if side == "left" else (towers[-1], refused.card)
    if set(edges_of(pair[0])[1]) & set(edges_of(pair[1])[0]):
        return f"the edges that would touch at the {side} end share a symbol (TW-2)"
    return ""


def _rally(refused: Refused) -> str:
    denizen = refused.text.removeprefix("rally ").split(" with ")[0]
    if denizen != refused.position["drawn"]:
        return f"the drawn Denizen is {refused.position['drawn']}"
    return _missing(refused)


def _revealed(refused: Refused) -> str:
    if refused.position["phase"] == "happy_search":
        return _in_deck(refused)
    if refused.family == "PROPHECY_DISCARD" and refused.rules.prophecy_actions == "permutation":
        return "here a Prophecy is decided as a whole"
    if refused.card not in refused.position["revealed"]:
        return f"no {refused.card} is among the cards to choose from"
    doors = [card.endswith("door") for card in refused.position["revealed"]]
    protected = refused.rules.prophecy_door == "protected" and not all(doors)
    if protected and refused.family == "PROPHECY_DISCARD" and refused.card.endswith("door"):
        return "a Door may be discarded only where nothing but Doors is revealed (O-2)"
    return ""


def _in_deck(refused: Refused) -> str:
    return "" if refused.card in refused.position["deck"] else f"the deck holds no {refused.card}"


def _discarded(refused: Refused) -> str:
    return (
        "" if refused.card in refused.position["discard"] else f"no {refused.card} lies on the discard pile"
    )


def _open(refused: Refused) -> str:
    colour = refused.position["drawn"].split()[0]
    shared = "SHARED" in refused.family
    key = f"{colour} key" if refused.family in ("OPEN_DOOR", "OPEN_DOOR_SHARED") else refused.card
    if key == "oniverse key":
        return "the Oniverse Door takes a Key that is named"
    cards = refused.position["shared"] if shared else refused.own["hand"]
    if key not in cards:
        return f"no {key} is shared" if shared else f"your hand holds no {key}"
    if refused.family.startswith("CHAOS") and "chromatic chaos" not in refused.own["denizens"]:
        return "you have no Chromatic Chaos"
    return ""


def _own_door(refused: Refused) -> str:
    if not refused.rules.nightmare_return_door:
        return "a Nightmare does not take Doors here (O-13)"
    return "" if refused.card in refused.own["doors"] else f"no {refused.card} is in play before you"


def _reveal_five(refused: Refused) -> str:
    short = len(refused.position["deck"]) < PROPHECY_SIZE and refused.rules.reveal_short_deck == "forbidden"
    return "the deck holds fewer than five cards (O-3)" if short else ""


def _power(refused: Refused) -> str:
    if refused.card not in refused.own["denizens"]:
        return f"you have rallied no {refused.card}"
    answers = refused.card == "mirror"
    if answers != (refused.position["phase"] == "nightmare"):
        return "a Mirror answers a Nightmare" if answers else "of Denizens, only a Mirror answers a Nightmare"
    return ""


def _book(refused: Refused) -> str:
    if not refused.position["failsafe_books"]:
        return "no Failsafe Book is left (D-8)"
    if refused.position["begun"]:
        return "a Failsafe Book is used before anything else in a turn (D-8)"
    return _catcher(refused)


def _catcher(refused: Refused) -> str:
    """Return that there is nothing under a Dreamcatcher, if that is so."""
    number = refused.text.split()[-1]
    groups = refused.position["dreamcatchers"]
    if not number.isdigit():
        return ""
    if int(number) > len(groups):
        return f"there is no Dreamcatcher {number} any more"
    if not groups[int(number) - 1]:
        return f"nothing lies under Dreamcatcher {number}"
    if refused.card and refused.card not in groups[int(number) - 1]:
        return f"no {refused.card} lies under Dreamcatcher {number}"
    return ""


def _tower_loss(refused: Refused) -> str:
    if refused.card not in refused.position["towers"]:
        return f"no {refused.card} is in the row"
    return ""


def _face_up(refused: Refused) -> str:
    name = refused.text.split()[-1]
    return "" if name in refused.position["premonitions"] else f"{name} does not lie face up"


REASONS: dict[str, Callable[[Refused], str]] = {
    **dict.fromkeys(("PLAY", "PLAY_SHARED", "PLAY_STORED"), _play),
    **dict.fromkeys(
        (
            "PLACE_LEFT", "PLACE_RIGHT", "PLACE_SHARED_LEFT", "PLACE_SHARED_RIGHT", "PLACE_STORED_LEFT",
            "PLACE_STORED_RIGHT",
        ),
        _place,
    ),
    **dict.fromkeys(
        (
            "DISCARD", "DISCARD_SHARED", "DISCARD_STORED", "SWAP_OUT", "SWAP_IN", "TAKE", "STORE",
            "STORE_SHARED", "CYCLOBOT_GIVE", "CYCLOBOT_GIVE_SHARED", "NIGHTMARE_KEY", "NIGHTMARE_KEY_SHARED",
        ),
        _missing,
    ),
    **dict.fromkeys(
        (
            "PROPHECY_DISCARD", "PROPHECY_PLACE", "ON_TOP", "AT_BOTTOM", "LOOK_DISCARD", "INCANTATION",
        ),
        _revealed,
    ),
    **dict.fromkeys(
        (
            "OPEN_DOOR", "OPEN_DOOR_SHARED", "OPEN_WITH", "OPEN_WITH_SHARED", "CHAOS_OPEN",
            "CHAOS_OPEN_SHARED",
        ),
        _open,
    ),
    "NIGHTMARE_DOOR": _own_door,
    "NIGHTMARE_REVEAL": _reveal_five,
    "POWER": _power,
    "FAILSAFE": _book,
    **dict.fromkeys(("FREE", "GIVE_UP", "TAKE_FROM"), _catcher),
    "LOSE_TOWER": _tower_loss,
    **dict.fromkeys(("PREMONITION", "REMOVE_PREMONITION"), _face_up),
    "PREMONITION_KEY": _in_deck,
    **dict.fromkeys(("PAY", "CYCLOBOT_TAKE"), _discarded),
}  # fmt: skip
"""What says why an action of a family is not legal in a phase that has such actions."""

PHASES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        (
            "DISCARD", "DISCARD_SHARED", "DISCARD_STORED", "PLACE_LEFT", "PLACE_RIGHT", "PLACE_SHARED_LEFT",
            "PLACE_SHARED_RIGHT", "PLACE_STORED_LEFT", "PLACE_STORED_RIGHT", "ESCAPE", "FAILSAFE",
        ),
        ("action",),
    ),
    **dict.fromkeys(("PLAY", "PLAY_SHARED", "PLAY_STORED"), ("action", "architect")),
    **dict.fromkeys(("SPELL", "POWER"), ("action", "nightmare")),
    **dict.fromkeys(("PROPHECY_DISCARD", "PROPHECY_NOTHING", "PROPHECY_ORDER"), ("prophecy_discard",)),
    "PROPHECY_PLACE": ("prophecy_order",),
    **dict.fromkeys(
        (
            "OPEN_DOOR", "REFUSE_DOOR", "OPEN_DOOR_SHARED", "OPEN_WITH", "OPEN_WITH_SHARED", "CHAOS_OPEN",
            "CHAOS_OPEN_SHARED",
        ),
        ("door",),
    ),
    **dict.fromkeys(
        (
            "NIGHTMARE_KEY", "NIGHTMARE_DOOR", "NIGHTMARE_REVEAL", "NIGHTMARE_HAND", "NIGHTMARE_KEY_SHARED",
        ),
        ("nightmare",),
    ),
    **dict.fromkeys(("SEARCH", "PASS", "SEARCH_ONIVERSE", "CHAOS_SEARCH", "TAKE_FROM"), ("series",)),
    **dict.fromkeys(("NO_SWAP", "SWAP_OUT"), ("swap",)),
    "SWAP_IN": ("swap_in",),
    "TAKE": ("draft",),
    "ON_TOP": ("look_order", "paradox", "happy_search"),
    "AT_BOTTOM": ("bottom_order",),
    "PAY": ("payment",),
    "GOAL": ("planning",),
    **dict.fromkeys(("INCANTATION", "INCANTATION_NOTHING"), ("incantation",)),
    "FREE": ("free",),
    "GIVE_UP": ("overload",),
    **dict.fromkeys(("LOSE_TOWER", "FALSE_DESTRUCTION"), ("tower_loss",)),
    **dict.fromkeys(("LOOK_DISCARD", "LOOK_DONE"), ("look_discard",)),
    "PREMONITION_KEY": ("premonition_keys",),
    "PREMONITION": ("premonition",),
    **dict.fromkeys(("REMOVE_PREMONITION", "HAPPY"), ("happy_dream",)),
    **dict.fromkeys(("PREMONITION_RETURN", "PREMONITION_RETURN_PARTNER"), ("premonition_door",)),
    **dict.fromkeys(("CYCLOBOT_GIVE", "CYCLOBOT_GIVE_SHARED"), ("cyclobot_give",)),
    "CYCLOBOT_TAKE": ("cyclobot_take",),
    **dict.fromkeys(("STORE", "STORE_SHARED"), ("keeper_store",)),
    "REFUSE_DENIZEN": ("denizen",),
    "RALLY": ("denizen",),  # one family for each Denizen, and each for shared cards
}  # fmt: skip
"""The phases in which an action of a family may be legal."""


def _reason(refused: Refused) -> str:
    family = refused.family
    if family.startswith("RALLY"):
        return _rally(refused)
    return REASONS[family](refused) if family in REASONS else ""

"""Which actions of a family a rule set can ever need."""

from __future__ import annotations

from onirim_env.modules import ALL_KIND_NAMES
from onirim_env.modules import verbs as families
from onirim_env.modules.oniverse import DENIZENS
from onirim_env.rules import RuleSet

_BY_CARD = {
    verb.name
    for verb in families.VERBS
    if all(ALL_KIND_NAMES[argument] in text for argument, text in verb.texts.items())
}


def is_offered(verb: families.Verb, argument: int, text: str, rules: RuleSet) -> bool:
    """Whether the rule set has the cards and the options that an action needs."""
    present = families.present_names(rules.expansions)
    if verb.name in _BY_CARD and ALL_KIND_NAMES[argument] not in present:
        return False
    if verb.name.startswith("PLACE_STORED") and "towers" not in rules.expansions:
        return False
    if verb.name == "SEARCH" and rules.series_search == "choice":
        return False  # the base game has them then
    if verb.name == "INCANTATION_NOTHING" and rules.incantation_door != "optional":
        return False
    if verb.name in ("OPEN_WITH", "OPEN_WITH_SHARED") and "oniverse" not in rules.expansions:
        return text.endswith("crossroad key")
    if verb.name == "TAKE_FROM":
        door = next(door for door in families.DOORS if door in text)
        return door in present and ("oniverse" in rules.expansions or not text.startswith("chaos"))
    if verb.name.startswith("PREMONITION_RETURN"):
        return families.DOORS[argument] in present
    if verb.name == "GOAL":
        return argument < 8 + 4 * ("glyphs" in rules.expansions) + ("oniverse" in rules.expansions)
    if verb.name == "POWER":
        return DENIZENS[argument] != "chromatic chaos"
    return True

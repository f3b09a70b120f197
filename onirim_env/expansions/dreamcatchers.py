"""The Dreamcatchers: Limbo goes under them, and Lost Dreams have to be caught."""

from __future__ import annotations

from onirim_env.expansions.form import DOORS, IN_LIMBO, Entries, Expansion, Group, SeenField, Verb
from onirim_env.rules import RuleSet

CATCHERS = 4
BOOKS = 2
LOST_DREAMS = 4
DOORS_OF_CATCHER = 8
"""Room for the Doors of one Dreamcatcher among the arguments of TAKE_FROM."""
CHAOS_HALF = CATCHERS * DOORS_OF_CATCHER
"""From here on they are for Chromatic Chaos."""

_NUMBERS = tuple(range(1, CATCHERS + 1))
_TAKE_FROM = {
    half + (number - 1) * DOORS_OF_CATCHER + index: f"{chaos}take {door} from dreamcatcher {number}"
    for half, chaos in ((0, ""), (CHAOS_HALF, "chaos "))
    for number in _NUMBERS
    for index, door in enumerate(DOORS)
}


def _can_be_there(rules: RuleSet, text: str) -> bool:
    """Ask for the expansion that has both the Oniverse Door and Chromatic Chaos."""
    return "oniverse" in rules.expansions or not ("oniverse" in text or text.startswith("chaos"))


EXPANSION = Expansion(
    "dreamcatchers",
    cards=(("lost dream", LOST_DREAMS),),
    phases=("free", "overload"),
    uses=("SEARCH",),
    verbs=(
        Verb(
            "TAKE_FROM", "{}", _TAKE_FROM, "gain a Door from under a Dreamcatcher by a series (D-7)",
            when=_can_be_there,
        ),
        Verb(
            "FREE", "free {}", {0: "none", **{number: f"dreamcatcher {number}" for number in _NUMBERS}},
            "free a Dreamcatcher before the shuffle after a search (D-6)",
        ),
        Verb(
            "FAILSAFE", "failsafe dreamcatcher {}", {number: str(number) for number in _NUMBERS},
            "spend a Failsafe Book (D-8)",
        ),
        Verb(
            "GIVE_UP", "give up dreamcatcher {}", {number: str(number) for number in _NUMBERS},
            "the Dreamcatcher that is lost in an overload (D-4)",
        ),
    ),
    seen=(
        SeenField(
            "catchers", Entries(Group.ANY, CATCHERS, "dreamcatcher"), 10,
            "cards under each Dreamcatcher, by kind",
        ),
        SeenField("n_catchers", ("dreamcatchers",), CATCHERS, "how many Dreamcatchers there are"),
        SeenField("books", ("books",), BOOKS, "Failsafe Books that are left"),
        SeenField(
            "kept", tuple(f"dreamcatcher {number}" for number in _NUMBERS), 1,
            "the Dreamcatcher that this search may not free",
        ),
    ),
    state=(
        ("catchers", "int8", (CATCHERS, IN_LIMBO)),  # cards by kind; occupied ones first
        ("n_catchers", "int8", ()),
        ("books", "int8", ()),
        ("kept", "int8", ()),  # number, from 1 on, of the one that this search may not free
        ("begun", "int8", ()),  # 1 once something else than a Failsafe Book is done in the turn (O-41)
    ),
    position=("dreamcatchers", "failsafe_books", "kept_dreamcatcher", "begun"),
)  # fmt: skip

"""The Book of Steps Lost and Found: Doors in a given order, and spells."""

from __future__ import annotations

from onirim_env.expansions.form import DOORS, Entries, Expansion, Group, SeenField, Verb
from onirim_env.rules import RuleSet

SPELLS = ("paradoxical prophecy", "parallel planning", "powerful punishment")
COSTS = ((5, 7, 10), (6, 9, 12))
"""What each spell costs: on the normal side, on the hard side (B-4)."""
MAX_GOALS = 13
PARADOX_SIZE = 5

_GOALS = range(1, MAX_GOALS + 1)


def n_goals(expansions: tuple[str, ...]) -> int:
    """Return how many Goals there are: two for each colour, and those of other expansions (B-5)."""
    return 8 + 4 * ("glyphs" in expansions) + ("oniverse" in expansions)


def _is_there(rules: RuleSet, text: str) -> bool:
    return int(text.split()[-1]) <= n_goals(rules.expansions)


EXPANSION = Expansion(
    "book_of_steps",
    phases=("payment", "paradox", "planning"),
    uses=("ON_TOP", "AT_BOTTOM", "SEARCH", "bottom"),
    verbs=(
        Verb("PAY", "pay {}", Group.ANY, "remove a discarded card from the game for a spell (B-4)"),
        Verb("SPELL", "spell {}", dict(enumerate(SPELLS)), "cast a spell (B-4)"),
        Verb(
            "GOAL", "swap goal {}", {goal - 1: str(goal) for goal in _GOALS},
            "a Goal that Parallel Planning moves", when=_is_there,
        ),
    ),
    seen=(
        SeenField("goals", Entries(DOORS, MAX_GOALS, "goal"), 1, "the Goals in their row"),
        SeenField("goals_met", tuple(f"goal {goal}" for goal in _GOALS), 1, "Goals that lie face down"),
        SeenField("spell", SPELLS, 1, "the spell being paid"),
        SeenField("to_pay", ("cards",), 12, "how many cards are still to be paid"),
        SeenField(
            "swapped_goal", tuple(f"goal {goal}" for goal in _GOALS), 1,
            "the first Goal that Parallel Planning moves",
        ),
        SeenField("removed", Entries(Group.ANY), 16, "cards out of the game, by kind"),
    ),
    state=(
        ("goals", "int8", (MAX_GOALS,)),  # Doors by number
        ("n_goals", "int8", ()),
        ("goals_met", "int16", ()),  # bit i: Goal i lies face down
        ("spell", "int8", ()),  # the one being paid, from 1 on; 0 for none
        ("to_pay", "int8", ()),
        ("swapped_goal", "int8", ()),  # the first one of two, or NO_GOAL
    ),
    position=("goals", "goals_met", "spell", "to_pay", "swapped_goal"),
)  # fmt: skip

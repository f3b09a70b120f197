"""A digest of the tables of every set of expansions: ``python -m tests.engine.stored_tables`` writes them.

They say that moved code makes the same ids, texts and layouts. A wanted change of a table changes them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from onirim_env.actions import ActionTable
from onirim_env.observation import observation_layout
from onirim_env.rules import EXPANSIONS, OPTIONS, RuleSet, options_of

STORED = Path(__file__).parent / "stored_tables.json"


def rule_sets() -> Iterator[RuleSet]:
    """Give every set of expansions, solo and co-op; and each value of each option, with all of them."""
    for players in (1, 2):
        for size in range(len(EXPANSIONS) + 1):
            for chosen in combinations(EXPANSIONS, size):
                yield RuleSet(players=players, expansions=chosen)
        for option in (*OPTIONS[1:], *options_of(EXPANSIONS)):
            yield RuleSet(players=players, expansions=EXPANSIONS, **{option.keyword: option.values[1]})


def digest(rules: RuleSet) -> str:
    """Return 16 hexadecimal digits for the actions and the observation of a rule set."""
    table = ActionTable(rules)
    layout = [list(field._replace(meaning="")) for field in observation_layout(rules)]
    told = json.dumps([table.texts, table.codes.tolist(), table.ids.tolist(), layout, rules.flags])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def tables() -> dict[str, str]:
    """Return the digest of each rule set."""
    return {repr(rules): digest(rules) for rules in rule_sets()}


if __name__ == "__main__":
    STORED.write_text(json.dumps(tables(), indent=0) + "\n", encoding="utf-8")

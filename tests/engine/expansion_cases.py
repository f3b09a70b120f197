"""The acceptance cases of the expansions: what they expect, compared with a position."""

import json
from collections import Counter
from pathlib import Path

FILE = Path(__file__).parent.parent / "model" / "expansion_cases.json"
CASES = json.loads(FILE.read_text(encoding="utf-8"))

#: What a case may expect, by the way it is compared with what was found.
EXACT = (
    "phase",
    "to_move",
    "turns",
    "deck",
    "deck_size",
    "doors_size",
    "drawn",
    "fetched",
    "follows",
    "to_pay",
)
IN_ORDER = (
    "rows",
    "goals",
    "goals_met",
    "towers",
    "premonition_reserve",
    "known_top",
    "known_bottom",
    "knows",
)
IN_ANY_ORDER = ("limbo", "hand", "shared", "discarded", "discard", "premonitions", "legal", "unused_denizens")
GROUPS = ("doors", "hands", "denizens", "stored", "dreamcatchers")
PARTS = ("legal_has", "legal_lacks", "removed_has", "deck_counts", "failsafe_books")


def name_of(case):
    return f"{case['rule']} {case['name']}"


def found_in(before, mover, position, legal, knows, turns):
    """Everything that a case may expect of a position, of the choices, and of what each player knows."""
    players = position["players"]
    found = {**position, "turns": turns, "legal": legal, "hand": players[mover]["hand"]}
    found["discarded"] = list((Counter(position["discard"]) - Counter(before["discard"])).elements())
    found["deck_size"] = len(position["deck"])
    found["doors_size"] = sum(len(player["doors"]) for player in players)
    found.update(known_top=knows[mover]["top"], known_bottom=knows[mover]["bottom"], knows=knows)
    zones = {"rows": "row", "hands": "hand", "doors": "doors", "denizens": "denizens", "stored": "stored"}
    found.update({name: [player.get(zone, []) for player in players] for name, zone in zones.items()})
    return found


def check(expect, found):
    for key, wanted in expect.items():
        value = found.get(key)
        if key == "doors" and not (wanted and isinstance(wanted[0], list)):
            wanted = [wanted]
        if key == "legal_has":
            assert set(wanted) <= set(found["legal"]), key
        elif key == "legal_lacks":
            assert not set(wanted) & set(found["legal"]), key
        elif key == "removed_has":
            assert not Counter(wanted) - Counter(found["removed"]), key
        elif key == "deck_counts":
            assert {name: found["deck"].count(name) for name in wanted} == wanted, key
        elif key in IN_ANY_ORDER:
            assert sorted(value) == sorted(wanted), key
        elif key in GROUPS:
            assert [sorted(group) for group in value] == [sorted(group) for group in wanted], key
        else:
            assert value == wanted, key

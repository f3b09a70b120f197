"""Positions as JSON (docs/positions.md): a street of one way there, and one back.

``fields.py``: of what kind each field is. ``words.py``: what a position says, cards by zone. ``checks.py``
and, with expansions, ``expansion_checks.py`` over the tables of ``phases.py``: may it be? ``records.py`` and
``expansion_records.py``: to the engine's record, and from there to JSON. ``reading.py`` goes all of it;
``foreign_records.py`` takes records from outside along it.
"""
